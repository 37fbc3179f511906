import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture as poolMapPicture } from '../../scripts/findings/pool-map/draw.js';
import { find } from '../../scripts/findings/pool-map/find.js';
import { blocks as poolMapBlocks } from '../../scripts/findings/pool-map/tell.js';
import { toSvg } from '../../scripts/report/render.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { cell, run } from './lib/sized-runs.js';

/** Throughput of each pool at one level, blocks without noise. */
const pools = (level, rps) =>
  Object.entries(rps).map(([size, value]) =>
    cell('pooled', `pool-${size}`, level, [value, value, value], { tool: 'k6' }),
  );

const mapsOf = (cells, report = ['pool-map']) => find(run(cells, report), cells);

test('the smallest pool within 5 % of the best, level by level', () => {
  const cells = [...pools(1, { 50: 100, 1: 96, 5: 99 }), ...pools(50, { 1: 100, 5: 949, 50: 1000 })];
  assert.deepEqual(mapsOf(cells, null), []);
  assert.deepEqual(mapsOf(cells.filter(({ variant }) => variant === 'pool-5')), []);
  const [map, ...others] = mapsOf([...cells, cell('pooled', 'base', 1, [9e9, 9e9, 9e9], { tool: 'k6' })]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    map.smallest.map(({ level, pool_size, best_pool_size, of_best }) => [
      level,
      pool_size,
      best_pool_size,
      of_best?.ratio ?? null,
    ]),
    [
      [1, 1, 50, 0.96],
      [50, 50, 50, null],
    ],
  );
  assert.deepEqual(
    map.cells.map(({ level, pool_size }) => [level, pool_size]),
    [1, 50].flatMap((level) => [1, 5, 50].map((size) => [level, size])),
  );
  assert.deepEqual(
    [map.within, map.cells[5].p95_us, map.cells[5].waiting_mean, map.cells[5].event_loop_delay_p99_ms],
    [0.05, 50_000, 25, 3],
  );
});

test('a map whose pools a primary question asks about shares the error of all such questions', () => {
  const cells = [
    cell('pooled', 'pool-1', 10, [98, 98.4, 97.6], { tool: 'k6' }),
    cell('pooled', 'pool-5', 10, [100, 100, 100], { tool: 'k6' }),
  ];
  const sides = cells.map(({ id }) => ({ name: id, cells: [id] }));
  const about = { kind: 'smallest', primary: true, sides };
  const other = { kind: 'pair', primary: true, sides: [{ cells: ['a'] }, { cells: ['b'] }] };
  const interval = (...questions) => {
    const { plan, experiment } = run(cells, ['pool-map']);
    const [{ smallest }] = find({ plan: { ...plan, questions }, experiment }, cells);
    return [smallest[0].pool_size, smallest[0].of_best.high / smallest[0].of_best.low];
  };
  const [[size, alone], [, shared], [, unasked]] = [[about], [about, other], []].map((asked) => interval(...asked));
  assert.equal(size, 1);
  assert.ok(shared > alone && alone > unasked, `${shared} ${alone} ${unasked}`);
});

test('where a block of the best pool is missing, which is enough is not known', () => {
  const cells = [...pools(10, { 2: 1000, 5: 1001 }), ...pools(50, { 2: 900, 5: 1000 })];
  cells[1].trials[1].verdict = 'invalid';
  const [map] = mapsOf(cells);
  assert.deepEqual(
    map.smallest.map(({ pool_size }) => pool_size),
    [null, 5],
  );
  assert.match(toMarkdown(poolMapBlocks(map)), /- 10 users: not known, as a block is missing\./);
});

test('a smaller pool that this run cannot tell from the best is named', () => {
  const noisy = [cell('pooled', 'pool-1', 10, [60, 120, 60], { tool: 'k6' }), ...pools(10, { 2: 99, 5: 100 })];
  const [map] = mapsOf(noisy);
  assert.deepEqual([map.smallest[0].pool_size, map.smallest[0].not_told_apart], [2, [1]]);
  assert.match(
    toMarkdown(poolMapBlocks(map)),
    /- 10 users: 2 connections serve 99 % of what 5 do \(95 % interval .*\)\. As far as this run can tell, 1 may do as well\./,
  );
});

test('a pool map has its table and its picture: a figure in every field, the smallest enough framed', async () => {
  const cells = [...pools(1, { 1: 96, 5: 100 }), ...pools(50, { 1: 100, 5: 949 })];
  cells[3].latency_us = { p95: null };
  const [map] = mapsOf(cells);
  const text = toMarkdown(poolMapBlocks(map));
  assert.match(text, /within 5 % of the best, compared block by block/);
  assert.match(text, /\| 50 \| 1 \| 100 \| 50 ms \| 25 \| 3 ms \|/);
  assert.match(text, /\| 50 \| 5 \| 949 \| – \| 25 \| 3 ms \|/);
  const { spec, alt } = poolMapPicture(map);
  assert.match(alt, /1 user: 1 connection serves 96 % of what 5 do \(.*\)\. 50 users: 5 connections serve the most\./);
  const svg = await toSvg(spec);
  for (const figure of ['96', '949', '50', '–']) assert.ok(svg.includes(`>${figure}<`), figure);
  assert.equal(svg.match(/stroke-width="2\.5"/g).length, 4, 'two levels, two panels');
  assert.ok(!/NaN/.test(svg));
});
