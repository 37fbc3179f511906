import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentences } from '../../scripts/report/sentences.js';

const texts = (results) => sentences({ headlines: [], run: { blocks: 3 }, ...results }).map(({ text }) => text);

test('answers, then headlines, then objectives', () => {
  const headlines = [{ text: 'A and B cannot be compared.', claim: false }];
  const pool_maps = [{ workload: 'echo', target: 'pooled', tool: 'k6', within: 0.05, smallest: [] }];
  const claims = sentences({ run: { blocks: 3 }, headlines, pool_maps, objectives: [{ met: true }] }).map(
    ({ claim }) => claim,
  );
  assert.deepEqual(claims, [true, false, true]);
});

test('nothing asked, nothing answered', () => {
  assert.deepEqual(texts({}), []);
  assert.deepEqual(texts({ objectives: null, index_pairs: null, survival: null, pool_maps: [] }), []);
});

test('objectives: how many, and which were missed', () => {
  const objectives = [true, false, null].map((met, i) => ({ name: `goal ${i}`, metric: 'p95_us', met }));
  assert.deepEqual(texts({ objectives }), ['1 of 3 objectives met; missed: goal 1 (p95).']);
});

test('an index: with its interval, no claim where that includes 1, nothing from one block', () => {
  const cell = (speedup) => ({ level: 1, pairs: 458, wins: 458, speedup });
  const about = (speedup) => texts({ index_pairs: { cells: [cell(speedup)] } });
  assert.deepEqual(about({ ratio: 12.4885, low: 12.1622, high: 12.8236, differs: true }), [
    'With 1 user, queries ran 12.5 times as fast with the index (95 % interval 12.2 to 12.8); the index won 458 of 458 pairs of equal answers.',
  ]);
  assert.match(
    about({ ratio: 0.8, low: 0.6, high: 0.9, differs: true })[0],
    /^With 1 user, queries took 25 % longer with the index \(95 % interval 11 to 67 %\);/,
  );
  assert.match(
    about({ ratio: 1.1, low: 0.9, high: 1.3, differs: false })[0],
    /no difference was shown with the index \(speed-up 1.1, 95 % interval 0.9 to 1.3\);/,
  );
  assert.deepEqual(about({ ratio: 12, low: null, high: null, differs: null }), []);
});

test('survival: lost of all that was acknowledged, in every round', () => {
  const survival = [
    { profile: 'durable', round: 1, acknowledged: 5000, lost: 0 },
    { profile: 'no-fsync', round: 1, acknowledged: null, lost: null },
    { profile: 'durable', round: 2, acknowledged: 6000, lost: 1 },
  ];
  assert.deepEqual(texts({ survival }), [
    'Acknowledged documents lost in 2 kills of the server under load: durable 1 of 11,000, no-fsync unknown.',
  ]);
});

test('pools: the smallest that is as good as the best, by level', () => {
  const map = { workload: 'echo', target: 'pooled', tool: 'k6', within: 0.05 };
  const smallest = [
    { level: 1, pool_size: 1, of_best: null, not_told_apart: [] },
    { level: 5, pool_size: 2, of_best: { low: 0.96, high: 1.02 }, not_told_apart: [] },
    { level: 10, pool_size: null, of_best: null, not_told_apart: [] },
    { level: 20, pool_size: 2, of_best: { low: 0.68, high: 1.34 }, not_told_apart: [] },
    { level: 50, pool_size: 5, of_best: null, not_told_apart: [2] },
  ];
  assert.deepEqual(texts({ pool_maps: [{ ...map, smallest }] }), [
    'Smallest pool within 5 % of the best throughput: 1 with 1 user, 2 with 5 users, not settled with 10 users, not settled with 20 users, not settled with 50 users (echo, k6, target pooled).',
  ]);
});
