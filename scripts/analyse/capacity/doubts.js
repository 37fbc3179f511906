/** What speaks against capacities, from results.json of any age; runs in the page, too. */
import { duration, rate as rateText } from '../format.js';
import { GENERATOR_MARKS } from '../marks.js';
import { sum } from '../numbers.js';
import { capital, listed } from '../phrases.js';
import { plural, seriesName } from '../words.js';
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

const isDisturbed = ({ outcome }) => outcome === 'disturbed';
const hasFailed = ({ outcome, limited }) => outcome === 'failed' && !limited;
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
const isCutShort = ({ why }) => why === 'probes';

/** Whether only a lower bound was found; and whether all that lies between both bounds was disturbed. */
const isOpen = ({ kind }) => kind === 'at least';
const isTriedOnce = ({ kind, capacity, probes }) =>
  kind === 'at least' &&
  probes.filter(({ level, outcome }) => level === capacity && !isDisturbed({ outcome })).length === 1;
/** Whether the target, or the process that is watched of it, was gone in a probe. */
const isEnded = ({ probes }) =>
  probes.some(({ reasons = [] }) =>
    reasons.some(({ check, value, limit }) => check === 'processes' && value === 'target' && limit === 'alive'),
  );
const isBlurred = ({ kind, why }) => kind === 'rate' && why === 'disturbed';
/** How long nothing was answered in a probe, though much was under way, in milliseconds; null where that was not so. */
const pauseIn = ({ reasons = [] }) => reasons.find(({ check }) => check === 'paused')?.value ?? null;
const hasPauses = ({ probes }) => probes.some((probe) => pauseIn(probe) !== null);

/** The highest rate that held and the lowest that failed, also where no more than a lower bound is known; else null. */
const boundsOf = ({ bracket, kind, capacity, failed }) =>
  bracket ?? (kind === 'at least' && failed ? { low: capacity, high: failed } : null);

/** By how many per cent the lowest rate that failed is above the highest that held, where that is more than it should be; else null. */
function gapOf(trial) {
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

/** In how many seconds of its overload p95 was below its limit all the same, where these are most: then it may take more. @returns {{held: number, of: number}|null} */
export function heldAfterAll({ overload = null }) {
  if (!(overload?.held_share > HELD_AFTER_ALL)) return null;
  const of = overload.seconds - 1; // the first does not count
  return { held: Math.round(overload.held_share * of), of };
}

/** Whether p95 was not normal again for as long as was watched after the overload, and had been before it. */
const isUnrecovered = ({ overload = null }) =>
  overload !== null &&
  overload.limit_us !== null &&
  overload.normal_before !== false &&
  overload.normal_after_s === null &&
  !overload.disturbed?.includes('processes');

/** What a search is for. @param {{think_s?: number}[]} capacities all of one kind */
const nounOf = ([{ think_s }]) => (think_s ? 'number of users' : 'rate');

const isBelow = (trial) => positionOf(trial) === 'below';
const isTired = (trial) => heldAtFirst(trial) !== null;
const trialsOf = (capacities) => capacities.flatMap(({ trials = [] }) => trials);

/** What speaks against one capacity, in short. @param {object} capacity of results.json @returns {string} '2 of 4 cut short; 2 of 4 set 3 % below what held'; '' for nothing */
export function againstText(capacity) {
  const { answer } = capacity;
  const trials = trialsOf([capacity]);
  const counted = (is, text) => {
    const count = trials.filter(is).length;
    return count > 0 && `${count} of ${trials.length} ${text}`;
  };
  const held = heldAfterAll(capacity);
  return [
    answer.of === 1 && 'one block alone',
    answer.blocks < answer.of && `${answer.of - answer.blocks} of ${answer.of} without an answer`,
    counted(isCutShort, 'cut short'),
    counted(isEnded, 'the target ended'),
    counted(isOpen, 'only a lower bound'),
    counted(isTriedOnce, 'tried only once'),
    counted(isBlurred, 'disturbed close above it'),
    counted(isTired, 'took more at first'),
    counted(hasPauses, 'answered nothing at times'),
    counted(isBelow, 'set 3 % below what held'),
    counted((trial) => lateText(trial, capacity.objective.parts) !== null, 'partly the load generator’s'),
    counted((trial) => errorsText(trial, capacity.objective.parts) !== null, 'failed with errors'),
    capacity.unwatched && 'other programs were not looked for',
    held && `may be higher: at 150 % p95 was below its limit in ${held.held} of ${held.of} s`,
    isUnrecovered(capacity) && `p95 was above its limit still ${capacity.overload.watched_s} s after overload`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Names of those that may be higher, as their overload was none. @param {object[]} capacities of results.json @returns {string[]} */
export const underrated = (capacities) => capacities.filter(heldAfterAll).map(seriesName);

/** What speaks against several capacities, a sentence each. @param {object[]} capacities of results.json @returns {string[]} */
export const doubtsOf = (capacities) =>
  [heldText, tiredText, pausedText, cutShortText, boundedText, belowText, unwatchedText]
    .map((text) => text(capacities))
    .filter((text) => text !== null);

function heldText(capacities) {
  const names = underrated(capacities);
  if (names.length === 0) return null;
  const overloads = capacities.map(heldAfterAll).filter((held) => held !== null);
  const [least, most] = [Math.min, Math.max].map((of) => of(...overloads.map(({ held }) => held)));
  const seconds = `${least === most ? '' : `${least} to `}${most} of ${overloads[0].of} seconds`;
  const [its, it] = names.length > 1 ? ['their capacities', 'these'] : ['its capacity', 'that'];
  return `At 150 % of ${its} ${listed(names)} kept p95 below its limit in ${seconds}, so ${it} may be higher.`;
}

function tiredText(capacities) {
  const all = trialsOf(capacities);
  const tired = all.filter(isTired);
  if (tired.length === 0) return null;
  const which =
    tired.length === 1
      ? `${rateText(heldAtFirst(tired[0]))}, above the answer,`
      : `a ${nounOf(capacities)} more than 3 % above the lowest that failed`;
  return `In ${tired.length} of ${all.length} ${all.length === 1 ? 'search' : 'searches'} ${which} held at first and not later: the answer is what is taken after a higher load was tried, or what was measured became slower meanwhile.`;
}

function pausedText(capacities) {
  const probes = trialsOf(capacities).flatMap((trial) => trial.probes);
  const pauses = probes.map(pauseIn).filter((pause) => pause !== null);
  return pauses.length === 0
    ? null
    : `In ${pauses.length} of ${plural(probes.length, 'probe')} nothing was answered for a time, at most ${duration(1000 * Math.max(...pauses))}: of a pause that comes back every few seconds one probe has none and another two, so the answer may be too high or too low by more than its interval says.`;
}

function cutShortText(capacities) {
  const all = trialsOf(capacities);
  const cut = all.filter(isCutShort);
  if (cut.length === 0) return null;
  const every = capacities.filter(({ trials }) => trials.every(isCutShort));
  const others = all.length - trialsOf(every).length;
  const head =
    every.length > 0 && others > 0
      ? `Every search of ${listed(every.map(seriesName))} was cut short, and ${cut.length - trialsOf(every).length} of ${others} others`
      : all.length === 1
        ? 'The search was cut short'
        : `${cut.length} of ${all.length} searches ${cut.length === 1 ? 'was' : 'were'} cut short`;
  const gaps = cut.map(gapOf).filter((gap) => gap !== null);
  const apart =
    all.length === 1
      ? `they are ${gaps[0]} % apart`
      : `in ${gaps.length} they are further apart, by up to ${Math.max(...gaps)} %`;
  const disturbed = sum(cut.map(disturbedIn));
  const lost = `${disturbed} of ${cut.length === 1 ? 'its' : 'their'} ${plural(sum(cut.map(({ probes }) => probes.length)), 'probe')} ${disturbed === 1 ? 'was' : 'were'} disturbed`;
  return `${[
    `${head}: the probes were spent before the highest ${nounOf(capacities)} that held and the lowest that failed were at most 3 % apart and each confirmed by a second probe`,
    gaps.length > 0 && apart,
    disturbed > 0 && lost,
  ]
    .filter(Boolean)
    .join('; ')}.`;
}

function boundedText(capacities) {
  const all = trialsOf(capacities);
  const [open, blurred] = [isOpen, isBlurred].map((is) => all.filter(is).length);
  const counted = (count) => (all.length === 1 ? 'The search' : `${count} of ${all.length} searches`);
  const close = 'the probes close above the answer were disturbed';
  const texts = [
    open > 0 && `${counted(open)} found only a lower bound`,
    blurred > 0 && (open > 0 ? `in ${blurred} ${close}` : `in ${counted(blurred).toLowerCase()} ${close}`),
  ].filter(Boolean);
  return texts.length === 0 ? null : `${capital(texts.join(', and '))}.`;
}

function belowText(capacities) {
  const all = trialsOf(capacities);
  const below = all.filter(isBelow);
  if (below.length === 0) return null;
  const early = below.some(({ resolution }) => resolution === 0)
    ? '; the intervals of that run do not allow for that'
    : '';
  return `${all.length === 1 ? 'The' : `In ${below.length} of ${all.length} searches the`} fit through the probes lies more than 3 % below the highest ${nounOf(capacities)} that held: the answer is set to 3 % below what held, so it may be too low, or too high if what failed below that was no chance${early}.`;
}

function unwatchedText(capacities) {
  const names = capacities.filter(({ unwatched }) => unwatched).map(seriesName);
  return names.length === 0
    ? null
    : `Other programs on the machine of ${listed(names)} were not looked for: what they took looks like its own limit.`;
}
