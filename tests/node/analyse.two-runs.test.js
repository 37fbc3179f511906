import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns } from '../../scripts/analyse/two-runs.js';
import { twoRunsBlocks } from '../../scripts/report/two-runs.js';
import { halfOfThePeak, late, STEADY } from './lib/analysed.js';

test('two runs at a share of peaks that each found for itself: the rates are said where they differ', () => {
  const before = halfOfThePeak();
  const after = structuredClone(before);
  const own = ({ cells }) => cells.find(({ target }) => target === 'raw');
  assert.deepEqual(compareRuns(before, after, 0.05).rates, []);
  own(after).level = 54;
  const comparison = compareRuns(before, after, 0.05);
  const { id } = own(after);
  assert.deepEqual(comparison.rates, [{ id, before: 50, after: 54 }]);
  assert.match(JSON.stringify(twoRunsBlocks(comparison, [before, after], 0.05)), /open-0050 \(50\/s, then 54\/s\)/);
});

test('two runs, one by two load generators: it is said', () => {
  const before = halfOfThePeak();
  const after = structuredClone(before);
  const [, cell] = after.cells;
  cell.generators = 2;
  const comparison = compareRuns(before, after, 0.05);
  assert.deepEqual(comparison.shared, [{ id: cell.id, before: 1, after: 2 }]);
  assert.match(JSON.stringify(twoRunsBlocks(comparison, [before, after], 0.05)), / \(1, then 2\)/);
});

test('two runs, one with an open load that was not sent as planned: its p95 is lacking, no figure is worse or better', () => {
  const [sent, unsent] = [halfOfThePeak(STEADY), halfOfThePeak({ ...STEADY, mutate: late })];
  const { id } = sent.cells.find(({ target }) => target === 'pooled');
  const p95Of = ({ cells }) => cells.find((cell) => cell.id === id).p95;
  const comparison = compareRuns(sent, unsent, 0.05);
  assert.deepEqual([p95Of(comparison), comparison.lacking], [null, [{ id, metric: 'p95' }]]);
  assert.deepEqual([p95Of(compareRuns(unsent, sent, 0.05)), p95Of(compareRuns(unsent, unsent, 0.05))], [null, null]);
});

test('two runs, one with an open load of which one trial in ten was late: its p95 is compared', () => {
  const lateIn =
    (...blocks) =>
    (summary) =>
      blocks.includes(summary.cell.block) ? late(summary) : summary;
  const inTen = (mutate) => halfOfThePeak({ ...STEADY, blocks: 10, mutate });
  const sent = inTen();
  const { id } = sent.cells.find(({ target }) => target === 'pooled');
  const p95Of = ({ cells }) => cells.find((cell) => cell.id === id).p95;
  assert.ok(p95Of(compareRuns(sent, inTen(lateIn(3)), 0.05)) !== null);
  assert.equal(p95Of(compareRuns(sent, inTen(lateIn(3, 4)), 0.05)), null);
});
