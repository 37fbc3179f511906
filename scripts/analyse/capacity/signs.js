/** Signs that the answer of a search is doubtful, from results.json of any age; runs in the page, too. */
import { rate as rateText } from '../format.js';
import { GENERATOR_MARKS } from '../marks.js';
import { listed } from '../phrases.js';
import { plural } from '../words.js';
import { WITHIN } from './search.js';

/** Rates of results.json are rounded, so they may be off by a little. */
const ROUNDED = 1.0001;

/**
 * Where a block's answer lies, see search.
 * @param {{capacity: number|null, bracket: object|null}} trial of a capacity @returns {'middle'|'fit'|'below'|'above'|null} below: 3 % below the highest rate
 *   that held, as the fit lies lower still; above: 3 % above the lowest that failed; null where there is no bracket
 */
export function positionOf({ capacity, bracket }) {
  if (bracket === null) return null;
  const { low, high, fitted } = bracket;
  if (fitted === 0) return 'middle';
  if (capacity <= (low / (1 + WITHIN)) * ROUNDED) return 'below';
  return capacity >= (high * (1 + WITHIN)) / ROUNDED ? 'above' : 'fit';
}

/** The probes at both rates that an answer lies between. */
function sidesOf(trial) {
  const bounds = boundsOf(trial);
  const at = bounds === null ? [] : [bounds.low, bounds.high];
  return at.map((level) => ({ at: level, probes: trial.probes.filter((probe) => probe.level === level) }));
}

export const isDisturbed = ({ outcome }) => outcome === 'disturbed';
export const hasFailed = ({ outcome, limited }) => outcome === 'failed' && !limited;
export const disturbedIn = ({ probes }) => probes.filter(isDisturbed).length;

const ofGenerator = ({ check }) => check === 'dispatch_lag' || GENERATOR_MARKS.has(check);

/** That the load generator was late, or at its limit, in most of the probes that failed just above the answer; null where it was not, or where they failed with errors. */
export function lateText(trial, parts) {
  if (errorsText(trial, parts) !== null) return null;
  const high = boundsOf(trial)?.high;
  const failed = trial.probes.filter(({ level, outcome }) => level === high && outcome === 'failed');
  const late = failed.filter(({ reasons }) => reasons.some(ofGenerator)).length;
  return late > failed.length / 2
    ? `in ${late} of ${failed.length} ${failed.length === 1 ? 'probe' : 'probes'} that failed above it the load generator was late or at its limit, and so had a part in what users waited`
    : null;
}

/**
 * The highest rate, more than 3 % above the lowest that failed, that held at first, before it or a lower one failed: what the target took before it was overloaded
 * it does not take any more. @param {{capacity: number|null, bracket: object|null, probes: object[]}} trial of a capacity @returns {number|null} null where there is none
 */
export function heldAtFirst({ capacity, bracket, probes }) {
  const from = bracket?.high ?? capacity ?? Number.POSITIVE_INFINITY;
  const held = probes.filter(
    ({ level, outcome }, i) =>
      outcome === 'held' &&
      level > from * (1 + WITHIN) * ROUNDED &&
      probes.some(
        (later, j) =>
          j > i && hasFailed(later) && later.level <= level && (bracket ? later.level >= from : later.level > from),
      ),
  );
  return held.length === 0 ? null : Math.max(...held.map(({ level }) => level));
}

/** Of the probes that failed where no bracket says which matter. */
const LAST = 3;

/** That most of the probes which failed just above the answer, or last of all, had more errors than may be, as of a token that has expired; null where they had not. @param {object} trial of a capacity @param {{metric, limit}[]} parts of its objective */
export function errorsText(trial, parts) {
  const allowed = parts.find(({ metric }) => metric === 'error_share')?.limit ?? 0;
  const all = trial.probes.filter(hasFailed);
  const bounds = boundsOf(trial);
  const failed = bounds ? all.filter(({ level }) => level === bounds.high) : all.slice(-LAST);
  const errors = failed.flatMap(({ reasons }) =>
    reasons.filter(({ check, value }) => check === 'errors' && value >= allowed),
  );
  return errors.length > failed.length / 2
    ? `${errors.length} of ${plural(failed.length, 'probe')} that failed had too many errors, the last: ${errors.at(-1).text}`
    : null;
}

/** Whether a search had spent its probes before it had ended. */
export const isCutShort = ({ why }) => why === 'probes';

/** Whether only a lower bound was found; and whether all that lies between both bounds was disturbed. */
export const isOpen = ({ kind }) => kind === 'at least';
export const isTriedOnce = ({ kind, capacity, probes }) =>
  kind === 'at least' &&
  probes.filter(({ level, outcome }) => level === capacity && !isDisturbed({ outcome })).length === 1;
/** Whether the target, or the process that is watched of it, was gone in a probe. */
export const isEnded = ({ probes }) =>
  probes.some(({ reasons = [] }) =>
    reasons.some(({ check, value, limit }) => check === 'processes' && value === 'target' && limit === 'alive'),
  );
export const isBlurred = ({ kind, why }) => kind === 'rate' && why === 'disturbed';
/** How long nothing was answered in a probe, though much was under way, in milliseconds; null where that was not so. */
export const pauseIn = ({ reasons = [] }) => reasons.find(({ check }) => check === 'paused')?.value ?? null;
export const hasPauses = ({ probes }) => probes.some((probe) => pauseIn(probe) !== null);

/** The highest rate that held and the lowest that failed, also where no more than a lower bound is known; else null. */
const boundsOf = ({ bracket, kind, capacity, failed }) =>
  bracket ?? (kind === 'at least' && failed ? { low: capacity, high: failed } : null);

/** By how many per cent the lowest rate that failed is above the highest that held, where that is more than it should be; else null. */
export function gapOf(trial) {
  const bracket = boundsOf(trial);
  const gap = bracket && bracket.high / bracket.low - 1;
  return gap > WITHIN * ROUNDED ? Number((100 * gap).toPrecision(2)) : null;
}

/** Whether two probes of a rate say the same, and not as many another thing. */
function isConfirmed({ probes }) {
  const [held, failed] = ['held', 'failed'].map((told) => probes.filter(({ outcome }) => outcome === told).length);
  return held !== failed && Math.max(held, failed) > 1;
}

/** What a search lacks whose probes were spent: '354 was tried only once', '304 and 362 are 19 % apart'. @returns {string} '' where it has a third rate still open */
export function lacksText(trial) {
  const sides = sidesOf(trial);
  const once = sides.filter(({ probes }) => probes.length - disturbedIn({ probes }) === 1);
  const split = sides.filter((side) => !once.includes(side) && !isConfirmed(side));
  const named = (ends) => listed(ends.map(({ at }) => rateText(at)));
  const gap = gapOf(trial);
  return [
    once.length > 0 && `${named(once)} ${once.length > 1 ? 'were' : 'was'} tried only once`,
    split.length > 0 && `the probes of ${named(split)} do not agree`,
    gap !== null && `${once.length === sides.length ? 'they' : named(sides)} are ${gap} % apart`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** From so many of the seconds at 150 % of a capacity on, in which p95 was below its limit, that was not its capacity. */
const HELD_AFTER_ALL = 0.5;

/** Whether most searches failed with errors of a status, in words of errorsText: refused, perhaps by a limit on requests, which shows after more than the seconds of a probe. @param {object} capacity of results.json @param {string} [status] that the words have */
export const isRefused = ({ trials = [], objective }, status = 'status_') =>
  trials.filter((trial) => errorsText(trial, objective.parts)?.includes(status)).length > trials.length / 2;

/** In how many seconds of its overload p95 was below its limit all the same, where these are most: then it may take more, unless it was refused for longer. @returns {{held: number, of: number}|null} */
export function heldAfterAll(capacity) {
  const { overload = null } = capacity;
  if (!(overload?.held_share > HELD_AFTER_ALL) || isRefused(capacity)) return null;
  const of = overload.seconds - 1; // the first does not count
  return { held: Math.round(overload.held_share * of), of };
}

/** Whether p95 was not normal again for as long as was watched after the overload, and had been before it. */
export const isUnrecovered = ({ overload = null }) =>
  overload !== null &&
  overload.limit_us !== null &&
  overload.normal_before !== false &&
  overload.normal_after_s === null &&
  !overload.disturbed?.includes('processes');

/**
 * Failed narrowly: by less than so many times the share that may miss the objective. Where rates so far apart did, and did not hold later, as one that failed while the target was cold does, that share hardly depends
 * on the rate. Chosen by simulation, among 2 to 4 and 1.5 to 3.
 */
const [NARROWLY, APART] = [2, 1.5];
export const isFlat = ({ probes }) => {
  const levels = probes
    .filter(
      (probe, i) =>
        hasFailed(probe) &&
        probe.beyond_share > 0 &&
        probe.beyond_share <= NARROWLY * probe.allowed_share &&
        !probes.slice(i).some(({ level, outcome }) => outcome === 'held' && level >= probe.level),
    )
    .map(({ level }) => level);
  return levels.length > 1 && Math.max(...levels) >= APART * Math.min(...levels);
};

/** Less than so many times a capacity is no overload. */
export const OVERLOAD = 1.2;

/** As k6/lib/options.js sends it: arrivals per second. */
export const dueIn = ({ rate_rps }) => Math.round(1.5 * rate_rps);
export const sentIn = (overload) => dueIn(overload) - (overload.unsent ?? 0) / overload.seconds;

/** What share of its capacity was answered rightly while 150 % of it was asked for, where that is less than all, and most searches failed as requests were refused: more was let through for a time. @returns {number|null} */
export function letThrough(capacity) {
  const { answer, objective, overload = null } = capacity;
  if (answer.kind !== 'rate' || overload === null || overload.disturbed?.length > 0) return null;
  const { rate_rps, good_rps, wrong_rps = 0, unanswered_rps = 0 } = overload;
  const allowed = objective.parts.find(({ metric }) => metric === 'error_share')?.limit ?? 0;
  const isOver = sentIn(overload) >= OVERLOAD * rate_rps;
  const isLimited = isRefused(capacity, 'status_4xx') && wrong_rps > unanswered_rps;
  return isOver && isLimited && good_rps < (rate_rps * (1 - allowed)) / (1 + WITHIN) ? good_rps / rate_rps : null;
}

export const isBelow = (trial) => positionOf(trial) === 'below';
export const isTired = (trial) => heldAtFirst(trial) !== null;
