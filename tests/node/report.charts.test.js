import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, rate, ratio, share } from '../../scripts/analyse/format.js';
import { spreadLabels, valueScale } from '../../scripts/report/charts/scales.js';
import { compareValues, sortValue } from '../../scripts/report/client/sort.js';
import { curve } from '../../scripts/report/details.js';
import { palette } from '../../scripts/report/palette.js';
import { table } from '../../scripts/report/to-markdown.js';

test('figures as people write them', () => {
  assert.deepEqual([214.4, 170_520, 1_631_000].map(duration), ['214 µs', '171 ms', '1.63 s']);
  assert.deepEqual([4.591, 147.603, 1730.4].map(rate), ['4.59', '147.6', '1,730']);
  assert.deepEqual([0, 0.00123, null].map(share), ['0', '0.12 %', '–']);
  assert.equal(ratio({ ratio: 1.01, low: 0.9, high: 1.13, differs: false }), '~ 1.01× [0.9, 1.13]');
  assert.equal(ratio({ ratio: 0.95, low: 0.912, high: 0.99961, differs: true }), '0.95× [0.912, 0.9996]');
  assert.equal(ratio({ ratio: 0.00086, low: 0.000698, high: 0.00106, differs: true }), '1/1,160 [1/1,430, 1/943]');
  assert.equal(ratio({ ratio: 1.05, low: 1.00039, high: 1.1, differs: true }), '1.05× [1.0004, 1.1]');
  assert.equal(table(['a', '>b'], [['x|y', 1]]), '| a | b |\n| :-- | --: |\n| x\\|y | 1 |');
});

test('labels at the ends of lines keep apart and stay in the panel', () => {
  for (const places of [[10, 10, 10], [0, 3, 300], [299, 298, 1, 150], [20, 5, 40, 60, 3], [100]]) {
    const moved = spreadLabels(places, 16, 300);
    const sorted = moved.toSorted((a, b) => a - b);
    assert.ok(
      sorted.every((place, i) => place >= 8 && place <= 292 && (i === 0 || place - sorted[i - 1] >= 15.99)),
      String(moved),
    );
  }
  assert.deepEqual(spreadLabels([100, 200], 16, 300), [100, 200]);
});

test('axes: logarithmic where values are far apart, else from zero', () => {
  assert.equal(valueScale([5, 2000]).type, 'log');
  assert.deepEqual(valueScale([50, 101]).domain, [0, 125]);
  assert.deepEqual(valueScale([5, 2000]).values, [5, 100, 2000]);
});

test('a palette gives each series its own colour, the same whatever the order', () => {
  const names = ['raw', 'pooled', 'rollup', 'cube', 'fastify'];
  const colours = palette(names);
  assert.equal(new Set([...colours.values()].map(({ colour }) => colour)).size, names.length);
  assert.deepEqual(palette(names.toReversed()), colours);
});

test('a target has one colour in all charts; variants of it differ in shape and dash', () => {
  const of = (...names) => palette(names);
  assert.equal(of('pooled', 'raw').get('raw').colour, of('cube', 'raw', 'rollup').get('raw').colour);
  const [base, close] = ['pooled', 'pooled (close)'].map((name) => of('pooled', 'pooled (close)').get(name));
  assert.equal(base.colour, close.colour);
  assert.notEqual(base.shape, close.shape);
  assert.notDeepEqual(base.dash, close.dash);
  const all = of(...Array.from({ length: 20 }, (_, i) => `target-${i}`));
  assert.ok(new Set([...all.values()].map(({ colour }) => colour)).size <= 8, 'never more than eight');
});

test('cells of tables sort by value whatever their unit', () => {
  const sorted = (texts) => texts.toSorted((a, b) => compareValues(sortValue(a), sortValue(b)));
  assert.deepEqual(sorted(['1.2 s', '–', '18.7 ms', '214 µs', '3 ms']), ['214 µs', '3 ms', '18.7 ms', '1.2 s', '–']);
  assert.deepEqual(sorted(['1,730 [1,600–1,800]', '147.6', '~ 20']), ['~ 20', '147.6', '1,730 [1,600–1,800]']);
  assert.deepEqual(sorted(['raw', 'cube', '']), ['cube', 'raw', '']);
  assert.equal(sortValue('2026-01-05'), '2026-01-05');
  assert.deepEqual(sorted(['0.2× [0.1, 0.4]', '1/12', '1/1,160 [1/1,430, 1/943]']), [
    '1/1,160 [1/1,430, 1/943]',
    '1/12',
    '0.2× [0.1, 0.4]',
  ]);
});

test('curves end where ten answers are left', () => {
  const points = curve(Array.from({ length: 1000 }, (_, i) => [i + 1, 1]));
  assert.deepEqual(
    points.find(([at]) => at === 10),
    [10, 900],
  );
  assert.deepEqual(points.at(-1), [100, 990]);
  assert.deepEqual(curve([[5, 10]]), []);
});
