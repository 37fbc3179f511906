import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, ask, NOTHING, TWICE } from './lib/asked.js';
import { cellOf, pairs, ranking, smallest } from './lib/claims.js';

test('a ratio within what two copies differ by says so', () => {
  const cells = {
    a: [110, 108, 112, 109, 111, 110],
    b: [100, 100, 100, 100, 100, 100],
    copy: [88, 125, 80, 131, 92, 115],
  };
  const what = { copy: { target: 'b', variant: 'again' } };
  const [{ comparisons, text, title }] = ask(pairs(['a', 'b']), cells, { what });
  assert.ok(comparisons[0].same_again.low < 1 && comparisons[0].same_again.high > 1.1);
  assert.match(text, /two copies of one target may differ as much in this run: 0\.8\d to 1\.\d\d, 95 % interval/);
  assert.match(title, /; not shown with a second copy\)$/);
  const steady = ask(pairs(['a', 'b']), { ...cells, copy: [100, 101, 99, 100, 101, 99] }, { what });
  assert.equal(steady[0].comparisons[0].same_again, null);
  assert.doesNotMatch(steady[0].text, /second copy/);
});

test('a copy that differs is told, whatever the answer, and what holds with it in place; a difference that does not is not claimed', () => {
  const what = { copy: { target: 'b', variant: 'again' } };
  const cells = {
    a: [110, 108, 112, 109, 111, 110],
    b: [100, 101, 99, 100, 101, 99],
    copy: [109, 111, 108, 110, 112, 109],
  };
  const [{ text, title, comparisons, claim }] = ask(pairs(['a', 'b']), cells, { what });
  assert.equal(claim, false);
  assert.match(
    text,
    /a second copy of b, which should not differ from it, did differ: copy \/ original 1\.\d+, 95 % interval 1\.0\d+ to 1\.1\d*/,
  );
  assert.match(
    text,
    /with a second copy of b in its place no such difference was shown: a \/ b 1\.?\d*, 95 % interval 0\.9\d+ to 1\.0\d+/,
  );
  assert.match(title, /; a second copy of b differed from it, and with it in its place nothing is shown\)$/);
  assert.deepEqual(
    comparisons[0].copies.map(({ of, again, instead }) => [of, again.differs, instead.differs]),
    [['b', true, false]],
  );
  const [equal] = ask(pairs(['a', 'b']), { ...cells, a: [130, 80, 120, 85, 125, 84] }, { what });
  assert.match(
    equal.text,
    /no difference .* a second copy of b, which should not differ from it, did differ.*; with a second copy of b in its place no difference was shown: a \/ b 0\.\d+, 95 % interval 0\.\d+ to 1\.\d+\./,
  );
  assert.match(
    text,
    /^Not claimed, as a second copy in place of one side gives another answer: with 10 users, a served 10 % more /,
  );
  const [apart] = ask(pairs(['a', 'b']), { ...cells, b: [109, 112, 108, 111, 107, 113], copy: cells.b }, { what });
  assert.match(
    apart.text,
    / were equal .*; with a second copy of b in its place a difference was shown: a \/ b 1\.1, /,
  );
  assert.equal(apart.claim, false);
  assert.match(apart.title, /\(a second copy of b differed from it, and with it in its place a difference is shown\)$/);
  const [kept] = ask(pairs(['a', 'b']), { ...cells, copy: [92, 91, 92, 93, 91, 92] }, { what });
  assert.equal(kept.claim, true);
  assert.match(kept.text, /; with a second copy of b in its place the same was shown: a \/ b 1\.\d+, /);
  const [ranked] = ask([{ ...pairs(['a', 'b'])[0], kind: 'rank' }], cells, { what });
  assert.match(ranked.text, /a second copy of b, which should not differ from it, did differ/);
  assert.equal(ranked.claim, false);
});

test('where second copies differ more often than chance explains, each answer says so', () => {
  const again = { comparisons: 4, hold_one: 1, by_metric: {} };
  const [{ text, brief }] = ask(pairs(['raw', 'pooled']), TWICE, { again });
  for (const told of [text, brief]) assert.match(told, /; only 1 of 4 intervals of second copies includes 1/);
  const [calm] = ask(pairs(['raw', 'pooled']), TWICE, { again: { ...again, hold_one: 4 } });
  assert.doesNotMatch(calm.text, /second copies/);
});

test('of a ranking and of pools, copies that differ as much and the work of the database are told of each', () => {
  const rps = { a: [200, 201, 199], b: [180, 181, 179], c: [100, 101, 99], again: [100, 180, 240] };
  const cells = Object.entries(rps).map(([id, each]) => {
    const copy = id === 'again';
    const cell = cellOf(id, { target: copy ? 'c' : id, variant: copy ? 'again' : 'base' }, each);
    return {
      ...cell,
      trials: cell.trials.map((trial) => ({ ...trial, maintenance: id === 'c' ? ['checkpoint'] : [] })),
    };
  });
  const [{ text }] = answered(ranking(['a', 'b', 'c']), { ...NOTHING, cells });
  assert.match(
    text,
    /; two copies of one target may differ as much between a and c in this run: \d\.\d\d to [\d.]+, 95 % interval; with a second copy of c in its place no such difference was shown between a and c: .+; checkpoint in 3 of 3 trials of c, and in few or none of a\./,
  );
  const pools = [0, 1].map((i) => {
    const cell = cellOf(`p${i + 1}`, {}, [100 * (i + 1), 101 * (i + 1), 99 * (i + 1)]);
    return { ...cell, trials: cell.trials.map((trial) => ({ ...trial, maintenance: i ? ['autovacuum'] : [] })) };
  });
  const [enough] = answered([smallest(['p1', 'p2'])], { ...NOTHING, cells: pools });
  assert.match(enough.text, /; autovacuum in 3 of 3 trials of p2, and in few or none of p1\./);
});

test('at peaks, and of copies in fewer blocks, a ratio within what two copies differ by says so too', () => {
  const rps = {
    a10: [60, 61, 60, 59, 60, 60],
    a20: [110, 108, 112, 109, 111, 110],
    b10: [70, 70, 70, 70, 70, 70],
    b20: [100, 100, 100, 100, 100, 100],
    'b10-copy': [66, 75, 66, 75, 70, 69],
    'b20-copy': [88, 125, 80, 131, 92, 115],
  };
  const what = (id) => ({
    ...{ target: id[0], level: Number(id.slice(1, 3)), variant: id.endsWith('copy') ? 'again' : 'base' },
  });
  const cells = Object.entries(rps).map(([id, each]) => cellOf(id, what(id), each));
  const [question] = pairs(['a', 'b']);
  const sides = ['a', 'b'].map((name) => ({ name, cells: [`${name}20`, `${name}10`] }));
  const again = (questions, measured) =>
    answered(questions, { ...NOTHING, cells: measured })[0].comparisons[0].same_again;
  const peak = { ...question, where: { level: 'peak' }, sides };
  assert.ok(again([peak], cells)?.high > 1.1);
  const atTwenty = { ...question, sides: sides.map(({ name }) => ({ name, cells: [`${name}20`] })) };
  const fewer = cells.map((cell) =>
    cell.variant === 'again'
      ? { ...cell, blocks: [1, 3, 5], trials: cell.trials.filter(({ block }) => block % 2), trials_planned: 3 }
      : cell,
  );
  assert.ok(again([atTwenty], fewer)?.low < 0.9);
});
