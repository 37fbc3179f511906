/**
 * The referee of merged histograms: node tests/generators/referee.js MERGED.ndjson SAMPLES.json... pools all samples that k6 itself wrote (`--out json`) of the same
 * requests, and compares p50, p99 and p99.9 with those of the merged file. Exit 1 unless each is within one bin: 1 us below 2,048 us, else 0.1 %.
 */
import { readFileSync } from 'node:fs';
import { MergedHistogram, percentiles } from '../../scripts/analyse/histogram.js';

const PS = [0.5, 0.99, 0.999];
const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Microseconds from asking for a connection to the last byte, of each request of the load. k6 writes the times of one request one after another. */
function latenciesIn(path) {
  const ofLoad = lines(path).filter(({ type, data }) => type === 'Point' && data.tags?.scenario);
  const valuesOf = (metric) => ofLoad.filter((point) => point.metric === metric).map(({ data }) => data.value);
  const [durations, blocked] = ['http_req_duration', 'http_req_blocked'].map(valuesOf);
  return durations.map((duration, i) => Math.round((duration + blocked[i]) * 1000));
}

const [merged, ...samples] = process.argv.slice(2);
const pooled = samples.flatMap(latenciesIn).sort((a, b) => a - b);
const histogram = new MergedHistogram();
for (const { latency } of lines(merged)) if (latency) histogram.add(latency.counts);
const counts = histogram.counts();
const added = percentiles(counts, PS);
const count = counts.reduce((sum, [, n]) => sum + n, 0);
let isRight = count === pooled.length;
console.log(`${pooled.length} samples, ${count} in the merged histogram`);
for (const [i, p] of PS.entries()) {
  const raw = pooled[Math.ceil(p * pooled.length) - 1];
  const isNear = Math.abs(added[i] - raw) <= (raw < 2048 ? 1 : raw * 0.001);
  console.log(`p${100 * p}: ${raw} us pooled, ${added[i]} us merged: ${isNear ? 'within a bin' : 'NOT WITHIN A BIN'}`);
  isRight &&= isNear;
}
process.exitCode = isRight ? 0 : 1;
