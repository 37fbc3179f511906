/** What speaks against capacities, in words; runs in the page, too. */
import { duration, rate as rateText, share } from '../format.js';
import { sum } from '../numbers.js';
import { capital, listed } from '../phrases.js';
import { plural, seriesName } from '../words.js';
import {
  disturbedIn,
  errorsText,
  gapOf,
  hasPauses,
  heldAfterAll,
  heldAtFirst,
  isBelow,
  isBlurred,
  isCutShort,
  isEnded,
  isFlat,
  isOpen,
  isRefused,
  isTired,
  isTriedOnce,
  isUnrecovered,
  lateText,
  letThrough,
  pauseIn,
} from './signs.js';

/** What a search is for. @param {{think_s?: number}[]} capacities all of one kind */
const nounOf = ([{ think_s }]) => (think_s ? 'number of users' : 'rate');

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
    counted(isFlat, 'failed as narrowly at other rates'),
    capacity.unwatched && 'other programs were not looked for',
    held && `may be higher: at 150 % p95 was below its limit in ${held.held} of ${held.of} s`,
    letThrough(capacity) !== null &&
      `may be lower: at 150 % only ${share(letThrough(capacity))} of it was answered rightly`,
    isUnrecovered(capacity) && `p95 was not below its limit for good ${capacity.overload.watched_s} s after overload`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Names of those that may be higher, as their overload was none. @param {object[]} capacities of results.json @returns {string[]} */
export const underrated = (capacities) => capacities.filter(heldAfterAll).map(seriesName);

/** What speaks against several capacities, a sentence each. @param {object[]} capacities of results.json @returns {string[]} */
export const doubtsOf = (capacities) =>
  [heldText, refusedText, tiredText, flatText, pausedText, cutShortText, boundedText, belowText, unwatchedText]
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

function refusedText(capacities) {
  const refused = capacities.filter((capacity) => isRefused(capacity));
  if (refused.length === 0) return null;
  const less = refused.filter((capacity) => letThrough(capacity) !== null);
  const names = listed(refused.map(seriesName));
  const seen =
    less.length > 0 &&
    ` Asked for 150 %, ${listed(less.map((capacity) => `${seriesName(capacity)} answered ${share(letThrough(capacity))} of its capacity rightly`))}.`;
  return `What ${names} did not take was answered with errors: where these come from a limit on requests that lets bursts through, or counts them by the minute, a search may find far more than is taken for long.${seen || ''}`;
}

function flatText(capacities) {
  const all = trialsOf(capacities);
  const flat = all.filter(isFlat).length;
  return flat === 0
    ? null
    : `In ${flat} of ${all.length} ${all.length === 1 ? 'search' : 'searches'} a ${nounOf(capacities)} and one at least half as high again failed as narrowly: what misses the objective hardly depends on the ${nounOf(capacities)} there, so chance may have decided which held, and the objective may hold at none, or at far more.`;
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
  return `${all.length === 1 ? 'The' : `In ${below.length} of ${all.length} searches the`} fit through the probes lies more than 3 % below the highest ${nounOf(capacities)} that held: the answer is set to 3 % below what held, so it may be too low, or too high if what failed there or below was no chance${early}.`;
}

function unwatchedText(capacities) {
  const names = capacities.filter(({ unwatched }) => unwatched).map(seriesName);
  return names.length === 0
    ? null
    : `Other programs on the machine of ${listed(names)} were not looked for: what they took looks like its own limit.`;
}
