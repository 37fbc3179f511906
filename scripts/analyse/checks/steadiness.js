/** Was the trial steady? From the per-second timeline. */
import { median } from '../numbers.js';
import { step, trend } from '../trend.js';
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = { drift, frozen, paused };

export const about = {
  drift: { finds: driftText },
  frozen: { finds: 'seconds almost without answers' },
  paused: { finds: 'a pause without answers' },
};

/** A drift is looked for from as many seconds on. */
export const DRIFT_SECONDS = 5;
const FROZEN_SECONDS = 3;

const isOneUser = ({ model, level }) => model === 'closed' && level === 1;

/** A figure for every whole second of the window; a second without a line had none. */
function perSecond({ timeline, window }, figure) {
  const series = new Array(Math.floor(window.seconds)).fill(0);
  for (const second of timeline) if (second.t_s in series) series[second.t_s] += figure(second);
  return series;
}

/** Answers that arrived in each second. (summary/1 calls them requests.) */
export const answersPerSecond = (summary) => perSecond(summary, ({ answers, requests }) => answers ?? requests);

/** Closed: throughput. Open: median latency, as the rate is given. */
function driftSeries(cell, summary) {
  if (cell.model === 'closed') return perSecond(summary, ({ requests }) => requests);
  return summary.timeline.map((second) => second.p50_us).filter((value) => !missing(value));
}

function drift({ cell, summary, limit }) {
  if (missing(summary.timeline)) return NOT_MEASURED;
  const series = driftSeries(cell, summary);
  if (series.length < DRIFT_SECONDS) return NOT_MEASURED;
  const drifted = [{ ...trend(series), ...endsOf(series) }, step(series)].find(
    ({ change, p }) => Math.abs(change) > limit('drift_change') && p <= limit('drift_p'),
  );
  if (drifted === undefined) return PASS;
  const { change } = drifted;
  const what = cell.model === 'closed' ? 'throughput' : 'median latency';
  const direction = change < 0 ? 'fell' : 'rose';
  const size = Math.abs(change) < 1 ? `by ${percent(Math.abs(change))}` : fromTo(cell, drifted);
  return suspect(change, limit('drift_change'), `${what} ${direction} ${size} during the trial`);
}

/** Where a trend begins and ends: medians of the first third and of the last. */
function endsOf(series) {
  const third = Math.ceil(series.length / 3);
  const [from, to] = [series.slice(0, third), series.slice(-third)].map(median);
  return { from, to };
}

/** 'from 12.3 to 0.81 ms'. A change by more than the median itself is no percentage. */
function fromTo({ model }, { from, to }) {
  const text = (value) => Number((model === 'closed' ? value : value / 1000).toPrecision(3));
  return `from ${text(from)} to ${text(to)} ${model === 'closed' ? 'answers/s' : 'ms'}`;
}

/** 'throughput that rose', or 'rose or fell' where some did the one and some the other. */
function driftText(reasons) {
  const matches = reasons.map(({ text = '' }) => /^(.+?) (rose|fell) /.exec(text)).filter(Boolean);
  const [what, ways] = [1, 2].map((part) => [...new Set(matches.map((match) => match[part]))].sort().reverse());
  return `${what.join(' or ') || 'throughput'} that ${ways.join(' or ') || 'drifted'}`;
}

/** Seconds without answers. A single user's may be no more than a slow answer. */
function frozen({ cell, summary, limit }) {
  if (missing(summary.timeline) || missing(summary.latency_us)) return NOT_MEASURED;
  const series = answersPerSecond(summary);
  if (series.length < FROZEN_SECONDS) return NOT_MEASURED;
  const middle = median(series.filter((requests) => requests > 0)); // of seconds that are mostly empty it would be 0
  const slow = missing(summary.latency_us.p50) || summary.latency_us.p50 > limit('frozen_p50_us');
  if (middle < limit('frozen_rps') || slow) return NOT_MEASURED;
  const stalled = series.flatMap((requests, t) => (requests < middle * limit('frozen_share') ? [t] : []));
  if (stalled.length === 0) return PASS;
  const least = Math.min(...series);
  const seconds = `${stalled.length === 1 ? 'second' : 'seconds'} ${stalled.slice(0, 5).join(', ')}`;
  const text = `stalled in ${seconds}: ${plural(least, 'answer')} where the median is ${middle}`;
  const empty = series.filter((requests) => requests === 0).length;
  if (empty >= limit('frozen_seconds_invalid') && !isOneUser(cell))
    return invalid(empty, limit('frozen_seconds_invalid'), text);
  return suspect(least / middle, limit('frozen_share'), text);
}

/** A pause that percentiles hide. Those that are seconds long are `frozen`, too. A single user's pause is no more than a slow answer. */
function paused({ cell, summary, limit }) {
  if (isOneUser(cell)) return NOT_APPLICABLE;
  const { longest_pause_ms: pause, latency_us: latency } = summary;
  if (missing(pause) || missing(latency?.p90)) return NOT_MEASURED;
  const longest = Math.max(limit('pause_ms'), (limit('pause_p90s') * latency.p90) / 1000);
  if (pause < longest) return PASS;
  return suspect(
    pause,
    longest,
    `for ${pause} ms no request was answered, though some were under way; p90 is ${latency.p90} µs`,
  );
}
