import { areEnough, countOf, MergedHistogram, quotablePercentiles } from './histogram.js';
import { limitOf } from './limits.js';
import { rounded } from './numbers.js';
import { TOOLS } from './tools.js';

const PS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p99_9: 0.999 };

/** Answers and unanswered requests. @param {object|null} latency of a summary, or of results.json */
export const samplesOf = (latency) => (latency?.count ?? 0) + (latency?.beyond?.count ?? 0);

/** Closed model without pauses: did each user make enough requests, in each of so many trials, for percentiles to be quoted? */
export function enoughPerUser({ model, level, workload, think_s = null }, samples, trials = 1) {
  return model !== 'closed' || think_s !== null || samples >= limitOf('samples_per_user', workload) * level * trials;
}

/** Several trials' latencies of one kind, merged. */
export class Latency {
  #merged = new MergedHistogram();
  #sum = 0;
  #min = Infinity;
  #max = -Infinity;
  #kind = null;
  #beyond = null;

  add(latency) {
    this.#kind ??= latency.kind ?? null;
    if (latency.beyond) this.#addBeyond(latency.beyond);
    const counts = latency.histogram?.counts ?? [];
    const count = countOf(counts);
    if (count === 0) return;
    this.#merged.add(counts);
    this.#sum += (latency.mean ?? 0) * count;
    this.#min = Math.min(this.#min, latency.min ?? counts[0][0]);
    this.#max = Math.max(this.#max, latency.max ?? counts.at(-1)[0]);
  }

  #addBeyond({ count, more_than_us }) {
    const { count: others, more_than_us: least } = this.#beyond ?? { count: 0, more_than_us: Infinity };
    this.#beyond = { count: others + count, more_than_us: Math.min(least, more_than_us) };
  }

  /** Answers and unanswered requests. */
  get samples() {
    return countOf(this.#merged.counts()) + (this.#beyond?.count ?? 0);
  }

  /**
   * @param {boolean} [quotable] false: percentiles are null
   * @returns {{kind, count, beyond, mean, min, max, p50, p90, p95, p99, p99_9}|null} null percentiles: too few samples, or
   *   beyond every answer; beyond: {count, more_than_us, percentiles: those that exceed it}|null for unanswered requests
   */
  result(quotable = true) {
    const { samples } = this;
    if (samples === 0) return null;
    const counts = this.#merged.counts();
    const count = countOf(counts);
    const values = quotablePercentiles(counts, Object.values(PS), samples).map((value) =>
      value === null || !quotable ? null : Math.max(this.#min, Math.min(this.#max, value)),
    );
    const ladder = Object.fromEntries(Object.keys(PS).map((key, i) => [key, values[i]]));
    if (TOOLS[this.#kind]?.ends_at_p99) ladder.p99_9 = null;
    const reached = Object.keys(PS).filter((key) => quotable && ladder[key] === null && areEnough(samples, PS[key]));
    const beyond = this.#beyond && {
      ...this.#beyond,
      more_than_us: Math.max(this.#beyond.more_than_us, this.#max), // of every trial
      percentiles: reached,
    };
    const [mean, min, max] = count === 0 ? [null, null, null] : [rounded(this.#sum / count), this.#min, this.#max];
    return { kind: this.#kind, count, beyond, mean, min, max, ...ladder };
  }
}
