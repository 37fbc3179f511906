/** On which nodes of a cluster the roles were, and on which machines: several nodes may be one. */
import { groupBy, sum } from './numbers.js';

/** Whether roles are pods that tell of their machines. @param {object|null|undefined} resources summary.resources, or the median over trials */
export const isOfPods = (resources) => Boolean(resources?.machines ?? resources?.machine_count);

/** Whether all roles were on one machine, in all trials. @param {object} resources as above */
export const isOneMachine = ({ machines, machine_count = machines?.length ?? 1 }) => machine_count === 1;

/** What was read from disks per second where the database is: of several machines that is not known. @param {object|null|undefined} resources as above */
export const diskReads = (resources) =>
  isOneMachine(resources ?? {}) ? (resources?.host?.disk_read_bytes_per_s ?? null) : null;

/**
 * The machines of a trial, or of all trials of a cell, with the roles on each. What is no cluster is one, with all roles.
 * @param {object} resources as above @returns {{roles: string[], cpu_busy_share: number|null|undefined}[]} none where they are several, and not known
 */
export function machinesOf(resources) {
  const { host, roles, machines } = resources;
  if (isOneMachine(resources)) return [{ ...host, roles: Object.keys(roles ?? {}) }];
  return Object.entries(machines ?? {}).map(([names, machine]) => ({ roles: names.split(' '), ...machine }));
}

/**
 * Resources of a trial, so that the median over trials can be taken: of several machines by the roles on each. Of those with generators alone the busiest stands.
 * @param {object} resources summary.resources
 */
export function countedMachines({ machines, ...rest }) {
  if (!machines) return rest;
  const byBusy = machines.toSorted((a, b) => a.cpu_busy_share - b.cpu_busy_share);
  const byRoles = Object.fromEntries(byBusy.map(({ roles, ...figures }) => [roles.join(' '), figures]));
  return { ...rest, machine_count: machines.length, ...(machines.length > 1 && { machines: byRoles }) };
}

const nodesOf = ({ processes = {} }) =>
  Object.fromEntries(
    Object.entries(processes)
      .filter(([, { nodes }]) => nodes)
      .map(([role, { nodes }]) => [role, [...new Set(nodes)].sort()])
      .sort(),
  );

/**
 * @param {{target: string, status: object}[]} trials with their status.json
 * @returns {{target: string, nodes: Object<string, string[]>, trials: number}[]} by role, and in how many trials of that target they were there so, the most
 *   first; none where roles are no pods
 */
export function placements(trials) {
  const placed = trials
    .map(({ target, status }) => ({ target, nodes: nodesOf(status) }))
    .filter(({ nodes }) => Object.keys(nodes).length > 0);
  return [...groupBy(placed, JSON.stringify).values()]
    .map((same) => ({ ...same[0], trials: same.length }))
    .toSorted((a, b) => b.trials - a.trials);
}

/** On which nodes a role was. @param {object[]} placed see placements @returns {{names: string, trials: number}[]} 'node1 and node2', and in how many trials */
export function nodesOfRole(role, placed) {
  const there = groupBy(
    placed.filter(({ nodes }) => nodes[role]),
    ({ nodes }) => nodes[role].join(' and '),
  );
  return [...there].map(([names, same]) => ({ names, trials: sum(same.map(({ trials }) => trials)) }));
}
