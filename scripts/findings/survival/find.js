/** What was lost when the server was killed under load. */
import { join } from 'node:path';
import { groupBy, sum } from '../../analyse/numbers.js';
import { readIfThere } from '../../analyse/run-folder.js';

/** @param {object} run see openRun @returns {object[]|null} see schema.json; null where no server was killed */
export const find = ({ folder }) => readIfThere(join(folder, 'survival.json'));

/** @param {object[]} rounds survival.json @returns {[kills: number, profiles: [string, {lost, acknowledged, loaded_lost}|null][]]} loaded_lost: of the documents that were there before */
export function lossesIn(rounds) {
  const profiles = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some((round) => round.lost === null)) return [profile, null];
    const total = (key) => sum(same.map((round) => round[key] ?? 0));
    return [profile, { lost: total('lost'), acknowledged: total('acknowledged'), loaded_lost: total('loaded_lost') }];
  });
  return [Math.max(...rounds.map(({ round }) => round)), profiles];
}
