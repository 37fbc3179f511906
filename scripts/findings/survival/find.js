/** What was lost when the server was killed under load. */
import { groupBy, sum } from '../../analyse/numbers.js';

/** @param {object[]} rounds survival.json @returns {[kills: number, profiles: [string, {lost, acknowledged, loaded_lost}|null][]]} loaded_lost: of the documents that were there before */
export function lossesIn(rounds) {
  const profiles = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some((round) => round.lost === null)) return [profile, null];
    const total = (key) => sum(same.map((round) => round[key] ?? 0));
    return [profile, { lost: total('lost'), acknowledged: total('acknowledged'), loaded_lost: total('loaded_lost') }];
  });
  return [Math.max(...rounds.map(({ round }) => round)), profiles];
}
