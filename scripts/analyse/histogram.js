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
  let at = -1;
  for (const p of ps) {
    while (at < counts.length - 1 && (at < 0 || cumulative < p * total)) {
      at += 1;
      cumulative += counts[at][1];
    }
    values.push(at >= 0 && cumulative >= p * total ? counts[at][0] : null);
  }
  return values;
}

/** So many samples lie beyond a percentile that is quoted. */
export const SAMPLES_BEYOND = 10;

/** Samples that a percentile needs before it is quoted (p99: 1,000). */
export function samplesNeeded(p) {
  return Math.ceil(SAMPLES_BEYOND / (1 - p) - 1e-9);
}

/** Are so many samples enough for the percentile? p50 has no such limit. */
export const areEnough = (total, p) => p <= 0.5 || total >= samplesNeeded(p);

/** As `percentiles`, but null where there are too few samples for the percentile. */
export function quotablePercentiles(counts, ps, total = countOf(counts)) {
  return percentiles(counts, ps, total).map((value, i) => (areEnough(total, ps[i]) ? value : null));
}

/** Of 3 significant digits: values below are exact, and each doubling above has so many bins (G. Tene, HdrHistogram). */
const EXACT = 2048;
const BINS = EXACT / 2;
const LARGEST = 2 ** 30;

/** The number of the bin whose middle a value is, as k6's output writes them; -1 of any other value. */
function binOf(value) {
  if ((value | 0) !== value || value < 0 || value >= LARGEST) return -1;
  if (value < EXACT) return value;
  const shift = 31 - Math.clz32(value) - 10;
  if ((value & ((1 << shift) - 1)) !== 1 << (shift - 1)) return -1;
  return EXACT + (shift - 2) * BINS + (value >>> shift);
}

/** The middle of a bin. */
function middleOf(bin) {
  if (bin < EXACT) return bin;
  const shift = Math.floor((bin - EXACT) / BINS) + 1;
  return ((bin - EXACT - (shift - 2) * BINS) << shift) + (1 << (shift - 1));
}

/** Histograms added up, so that trials combine without averaging percentiles. */
export class MergedHistogram {
  #bins = new Float64Array(EXACT);
  #others = new Map(); // values that are not the middle of a bin

  /** @param {[number, number][]} counts in any order */
  add(counts) {
    for (const [value, count] of counts) this.#addOne(value, count);
  }

  /** @param {number[]|Float64Array} pairs value, count, value, count, ... */
  addPairs(pairs) {
    for (let i = 0; i < pairs.length; i += 2) this.#addOne(pairs[i], pairs[i + 1]);
  }

  /** @returns {[number, number][]} ascending */
  counts() {
    const counts = [...this.#others];
    for (const [bin, count] of this.#bins.entries()) if (count !== 0) counts.push([middleOf(bin), count]);
    return counts.sort((a, b) => a[0] - b[0]);
  }

  #addOne(value, count) {
    const bin = binOf(value);
    if (bin < 0) this.#others.set(value, (this.#others.get(value) ?? 0) + count);
    else {
      if (bin >= this.#bins.length) this.#grow(bin);
      this.#bins[bin] += count;
    }
  }

  #grow(bin) {
    const bins = new Float64Array(EXACT + Math.ceil((bin + 1 - EXACT) / BINS) * BINS);
    bins.set(this.#bins);
    this.#bins = bins;
  }
}
