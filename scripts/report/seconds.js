/**
 * A trial second by second, for the page: what summary.json has, and beyond it what the raw files have. Kept small: at most 60 steps, few digits.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areEnough } from '../analyse/histogram.js';
import { limitOf } from '../analyse/limits.js';
import { mean, median, rounded, sum } from '../analyse/numbers.js';
import { isOneMachine } from '../analyse/placement.js';
import { DEGREES, ROWS_PER_DECADE } from './charts/seconds/latency.js';

const MOST_STEPS = 60;

/** A reading of the sampler speaks for as many seconds around it. */
const NEAR_S = 1.5;
/** As many kinds of wait are told apart; the rest are one. */
const MOST_WAITS = 5;

/**
 * @param {string} folder the trial's @param {object} summary its summary.json @param {boolean} closely with what its raw files have
 * @returns {object|null} null where nothing was recorded by the second: step_s, the seconds of a step, and for each step
 *   rps, p95_us: answers per second, and the highest p95
 *   closely: p50_us, in_flight; heat: see heatOf; of: cores of the machine that all roles share, null where they have several; cores: those used, by role; waits: sessions of the database that are active, by what they
 *   wait for; pauses: [from, to] in s; errors, stalled, autovacuum: the steps in which there were any, hardly any answers, and a worker of it
 */
export function secondsOf(folder, summary, closely) {
  const { timeline: seconds, window, lead_in } = summary;
  const told = seconds?.length > 0 ? timeline(seconds, closely) : {};
  const length = Math.max(1, Math.round(window.seconds));
  const step_s = told.step_s ?? stepOf(length);
  const grid = { step_s, steps: Math.ceil(length / step_s) };
  const beyond = closely
    ? {
        ...recorded(linesOf(join(folder, 'raw.k6.ndjson')), lead_in?.seconds ?? 0, grid),
        ...sampled(folder, summary, grid),
      }
    : {};
  const all = { step_s, ...told, ...beyond };
  return Object.keys(all).length > 1 ? all : null;
}

const stepOf = (length) => Math.max(1, Math.ceil(length / MOST_STEPS));

const isQuotable = ({ requests, p95_us }) => (p95_us ?? null) !== null && areEnough(requests, 0.95);

/**
 * A trial's seconds, at most 60 steps: of longer trials means, and the highest percentile, of every few seconds.
 * @param {{requests, errors, p50_us, p95_us, in_flight}[]} seconds
 */
export function timeline(seconds, closely = false) {
  const step_s = stepOf(seconds.length);
  const steps = Array.from({ length: Math.ceil(seconds.length / step_s) }, (_, i) =>
    seconds.slice(i * step_s, (i + 1) * step_s),
  );
  const means = (of, digits) => steps.map((step) => rounded(mean(step.map(of)), digits));
  const highest = (key, counts = () => true) =>
    steps.map((step) => {
      const values = step.filter(counts).map((second) => second[key] ?? null);
      return values.some((value) => value !== null) ? rounded(Math.max(...values), 3) : null;
    });
  const common = {
    step_s,
    rps: means(({ requests, errors }) => requests - errors, 4),
    p95_us: orNothing(highest('p95_us', isQuotable)),
  };
  if (!closely) return common;
  const answers = means((second) => second.answers ?? second.requests, 4);
  const least = limitOf('frozen_share') * (median(answers.filter((count) => count > 0)) ?? 0);
  return {
    ...common,
    p50_us: orNothing(highest('p50_us')),
    in_flight: orNothing(means((second) => second.in_flight ?? Number.NaN, 3)),
    ...where('errors', steps, (step) => step.some((second) => second.errors > 0)),
    ...where('stalled', answers, (count) => count < least),
  };
}

/** The places of those that a test is true of, under a key; none leave nothing. */
function where(key, all, test) {
  const places = all.flatMap((one, i) => (test(one) ? [i] : []));
  return places.length > 0 ? { [key]: places } : {};
}

const orNothing = (values) => (values.some((value) => value !== null) ? values : []);

/** The lines of a file of JSON; none where there is no such file. A last one that was cut short is no line; a damaged one makes the file none. */
function linesOf(path) {
  if (!existsSync(path)) return [];
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  try {
    return whole.map((line) => JSON.parse(line));
  } catch {
    return []; // analysis has marked the trial; a picture of the rest would show fewer answers than there were
  }
}

/** What k6's raw file has. @param {object[]} lines see k6/build/README.md @param {number} opens when the window does, in seconds from the load's start */
function recorded(lines, opens, grid) {
  const seconds = lines.filter(({ type }) => type === 'second');
  const heat = heatOf(seconds, opens, grid);
  const pauses = seconds
    .flatMap(({ pause }) => (pause?.ms >= limitOf('pause_ms') ? [pause] : []))
    .map(({ from_ms, ms }) => [from_ms / 1000 - opens, (from_ms + ms) / 1000 - opens])
    .filter(([from, to]) => to > 0 && from < grid.steps * grid.step_s)
    .map((span) => span.map((at) => Number(at.toFixed(2))));
  return { ...(heat ? { heat } : {}), ...(pauses.length > 0 ? { pauses } : {}) };
}

/**
 * Answers by step and latency.
 * @returns {{low: number, most: number, degrees: string[]}|null} degrees: for each step a digit for each row, from the lowest latency: 0 none, then by
 *   the logarithm of how many answers there are, up to `most`; row r, the first being `low`, spans 10^(r/10) to 10^((r+1)/10) us
 */
function heatOf(seconds, opens, { step_s, steps }) {
  const counts = Array.from({ length: steps }, () => new Map());
  for (const { t, latency } of seconds) {
    const step = counts[Math.floor((t - opens) / step_s)];
    for (const [us, count] of (step && latency?.counts) ?? []) {
      const row = Math.floor(ROWS_PER_DECADE * Math.log10(Math.max(us, 1)));
      step.set(row, (step.get(row) ?? 0) + count);
    }
  }
  const rows = counts.flatMap((step) => [...step.keys()]);
  if (rows.length === 0) return null;
  const [low, high] = [Math.min(...rows), Math.max(...rows)];
  const most = Math.max(...counts.flatMap((step) => [...step.values()]));
  const degree = (count) => (count ? 1 + Math.floor((DEGREES * Math.log(count)) / Math.log(most + 1)) : 0);
  const all = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return { low, most, degrees: counts.map((step) => all.map((row) => degree(step.get(row))).join('')) };
}

/** What the sampler read: processor by role, and what the database's sessions did. */
function sampled(folder, { window, resources }, grid) {
  const lines = linesOf(join(folder, 'sampler.ndjson')).filter(({ t, roles }) => t && roles);
  if (lines.length < 2) return {};
  const start = Date.parse(window.start ?? lines[0].t); // wrk does not tell when it began
  const readings = lines.map((line) => ({ ...line, at: (Date.parse(line.t) - start) / 1000 }));
  const names = [...new Set(readings.flatMap(({ roles }) => Object.keys(roles)))].sort();
  const cores = Object.fromEntries(
    names
      .map((name) => [name, coresOf(readings, name, grid)])
      .filter(([, used]) => used.some((value) => value !== null)),
  );
  const ofOne = isOneMachine(resources ?? {}) ? (resources?.cores ?? readings[0].host?.cores) : null;
  return {
    ...(Object.keys(cores).length > 0 ? { of: ofOne ?? null, cores } : {}),
    ...activityOf(readings, grid),
  };
}

/** Cores that a role used in each step, by its processor time at both ends; null where less than half of the step was watched, or several processes. */
function coresOf(readings, name, { step_s, steps }) {
  const points = readings.flatMap(({ at, roles }) => (roles[name] ? [{ at, ...roles[name] }] : []));
  if (new Set(points.map(({ pid }) => pid)).size !== 1) return [];
  return Array.from({ length: steps }, (_, i) => {
    const [from, to] = [Math.max(i * step_s, points[0].at), Math.min((i + 1) * step_s, points.at(-1).at)];
    if (to - from < step_s / 2) return null;
    const [before, after] = [processorTime(points, from), processorTime(points, to)];
    return before === null || after === null || after < before
      ? null
      : Number(((after - before) / (to - from)).toFixed(2));
  });
}

/** Between the readings before and after a moment; null where one of them is far. */
function processorTime(points, at) {
  const isNear = (point) => point !== undefined && Math.abs(point.at - at) <= NEAR_S;
  const [before, after] = [points.findLast((point) => point.at <= at), points.find((point) => point.at >= at)];
  if (!isNear(before) || !isNear(after)) return null;
  const share = after.at === before.at ? 0 : (at - before.at) / (after.at - before.at);
  return before.cpu_s + share * (after.cpu_s - before.cpu_s);
}

/** 'CPU', 'IO: WALSync', 'idle in transaction'; null of a session that waits for its client. @param {string} what see probes/sampler/activity.js */
function waitOf(what) {
  const [state, ...event] = what.split(':');
  if (state === 'active') return event.join(': ');
  return state.startsWith('idle in transaction') ? 'idle in transaction' : null;
}

/** Sessions by what they wait for, as means of the readings in each step. */
function activityOf(readings, { step_s, steps }) {
  const read = readings.filter(({ activity }) => activity);
  const inStep = Array.from({ length: steps }, (_, i) => {
    const within = read.filter(({ at }) => at >= i * step_s && at < (i + 1) * step_s);
    if (within.length > 0) return within;
    const middle = (i + 0.5) * step_s;
    const nearest = read.toSorted((a, b) => Math.abs(a.at - middle) - Math.abs(b.at - middle))[0];
    return nearest && Math.abs(nearest.at - middle) <= NEAR_S ? [nearest] : [];
  });
  const counted = inStep.map((within) => {
    const sessions = new Map();
    for (const [what, count] of within.flatMap(({ activity }) => Object.entries(activity))) {
      const wait = waitOf(what);
      if (wait) sessions.set(wait, (sessions.get(wait) ?? 0) + count / within.length);
    }
    return sessions;
  });
  const total = (name) => sum(counted.map((sessions) => sessions.get(name) ?? 0));
  const names = [...new Set(counted.flatMap((sessions) => [...sessions.keys()]))].sort((a, b) => total(b) - total(a));
  const told = names.slice(0, MOST_WAITS);
  const rest = names.slice(MOST_WAITS);
  const series = (of) =>
    counted.map((sessions, i) =>
      inStep[i].length > 0 ? rounded(sum(of.map((name) => sessions.get(name) ?? 0)), 2) : null,
    );
  const waits = Object.fromEntries([
    ...told.map((name) => [name, series([name])]),
    ...(rest.length > 0 ? [['other', series(rest)]] : []),
  ]);
  return {
    ...(names.length > 0 ? { waits } : {}),
    ...where('autovacuum', inStep, (within) => within.some(({ activity }) => activity['autovacuum worker'] > 0)),
  };
}
