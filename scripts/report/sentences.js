/** What a run says: its headlines, each of which compares two cells, and answers to what else an experiment asked. */
import { groupBy, sum } from '../analyse/numbers.js';
import { levelNoun, plural } from '../analyse/words.js';
import { ratio, share } from './format.js';

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
    ...(results.pool_maps ?? []).map(poolMap).map(shown),
    ...results.headlines,
    ...objectives(results.objectives ?? []).map(shown),
  ];
}

function objectives(judged) {
  const [met, missed] = [true, false].map((answer) => judged.filter((objective) => objective.met === answer));
  if (met.length + missed.length === 0) return [];
  const names = missed.map(({ name, metric }) => `${name} (${metric})`).join(', ');
  return [`${met.length} of ${plural(judged.length, 'objective')} met${names && `; missed: ${names}`}.`];
}

/** One block has no interval, hence no answer. */
const index = (cells) =>
  cells
    .filter(({ speedup }) => speedup.differs !== null)
    .map(({ level, pairs, wins, speedup }) => {
      const found = speedup.differs
        ? `queries ran ${ratio(speedup)} as fast`
        : `no difference was shown (${ratio(speedup)})`;
      const text = `At ${plural(level, 'user')} ${found} with the index, which won ${wins} of ${plural(pairs, 'pair')} of equal answers.`;
      return { text, claim: speedup.differs };
    });

/** Acknowledged documents that were gone after every process of the server had been killed, over all rounds. */
function survival(rounds) {
  if (rounds.length === 0) return [];
  const parts = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some(({ lost }) => lost === null)) return `${profile} cannot tell`;
    const [lost, acknowledged] = ['lost', 'acknowledged'].map((key) => sum(same.map((round) => round[key])));
    return `${profile} lost ${lost.toLocaleString('en-US')} of ${acknowledged.toLocaleString('en-US')}`;
  });
  const times = Math.max(...rounds.map(({ round }) => round));
  return [`Acknowledged documents after ${plural(times, 'kill')} of the server under load: ${parts.join(', ')}.`];
}

function poolMap({ workload, target, tool, within, smallest }) {
  const pools = smallest.map(
    ({ level, pool_size }) => `${pool_size} with ${level} ${levelNoun({ tool, model: 'closed' }, level)}`,
  );
  return `Smallest pool whose measured throughput is within ${share(within)} of the best: ${pools.join(', ')} (${workload}, ${tool}, ${target}).`;
}
