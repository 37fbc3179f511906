/** What was lost when the server was killed under load. */
import { groupBy, sum } from '../../analyse/numbers.js';

/** @param {object[]} rounds survival.json @returns {[kills: number, profiles: [string, {lost, acknowledged}|null][]]} */
export function lossesIn(rounds) {
  const profiles = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some((round) => round.lost === null)) return [profile, null];
    const [gone, acknowledged] = ['lost', 'acknowledged'].map((key) => sum(same.map((round) => round[key])));
    return [profile, { lost: gone, acknowledged }];
  });
  return [Math.max(...rounds.map(({ round }) => round)), profiles];
}
