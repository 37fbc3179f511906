/** What a search for a capacity found, as sentences. */

import { rangeText } from '../effects.js';
import { duration, share as percentage } from '../format.js';
import { factor } from '../words.js';
import { nameOf } from './objective.js';

/** '50 ms', '0.1 %' */
const limitText = ({ metric, limit }) => (metric === 'error_share' ? percentage(limit) : duration(limit));

/** 'p95 stays below 50 ms and errors below 0.1 %' @param {{metric, limit}[]} parts @param {string} [verb] of one percentile: 'stays', 'does not stay' */
export function objectiveText(parts, [one, many] = ['stays', 'stay']) {
  const texts = parts.map((part, i) => {
    const verb = part.metric === 'error_share' ? many : one;
    return [nameOf(part.metric), i === 0 && verb, `below ${limitText(part)}`].filter(Boolean).join(' ');
  });
  return [texts.slice(0, -1).join(', '), texts.at(-1)].filter(Boolean).join(' and ');
}

/** So many times the lower end of an interval is its upper end where an answer says next to nothing. */
const VAGUE = 4;

const WHY = {
  generator: 'the load generator could not send more',
  bound: 'no more were to be tried',
  probes: 'the probes were spent before the search had ended',
  disturbed: 'probes were disturbed',
  overload: 'what held before more was asked of the target was not seen to hold afterwards',
  divided: 'in some blocks it holds up to some rate, in the others at none',
  closed: 'nothing was measured in the closed model, where a search begins',
};

/** Why a search ended otherwise than at a rate. @param {string|null} why see search */
export const whyText = (why) => WHY[why] ?? 'it was not finished';

/** In what a capacity is counted. @param {{think_s?: number, iteration_requests?: number}} capacity of results.json @returns {string} */
export function unitOf({ think_s = null, iteration_requests = 1 }) {
  if (think_s !== null) return 'users';
  return iteration_requests > 1 ? 'iterations/s' : 'requests/s';
}

/** Of "at least" no more is shown than was found: three digits, rounded down. @param {number} rate */
export function shownLeast(rate) {
  const step = 10 ** (Math.floor(Math.log10(rate)) - 2);
  return Math.floor(rate / step + 1e-9) * step;
}

/**
 * The answer as a sentence without its full stop.
 * @param {{metric, limit}[]} parts of the objective @param {object} answer see overBlocks
 * @param {{think_s?: number, iteration_requests?: number}} [of] think_s: where it is of users who think; iteration_requests: of a script's iteration
 * @returns {string} 'p95 stays below 50 ms up to about 412 requests/s (95 % interval 398 to 431)'
 */
export function answerText(parts, answer, { think_s = null, iteration_requests = 1 } = {}) {
  const { kind, why } = answer;
  const rate = kind === 'at least' ? shownLeast(answer.rate) : answer.rate;
  const [of, any] =
    think_s === null
      ? ['at which rates', 'at any rate that was tried']
      : ['with how many users', 'with any number of users that was tried'];
  if (kind === 'unknown') return `not known ${of} ${objectiveText(parts)}${why ? `: ${whyText(why)}` : ''}`;
  const amount = think_s === null ? rateText(rate, iteration_requests) : usersText(rate, think_s, iteration_requests);
  if (kind === 'none') {
    const lowest = `${objectiveText(parts, ['does not stay', 'do not stay'])} ${any}, down to ${amount}`;
    return answer.high !== 0 || answer.blocks < answer.of ? `${lowest} (${boundsText(answer)})` : lowest;
  }
  if (kind === 'rate' && answer.low > 0 && answer.high > VAGUE * answer.low)
    return `hardly known ${of} ${objectiveText(parts)}: about ${amount} (${boundsText(answer)})`;
  const notes = [kind === 'at least' && whyText(why), boundsText(answer)].filter(Boolean).join('; ');
  return `${objectiveText(parts)} up to ${kind === 'at least' ? 'at least' : 'about'} ${amount} (${notes})`;
}

const rateText = (rate, iteration_requests = 1) =>
  iteration_requests === 1
    ? `${factor(rate)} request${rate === 1 ? '' : 's'}/s`
    : `${factor(rate)} iteration${rate === 1 ? '' : 's'}/s of ${iteration_requests} requests each`;

/** '2,010 users who think for 5 s between an answer and the next request' @param {number} users @param {number} think_s on average */
const usersText = (users, think_s, iteration_requests) =>
  `${factor(users)} ${users === 1 ? 'user who thinks' : 'users who think'} for ${factor(think_s)} s between ${iteration_requests > 1 ? 'one iteration and the next' : 'an answer and the next request'}`;

/**
 * Whether the users that were found and the rate agree, by Little's law. @param {object} answer of users, see overBlocks @param {{rate_rps, mean_us, users}} law see find.js
 * @returns {string} 'By Little’s law ...'
 */
export function lawText({ kind, rate }, { rate_rps, mean_us, users }, iteration_requests = 1) {
  const text = `By Little’s law ${rateText(rate_rps, iteration_requests)}, each answered in ${duration(mean_us)} on average, are asked by ${factor(users)} such users`;
  return kind === 'rate'
    ? `${text}; found were ${factor(rate)}, ${factor((100 * rate) / users)} % of that.`
    : `${text}.`;
}

function boundsText({ low, high, blocks, of }) {
  if (low === null) return `no interval: ${blocks} of ${of} block${of === 1 ? '' : 's'}`;
  if (low > 0 && high !== null) return `95 % interval ${rangeText({ low, high })}`;
  if (high === null) return low > 0 ? `95 % interval from ${factor(low)} up` : 'the 95 % interval has no end';
  return `95 % interval up to ${factor(high)}`;
}

/** What a probe says, in a word: 'held', 'failed', 'disturbed', 'not sent'. */
export const saysText = ({ outcome, limited }) => (limited && outcome === 'failed' ? 'not sent' : outcome);
