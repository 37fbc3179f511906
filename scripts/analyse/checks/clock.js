/** Do the clocks that watched the trial agree? */
import { rounded } from '../numbers.js';
import { isOfPods } from '../placement.js';
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, suspect } from './outcome.js';

export const checks = { wall_clock: wallClock, window, clock_jump: clockJump, timeline };

export const about = { wall_clock: { finds: 'a time that disagrees with the plan', readsStatusAlone: true } };

/** Seconds of load that the tool runs before the window instead of a separate warm-up. */
const plannedLeadIn = (cell) => (cell.warmup_argv === null ? cell.warmup_s : 0);

/** Seconds of load after the window, in which the users of a ramp leave: half a second less than they come in, see scripts/jq/profile.jq. */
const plannedLeadOut = (cell) => (cell.profile === 'ramp' ? cell.warmup_s - 0.5 : 0);

const secondsBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / 1000;

function wallClock({ cell, status, limit }) {
  if (missing(status?.wall_s)) return NOT_MEASURED;
  const planned = cell.duration_s + plannedLeadIn(cell) + plannedLeadOut(cell);
  const shortest = cell.requests ? 0 : planned * (1 - limit('wall_short_share')); // requests may be made sooner
  if (status.wall_s < shortest) {
    return invalid(status.wall_s, shortest, `the tool ran for ${status.wall_s} s instead of ${planned} s`);
  }
  const longest = planned + limit('wall_over_s');
  if (status.wall_s > longest)
    return invalid(status.wall_s, longest, `the tool ran for ${status.wall_s} s instead of ${planned} s`);
  return PASS;
}

/**
 * The window is as long as planned, less the time that users waited for their first answer beyond the lead-in. A fixed number of requests may
 * take less.
 */
function window({ cell, summary, limit }) {
  const { start, end, seconds } = summary.window;
  const late = summary.lead_in ? summary.lead_in.seconds - plannedLeadIn(cell) : 0;
  if (cell.requests) {
    if (seconds > cell.duration_s + limit('window_s'))
      return invalid(
        seconds,
        cell.duration_s,
        `${plural(cell.requests, 'request')} took ${rounded(seconds)} s, and were to take ${cell.duration_s} s at most`,
      );
  } else if (Math.abs(seconds + late - cell.duration_s) > limit('window_s')) {
    return invalid(
      seconds,
      cell.duration_s,
      `the measured window is ${rounded(seconds)} s long instead of ${cell.duration_s} s`,
    );
  }
  if (late > limit('window_late_share') * cell.duration_s) {
    const text = `users waited ${summary.users.answered_by_s.toFixed(1)} s for their first answer, which leaves ${rounded(seconds)} of ${cell.duration_s} s`;
    return suspect(late, limit('window_late_share') * cell.duration_s, text);
  }
  if (missing(start) || missing(end)) return NOT_MEASURED;
  const between = secondsBetween(start, end);
  if (Math.abs(between - seconds) <= limit('clock_s')) return PASS;
  return invalid(
    between,
    seconds,
    `the window is ${seconds} s long, but its start and end are ${between} s apart: the clock jumped`,
  );
}

/** Whether the clocks of generators in pods, which are not the driver's, were left alone while samplers looked. What others do is in no figure. */
function clocksLeftAlone({ resources }, limit) {
  if (!isOfPods(resources)) return PASS;
  const steps = resources.machines
    .filter(({ roles }) => roles.includes('generator'))
    .map(({ clock_step_s }) => clock_step_s);
  const known = steps.filter((step) => !missing(step));
  const step = known.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  const [allowed, impossible] = [limit('generator_clock_ms') / 1000, limit('clock_step_s')];
  if (Math.abs(step) <= allowed) return known.length > 0 && known.length === steps.length ? PASS : NOT_MEASURED;
  const text = `the clock of a load generator's machine was set ${step > 0 ? 'forward' : 'back'} by ${Math.abs(step).toFixed(3)} s during the trial`;
  return Math.abs(step) > impossible ? invalid(step, impossible, text) : suspect(step, allowed, text);
}

/**
 * The tool's seconds and its window must lie within the driver's time, which must be as long by a clock that nobody sets; so must that of generators in pods,
 * whose clocks are others.
 */
function clockJump({ summary, status, limit }) {
  const impossible = summary.impossible_seconds ?? 0;
  if (impossible > 0)
    return invalid(
      impossible,
      0,
      `the raw file has ${plural(impossible, 'second')} outside the trial: the clock jumped`,
    );
  const stepped = missing(status?.monotonic_s) ? 0 : status.wall_s - status.monotonic_s;
  if (Math.abs(stepped) > limit('clock_step_s')) {
    const text = `the clock was set ${stepped > 0 ? 'forward' : 'back'} by ${Math.abs(stepped).toFixed(2)} s during the trial`;
    return invalid(stepped, limit('clock_step_s'), text);
  }
  const alone = clocksLeftAlone(summary, limit);
  if (typeof alone === 'object') return alone;
  const { start, end } = summary.window;
  if ([start, end, status?.started_at, status?.ended_at].some(missing)) return NOT_MEASURED;
  const early = secondsBetween(start, status.started_at);
  const late = isOfPods(summary.resources)
    ? secondsBetween(status.started_at, end) - status.wall_s // it began by the generator's clock, and ended by the driver's
    : secondsBetween(status.ended_at, end);
  const off = Math.max(early, late);
  if (off <= limit('clock_s')) return alone;
  return invalid(
    off,
    limit('clock_s'),
    `the measured window extends ${off.toFixed(1)} s beyond the trial: the clock jumped`,
  );
}

/** The timeline has each second once, in order. Slow targets may leave seconds without a line. */
function timeline({ summary, limit }) {
  if (missing(summary.timeline)) return NOT_MEASURED;
  const times = summary.timeline.map((second) => second.t_s);
  const seconds = Math.floor(summary.window.seconds);
  const stray = times.find((t, i) => t < 0 || t > seconds || (i > 0 && t <= times[i - 1]));
  if (stray !== undefined)
    return invalid(stray, seconds, `second ${stray} is out of order in a timeline of ${seconds} s`);
  const absent = seconds - times.filter((t) => t < seconds).length;
  if (absent <= limit('missing_seconds')) return PASS;
  if (summary.throughput_rps < limit('frozen_rps')) return NOT_APPLICABLE;
  return invalid(absent, limit('missing_seconds'), `${absent} of ${seconds} seconds are missing from the timeline`);
}
