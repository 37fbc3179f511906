/** Was the load the one on the label? */
import { mean } from '../numbers.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

/** Little's law by overlap: mean in flight = level. */
export function littlesLaw({ cell, summary, limit }) {
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const inFlight = summary.in_flight_mean;
  if (missing(inFlight)) return NOT_MEASURED;
  const off = inFlight / cell.level - 1;
  const allowed = limit('little_law_share');
  if (Math.abs(off) <= allowed) return PASS;
  const text = `${inFlight.toFixed(2)} requests in flight on average, where ${cell.level} users should keep ${cell.level}`;
  const gapUs = (-off * cell.level * summary.window.seconds * 1e6) / summary.requests;
  if (off < 0 && -off <= limit('generator_gap_share') && gapUs <= limit('generator_gap_us')) {
    return suspect(off, -allowed, `${text}: the generator needs ${Math.round(gapUs)} µs between two requests`);
  }
  return invalid(off, allowed, text);
}

/** A ramp labelled as a level: the number in flight moves from the first third of the seconds to the last. */
export function ramp({ cell, summary, limit }) {
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const series = (summary.timeline ?? []).map((second) => second.in_flight).filter((value) => !missing(value));
  if (series.length < 3) return NOT_MEASURED;
  const third = Math.floor(series.length / 3);
  const change = (mean(series.slice(-third)) - mean(series.slice(0, third))) / cell.level;
  if (Math.abs(change) <= limit('ramp_share')) return PASS;
  return invalid(
    change,
    limit('ramp_share'),
    `users in flight changed by ${percent(change)} of the level during the trial: a ramp`,
  );
}

export function dropped({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  if (missing(summary.dropped_iterations)) return NOT_MEASURED;
  const planned = summary.requests + summary.dropped_iterations;
  const share = planned === 0 ? 0 : summary.dropped_iterations / planned;
  if (share <= limit('dropped_share')) return PASS;
  const text = `${summary.dropped_iterations} of ${planned} arrivals found no free user and were never sent`;
  if (share > limit('dropped_share_invalid')) return invalid(share, limit('dropped_share_invalid'), text);
  return suspect(share, limit('dropped_share'), text);
}

/** How late requests left after their scheduled time, on average. */
export function dispatchLag({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  const lag = summary.dispatch_lag_us?.mean;
  if (missing(lag) || missing(summary.latency_us)) return NOT_MEASURED;
  const allowed = Math.max(limit('dispatch_lag_us'), limit('dispatch_lag_share') * summary.latency_us.mean);
  if (lag <= allowed) return PASS;
  return suspect(lag, allowed, `requests left ${(lag / 1000).toFixed(1)} ms after their time on average`);
}

export function offered({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  const rate = summary.requests / summary.window.seconds;
  const off = rate / cell.level - 1;
  if (Math.abs(off) <= limit('offered_share')) return PASS;
  return suspect(off, limit('offered_share'), `${cell.level} arrivals per second planned, ${rate.toFixed(1)} answered`);
}
