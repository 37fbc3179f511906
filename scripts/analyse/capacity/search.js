/**
 * The search for a capacity: the largest arrival rate at which an objective holds. Pure: from the probes so far comes the next rate, or the answer.
 */
import { crossing } from './crossing.js';

/** Probes that one search may take. */
export const PROBES = 14;
/** The bracket is narrow enough when the lowest rate that failed is at most this share above the highest that held. */
export const WITHIN = 0.03;
/** A bound counts when two probes of its rate agree, so at most three are needed. Farther away, one is enough: there the next rates correct it. */
const AGREEING = 2;
/** A rate that disturbed probes leave undecided bounds the search after so many of them, and is left alone after so many more. */
const [DISTURBED, GIVEN_UP] = [3, 5];
/** After so many probes that say the same, a bound that only older ones told is asked again: what was cold, or was overloaded, may have changed. */
const IN_A_ROW = 3;
/** A bracket so wide is not yet near the capacity: what one probe says of its upper end is not trusted. */
const WIDE = 1.1;
/** @param {number} low the highest rate that held @param {number} high the lowest above it that failed */
export const isWide = (low, high) => high > WIDE * low;

/**
 * The rate at which a block begins its search. Two searches that take the same steps from the same start end at the same rates, so that their agreement says
 * nothing of how far they are off: the starts of blocks are spread over a factor of two, as fractions of the golden ratio's multiples are
 * spread over [0, 1) (Weyl's sequence).
 * @param {number} guess requests per second @param {number} block from 1 up @returns {number} requests per second, at least 1
 */
export const startOf = (guess, block) =>
  Math.max(1, Math.round((guess * 2 ** (((block * (Math.sqrt(5) - 1)) / 2) % 1)) / Math.SQRT2));

/**
 * A probe as the search sees it.
 * @param {number} rate requests per second @param {object} judged see judge in objective.js @param {object} [more] samples; disturbed: something else than
 *   the target or the generator was at fault; limited: 'generator' where it could not send the rate
 */
export function probeOf(rate, { outcome, margin, excess }, { samples = 1, disturbed = false, limited = null } = {}) {
  const told = { holds: 'held', fails: 'failed', undecided: 'disturbed' }[outcome];
  // what disturbs a target makes a generator late, too
  if (disturbed) return { rate, outcome: 'disturbed', margin, excess, samples, limited: null };
  return { rate, outcome: told, margin, excess, samples, limited };
}

/**
 * Doubles the rate until the objective fails, or halves it until it holds; then probes halfway, as ratios go, between the highest rate that held and the
 * lowest that failed; when these are close, repeats each until two of its probes agree. Disturbed probes are repeated, and none says that a rate
 * failed; but a rate held only where more of its probes did than did not, disturbed ones included: if those were left out, chance would
 * have as many tries as it needs. Where three of one rate were disturbed, lower ones are looked at, and the answer is at least what held there.
 * What held must hold after the target was asked for the most, too.
 * @param {object[]} probes see probeOf, in the order in which they were made
 * @param {{start: number, least?: number, most?: number, budget?: number}} bounds requests per second, whole; budget: probes, disturbed ones included
 * @returns {{next: number}|{kind: 'rate', rate, low, high, fitted, resolution, why: 'probes'|null}|{kind: 'at least', rate, why}|{kind: 'none', rate}|{kind: 'unknown', why}}
 *   next: the rate to probe; rate: requests per second; low, high: the bracket; fitted: probes in the fit, 0 where the rate is the
 *   bracket's middle; resolution: variance of log(rate) that the steps alone give it; why: generator, disturbed (of a rate: what lies between the bounds), bound (`most` holds) or probes (the budget
 *   is spent; of a rate, before both bounds were sure and close); none: `rate` is the lowest that may be probed, and failed; unknown: no probe told anything (why: disturbed), the generator
 *   could not send the lowest rate (generator), the budget was spent before any rate was known to hold (probes), or to hold after overload (overload)
 */
export function search(probes, { start, least = 1, most = Number.MAX_SAFE_INTEGER, budget = PROBES }) {
  const rates = ratesOf(probes);
  const bracket = bracketOf(rates);
  const next = nextRate(probes, rates, bracket, { start, least, most, left: budget - probes.length });
  if (next !== null && probes.length < budget) return { next };
  if (next === null) return answerOf(probes, bracket, { most, why: null });
  return answerOf(probes, bracketOf(rates.map(settled)), { most, why: 'probes' });
}

/** @returns {{rate, held, failed, unsent, disturbed, verdict}[]} one per rate, ascending: how many of its probes said what */
function ratesOf(probes) {
  const counts = new Map();
  for (const { rate, outcome, limited } of probes) {
    if (!counts.has(rate)) counts.set(rate, { rate, held: 0, failed: 0, unsent: 0, disturbed: 0 });
    const count = counts.get(rate);
    if (outcome === 'held') count.held += 1;
    else if (limited === 'generator') count.unsent += 1;
    else if (outcome === 'failed') count.failed += 1;
    else count.disturbed += 1;
  }
  return [...counts.values()].map((count) => ({ ...count, verdict: verdictOf(count) })).sort((a, b) => a.rate - b.rate);
}

/** By majority; open: where there is none, or as many failed as were not sent, unless too many were disturbed. */
function verdictOf({ held, failed, unsent, disturbed }) {
  const against = failed + unsent;
  if (held > against + disturbed) return 'held';
  if (against > held && failed !== unsent) return failed > unsent ? 'failed' : 'unsent';
  return disturbed >= DISTURBED ? 'disturbed' : 'open';
}

/** Where no more probes may be made, a rate that failed as often as it held is none that holds. */
const settled = (rate) =>
  rate.verdict === 'open' && rate.failed > rate.unsent && rate.failed + rate.unsent >= rate.held
    ? { ...rate, verdict: 'failed' }
    : rate;

/**
 * The lowest rate above a given one at which most probes failed, or as many as held, where no more are made. @param {object[]} probes see probeOf
 * @param {number} above requests per second @returns {number|null}
 */
export const lowestFailed = (probes, above) =>
  ratesOf(probes)
    .map(settled)
    .find(({ rate, verdict }) => rate > above && verdict === 'failed')?.rate ?? null;

const isSure = ({ held, failed, unsent, disturbed, verdict }) =>
  verdict === 'disturbed' ? disturbed >= GIVEN_UP : Math.max(held, failed + unsent) >= AGREEING;

const didHold = ({ outcome }) => outcome === 'held';
const isDisturbed = ({ outcome }) => outcome === 'disturbed';

/** Twice the rate; in steps that grow from small ones where a rate has failed before and held since: the capacity is then near, or the target was cold. @param {object[]} rates @param {object} low */
function above(rates, low) {
  const failed = rates.findLast((rate) => rate.failed > 0);
  if (!failed) return 2 * low.rate;
  const steps = rates.filter(({ rate }) => rate > failed.rate).length;
  return Math.max(low.rate + 1, Math.round(low.rate * Math.min(2, (1 + WITHIN) ** (2 ** (2 * steps + 1)))));
}

/** Whether this rate, and any above it, held only before the target was asked for the most that did not hold. @param {object[]} probes @param {{rate: number}} low */
function isStale(probes, low) {
  const missed = probes.filter((probe) => !didHold(probe) && probe.rate > (1 + WITHIN) * low.rate);
  const most = Math.max(...missed.map(({ rate }) => rate));
  const first = probes.indexOf(missed.find(({ rate }) => rate === most));
  return missed.length > 0 && !probes.some((probe, i) => i > first && didHold(probe) && probe.rate >= low.rate);
}

/** Whether one probe alone says that the upper bound failed, far from the lower one, and those since then held. @param {object[]} probes */
const isAlone = (probes, { low, high }) =>
  high.failed + high.unsent === 1 && isWide(low.rate, high.rate) && lastAgree(probes, true);

/** The same, where what failed below it before anything held holds now: the target was cold. */
const isDoubtful = (probes, { low, high }) =>
  isAlone(probes, { low, high }) && probes.slice(0, probes.findIndex(didHold)).some(({ rate }) => rate <= low.rate);

/** Whether the last probes that were not disturbed all held, or all did not. */
function lastAgree(probes, held) {
  const last = probes.filter((probe) => !isDisturbed(probe)).slice(-IN_A_ROW);
  return last.length === IN_A_ROW && last.every((probe) => didHold(probe) === held);
}

/** @returns {{low: object|null, high: object|null, failed: object|null}} high: the lowest rate that did not hold; low: the highest below it that did; failed: the lowest above that which failed */
function bracketOf(rates) {
  const high = rates.find(({ verdict }) => ['failed', 'unsent', 'disturbed'].includes(verdict)) ?? null;
  const low = rates.findLast(({ rate, verdict }) => verdict === 'held' && (high === null || rate < high.rate)) ?? null;
  const failed = rates.find(({ rate, verdict }) => verdict === 'failed' && rate > low?.rate) ?? null;
  return { low, high, failed };
}

/** @returns {number|null} null: nothing is left to probe */
function nextRate(probes, rates, { low, high }, { start, least, most, left }) {
  const isLowStale = low !== null && isStale(probes, low);
  // the last probe is for what must hold again, and for no overload that would leave it unknown
  if (low && left === 1 && (isLowStale || (!high && rates.some(({ failed }) => failed > 0)))) return low.rate;
  const open = rates.find(({ verdict }) => verdict === 'open');
  if (open) return open.rate;
  const unsureOf = (bounds) => bounds.find((bound) => !isSure(bound))?.rate ?? null;
  if (!low && !high) return Math.min(most, Math.max(least, Math.round(start)));
  if (!high) return low.rate < most ? Math.min(most, above(rates, low)) : unsureOf([low]);
  if (!low) return high.rate > least ? Math.max(least, Math.floor(high.rate / 2)) : unsureOf([high]);
  if (isLowStale && lastAgree(probes, false)) return low.rate;
  if (isAlone(probes, { low, high })) return high.rate;
  const middle = Math.round(Math.sqrt(low.rate * high.rate));
  const canDivide = low.rate < middle && middle < high.rate;
  if (canDivide && high.rate > (1 + WITHIN) * low.rate) return middle;
  return isLowStale ? low.rate : unsureOf([low, high]);
}

/** @param {object[]} probes @param {object} bracket @param {{most: number, why: string|null}} end why: of a rate that the search would have looked at further */
function answerOf(probes, { low, high, failed }, { most, why }) {
  if (low && isStale(probes, low)) return { kind: 'unknown', why: 'overload' };
  if (low && high?.verdict === 'failed' && !isDoubtful(probes, { low, high }))
    return { ...rateOf(probes, { low, high }, why), why };
  // what was disturbed lies between
  if (low && failed && high.verdict === 'disturbed' && !isWide(low.rate, failed.rate))
    return { ...rateOf(probes, { low, high: failed }, 'disturbed'), why: 'disturbed' };
  const limited = { unsent: 'generator', disturbed: 'disturbed' }[high?.verdict];
  if (low) return { kind: 'at least', rate: low.rate, why: limited ?? (low.rate >= most ? 'bound' : 'probes') };
  const heldOnce = probes.some((probe) => didHold(probe) && probe.rate > high?.rate);
  if (high?.verdict === 'failed' && heldOnce) return { kind: 'unknown', why: 'overload' };
  if (high?.verdict === 'failed' && why === null) return { kind: 'none', rate: high.rate };
  return { kind: 'unknown', why: limited ?? (probes.every(isDisturbed) ? 'disturbed' : why) };
}

/**
 * Where nothing is fitted, or the search was cut short, the capacity may lie anywhere in the bracket: the variance of an even spread is a twelfth of its
 * squared width. Where that is wide, the fit need not be near its middle, and the mean square of its error is more. Where fit and bracket disagree, the
 * answer is at one end of such a spread, and that is a third.
 */
function rateOf(probes, bracket, why) {
  const [low, high] = [bracket.low.rate, bracket.high.rate];
  const told = probes.filter(({ outcome, limited, excess }) => outcome !== 'disturbed' && limited === null && excess);
  const fit = crossing(told, { low, high });
  const width = Math.log(high / low) ** 2 / 12;
  if (!fit) return { kind: 'rate', rate: Math.sqrt(low * high), low, high, fitted: 0, resolution: width };
  // a fit through few probes that differ by more than chance may cross far from where most held below and failed above
  const rate = Math.min(Math.max(fit.rate, low / (1 + WITHIN)), high * (1 + WITHIN));
  const spread = Math.log(Math.max(rate, high) / Math.min(rate, low)) ** 2 / 3;
  const cut = isWide(low, high) ? meanSquare(Math.log(low / rate), Math.log(high / rate)) : width;
  const resolution = rate === fit.rate ? (why === null ? 0 : cut) : spread;
  return { kind: 'rate', ...fit, rate, low, high, resolution };
}

/** Of what is spread evenly from one number to another. */
const meanSquare = (from, to) => (to ** 3 - from ** 3) / (3 * (to - from));
