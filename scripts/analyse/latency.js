import { countOf, MergedHistogram, quotablePercentiles } from './histogram.js';
import { rounded } from './numbers.js';

const PS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p99_9: 0.999 };

/** Several trials' latencies of one kind, merged. */
export class Latency {
  #merged = new MergedHistogram();
  #sum = 0;
  #min = Infinity;
  #max = -Infinity;
  #kind = null;

  add(latency) {
    this.#kind ??= latency.kind ?? null;
    const counts = latency.histogram?.counts ?? [];
    const count = countOf(counts);
    if (count === 0) return;
    this.#merged.add(counts);
    this.#sum += (latency.mean ?? 0) * count;
    this.#min = Math.min(this.#min, latency.min ?? counts[0][0]);
    this.#max = Math.max(this.#max, latency.max ?? counts.at(-1)[0]);
  }

  /** @returns {{kind, count, mean, min, max, p50, p90, p95, p99, p99_9}|null} null percentiles: too few samples */
  result() {
    const counts = this.#merged.counts();
    const count = countOf(counts);
    if (count === 0) return null;
    const values = quotablePercentiles(counts, Object.values(PS)).map(
      (value) => value && Math.max(this.#min, Math.min(this.#max, value)),
    );
    const ladder = Object.fromEntries(Object.keys(PS).map((key, i) => [key, values[i]]));
    return { kind: this.#kind, count, mean: rounded(this.#sum / count), min: this.#min, max: this.#max, ...ladder };
  }
}
