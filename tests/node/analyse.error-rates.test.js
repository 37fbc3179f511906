import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf } from '../../scripts/analyse/error-rate.js';
import { answersOf, atPeaks, judged, pairs, ranking } from './lib/claims.js';

// The small twin of tests/bench/claims.sh.
test('on identical targets few runs claim anything; intervals hold together', () => {
  const names = ['a', 'b', 'c', 'd'];
  const same = Object.fromEntries(names.map((name) => [name, 1]));
  for (const questions of [pairs(names), ranking(names)]) {
    const { falseRuns } = judged(answersOf({ speeds: same, blocks: 6, sd: 0.07, runs: 400, questions }), same);
    assert.ok(falseRuns < 0.08, `${falseRuns}`); // 5 % and three standard errors
  }
  const peaks = judged(answersOf({ blocks: 20, sd: 0.07, runs: 200, ...atPeaks(pairs(['a', 'b']), same, 4) }), same);
  assert.ok(peaks.falseRuns < 0.08, `${peaks.falseRuns}`);
  const speeds = { a: 1, b: 1.1, c: 1.2, d: 1.3 };
  const { together, coverage } = judged(
    answersOf({ speeds, blocks: 6, sd: 0.07, runs: 400, questions: pairs(names) }),
    speeds,
  );
  assert.ok(together > 0.91, `${together}`);
  assert.ok(coverage > 0.96, `${coverage}`);
});

test('primary questions share an error of 5 %; another ranking shares one among its own pairs', () => {
  const sides = (count, levels = 1) =>
    Array.from({ length: count }, (_, i) => ({
      name: `${i}`,
      cells: Array.from({ length: levels }, (_, at) => `${i}.${at}`),
    }));
  const rank = { kind: 'rank', primary: false, sides: sides(5) };
  const primaries = [1, 2].map(() => ({ kind: 'pair', primary: true, sides: sides(2) }));
  const all = [rank, ...primaries];
  assert.deepEqual(
    all.map((question) => errorOf(question, all)),
    [0.05 / 10, 0.025, 0.025],
  );
  const peaks = { ...rank, sides: sides(3, 4) };
  assert.equal(errorOf(peaks, [peaks]), 0.05 / (3 * 16), 'any of four levels may be chosen of each');
});
