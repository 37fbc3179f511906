/** Was the load as planned? */
import { areEnough } from '../histogram.js';
import { samplesOf } from '../latency.js';
import { mean, sum } from '../numbers.js';
import { TOOLS } from '../tools.js';
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';
import { answersPerSecond } from './steadiness.js';

export const checks = {
  users,
  littles_law: littlesLaw,
  latency_law: latencyLaw,
  ramp,
  dropped,
  dispatch_lag: dispatchLag,
  offered,
  asks,
  settled,
};

export const about = {
  users: { finds: 'users without an answer' },
  littles_law: { finds: 'time that the load generator took between requests' },
  latency_law: {
    finds: (reasons) =>
      [
        reasons.some(({ value }) => !(value > 0)) && 'users who waited for answers only part of the time',
        reasons.some(({ value }) => value > 0) && 'latencies that add up to more than the users’ time',
      ]
        .filter(Boolean)
        .join(' or '),
  },
  ramp: { finds: 'a load that grew or fell' },
  dropped: { finds: 'requests never sent', isUnsent: true },
  dispatch_lag: { finds: 'requests sent late', isUnsent: true },
  offered: { finds: 'requests not kept up with', isUnsent: true },
  asks: { finds: 'iterations that ask more or less often than they did' },
  settled: { finds: 'answers slower than a trial is long' },
};

/**
 * Microseconds that the load generator takes between two requests of a user, where that explains why fewer are in flight than the
 * level; null where it does not: the level was not kept.
 */
function generatorGapUs(inFlight, requestsPerSecond, { cell: { level, tool }, limit }) {
  const missed = 1 - inFlight / level;
  const gapUs = (missed * level * 1e6) / requestsPerSecond;
  const allowedUs = limit(tool === 'wrk' ? 'generator_gap_wrk_us' : 'generator_gap_us');
  return missed >= 0 && missed <= limit('generator_gap_share') && gapUs <= allowedUs ? gapUs : null;
}

/** So many standard errors of a count of requests may the number of users who think be off. */
const ERRORS_OFF = 3;

/** Users who think: those who wait, and those who think, are the level: N = X (R + Z). */
function interactiveLaw({ cell: { level, think_s, script }, summary, limit }) {
  const { in_flight_mean: waiting, requests, errors, window } = summary;
  const each = script?.requests ?? 1; // of somebody's own script: who thinks, does so after each iteration
  const iterations = requests / each;
  const thinking = (iterations / window.seconds) * think_s;
  // a request that failed may have ended its iteration before it had made all
  const ended = ((errors.total * (1 - 1 / each)) / window.seconds) * think_s;
  const extra = waiting + thinking - level;
  const off = (extra < 0 ? Math.min(0, extra + ended) : extra) / level;
  const allowed = limit('little_law_share') + ERRORS_OFF / Math.sqrt(iterations);
  if (Math.abs(off) <= allowed) return PASS;
  return invalid(
    off,
    Math.sign(off) * allowed,
    `${waiting.toFixed(2)} users waited and ${thinking.toFixed(1)} thought on average, not ${level}`,
  );
}

/** Little's law by overlap: mean in flight = level. */
function littlesLaw(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed') return NOT_APPLICABLE;
  const inFlight = summary.in_flight_mean;
  if (missing(inFlight)) return NOT_MEASURED;
  if (cell.think_s) return interactiveLaw(trial);
  const off = inFlight / cell.level - 1;
  const allowed = limit('little_law_share');
  if (Math.abs(off) <= allowed) return PASS;
  const text = `${inFlight.toFixed(2)} requests in flight on average instead of ${cell.level}`;
  const gapUs = generatorGapUs(inFlight, summary.requests / summary.window.seconds, trial);
  if (gapUs === null) return invalid(off, allowed, text);
  return suspect(off, -allowed, `${text}: the load generator takes ${Math.round(gapUs)} µs between a user's requests`);
}

/** wrk does not count connecting as latency, where it connects for each request. */
const leavesOutConnecting = ({ tool, argv = [] }) =>
  tool === 'wrk' && argv.some((word) => /^connection:\s*close$/i.test(word));

/** Is it known what users do who are missing from throughput times latency? To connect takes as long as an answer at most, but for TLS. */
function isExplained(inFlight, perSecond, trial) {
  const { cell, limit } = trial;
  if (!leavesOutConnecting(cell)) return generatorGapUs(inFlight, perSecond, trial) !== null;
  return cell.by_hand?.includes(' https://') || inFlight >= (1 - limit('connecting_share')) * cell.level;
}

/** Little's law by means: requests per second times mean latency. What it misses of the level, users spent otherwise than waiting. */
function latencyLaw(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed' || cell.think_s) return NOT_APPLICABLE;
  const { latency_us: latency, requests, window, errors } = summary;
  const few = limit('error_share');
  const unanswered = latency?.beyond?.count ?? 0;
  if (missing(latency?.mean) || unanswered > few * samplesOf(latency) || errors.total > few * requests)
    return NOT_MEASURED;
  const perSecond = requests / window.seconds;
  const inFlight = (perSecond * latency.mean) / 1e6;
  const off = inFlight / cell.level - 1;
  const allowed = limit('latency_law_share');
  if (off <= allowed && (off >= -allowed || isExplained(inFlight, perSecond, trial))) return PASS;
  const text = `${perSecond.toFixed(1)} requests per second of ${(latency.mean / 1000).toFixed(2)} ms each keep ${inFlight.toFixed(2)} users waiting, not ${cell.level}`;
  // of a connection that is never answered wrk and ab say nothing, and more users than there are cannot wait; k6 and pgbench know what is in flight
  if (TOOLS[cell.tool]?.totals_alone && Math.abs(off) > limit('latency_law_share_invalid'))
    return invalid(off, Math.sign(off) * limit('latency_law_share_invalid'), text);
  return suspect(off, allowed, text);
}

/** The window opens when every user has had an answer. Did all of them, before it was to end? */
function users({ cell, summary }) {
  if (cell.model !== 'closed' || cell.think_s) return NOT_APPLICABLE; // one who thinks may come late
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

/** A ramp instead of a level: the number in flight changes from the first third of the seconds to the last. Of users who think as many are in flight as wait. */
function ramp(trial) {
  const { cell, summary, limit } = trial;
  if (cell.model !== 'closed' || cell.think_s) return NOT_APPLICABLE;
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

function dropped({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  if (missing(summary.dropped_iterations)) return NOT_MEASURED;
  const planned = samplesOf(summary.latency_us);
  const share = planned === 0 ? 0 : summary.dropped_iterations / planned;
  if (share <= limit('dropped_share')) return PASS;
  const text = `${summary.dropped_iterations} of ${plural(planned, 'arrival')} were never sent: no user was free`;
  if (share > limit('dropped_share_invalid')) return invalid(share, limit('dropped_share_invalid'), text);
  return suspect(share, limit('dropped_share'), text);
}

/** How late requests were sent after their scheduled time. The latest of pgbench may have waited for a client that waited for the target. */
function dispatchLag({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  const { dispatch_lag_us: lag, latency_us: latency } = summary;
  if (missing(lag?.mean) || missing(latency?.mean)) return NOT_MEASURED;
  const judged = [{ key: 'mean', least: limit('dispatch_lag_us'), who: 'the average request' }];
  if (cell.tool === 'k6' && areEnough(lag.count, 0.95) && !missing(latency.p95))
    judged.push({ key: 'p95', least: limit('dispatch_lag_p95_us'), who: 'one request in twenty' });
  for (const { key, least, who } of judged) {
    const allowed = Math.max(least, limit('dispatch_lag_share') * latency[key]);
    const [late, whole] = [lag, latency].map((figures) => (figures[key] / 1000).toFixed(1));
    if (lag[key] > allowed)
      return suspect(lag[key], allowed, `${who} was sent ${late} ms late; the ${key} of the latency is ${whole} ms`);
  }
  return PASS;
}

/**
 * Arrivals are due at the rate on the label, and are answered as fast; what came late from the lead-in may make them more. An arrival of
 * k6 may ask several times.
 */
function offered({ cell, summary, limit }) {
  if (cell.model !== 'open') return NOT_APPLICABLE;
  if (missing(summary.timeline)) return NOT_MEASURED;
  const { seconds } = summary.window;
  const allowed = limit('offered_share');
  const arrivals = samplesOf(summary.latency_us);
  const sent = arrivals - (summary.dropped_iterations ?? 0);
  const due = arrivals / seconds;
  const asks = sent > 0 ? Math.max(1, summary.requests / sent) : 1;
  const answered = sum(answersPerSecond(summary)) / asks / seconds;
  if (Math.abs(due / cell.level - 1) > allowed)
    return suspect(due / cell.level - 1, allowed, `${due.toFixed(1)} arrivals per second due instead of ${cell.level}`);
  if (answered >= (1 - allowed) * cell.level) return PASS;
  return suspect(
    answered / cell.level - 1,
    allowed,
    `${answered.toFixed(1)} arrivals per second answered instead of ${cell.level}`,
  );
}

/** Does an iteration of somebody's own script ask as often as it did when it was looked at? What is counted in iterations would else be counted wrongly. */
function asks({ cell, summary, limit }) {
  if (!cell.script) return NOT_APPLICABLE;
  const sent = samplesOf(summary.latency_us) - (summary.dropped_iterations ?? 0);
  if (cell.model !== 'open' || !(sent > 0)) return NOT_MEASURED;
  const { requests: planned = 1 } = cell.script;
  const made = summary.requests / sent;
  const allowed = limit('asks_share') + summary.errors.total / sent; // one that fails may end its iteration
  const off = made / planned - 1;
  if (Math.abs(off) <= allowed) return PASS;
  return invalid(
    off,
    Math.sign(off) * allowed,
    `an iteration asks ${made.toFixed(2)} times on average, not ${planned}: let each ask as often`,
  );
}

/** Did some request outlast the window, also one that began before it and is in no latency? Then a longer trial would show something else. */
function settled({ summary, limit }) {
  const { latency_us: latency, window, lead_in } = summary;
  if (missing(latency)) return NOT_MEASURED;
  const { longest_us, more_than_us } = latency.beyond ?? {};
  const longest = Math.max(latency.max ?? 0, longest_us ?? more_than_us ?? 0, lead_in?.longest_us ?? 0) / 1e6;
  const allowed = limit('settled_share') * window.seconds;
  if (longest <= allowed) return PASS;
  return suspect(
    longest,
    allowed,
    `the slowest request took ${longest.toFixed(1)} s, longer than the window of ${window.seconds} s: the load never settled`,
  );
}
