/** Do the tool's figures agree with one another? */
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS } from './outcome.js';

export const checks = { complete, counts_agree: countsAgree, percentiles_ordered: percentilesOrdered, restored };

/** Sums of shares are rounded to thousandths. */
const SHARE_STEP = 0.002;

const LADDER = ['min', 'p50', 'p90', 'p95', 'p99', 'p99_9', 'max'];

function percentilesOrdered({ summary, limit }) {
  const latency = summary.latency_us;
  if (missing(latency)) return NOT_MEASURED;
  const steps = LADDER.filter((key) => !missing(latency[key]));
  const slack = 1 + limit('histogram_rounding');
  const wrong = steps.findIndex((key, i) => i > 0 && latency[steps[i - 1]] > latency[key] * slack);
  if (wrong > 0) {
    const [below, above] = [steps[wrong - 1], steps[wrong]];
    return invalid(
      latency[above],
      latency[below],
      `${below} (${latency[below]} µs) is above ${above} (${latency[above]} µs)`,
    );
  }
  if (!missing(latency.mean) && (latency.mean > latency.max * slack || latency.mean * slack < latency.min)) {
    return invalid(
      latency.mean,
      latency.max,
      `the mean (${latency.mean} µs) is not between the minimum and the maximum`,
    );
  }
  return steps.length > 1 ? PASS : NOT_MEASURED;
}

function countsAgree({ summary, limit }) {
  const { requests, successes, errors, window, throughput_rps } = summary;
  if (Math.abs(requests - successes - errors.total) > SHARE_STEP) {
    return invalid(
      successes + errors.total,
      requests,
      `${plural(requests, 'request')}, but ${successes} successes and ${plural(errors.total, 'error')}`,
    );
  }
  if (missing(throughput_rps)) return PASS; // too few answers for a rate, see the adapter
  const expected = successes / window.seconds;
  if (Math.abs(throughput_rps - expected) > expected * limit('histogram_rounding')) {
    return invalid(
      throughput_rps,
      expected,
      `${successes} answers in ${window.seconds} s are not ${throughput_rps} per second`,
    );
  }
  return PASS;
}

/** wrk's correction is undone exactly, or what is left are not the latencies that were measured. */
function restored({ cell, summary }) {
  if (cell.tool !== 'wrk') return NOT_APPLICABLE;
  if (missing(summary.correction)) return NOT_MEASURED;
  const { fault, interval_us } = summary.correction;
  if (fault === null) return PASS;
  return invalid(interval_us, 0, `wrk's correction could not be undone: ${fault}`);
}

/** Is the raw file complete? Its unreadable lines and missing requests were counted by the adapter. */
function complete({ cell, summary }) {
  const { bad_lines: bad, missing_requests: absent } = summary;
  if (bad > 0) return invalid(bad, 0, `${plural(bad, 'line')} of the raw file cannot be read`);
  if (!missing(absent) && absent !== 0)
    return invalid(absent, 0, `the raw file lacks ${plural(absent, 'request')} that the tool counted`);
  if (summary.printed?.disagreement) return invalid(null, 0, `the raw files disagree: ${summary.printed.disagreement}`);
  if (missing(summary.complete)) return NOT_MEASURED;
  if (summary.complete && summary.requests_total < (cell.requests ?? 0))
    return invalid(
      summary.requests_total,
      cell.requests,
      `${summary.requests_total} of ${plural(cell.requests, 'request')} were made`,
    );
  if (summary.complete) return PASS;
  return invalid(false, true, 'the raw file is incomplete: the tool was killed or the file was cut');
}
