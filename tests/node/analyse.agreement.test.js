import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreement, agreementText, controlOfRuns } from '../../scripts/analyse/agreement.js';
import { answeredAnew, answered as answeredApart } from '../../scripts/analyse/questions.js';
import { compareRuns } from '../../scripts/analyse/two-runs.js';
import { ask, NOTHING, TWICE } from './lib/asked.js';
import { cellOf, pairs, ranking, smallest } from './lib/claims.js';
import { normals } from './lib/synthetic.js';

test('two runs, one beside other programs: the comparison says so', () => {
  const runOf = (value) => {
    const cell = { ...cellOf('a', {}, [100, 101, 99]), resources: { cores: 2 }, latency_us: null, duration_s: 5 };
    const [first, ...others] = cell.trials;
    const reasons = value ? [{ check: 'other_programs', verdict: 'suspect', value }] : [];
    return {
      cells: [{ ...cell, throughput_rps: { median: 100 }, trials: [{ ...first, reasons }, ...others] }],
      environment: {},
    };
  };
  const disturbed = (value) => compareRuns(runOf(), runOf(value), 0.05).cells[0].disturbed;
  assert.deepEqual([disturbed(), disturbed(1.2)], [null, 'other programs took up to 1.20 of 2 cores']);
});

test('two runs agree where both show the same and differ by no more than chance explains, either way round', () => {
  const runOf = (cells, names = ['pooled', 'raw']) => ({
    run: { started_at: '2026-11-20T10:00:00Z' },
    questions: ask([{ ...pairs(names)[0], ask: 'What does a pool save?' }], cells),
  });
  const [question] = runOf(TWICE).questions;
  const alike = runOf({ ...TWICE, raw: TWICE.raw.map((rps) => rps * 1.02) });
  assert.equal(agreement(question, [alike]).is, 'same');
  assert.equal(agreement(question, [runOf(TWICE, ['raw', 'pooled'])]).is, 'same');
  const faster = runOf({ ...TWICE, pooled: TWICE.pooled.map((rps) => rps * 1.03) });
  const [{ result: here }] = question.comparisons;
  const [{ result: there }] = faster.questions[0].comparisons;
  assert.ok(there.low < here.high, 'their intervals overlap');
  const apart = agreement(question, [faster]);
  assert.deepEqual([apart.is, apart.apart], ['same', true]);
  assert.match(
    agreementText(question, [faster]),
    /^A run of 2026-11-20 shows the same direction, by another factor \(ratio 2\.\d+, .+\): the two differ by more than chance explains\.$/,
  );
  const unlike = runOf({ ...TWICE, raw: TWICE.raw.map((rps) => rps * 3) });
  assert.match(
    agreementText(question, [unlike]),
    /^Contradicted by a run of 2026-11-20 \(ratio 0\.66\d, 95 % interval .+\): the two differ by more than chance explains\.$/,
  );
  assert.equal(agreement({ ...question, ask: 'What else?' }, [alike]), null);
  const atScaleOne = structuredClone(question);
  atScaleOne.comparisons[0].numerator_cells = ['tpch@1.pooled'];
  assert.equal(agreement(atScaleOne, [unlike]), null, 'other data, or another load');
  assert.equal(agreement(question, [{ run: {}, headlines: [] }]), null, 'a run of before');
});

test('capacities that all moved one way are told, though their ratios agree', () => {
  const run = (by, kind = 'rate') => {
    const capacities = Object.entries(TWICE).map(([id, [rate]], i) => ({
      id,
      answer: { kind, rate: rate * by[i % 2] },
    }));
    const questions = ask([{ ...pairs(['pooled', 'raw'])[0], ask: 'What does a pool save?' }], TWICE);
    const sides = Object.keys(TWICE).map((name) => ({ name, cells: [name] }));
    return {
      run: { started_at: '2026-11-20T10:00:00Z' },
      capacities,
      questions: [{ ...questions[0], sides, capacities }],
    };
  };
  const textOf = (...by) =>
    agreementText(
      run([1, 1]).questions[0],
      by.map((one) => run(one)),
    );
  assert.match(textOf([1.31, 1.61]), /agrees \(ratio .+\), though its figures were 31 to 61 % higher\.$/);
  assert.match(textOf([0.62, 0.62]), /\), though its figures were 38 % lower\.$/);
  assert.match(
    textOf([1, 1], [1.31, 1.61]),
    /agrees \(ratio [^)]+\); one of 2026-11-20 agrees, though its figures were 31 to 61 % higher\.$/,
  );
  assert.doesNotMatch(textOf([1, 1], [1, 1.6]), /figures/);
  assert.doesNotMatch(agreementText(run([1, 1]).questions[0], [run([2, 2], 'at least')]), /figures/);
  for (const by of [
    [1, 1.6],
    [0.7, 1.6],
    [1.05, 1.05],
  ])
    assert.match(textOf(by), /agrees \(ratio [^)]+\)\.$/);
});

test('what an earlier run found is told as this one is: the same way round, with the size of its pool, and that another was at its top', () => {
  const runOf = (questions, cells) => ({
    run: { started_at: '2026-11-20T10:00:00Z' },
    questions: ask(questions, cells),
  });
  const [turned] = ask(pairs(['raw', 'pooled']), TWICE);
  assert.match(agreementText(turned, [runOf(pairs(['raw', 'pooled']), TWICE)]), /agrees \(ratio (1\.9\d|2)/);
  const noisy = { a: [100, 120, 90, 110, 95, 105], b: [101, 117, 93, 108, 97, 106] };
  const [first] = ask(ranking(['a', 'b']), { ...noisy, b: noisy.b.map((rps) => rps * 1.01) });
  const [last] = ask(ranking(['a', 'b', 'c']), { ...noisy, c: noisy.a.map((rps, i) => rps * (i % 2 ? 1.04 : 0.99)) });
  assert.equal(first.comparisons.length, 1);
  const other = runOf(ranking(['a', 'b', 'c']), { ...noisy, a: noisy.a.map((rps) => rps * 1.02), c: noisy.b });
  assert.match(
    agreementText(last, [other]),
    /^A run of 2026-11-20 had another at the top, and does not contradict this \(ratio/,
  );
  const two = runOf(ranking(['a', 'b']), { a: noisy.b, b: noisy.a });
  assert.match(agreementText(first, [two]), /^A run of 2026-11-20 had another at the top, /);
  const three = { a: TWICE.pooled, b: TWICE.raw, c: TWICE.raw.map((rps) => rps * 0.9) };
  const [more] = ask(ranking(['a', 'b', 'c']), three);
  assert.match(
    agreementText(more, [runOf(ranking(['a', 'b']), three)]),
    /^A run of 2026-11-20 agrees \(ratio/,
    'one fewer',
  );
  const four = { ...three, d: TWICE.raw.map((rps) => rps * 0.8) };
  const [most] = ask(ranking(['a', 'b', 'c', 'd']), four);
  assert.equal(
    agreementText(most, [runOf(ranking(['a', 'b', 'c', 'd']), four)]),
    'A run of 2026-11-20 agrees (3 ratios).',
  );
  const [sure] = ask(pairs(['a', 'b']), { a: [102, 103, 102, 103, 101, 103], b: [100, 101, 100, 101, 100, 101] });
  assert.match(
    agreementText(sure, [runOf(pairs(['a', 'b']), noisy)]),
    /^A run of 2026-11-20 does not contradict this, but does not show the same either \(ratio/,
  );
  const pools = { p1: [96, 97, 98, 95], p2: [100, 101, 99, 100] };
  const [pool] = ask([smallest(['p1', 'p2'])], pools);
  const small = runOf([smallest(['p1', 'p2'])], { ...pools, p1: pools.p2.map((rps) => rps * 0.99) });
  const large = runOf([smallest(['p1', 'p2', 'p3'])], { ...pools, p1: [10, 11, 10, 11], p3: pools.p2 });
  assert.deepEqual(
    [small, large].map(({ questions: [{ enough }] }) => enough.size),
    [1, 2],
  );
  assert.equal(agreementText(small.questions[0], [small]), 'A run of 2026-11-20 found 1, too.');
  assert.equal(agreementText(pool, [small]), null, 'it found none that is enough but the best');
  const [unsure] = ask(pairs(['a', 'b']), noisy);
  assert.match(agreementText(unsure, [runOf(pairs(['a', 'b']), noisy)]), / shows no difference either \(ratio/);
});

test('a control is told of all runs that had it: one may be lucky', () => {
  const text =
    'The same target measured twice (A/A): 20 of 20 intervals include 1. In half of the pairs, a true difference of 19 % would be found.';
  const asked = { ask: 'Are there differences?', metric: null, kind: 'again', answered: true, text };
  const of = (comparisons, hold_one) => ({ comparisons, hold_one });
  const before = {
    questions: [asked],
    run: { started_at: '2026-11-23T10:00:00Z' },
    again: { ...of(50, 49), by_metric: { p95: of(14, 14), throughput: of(8, 7) } },
  };
  const now = { again: { ...of(20, 20), by_metric: { p95: of(10, 10), throughput: of(10, 10) } } };
  const told = controlOfRuns(asked, now, [before]);
  assert.equal(
    told.text,
    'In 2 runs, the same target measured twice (A/A): 69 of 70 intervals include 1 (those of one pair depend on one another); about 67 of 70 would if nothing differed. 20 of 20 did here, 49 of 50 on 2026-11-23. In half of its pairs, a true difference of 19 % would be found.',
  );
  assert.equal(
    told.title,
    'The same target measured twice (A/A): 69 of 70 intervals include 1 in 2 runs; drawn is this run, with 20 of 20',
  );
  const few = { ...before, again: { ...of(50, 40), by_metric: { p95: of(14, 4), throughput: of(8, 8) } } };
  const bad = controlOfRuns(asked, now, [few]);
  assert.match(
    bad.text,
    / 60 of 70 .*, but only 14 of 24 of p95; about 67 of 70 .* 40 of 50 \(only 4 of 14 of p95\) on /,
  );
  assert.match(bad.title, / in 2 runs, but only 14 of 24 of p95; drawn is this run, with 20 of 20$/);
  const without = [
    { ...before, again: null },
    { ...before, again: of(50, 49) },
    { ...before, questions: [] },
  ];
  assert.equal(controlOfRuns(asked, now, without), asked);
});

test('published answers are retold by the rules of today, and what cannot be stays as it was', () => {
  const named = (of) => cellOf(of, {}, TWICE[of]);
  const results = { ...NOTHING, cells: ['pooled', 'raw'].map(named), environment: { scale: 1 } };
  const [answer] = answeredApart(pairs(['pooled', 'raw']), { ...results, scale: 1 });
  const old = { ...answer, text: 'Pooled was faster.', title: 'Pooled was faster' };
  const bare = { ask: 'What else?', kind: 'pair', answered: false, sides: [], text: 'No answer.' };
  const [anew, kept, older] = answeredAnew({ ...results, questions: [old, bare, { ask: 'Before?', text: 'Yes.' }] });
  assert.deepEqual(anew, answer);
  assert.deepEqual([kept, older], [bare, { ask: 'Before?', text: 'Yes.' }]);
});

test('of two runs of equal targets few have a regression, however many figures they compare', () => {
  const normal = normals(3);
  const speeds = (mean) => Array.from({ length: 5 }, () => mean * Math.exp(0.07 * normal()));
  const runOf = (slow = 1) => ({
    cells: Array.from({ length: 20 }, (_, i) => ({
      ...cellOf(`t${i}`, {}, speeds(i === 0 ? 1000 / slow : 1000)),
      ...{ latency_us: null, throughput_rps: { median: 1000 }, duration_s: 10 },
    })),
    environment: {},
  });
  const regressed = (slow) =>
    Array.from({ length: 60 }, () => compareRuns(runOf(), runOf(slow), 0.05)).filter(
      ({ regressions }) => regressions > 0,
    );
  assert.ok(regressed().length <= 7, `${regressed().length}`);
  assert.equal(regressed(2).length, 60);
});
