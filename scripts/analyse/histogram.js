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
 * @param {number} [total] number of all samples; those missing from the counts are greater than every value
 * @returns {(number|null)[]} in the histogram's unit; null where the rank lies among these, and where there is nothing
 */
export function percentiles(counts, ps, total = countOf(counts)) {
  const values = [];
  let cumulative = 0;
  let index = -1;
  for (const p of ps) {
    while (index < counts.length - 1 && (index < 0 || cumulative < p * total)) {
      index += 1;
      cumulative += counts[index][1];
    }
    values.push(index >= 0 && cumulative >= p * total ? counts[index][0] : null);
  }
  return values;
}

/** Samples that a percentile needs before it is quoted: 10 / (1 - p), so that ten lie beyond it (p99: 1,000). */
export function samplesNeeded(p) {
  return Math.ceil(10 / (1 - p) - 1e-9);
}

/** Are so many samples enough for the percentile? p50 has no such limit. */
export const areEnough = (total, p) => p <= 0.5 || total >= samplesNeeded(p);

/** As `percentiles`, but null where there are too few samples for the percentile. */
export function quotablePercentiles(counts, ps, total = countOf(counts)) {
  return percentiles(counts, ps, total).map((value, i) => (areEnough(total, ps[i]) ? value : null));
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
