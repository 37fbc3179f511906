/**
 * Latency histograms: `[[value, count], ...]`, values ascending. One percentile definition for every tool: nearest rank,
 * the smallest value whose cumulative count reaches p x N. scripts/jq/histogram.jq has the same one.
 */

/** Samples in a histogram. */
export function countOf(counts) {
  let total = 0;
  for (const [, count] of counts) total += count;
  return total;
}

/**
 * Percentiles by nearest rank.
 * @param {[number, number][]} counts ascending
 * @param {number[]} ps shares in (0, 1], ascending
 * @returns {(number|null)[]} in the histogram's unit; null where it is empty
 */
export function percentiles(counts, ps, total = countOf(counts)) {
  if (total === 0) return ps.map(() => null);
  const values = [];
  let cumulative = 0;
  let index = -1;
  for (const p of ps) {
    while (index < counts.length - 1 && (index < 0 || cumulative < p * total)) {
      index += 1;
      cumulative += counts[index][1];
    }
    values.push(counts[index][0]);
  }
  return values;
}

/** Samples that a percentile needs before it is quoted: 10 / (1 - p), so that ten lie beyond it (p99: 1,000). */
export function samplesNeeded(p) {
  return Math.ceil(10 / (1 - p) - 1e-9);
}

/** As `percentiles`, but null where the histogram is too small for the percentile. p50 has no such limit. */
export function quotablePercentiles(counts, ps) {
  const total = countOf(counts);
  return percentiles(counts, ps, total).map((value, i) => (ps[i] > 0.5 && total < samplesNeeded(ps[i]) ? null : value));
}

/** Histograms added up, so that trials combine without averaging percentiles. */
export class MergedHistogram {
  #counts = new Map();

  /** @param {[number, number][]} counts in any order */
  add(counts) {
    for (const [value, count] of counts) this.#counts.set(value, (this.#counts.get(value) ?? 0) + count);
  }

  /** @returns {[number, number][]} ascending */
  counts() {
    return [...this.#counts].sort((a, b) => a[0] - b[0]);
  }
}
