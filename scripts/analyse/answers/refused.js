/** What forbids an answer, or to claim it. */
import { blocksOfAll, byBlock, figureOf } from '../figures.js';
import { limitOf } from '../limits.js';
import { isUnsent } from '../marks.js';
import { listed, noAnswer, notClaimed } from '../phrases.js';
import { unitIn } from '../sides.js';
import { bound } from '../words.js';

/** @param {string} why there is no answer */
export const unanswered = (why) => ({ answered: false, claim: false, ...noAnswer(why) });

/** @param {string|null} why it is not claimed @param {object} told see notClaimed */
export const withheld = (why, told) => (why === null ? told : notClaimed(told, why));

/** Why sides cannot be compared, or null: a request of one does other work, or a share of a low peak is no whole rate (see plan-open.jq). */
export function unlike(sides, { metric }) {
  if (metric === 'throughput' && new Set(sides.map(({ cell }) => unitIn(cell))).size > 1)
    return 'a request of one side stores many documents, and one of another does not';
  const shares = [...new Set(sides.map(({ cell }) => cell.share))];
  return shares.length > 1 ? `the peaks are so low that their nearest whole rates are ${listed(shares)} of them` : null;
}

/** Whether every request was sent when it was due. */
export const isSent = (sides) =>
  !isUnsent(
    sides.flatMap(({ cells }) => cells),
    limitOf('unsent_share'),
  );

/** Why sides have no ratio with an interval. @param {object|null} result see pairedRatio @param {object[]} sides see sideOf */
export function whyFew(result, sides, { metric, where }) {
  if (result && result.n === result.of) return 'one block has no interval';
  const isShort = (cells) => (cell) => byBlock(cell).size < blocksOfAll(cells).length;
  const gap = where.level === 'peak' && sides.flatMap(({ cells }) => cells.filter(isShort(cells)))[0];
  if (gap) return `${gap.id} lacks a trial that counts, so the peak is not known in every block`;
  const isBeyond = ({ latency_us }) => latency_us?.beyond?.percentiles?.includes(metric);
  const slow = sides.find(({ cells }) => cells.some(isBeyond));
  if (slow) {
    const { more_than_us } = slow.cells.find(isBeyond).latency_us.beyond;
    return `the ${metric} of ${slow.name} is more than ${bound(more_than_us / 1e6)} s, as requests had no answer by then`;
  }
  const unmet = sides.find(({ trials }) => [...trials.values()].some(({ kind }) => kind === 'none'));
  if (unmet) return `${unmet.name} met the objective at no rate in some block`;
  const bare = sides.find(({ trials }) => [...trials.values()].some((trial) => figureOf(trial, metric) === null));
  if (bare) return `some trials of ${bare.name} have no ${metric.replaceAll('_', ' ')}, as where answers are too few`;
  return result ? `only ${result.n} of ${result.of} blocks have both sides` : 'no block has them all';
}
