/** On which nodes of a cluster the roles were. */
import { groupBy } from './numbers.js';

const nodesOf = ({ processes = {} }) =>
  Object.fromEntries(
    Object.entries(processes)
      .filter(([, { nodes }]) => nodes)
      .map(([role, { nodes }]) => [role, [...new Set(nodes)].sort()])
      .sort(),
  );

/**
 * @param {object[]} statuses status.json of trials
 * @returns {{nodes: Object<string, string[]>, trials: number}[]} by role, and in how many trials they were there so, the most first; none where
 *   roles are no pods
 */
export function placements(statuses) {
  const placed = statuses.map(nodesOf).filter((nodes) => Object.keys(nodes).length > 0);
  return [...groupBy(placed, JSON.stringify).values()]
    .map((same) => ({ nodes: same[0], trials: same.length }))
    .toSorted((a, b) => b.trials - a.trials);
}
