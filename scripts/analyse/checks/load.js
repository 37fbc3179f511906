/** Was the load as planned? */
import { samplesOf } from '../latency.js';
import { mean, sum } from '../numbers.js';
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';
import { answersPerSecond } from './steadiness.js';

/**
 * Microseconds that the load generator takes between two requests of a user, where that explains why fewer are in flight than the
 * level; null where it does not: the level was not kept.
 */
function generatorGapUs(inFlight, requestsPerSecond, { cell: { level }, limit }) {
  const missed = 1 - inFlight / level;
  const gapUs = (missed * level * 1e6) / requestsPerSecond;
  return missed >= 0 && missed <= limit('generator_gap_share') && gapUs <= limit('generator_gap_us') ? gapUs : null;
}

/** Little's law by overlap: mean in flight = level. */
export function littlesLaw(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const inFlight = summary.in_flight_mean;
  if (missing(inFlight)) return NOT_MEASURED;
  const off = inFlight / cell.level - 1;
  const allowed = limit('little_law_share');
  if (Math.abs(off) <= allowed) return PASS;
  const text = `${inFlight.toFixed(2)} requests in flight on average instead of ${cell.level}`;
  const gapUs = generatorGapUs(inFlight, summary.requests / summary.window.seconds, trial);
  if (gapUs === null) return invalid(off, allowed, text);
  return suspect(off, -allowed, `${text}: the load generator takes ${Math.round(gapUs)} µs between a user's requests`);
}

/** wrk and pgbench do not count connecting as latency, where they connect for each request. */
const leavesOutConnecting = ({ tool, argv = [] }) =>
  (tool === 'wrk' && argv.some((word) => /^connection:\s*close$/i.test(word))) ||
  (tool === 'pgbench' && argv.includes('-C'));

/** Little's law by means: requests per second times mean latency. What it misses of the level, users spent otherwise than waiting. */
export function latencyLaw(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const { latency_us: latency, requests, window, errors } = summary;
  if (missing(latency?.mean) || latency.beyond || errors.total > limit('error_share') * requests) return NOT_MEASURED;
  const perSecond = requests / window.seconds;
  const inFlight = (perSecond * latency.mean) / 1e6;
  const off = inFlight / cell.level - 1;
  const allowed = limit('latency_law_share');
  if (
    off <= allowed &&
    (off >= -allowed || leavesOutConnecting(cell) || generatorGapUs(inFlight, perSecond, trial) !== null)
  )
    return PASS;
  const text = `${perSecond.toFixed(1)} requests per second of ${(latency.mean / 1000).toFixed(2)} ms each keep ${inFlight.toFixed(2)} users waiting, not ${cell.level}`;
  // of a connection that is never answered wrk says nothing; k6 and pgbench know what is in flight
  if (cell.tool === 'wrk' && off < -limit('latency_law_share_invalid'))
    return invalid(off, -limit('latency_law_share_invalid'), text);
  return suspect(off, allowed, text);
}

/** The window opens when every user has had an answer. Did all of them, before it was to end? */
export function users({ cell, summary }) {
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  if (missing(summary.users) || missing(summary.lead_in)) return NOT_MEASURED;
  const { answered, answered_by_s } = summary.users;
  if (answered < cell.level)
    return invalid(
      answered,
      cell.level,
      `${plural(cell.level - answered, 'user')} of ${cell.level} never got an answer`,
    );
  const { seconds } = summary.lead_in;
  if (answered_by_s <= seconds) return PASS;
  const text = `the last of ${plural(cell.level, 'user')} got its first answer after ${answered_by_s.toFixed(1)} s, when the window was over`;
  return invalid(answered_by_s, seconds, text);
}

/** A ramp instead of a level: the number in flight changes from the first third of the seconds to the last. */
export function ramp(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const seconds = (summary.timeline ?? []).filter((second) => !missing(second.in_flight));
  if (seconds.length < 3) return NOT_MEASURED;
  const third = Math.floor(seconds.length / 3);
  const [first, last] = [seconds.slice(0, third), seconds.slice(-third)].map((part) => ({
    inFlight: mean(part.map((second) => second.in_flight)),
    requests: mean(part.map((second) => second.requests)),
  }));
  const change = (last.inFlight - first.inFlight) / cell.level;
  const allowed = limit('ramp_share');
  if (Math.abs(change) <= allowed) return PASS;
  const text = `requests in flight changed by ${percent(change)} of the level during the trial`;
  const explained = [first, last].every((part) => generatorGapUs(part.inFlight, part.requests, trial) !== null);
  return explained
    ? suspect(change, allowed, `${text}: the load generator took more or less time between requests`)
    : invalid(change, allowed, `${text}: a ramp, not a level`);
}

export function dropped({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  if (missing(summary.dropped_iterations)) return NOT_MEASURED;
  const planned = samplesOf(summary.latency_us);
  const share = planned === 0 ? 0 : summary.dropped_iterations / planned;
  if (share <= limit('dropped_share')) return PASS;
  const text = `${summary.dropped_iterations} of ${plural(planned, 'arrival')} were never sent: no user was free`;
  if (share > limit('dropped_share_invalid')) return invalid(share, limit('dropped_share_invalid'), text);
  return suspect(share, limit('dropped_share'), text);
}

/** How late requests were sent after their scheduled time, on average. */
export function dispatchLag({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  const lag = summary.dispatch_lag_us?.mean;
  if (missing(lag) || missing(summary.latency_us?.mean)) return NOT_MEASURED;
  const allowed = Math.max(limit('dispatch_lag_us'), limit('dispatch_lag_share') * summary.latency_us.mean);
  if (lag <= allowed) return PASS;
  return suspect(lag, allowed, `requests were sent ${(lag / 1000).toFixed(1)} ms late on average`);
}

/** Arrivals are due at the rate on the label, and answers come as fast; what came late from the lead-in may make them more. */
export function offered({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  if (missing(summary.timeline)) return NOT_MEASURED;
  const { seconds } = summary.window;
  const allowed = limit('offered_share');
  const due = samplesOf(summary.latency_us) / seconds;
  const answered = sum(answersPerSecond(summary)) / seconds;
  if (Math.abs(due / cell.level - 1) > allowed)
    return suspect(due / cell.level - 1, allowed, `${due.toFixed(1)} requests per second due instead of ${cell.level}`);
  if (answered >= (1 - allowed) * cell.level) return PASS;
  return suspect(
    answered / cell.level - 1,
    allowed,
    `${answered.toFixed(1)} requests per second answered instead of ${cell.level}`,
  );
}

/** Did some request outlast the window? Then a longer trial would show something else. */
export function settled({ summary, limit }) {
  const { latency_us: latency, window } = summary;
  if (missing(latency)) return NOT_MEASURED;
  const longest = Math.max(latency.max ?? 0, latency.beyond?.more_than_us ?? 0) / 1e6;
  const allowed = limit('settled_share') * window.seconds;
  if (longest <= allowed) return PASS;
  return suspect(
    longest,
    allowed,
    `the slowest request took ${longest.toFixed(1)} s, longer than the window of ${window.seconds} s: the load never settled`,
  );
}
