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
/** A rate whose probes were all disturbed bounds the search after so many of them, and is left alone after so many more. */
const [DISTURBED, GIVEN_UP] = [3, 5];

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
  const found = { holds: 'held', fails: 'failed', undecided: 'disturbed' }[outcome];
  return { rate, outcome: disturbed ? 'disturbed' : found, margin, excess, samples, limited };
}

/**
 * Doubles the rate until the objective fails, or halves it until it holds; then probes halfway, as ratios go, between the highest rate that held and the
 * lowest that failed; when these are close, repeats each until two of its probes agree. Disturbed probes are repeated, and decide nothing
 * of the target: where three of one rate were, lower ones are looked at, and the answer is at least what held there.
 * @param {object[]} probes see probeOf, in the order in which they were made
 * @param {{start: number, least?: number, most?: number, budget?: number}} bounds requests per second, whole; budget: probes, disturbed ones included
 * @returns {{next: number}|{kind: 'rate', rate, low, high, fitted, resolution, why: 'probes'|null}|{kind: 'at least', rate, why}|{kind: 'none', rate}|{kind: 'unknown', why}}
 *   next: the rate to probe; rate: requests per second; low, high: the bracket; fitted: probes in the fit, 0 where the rate is the
 *   bracket's middle; resolution: variance of log(rate) that the steps alone give it; why: generator, disturbed, bound (`most` holds) or probes (the budget
 *   is spent; of a rate, before both bounds were sure and close); none: `rate` is the lowest that was probed, and failed; unknown: no probe told anything (why: disturbed), or the generator
 *   could not send the lowest rate (why: generator)
 */
export function search(probes, { start, least = 1, most = Number.MAX_SAFE_INTEGER, budget = PROBES }) {
  const rates = ratesOf(probes);
  const bracket = bracketOf(rates);
  const next = nextRate(rates, bracket, { start, least, most });
  if (next !== null && probes.length < budget) return { next };
  return answerOf(probes, bracket, { most, why: next === null ? null : 'probes' });
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

/** By majority; open: as many for as against, as many that failed as were not sent, or none that counts, unless too many were disturbed. */
function verdictOf({ held, failed, unsent, disturbed }) {
  const against = failed + unsent;
  if (held === 0 && against === 0 && disturbed >= DISTURBED) return 'disturbed';
  if (held === against) return 'open';
  if (held > against) return 'held';
  if (failed === unsent) return 'open';
  return failed > unsent ? 'failed' : 'unsent';
}

const isSure = ({ held, failed, unsent, disturbed, verdict }) =>
  verdict === 'disturbed' ? disturbed >= GIVEN_UP : Math.max(held, failed + unsent) >= AGREEING;

/** @returns {{low: object|null, high: object|null}} the lowest rate that did not hold, and the highest below it that did */
function bracketOf(rates) {
  const high = rates.find(({ verdict }) => ['failed', 'unsent', 'disturbed'].includes(verdict)) ?? null;
  const low = rates.findLast(({ rate, verdict }) => verdict === 'held' && (high === null || rate < high.rate)) ?? null;
  return { low, high };
}

/** @returns {number|null} null: nothing is left to probe */
function nextRate(rates, { low, high }, { start, least, most }) {
  const open = rates.find(({ verdict }) => verdict === 'open');
  if (open) return open.rate;
  if (!low && !high) return Math.min(most, Math.max(least, Math.round(start)));
  if (!high) return low.rate < most ? Math.min(most, 2 * low.rate) : unsureOf([low]);
  if (!low) return high.rate > least ? Math.max(least, Math.floor(high.rate / 2)) : unsureOf([high]);
  const middle = Math.round(Math.sqrt(low.rate * high.rate));
  const canDivide = low.rate < middle && middle < high.rate;
  return canDivide && high.rate > (1 + WITHIN) * low.rate ? middle : unsureOf([low, high]);
}

const unsureOf = (bounds) => bounds.find((bound) => !isSure(bound))?.rate ?? null;

/** @param {object[]} probes @param {object} bracket @param {{most: number, why: string|null}} end why: of a rate that the search would have looked at further */
function answerOf(probes, { low, high }, { most, why }) {
  if (low && high?.verdict === 'failed') {
    // what held before the target was first overloaded may hold no more, and the probes that should have told were disturbed
    const isStale = why !== null && probes.some(isDisturbed) && !heldSinceFailed(probes, low.rate);
    return isStale ? { kind: 'unknown', why } : { ...rateOf(probes, low.rate, high.rate), why };
  }
  const limited = { unsent: 'generator', disturbed: 'disturbed' }[high?.verdict];
  if (low) return { kind: 'at least', rate: low.rate, why: limited ?? (low.rate >= most ? 'bound' : 'probes') };
  // where the probes were spent, one that held says that the lowest rate of all is not yet known
  const isOpen = why !== null && probes.some(({ outcome }) => outcome === 'held');
  if (high?.verdict === 'failed' && !isOpen) return { kind: 'none', rate: high.rate };
  return { kind: 'unknown', why: limited ?? (isOpen ? why : 'disturbed') };
}

const isDisturbed = ({ outcome }) => outcome === 'disturbed';

function heldSinceFailed(probes, rate) {
  const first = probes.findIndex(({ outcome, limited }) => outcome === 'failed' && limited === null);
  return probes.some((probe, i) => i > first && probe.outcome === 'held' && probe.rate === rate);
}

/** Where nothing is fitted the capacity may lie anywhere in the bracket: the variance of an even spread is a twelfth of its squared width. */
function rateOf(probes, low, high) {
  const told = probes.filter(({ outcome, limited, excess }) => outcome !== 'disturbed' && limited === null && excess);
  const fit = crossing(told, { low, high });
  // a curve through few probes that differ by more than chance may cross far from where most held below and failed above
  if (fit) {
    const rate = Math.min(Math.max(fit.rate, low / (1 + WITHIN)), high * (1 + WITHIN));
    return { kind: 'rate', ...fit, rate, low, high, resolution: 0 };
  }
  return {
    kind: 'rate',
    rate: Math.sqrt(low * high),
    low,
    high,
    fitted: 0,
    resolution: Math.log(high / low) ** 2 / 12,
  };
}
