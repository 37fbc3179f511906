/** The capacity over blocks: one answer with its interval, and the users that it can serve. */
import jstat from 'jstat';
import { CONFIDENCE, pairedRatio } from '../intervals.js';
import { isWide, WITHIN } from './search.js';

const { binomial } = jstat;

/**
 * The capacity of several blocks, whose searches are independent of one another.
 *
 * Where every block has a rate: the geometric mean with Student's interval on logarithms, as of every figure here that is compared (Student,
 * Biometrika 6, 1908). Its errors are those of a fit of some ten probes, so nearly normal on that scale, where the mean estimates the
 * median. The interval of the sample median itself (order statistics) needs six blocks to reach 95 %, and covers in steps: 96.9 % with six,
 * 98.4 % with seven, 97.9 % with ten.
 *
 * Where some block ended otherwise there is no mean, but there are ranks. The median is taken with "at least N" as N or more and "not at any rate" as
 * less than any rate; its interval are order statistics (W. R. Thompson, Annals of Mathematical Statistics 7, 1936; H. A. David, H. N. Nagaraja, Order
 * Statistics, 2003, section 7.1), which a block that was cut off at N leaves known below N.
 *
 * Every block may be too high by what its probes are too short to see (unseenShare in objective.js), and all by the same: the lower end of the interval lies lower by that.
 *
 * Where there is no interval, nothing says how far an answer within a wide bracket is off: of a search that was cut short there, or was disturbed between
 * its two rates, only what held counts.
 * @param {object[]} answers of search, one per block, with the share that is `unseen`; those of kind `unknown` are blocks without an answer @param {number} [of] blocks that there should be
 * @returns {{kind: 'rate'|'at least'|'none'|'unknown', rate, low, high, blocks, of, why}} rate, low, high: requests per second; rate of `none`: the
 *   lowest that failed in any block; low 0: none; high null with a low: open; both null: no interval; blocks: that have an answer; why: of `at
 *   least` and `unknown`, as of search, or divided
 */
export function overBlocks(answers, of = answers.length) {
  const told = answers.filter(({ kind }) => kind !== 'unknown');
  const count = { blocks: told.length, of };
  if (told.length === 0)
    return { kind: 'unknown', rate: null, low: null, high: null, ...count, why: commonest(answers) };
  const answer = centreOf(told, of);
  if (answer.low === null) return { ...centreOf(withoutInterval(told), of), ...count };
  if (answer.kind !== 'rate') return { ...answer, ...count };
  const unseen = Math.max(...told.map((one) => one.unseen ?? 0));
  return { ...answer, low: answer.low / (1 + unseen), ...count };
}

const centreOf = (answers, of) =>
  answers.every(({ kind }) => kind === 'rate') ? meanOf(answers, of) : medianOf(answers, of);

/**
 * The answers of blocks where no interval says how far one may be off: of a search that was cut short with a wide bracket, or disturbed within it, no more than the rate that held.
 * @param {object[]} answers of search @returns {object[]}
 */
export const withoutInterval = (answers) =>
  answers.map((answer) =>
    answer.kind === 'rate' &&
    ((answer.why === 'disturbed' && answer.high > (1 + WITHIN) * answer.low) ||
      (answer.why === 'probes' && isWide(answer.low, answer.high))) &&
    answer.rate > answer.low
      ? { kind: 'at least', rate: answer.low, why: answer.why, unseen: answer.unseen }
      : answer,
  );

function meanOf(answers, of) {
  const resolution = answers.reduce((all, answer) => all + answer.resolution, 0) / answers.length;
  const { ratio, low, high } = pairedRatio(
    answers.map(({ rate }) => Math.log(rate)),
    { resolution, of },
  );
  return { kind: 'rate', rate: ratio, low, high, why: null };
}

/** What is known of a block's capacity: at least `value`, and that itself unless it was cut off there. */
const knownOf = ({ kind, rate }) => ({ value: kind === 'none' ? 0 : rate, cut: kind === 'at least' });

function medianOf(answers, of) {
  const known = answers.map(knownOf).sort((a, b) => a.value - b.value || a.cut - b.cut);
  const n = known.length;
  const middle = [known[(n - 1) >> 1], known[n >> 1]];
  const rank = n < of ? 0 : outerRank(n);
  // where some blocks hold up to a rate and others at none, only an interval can say what that amounts to; and between half and half nothing lies
  const isMixed = known[0].value === 0 && known.at(-1).value > 0;
  if (isMixed && (rank === 0 || (middle[0].value === 0 && middle[1].value > 0)))
    return { kind: 'unknown', rate: null, low: null, high: null, why: 'divided' };
  // between a value and what is only known to be more lies anything from that value up
  const value = middle[1].cut ? middle[0].value : Math.sqrt(middle[0].value * middle[1].value);
  const low = rank === 0 ? null : known[rank - 1].value;
  const high = rank === 0 || !isKnown(known, n - rank) ? null : known[n - rank].value;
  if (value === 0) return { kind: 'none', rate: lowestOfNone(answers), low, high, why: null };
  const kind = isKnown(known, n >> 1) ? 'rate' : 'at least';
  return {
    kind,
    rate: value,
    low,
    high,
    why: kind === 'rate' ? null : commonest(answers.filter((answer) => answer.kind === 'at least')),
  };
}

/** Why most of the searches ended so; of as many, the first. @param {object[]} answers of search */
function commonest(answers) {
  const reasons = answers.map(({ why }) => why ?? null);
  const count = (why) => reasons.filter((other) => other === why).length;
  return reasons.reduce((a, b) => (count(b) > count(a) ? b : a), reasons[0] ?? null);
}

/** Is the value of this rank, from 0 up, what it would be had no block been cut off? One that was may belong above it. */
const isKnown = (known, rank) => known.every(({ value, cut }) => !cut || value > known[rank].value);

/** The largest k for which the k-th lowest to the k-th highest of n hold the median with 95 %: fewer than k lie below it with 2.5 % at most. 0: none. */
function outerRank(n) {
  let rank = 0;
  while (binomial.cdf(rank, n, 0.5) <= (1 - CONFIDENCE) / 2) rank += 1;
  return rank;
}

const lowestOfNone = (answers) => Math.min(...answers.filter(({ kind }) => kind === 'none').map(({ rate }) => rate));

/**
 * How many users a rate is, who each wait for an answer and then think: N = X (R + Z) [Little, Operations Research 9, 1961; D. A. Menascé, V. A. F.
 * Almeida, L. W. Dowdy, Performance by Design, 2004, "interactive response time law"].
 * @param {number} rate X, requests per second @param {{mean_us: number, think_s: number}} times R: mean response time at that rate; Z: from an answer to the next request
 * @returns {number} users on average; not whole
 * @throws {Error} where a time is negative or no number
 */
export function usersOf(rate, { mean_us, think_s }) {
  for (const [name, value] of Object.entries({ mean_us, think_s }))
    if (!(value >= 0)) throw new Error(`${name} must be a number from 0 up, not ${value}`);
  return rate * (mean_us / 1e6 + think_s);
}
