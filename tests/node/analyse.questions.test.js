import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reading } from '../../scripts/report/markdown.js';
import { answered, ask, NOTHING, TWICE } from './lib/asked.js';
import { cellOf, pairs, ranking, smallest } from './lib/claims.js';

test('a pair: the ratio as declared, the sentence with the faster first', () => {
  const [{ comparisons, text, title, claim, confidence }] = ask(pairs(['raw', 'pooled']), TWICE);
  const [{ numerator, denominator, result }] = comparisons;
  assert.deepEqual(
    [numerator, denominator, result.n, result.differs, claim, confidence],
    ['raw', 'pooled', 6, true, true, 0.95],
  );
  assert.ok(Math.abs(result.ratio - 0.5) < 0.01);
  assert.match(
    text,
    /^With 10 users, a connection pool \(pooled\) served twice as many requests per second as a connection per request \(raw; 95 % interval 1\.9\d to 2(\.0\d)?\)\. Measured with echo, k6, TPC-H scale 1\.$/,
  );
  assert.match(title, / \(raw; 1\.9\d to 2(\.0\d)?\)$/);
});

test('primary questions share their error; the others have 95 % each', () => {
  const [one, two, three] = pairs(['a', 'b', 'c', 'd']);
  const cells = { a: [9, 9.1, 9.2], b: [5, 5.1, 5], c: [4, 4.1, 4], d: [3, 3.1, 3] };
  const confidences = ask([one, two, { ...three, primary: false }, ...ranking(['b', 'c', 'd'])], cells).map(
    ({ confidence }) => Number(confidence.toFixed(4)),
  );
  assert.deepEqual(confidences, [0.99, 0.99, 0.95, 0.99], 'two pairs, and three pairs of a ranking');
  const apart = ask(
    [
      { ...ranking(['b', 'c', 'd'])[0], primary: false },
      { ...three, primary: false },
    ],
    cells,
  );
  assert.match(reading({ questions: apart }), /A question that compares several has 98\.33 % intervals/);
});

test('a ranking: the best of all, and what it cannot be told apart from', () => {
  const noisy = { a: [100, 101, 99, 100, 102, 98], b: [99, 102, 100, 98, 101, 100], c: [50, 51, 50, 49, 50, 50] };
  const [{ text, claim, comparisons, title }] = ask(ranking(['c', 'b', 'a']), noisy);
  assert.equal(
    text,
    'With 10 users, b served the most requests per second of 3 on average: twice as many as c (98.33 % interval 1.98 to 2.02); not told apart from a (ratio 1, 98.33 % interval 0.978 to 1.02). Measured with echo, k6, TPC-H scale 1.',
  );
  assert.deepEqual([claim, comparisons.length], [false, 2]);
  assert.match(title, /on average, not told apart from a$/);
  const wide = { d: [60, 150, 90, 140, 85, 99], e: [99, 90, 105, 98, 95, 103] };
  const titles = (ids) => ask(ranking(ids), { ...noisy, ...wide })[0].title;
  assert.match(titles(['a', 'b', 'd', 'e', 'c']), /on average, told apart from c alone$/);
  assert.match(
    titles(['a', 'b', 'e']),
    /no difference in requests per second was shown between a, on average the best of 3, and any other \(ratios of up to [\d.]+ are not ruled out\)$/,
  );
  const [clear] = ask(ranking(['c', 'a']), noisy);
  assert.match(clear.text, /^With 10 users, a served the most requests per second of 2: twice as many as c \(95 /);
  assert.equal(clear.claim, true);
});

test('of a latency the lowest is the best', () => {
  const p95 = { slow: [9000, 9100, 9200], fast: [1000, 1010, 1005] };
  const cells = Object.keys(p95).map((id) => {
    const cell = cellOf(id, {}, [1, 1, 1]);
    return { ...cell, trials: cell.trials.map((trial, i) => ({ ...trial, p95_us: p95[id][i] })) };
  });
  const [question] = ranking(['slow', 'fast']);
  const [{ text }] = answered([{ ...question, metric: 'p95' }], { ...NOTHING, cells });
  assert.equal(
    text,
    'With 10 users, fast had the lowest p95 of 2: that of slow was 9.05 times as high (95 % interval 8.84 to 9.27). Measured with echo, k6, TPC-H scale 1.',
  );
});

test('a ranking compares all in the blocks that all have', () => {
  const cells = { a: [101, 101, 101, 80, 80, 80], b: [100, 100.1, 99.9, 100, 100, 100], c: [50, 50, 50.1] };
  const [{ comparisons, text }] = ask(ranking(['a', 'b', 'c']), cells);
  assert.deepEqual(
    comparisons.map(({ numerator, result: { n, of, ratio } }) => [numerator, n, of, ratio > 1]),
    [
      ['a', 3, 3, true],
      ['a', 3, 3, true],
    ],
  );
  assert.match(text, /^With 10 users, a served the most requests per second of 3/);
});

test('the peak is the level that served the most over all blocks', () => {
  // level 20 is the best of a in every block but the third, where 10 was lucky
  const lucky = {
    a10: [100, 100, 900, 100, 100, 100],
    a20: [200, 201, 200, 199, 200, 200],
    b10: [50, 50, 50, 50, 50, 50],
    b20: [40, 40, 40, 40, 40, 40],
  };
  const what = Object.fromEntries(Object.keys(lucky).map((id) => [id, { target: id[0], level: Number(id.slice(1)) }]));
  const question = {
    ...pairs(['a', 'b'])[0],
    where: { level: 'peak' },
    sides: ['a', 'b'].map((name) => ({ name, cells: [`${name}20`, `${name}10`] })),
  };
  const [{ text, comparisons }] = ask([question], lucky, { what });
  assert.ok(comparisons[0].result.ratio > 3.9 && comparisons[0].result.ratio < 4.1, `${comparisons[0].result.ratio}`);
  assert.deepEqual(comparisons[0].numerator_cells, ['a10', 'a20']);
  assert.match(text, /^With each at its peak, a served 4 times as many requests per second as b /);
});

test('enough: the smallest pool shown to be within 5 % of the best; those that may do as well are named', () => {
  const [{ text, enough, claim }] = ask([smallest(['p1', 'p2', 'p4'])], {
    p1: [50, 51, 49, 50, 50, 50],
    p2: [99, 98.9, 99, 99.1, 99, 99],
    p4: [100, 100, 100, 100.1, 100, 100],
  });
  assert.deepEqual([enough.size, enough.best, enough.undecided, claim], [2, 4, [], true]);
  assert.match(
    text,
    /^With 10 users, 2 connections were enough, within 5 % of what 4 served \(99 %, 98.75 % interval 99 to 99 %\); 1 served 0\.5 times as many as 4, 99\.17 % interval 0\.489 to 0\.511\. Measured with echo/,
  );
  const [noisy] = ask([smallest(['p1', 'p2'])], { p1: [80, 120, 90, 115, 99, 96], p2: [101, 100, 102, 99, 100, 103] });
  assert.deepEqual([noisy.enough.size, noisy.enough.undecided, noisy.claim], [2, [1], false]);
  assert.match(
    noisy.title,
    /no difference was shown between 1 and 2 connections, of which 2 served the most requests per second on average \(0\.\d+ to 1\.\d+ times that is not ruled out\)$/,
  );
  assert.match(
    noisy.text,
    /no difference was shown between 1 and 2 connections, of which 2 served the most requests per second on average \(/,
  );
});

test('primary questions about pools share their error, too', () => {
  const pools = {
    p1: [94, 96, 95, 97, 94, 96],
    p2: [99, 98.9, 99, 99.1, 99, 99],
    p4: [100, 100, 100, 100.1, 100, 100],
  };
  const about = smallest(Object.keys(pools));
  const [alone, ...both] = [ask([about], pools), ask([about, about], pools)].flat();
  assert.deepEqual(
    [alone, ...both].map(({ confidence }) => Number(confidence.toFixed(4))),
    [0.9875, 0.9938, 0.9938],
  );
  const why = 'workload analytics is left out';
  for (const other of [about, ...pairs(['p1', 'p2'])]) {
    const [left] = ask([about, { ...other, sides: [], why }], pools);
    assert.equal(left.confidence, alone.confidence, 'what is not asked in this run takes no share');
  }
  const width = ({ enough }) => enough.of_best.high / enough.of_best.low;
  assert.ok(width(both[0]) > width(alone));
});

test('cells with more blocks than others are compared in the blocks of all', () => {
  const cells = { p1: [50, 51, 49], p2: [99, 98.9, 99.1, 9, 9, 9], p4: [100, 100, 100.1, 100, 100, 100] };
  const [{ enough }] = ask([smallest(Object.keys(cells))], cells);
  assert.deepEqual([enough.size, enough.of_best.n, enough.of_best.of], [2, 3, 3]);
  const what = Object.fromEntries(Object.keys(cells).map((id) => [id, { target: 'p', level: Number(id.slice(1)) }]));
  const other = { q1: [10, 10, 10], q2: [5, 5, 5] };
  for (const id of Object.keys(other)) what[id] = { target: 'q', level: Number(id.slice(1)) };
  const sides = [
    { name: 'p', cells: ['p1', 'p2', 'p4'] },
    { name: 'q', cells: ['q1', 'q2'] },
  ];
  const [question] = pairs(['p', 'q']);
  const [{ comparisons }] = ask([{ ...question, where: { level: 'peak' }, sides }], { ...cells, ...other }, { what });
  assert.deepEqual([comparisons[0].result.n, comparisons[0].result.of], [3, 3]);
});

test('equal is said where it is shown', () => {
  const [{ text, claim }] = ask(pairs(['a', 'b']), {
    a: [100, 101, 100, 99, 100, 100],
    b: [100, 100, 101, 100, 99, 100],
  });
  assert.match(
    text,
    /^With 10 users, a and b were equal in requests per second to within 5 %: the first over the second is 1(\.\d+)? \(95 % interval/,
  );
  assert.equal(claim, true);
});

test('documents, not batches, where a request stores many', () => {
  const cells = ['small', 'large'].map((id) => {
    const cell = cellOf(id, {}, id === 'small' ? [100, 101, 102] : [20, 20.1, 20.2]);
    const per = id === 'small' ? 10 : 100;
    return { ...cell, trials: cell.trials.map((trial) => ({ ...trial, work_per_s: trial.throughput_rps * per })) };
  });
  const [{ text }] = answered(pairs(['large', 'small']), { ...NOTHING, cells });
  assert.match(text, /^With 10 users, large served 1\.99 times as many document writes per second as small \(95 /);
});

test('documents are not compared with requests', () => {
  const [batch, single] = ['batch', 'single'].map((id) => cellOf(id, {}, [100, 101, 102]));
  const cells = [{ ...batch, trials: batch.trials.map((trial) => ({ ...trial, work_per_s: 1000 })) }, single];
  const [{ claim, text }] = answered(pairs(['batch', 'single']), { ...NOTHING, cells });
  assert.equal(claim, false);
  assert.equal(text, 'No answer: a request of one side stores many documents, and one of another does not.');
});

test('at the peak each side is at its best level, not at the lowest that is nearly as good', () => {
  const rps = { a1: 96, a2: 98, a3: 100, b1: 60, b2: 80, b3: 100 };
  const cells = Object.entries(rps).map(([id, mean]) =>
    cellOf(
      id,
      { target: id[0], level: Number(id.slice(1)) },
      [0, 1, 2, 0, 1, 2].map((more) => mean + more / 10),
    ),
  );
  const sides = ['a', 'b'].map((name) => ({ name, cells: [1, 2, 3].map((level) => `${name}${level}`) }));
  const [question] = pairs(['a', 'b']);
  const [{ comparisons }] = answered([{ ...question, where: { level: 'peak' }, sides }], { ...NOTHING, cells });
  assert.equal(comparisons[0].result.ratio, 1);
});

test('pools that agree to the request are not certain: the step of counting is a part of the error', () => {
  const [{ enough }] = ask([smallest(['p1', 'p2'])], { p1: [9.6, 9.6], p2: [10, 10] }); // 96 and 100 answers a trial
  assert.equal(enough.size, 2);
  const [{ enough: many }] = ask([smallest(['p1', 'p2'])], { p1: [960, 960], p2: [1000, 1000] });
  assert.equal(many.size, 1);
});
