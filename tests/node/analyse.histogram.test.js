import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../k6/lib/random.js';
import { MergedHistogram, percentiles, quotablePercentiles, samplesNeeded } from '../../scripts/analyse/histogram.js';
import { Latency } from '../../scripts/analyse/latency.js';

const PS = [0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1];

function randomHistogram(seed, values = 40) {
  const random = seeded(seed);
  const merged = new Map();
  for (let i = 0; i < values; i += 1) merged.set(Math.floor(random() * 1000), Math.floor(random() * 50) + 1);
  return [...merged].sort((a, b) => a[0] - b[0]);
}

test('a percentile is the smallest value that at least p x N samples do not exceed', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const counts = randomHistogram(seed);
    const sorted = counts.flatMap(([value, count]) => new Array(count).fill(value));
    const expected = PS.map((p) => sorted[Math.max(1, Math.ceil(p * sorted.length)) - 1]);
    assert.deepEqual(percentiles(counts, PS), expected);
  }
  assert.deepEqual(percentiles([], [0.5, 0.9]), [null, null]);
});

test('percentiles are quoted from 10 / (1 - p) samples on', () => {
  assert.deepEqual([0.9, 0.95, 0.99, 0.999].map(samplesNeeded), [100, 200, 1000, 10000]);
  const counts = (total) => [[5, total]];
  assert.deepEqual(quotablePercentiles(counts(1), [0.5, 0.9]), [5, null], 'p50 from any number');
  assert.deepEqual(quotablePercentiles(counts(99), [0.5, 0.9, 0.95]), [5, null, null]);
  assert.deepEqual(quotablePercentiles(counts(100), [0.5, 0.9, 0.95]), [5, 5, null]);
  assert.deepEqual(quotablePercentiles(counts(200), [0.5, 0.9, 0.95]), [5, 5, 5]);
});

test('merging adds counts: two histograms merged are the one of both', () => {
  const [a, b] = [randomHistogram(1), randomHistogram(2)];
  const merged = new MergedHistogram();
  merged.add(a);
  merged.add(b);
  const both = [...a, ...b].flatMap(([value, count]) => new Array(count).fill(value)).sort((x, y) => x - y);
  assert.equal(percentiles(merged.counts(), [0.95])[0], both[Math.ceil(0.95 * both.length) - 1]);
});

test('what lies beyond exceeds every answer, also those of other trials', () => {
  const latency = new Latency();
  latency.add({
    kind: 'closed',
    mean: 10,
    max: 10,
    beyond: { count: 9, more_than_us: 12 },
    histogram: { counts: [[10, 90]] },
  });
  latency.add({ kind: 'closed', mean: 40, max: 40, beyond: null, histogram: { counts: [[40, 901]] } });
  assert.deepEqual(latency.result().beyond, { count: 9, more_than_us: 40, percentiles: [] });
  latency.add({
    kind: 'closed',
    mean: 40,
    max: 40,
    beyond: { count: 9, more_than_us: 90 },
    histogram: { counts: [[40, 1]] },
  });
  assert.deepEqual(latency.result().beyond, { count: 18, more_than_us: 40, percentiles: ['p99'] });
});

test('merged latencies keep exact extremes and the weighted mean', () => {
  const latency = new Latency();
  latency.add({ kind: 'closed', mean: 10, min: 9.9, max: 10, histogram: { counts: [[10, 100]] } });
  latency.add({ kind: 'closed', mean: 40, min: 40, max: 40.01, histogram: { counts: [[40, 300]] } });
  const { kind, count, mean, min, max, p50, p90, p99 } = latency.result();
  assert.deepEqual(
    { kind, count, mean, min, max, p50, p90, p99 },
    {
      kind: 'closed',
      count: 400,
      mean: 32.5,
      min: 9.9,
      max: 40.01,
      p50: 40,
      p90: 40,
      p99: null,
    },
  );
  assert.equal(new Latency().result(), null);
});

test('merged histograms are the same sums whether values are middles of bins or not', () => {
  const random = seeded(18);
  const merged = new MergedHistogram();
  const sums = new Map();
  for (let i = 0; i < 20_000; i += 1) {
    let value = Math.floor(2 ** (random() * 36));
    const width = 2 ** Math.max(0, Math.floor(Math.log2(value)) - 10);
    if (i % 3 > 0 && width > 1) value = Math.floor(value / width) * width + width / 2;
    if (i % 7 === 0) value += 0.5;
    const count = 1 + (i % 4);
    if (i % 2 === 0) merged.add([[value, count]]);
    else merged.addPairs([value, count]);
    sums.set(value, (sums.get(value) ?? 0) + count);
  }
  assert.deepEqual(
    merged.counts(),
    [...sums].sort(([a], [b]) => a - b),
  );
});
