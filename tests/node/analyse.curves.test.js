import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { csv } from '../../scripts/analyse/csv.js';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { picture as curvePicture } from '../../scripts/findings/curves/draw.js';
import { find } from '../../scripts/findings/curves/find.js';
import { blocks as curveBlocks } from '../../scripts/findings/curves/tell.js';
import { picturesOf } from '../../scripts/report/pictures.js';
import { toSvg } from '../../scripts/report/render.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { schemas } from '../lib/schemas.js';
import { cell, run } from './lib/sized-runs.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const root = mkdtempSync(join(tmpdir(), 'curves-'));

after(() => rmSync(root, { recursive: true }));

const valid = schemas().validatorOf('results');

const seriesOf = (target, variant, of) =>
  [1, 2, 4].map((level) =>
    cell(
      target,
      variant,
      level,
      [0, 1, 2].map((block) => of(level, block)),
    ),
  );

const curvesOf = (cells, report = ['curves']) => find(run(cells, report), cells);

const LINEAR = [
  ...seriesOf('pooled', 'pool-10', (n) => 50 + 100 * n),
  ...seriesOf('native', 'pool-10', (n) => 30 + 40 * n),
];

test('curves are there where the experiment asks for them, one set for each pool size, three levels or more', () => {
  assert.deepEqual(curvesOf(LINEAR, null), []);
  assert.deepEqual(curvesOf(LINEAR, ['pool-map']), []);
  assert.deepEqual(curvesOf(LINEAR.filter(({ level }) => level < 4)), []);
  const cells = [
    ...LINEAR,
    ...seriesOf('pooled', 'unnamed-10', (n) => 90 * n),
    cell('cluster', 'pool-10', 4, [900, 910, 905]),
    ...seriesOf('pooled', 'pool-1', (n) => 10 * n),
    ...seriesOf('jdbc', 'shared', (n) => 10 * n),
    ...seriesOf('pooled', 'pool-10', (n) => n).map((one) => ({ ...one, calibration: true })),
  ];
  const curves = curvesOf(cells);
  assert.deepEqual(
    curves.map(({ pool_size, series }) => [pool_size, series.map(({ name }) => name)]),
    [
      [10, ['cluster', 'pooled', 'pooled (unnamed)', 'native']],
      [1, ['pooled']],
      [null, ['jdbc (shared)']],
    ],
  );
});

test('a level has its mean with a Student-t interval, of usable trials alone', () => {
  const cells = [
    cell('pooled', 'base', 1, [1, 2, 3]),
    cell('pooled', 'base', 2, [10, 20, 1e6], { verdicts: ['valid', 'suspect', 'invalid'] }),
    cell('pooled', 'base', 4, [7]),
  ];
  const [{ series }] = curvesOf(cells);
  const [{ points }] = series;
  // t(0.975, 2) = 4.30265 times sd 1 / sqrt(3); t(0.975, 1) = 12.7062 times sd 7.07107 / sqrt(2)
  assert.deepEqual(points, [
    { level: 1, n: 3, mean_rps: 2, low_rps: -0.484138, high_rps: 4.48414 },
    { level: 2, n: 2, mean_rps: 15, low_rps: -48.531, high_rps: 78.531 },
    { level: 4, n: 1, mean_rps: 7, low_rps: null, high_rps: null },
  ]);
});

test('the line through all trials, its R², and the ratio of two slopes beside the paired ratios', () => {
  const [{ series, pairs }] = curvesOf(LINEAR);
  assert.deepEqual(
    series.map(({ line }) => line),
    [
      { slope_rps_per_user: 100, slope_low: 100, slope_high: 100, intercept_rps: 50, r2: 1 },
      { slope_rps_per_user: 40, slope_low: 40, slope_high: 40, intercept_rps: 30, r2: 1 },
    ],
  );
  const [{ numerator, denominator, slope_ratio, at }] = pairs;
  assert.deepEqual([numerator, denominator, slope_ratio], ['pooled', 'native', 2.5]);
  assert.deepEqual(
    at.map(({ level, throughput }) => [level, throughput.ratio, throughput.n]),
    [
      [1, 2.14286, 3],
      [2, 2.27273, 3],
      [4, 2.36842, 3],
    ],
  );
  // Anscombe (1973), first set: slope 0.5001 with standard error 0.1179, intercept 3.0001, R² 0.6665; t of 9 at 0.975 is 2.262
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const [anscombe] = curvesOf(x.map((level, i) => cell('pooled', 'base', level, [y[i]])));
  const { slope_low: low, slope_high: high, ...line } = anscombe.series[0].line;
  assert.deepEqual(line, { slope_rps_per_user: 0.500091, intercept_rps: 3.00009, r2: 0.6665 });
  for (const [end, wanted] of [
    [low, 0.5001 - 2.262 * 0.1179],
    [high, 0.5001 + 2.262 * 0.1179],
  ])
    assert.ok(Math.abs(end - wanted) < 1e-3, `${end}`);
});

test('a line that falls has no ratio, trials that all agree have no line, and the faster is above where both were measured', () => {
  const falling = [...seriesOf('pooled', 'base', (n, i) => 100 - n + i), ...seriesOf('raw', 'base', (n) => 10 * n)];
  assert.equal(curvesOf(falling)[0].pairs[0].slope_ratio, null);
  assert.equal(curvesOf(seriesOf('pooled', 'base', () => 5))[0].series[0].line, null);
  const partly = [...seriesOf('pooled', 'base', (n) => 100 * n), cell('native', 'base', 1, [150, 150, 150])];
  const [{ series, pairs }] = curvesOf(partly);
  assert.deepEqual([series[0].name, pairs[0].numerator, pairs[0].at.length], ['pooled', 'native', 1]);
});

test('a real shape: the line misses, and the report says where', async () => {
  const bent = [...seriesOf('pooled', 'pool-10', (n, i) => (n === 1 ? 600 : 800) + i), ...LINEAR.slice(3)];
  const [curve] = curvesOf(bent);
  assert.equal(curve.series[0].line.r2, 0.5714);
  const text = toMarkdown(curveBlocks(curve));
  assert.match(text, /^## Throughput by HTTP connections: echo, wrk, tpch, 10 database connections\n/);
  assert.match(text, /\| pooled \| 601 \[598\.5–603\.5\] \|/);
  assert.match(text, /\| pooled \| .* \| at 2: 715\.3, measured 801 \|/);
  assert.match(text, /\| pooled \/ native \| 4 \| [\d.]+× \[[\d.]+, [\d.]+\] \| [\d.]+× \|/);
  const { spec, alt } = curvePicture(curve, bent);
  assert.match(alt, /Two charts of the same trials, curves and straight lines, for pooled, native\./);
  const svg = await toSvg(spec);
  assert.ok(svg.includes('>native, R² 1.00<'));
  assert.ok(!/NaN/.test(svg));
  const bandwidths = (of) => of.hconcat[0].layer.flatMap(({ transform }) => transform?.[0].bandwidth ?? []);
  assert.deepEqual(bandwidths(spec), [], 'three levels do not tell a bend');
  const four = [...bent, cell('pooled', 'pool-10', 8, [810, 811, 812])];
  assert.deepEqual(bandwidths(curvePicture(curvesOf(four)[0], four).spec), [0.75]);
});

test('a cell of which some trials have no throughput has none: no point of a curve, no ceiling of the others', () => {
  const folder = writeSyntheticRun(join(root, 'few'), {
    targets: { pooled: (level) => 100 + level },
    tools: ['wrk'],
    experiment: { report: ['curves'] },
    ...{ levels: [1, 5, 20, 64], blocks: 6 },
    mutate: (summary) =>
      summary.cell.level === 64 && summary.cell.block < 4 ? { ...summary, throughput_rps: null } : summary,
  });
  const results = analyse(openRun(folder));
  assert.ok(valid(results), JSON.stringify(valid.errors));
  const few = results.cells.find(({ level }) => level === 64);
  assert.deepEqual([few.trials_used, few.throughput_rps], [6, null]);
  assert.deepEqual(
    results.curves[0].series[0].points.map(({ level, n }) => [level, n]),
    [1, 5, 20].map((level) => [level, 6]),
  );
  assert.ok(results.cautions.some((text) => /there is no throughput: .* not all of its trials had 20/.test(text)));
});

test('from a whole run: the schema holds, every trial is in the CSV, and the report shows both', () => {
  const variants = [1, 10].map((size) => ({ name: `pool-${size}`, env: { POOL_SIZE: String(size) } }));
  const of =
    (base) =>
    (level, { env }) =>
      (base * Math.min(level, Number(env.POOL_SIZE))) / (1 + 0.01 * level);
  const folder = writeSyntheticRun(join(root, 'whole'), {
    targets: { pooled: of(300), native: of(200) },
    experiment: { report: ['curves', 'pool-map'] },
    ...{ levels: [1, 5, 20], blocks: 4, variants },
  });
  const results = analyse(openRun(folder));
  assert.ok(valid(results), JSON.stringify(valid.errors));
  assert.deepEqual(
    results.curves.map(({ pool_size, series }) => [pool_size, series.length]),
    [
      [1, 2],
      [10, 2],
    ],
  );
  for (const wrong of [{ curves: [{}] }, { pool_maps: results.curves }, { objectives: null }])
    assert.ok(!valid({ ...results, ...wrong }), JSON.stringify(Object.keys(wrong)));
  assert.equal(results.pool_maps.length, 2);
  assert.ok(results.pool_maps.every(({ smallest }) => smallest.at(-1).pool_size === 10));
  assert.equal(csv(results).trim().split('\n').length - 1, 2 * 2 * 3 * 4);
  assert.deepEqual(
    picturesOf(results).map(({ key }) => key),
    [
      'curve.tpch.analytics.k6.pool-1',
      'curve.tpch.analytics.k6.pool-10',
      'pool-map.tpch.native.analytics.k6',
      'pool-map.tpch.pooled.analytics.k6',
    ],
  );
  assert.deepEqual(picturesOf({ cells: [] }), []);
});
