import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { claimHere, comparedHere, holdsHere } from '../../scripts/report/again/checks.js';
import { cellsOf, resultOf } from '../../scripts/report/again/figures.js';
import { targetsHere } from '../../scripts/report/again/targets.js';
import { currentPublished } from '../../scripts/report/published.js';

const published = new Map(
  currentPublished(join(import.meta.dirname, '../../results/published'))
    .filter(({ machine }) => machine.startsWith('amd'))
    .map(({ experiment, results }) => [experiment, results]),
);

const counterpart = (target, level) => ({
  experiment: 'cube-vs-postgres',
  database: 'tpch',
  target,
  workload: 'analytics',
  tool: 'k6',
  level,
});
const figure = (id, value, unit) => ({ id, metric: id.split('.').at(-1), value, unit, line: 1 });

/** A write-up of two runs, Cube's and one of a connection per request, as published here in cube-vs-postgres. */
const writeUp = (checks, holds = true) => ({
  runs: { one: { here: [counterpart('cube', 10)] }, other: { here: [counterpart('raw', 10)], checks } },
  figures: [
    figure('one.throughput', 145, 'requests/s'),
    figure('other.throughput', 4.6, 'requests/s'),
    figure('one.latency.p95', 120, 'ms'),
    figure('other.latency.p95', 2.6, 's'),
    figure('one.latency.p50', 60, 'ms'),
  ],
  claims: [{ id: 'claim', checks, holds_in_its_own_figures: holds }],
});
const throughput = resultOf({ id: 'one.throughput' }, cellsOf([counterpart('cube', 10)], published)[0].cell);
const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
const trialsOf = (target) =>
  published
    .get('cube-vs-postgres')
    .cells.find((cell) => cell.id.endsWith(`.${target}.base.analytics.k6.closed-0010`))
    .trials.filter(({ verdict }) => verdict !== 'invalid');

test('figures of times are compared, in whatever unit each is printed, by their ratio within blocks', () => {
  const sides = { figure: 'one.latency.p95', is: 'below', to: 'other.latency.p95', holds: true };
  const [{ theirs, result, direction, experiment }] = comparedHere(writeUp([sides]), published);
  assert.ok(Math.abs(theirs / (0.12 / 2.6) - 1) < 1e-9, `${theirs}`);
  assert.equal(experiment, 'cube-vs-postgres');
  assert.equal(direction, 'the same');
  const ours =
    geometricMean(trialsOf('cube').map((trial) => trial.p95_us)) /
    geometricMean(trialsOf('raw').map((trial) => trial.p95_us));
  assert.ok(Math.abs(result.ratio / ours - 1) < 1e-4, `${result.ratio} ${ours}`);
  assert.ok(result.low < result.ratio && result.ratio < result.high);
});

test('a ratio that points the other way there is said to', () => {
  const asked = writeUp([{ figure: 'one.throughput', is: 'above', to: 'other.throughput', holds: true }]);
  asked.figures[0].value = 1;
  assert.equal(comparedHere(asked, published)[0].direction, 'the other');
});

test('figures of different dimensions are not compared', () => {
  const check = { figure: 'one.throughput', over: 'one.latency.p95', is: 'above', to: 1, holds: true };
  assert.deepEqual(comparedHere(writeUp([check]), published), []);
});

const verdict = (check, holds) =>
  claimHere(writeUp([check], holds).claims[0], writeUp([check], holds), published)?.holds;

/** How many times the other's figure one's is here. */
const ratioHere = (quantity) =>
  comparedHere(writeUp([{ figure: `one.${quantity}`, over: `other.${quantity}`, is: 'above', to: 1 }]), published)[0]
    .result;

test('a claim holds here where the whole interval does, fails where none of it does, and is else not decided', () => {
  const over = (quantity, is) => (to) => verdict({ figure: `one.${quantity}`, over: `other.${quantity}`, is, to });
  const [throughput, p95] = ['throughput', 'latency.p95'].map(ratioHere);
  assert.deepEqual([throughput.low * 0.99, throughput.ratio, throughput.high * 1.01].map(over('throughput', 'above')), [
    true,
    null,
    false,
  ]);
  assert.deepEqual([p95.high * 1.01, p95.ratio, p95.low * 0.99].map(over('latency.p95', 'below')), [true, null, false]);
});

test('how fast a machine is, is no claim that is judged here', () => {
  for (const is of ['above', 'below', 'about'])
    assert.equal(verdict({ figure: 'one.latency.p95', is, to: 1, within: 0.1 }), undefined, is);
});

test('about a ratio holds where the whole interval is within a quarter, and how much a machine does is not judged', () => {
  const result = ratioHere('throughput');
  const about = (within, to) =>
    verdict({ figure: 'one.throughput', over: 'other.throughput', is: 'about', to, within });
  assert.deepEqual(
    [about(0.01, result.ratio), about(0.01, result.ratio / 1.25), about(0.01, 10 * result.high)],
    [true, null, false],
  );
  const ofMachine = { figure: 'one.throughput', is: 'about', to: throughput.ratio, within: 0.5 };
  assert.equal(verdict(ofMachine), undefined);
  const mixed = writeUp([ofMachine, { figure: 'one.throughput', over: 'other.throughput', is: 'above', to: 1 }]);
  assert.equal(claimHere(mixed.claims[0], mixed, published).holds, undefined);
});

test('checks that do not decide a claim there do not decide it here', () => {
  assert.equal(verdict({ figure: 'one.throughput', is: 'above', to: 1 }, null), undefined);
});

test('nothing is said of a claim of which a part was not measured', () => {
  const check = { figure: 'one.iteration.p95', is: 'above', to: 1 };
  const asked = writeUp([check]);
  asked.figures.push(figure('one.iteration.p95', 1, 'ms'));
  assert.equal(claimHere(asked.claims[0], asked, published), null);
});

test('of several experiments the first that is published counts, as most like the write-up', () => {
  const wider = { ...counterpart('cube', 10), experiment: 'ladder', database: 'tpch', level: 8 };
  const names = (here) => cellsOf(here, published).map((one) => one.counterpart.experiment);
  assert.deepEqual(names([{ ...counterpart('cube', 10), experiment: 'never' }, counterpart('cube', 10), wider]), [
    'cube-vs-postgres',
  ]);
  assert.deepEqual(names([wider, counterpart('cube', 10)]), ['ladder']);
});

test('how many requests a run made is a figure where so many were asked for, and else only tells how long it was', () => {
  const [{ cell }] = cellsOf([counterpart('cube', 10)], published);
  assert.equal(resultOf({ id: 'one.requests.count' }, { ...cell, printed: { 'requests.count': [1, 1] } }), null);
  const counted = { ...cell, requests: 100, printed: { 'requests.count': cell.trials.map(() => 100) } };
  assert.equal(resultOf({ id: 'one.requests.count' }, counted).ratio, 100);
});

test('a share of errors is of all trials, those among them that are invalid for their errors', () => {
  const [{ cell }] = cellsOf([counterpart('cube', 10)], published);
  const [first, ...others] = cell.trials;
  const failed = { ...first, verdict: 'invalid', errors: first.requests };
  assert.equal(resultOf({ id: 'one.success.share' }, cell).ratio, 1);
  assert.ok(resultOf({ id: 'one.success.share' }, { ...cell, trials: [failed, ...others] }).ratio < 1);
});

test('what is to be equal is not about as large', () => {
  const alone = (ratio) => holdsHere({ is: 'equal' }, { ratio, low: null, high: null }, 1);
  assert.deepEqual([alone(0.99), alone(1)], [false, true]);
});

test('a target is judged under the load that is most like theirs first, and under ours', () => {
  const target = { id: 'single-find.p95', objective: 'single find', metric: 'p95', is: 'below', value: 20, unit: 'ms' };
  assert.deepEqual(
    targetsHere(target, published).map(({ at, met }) => [at, met]),
    [
      ['wrk, 400', false],
      ['wrk, 16', true],
    ],
  );
});

test('of what ab rounds to milliseconds no interval is narrower than that, though all trials agree', () => {
  const cell = published
    .get('again-connections')
    .cells.find(({ tool, printed }) => tool === 'ab' && printed['latency.p50']);
  const alike = cell.printed['latency.p50'].map(() => 1000);
  const { low, high } = resultOf(
    { id: 'pool.latency.p50' },
    { ...cell, printed: { ...cell.printed, 'latency.p50': alike } },
  );
  assert.ok(low < 800 && high > 1250, `${low} ${high}`);
});
