/** What a run found: its headlines, each of which compares two cells, and answers to what else an experiment asked. */
import { groupBy, sum } from '../analyse/numbers.js';
import { indexText, objectivesText, poolMapText, survivalText } from '../analyse/phrases.js';

/**
 * The most telling first.
 * @param {object} results results.json, of any age
 * @returns {{text: string, claim: boolean}[]} claim: something was shown
 */
export function sentences(results) {
  const shown = (text) => ({ text, claim: true });
  return [
    ...index(results.index_pairs?.cells ?? []),
    ...survival(results.survival ?? []).map(shown),
    ...(results.run.blocks > 1 ? (results.pool_maps ?? []) : []).map(poolMapText).map(shown), // one block has no interval
    ...results.headlines,
    ...objectives(results.objectives ?? []).map(shown),
  ];
}

function objectives(judged) {
  const [met, missed] = [true, false].map((answer) => judged.filter((objective) => objective.met === answer));
  return met.length + missed.length === 0 ? [] : [objectivesText(met.length, judged.length, missed)];
}

/** With one block there is no interval, and no answer. */
const index = (cells) =>
  cells
    .filter(({ speedup }) => speedup.differs !== null)
    .map((cell) => ({ text: indexText(cell), claim: cell.speedup.differs }));

/** Acknowledged documents that were gone after every process of the server had been killed, over all rounds. */
function survival(rounds) {
  if (rounds.length === 0) return [];
  const profiles = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some(({ lost }) => lost === null)) return [profile, null];
    const [lost, acknowledged] = ['lost', 'acknowledged'].map((key) => sum(same.map((round) => round[key])));
    return [profile, { lost, acknowledged }];
  });
  return [survivalText(Math.max(...rounds.map(({ round }) => round)), profiles)];
}
