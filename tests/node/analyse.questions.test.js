import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreement, agreementText, controlOfRuns } from '../../scripts/analyse/agreement.js';
import { compareRuns } from '../../scripts/analyse/compare.js';
import { compareAll } from '../../scripts/analyse/comparisons.js';
import { spreadOf } from '../../scripts/analyse/context.js';
import { marksInBrief, marksText } from '../../scripts/analyse/marks.js';
import { answeredAnew, answered as answeredApart, errorOf } from '../../scripts/analyse/questions.js';
import { answersOf, atPeaks, cellOf, judged, pairs, ranking, smallest } from './lib/claims.js';
import { normals } from './lib/synthetic.js';

const NOTHING = { comparisons: [], again: null, index_pairs: null, survival: null, scale: 1 };

/** Answers with what stands beside them. */
const answered = (...known) =>
  answeredApart(...known).map((answer) => ({
    ...answer,
    text: [answer.text, answer.context].filter(Boolean).join(' '),
  }));

/** Answers to questions about cells: {id: rps of each block}. */
const ask = (questions, cells, more = {}) =>
  answered(questions, {
    ...NOTHING,
    cells: Object.entries(cells).map(([id, rps]) => cellOf(id, more.what?.[id] ?? {}, rps)),
    ...more,
  });

const TWICE = { pooled: [200, 210, 190, 205, 195, 200], raw: [100, 103, 98, 101, 99, 100] };

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

test('nothing is ranked whose load was not sent as planned', () => {
  const [slow, fast] = ['slow', 'fast'].map((id) => cellOf(id, {}, [1, 1, 1]));
  fast.trials[1] = { ...fast.trials[1], reasons: [{ check: 'dropped' }] };
  const [question] = ranking(['slow', 'fast']);
  const [{ claim, answered: told, marks, text }] = answered([question], { ...NOTHING, cells: [slow, fast] });
  assert.deepEqual([claim, told, marks], [false, false, ['dropped']]);
  assert.equal(text, 'No answer: not every request was sent when it was due.');
});

test('a pair whose load was not sent as planned is not answered, and agrees with nothing', () => {
  const sent = ['slow', 'fast'].map((id, i) => cellOf(id, {}, [9 - i, 9 - i, 9 - i]));
  const unsent = sent.map((cell) => ({
    ...cell,
    trials: cell.trials.map((trial) => ({ ...trial, reasons: [{ check: 'dropped' }] })),
  }));
  const [[before], [now]] = [sent, unsent].map((cells) => answered(pairs(['slow', 'fast']), { ...NOTHING, cells }));
  assert.deepEqual([before.answered, now.answered, now.claim], [true, false, false]);
  assert.match(now.text, /cannot be compared: not every request was sent when it was due/);
  const run = { started_at: '2026-11-20T10:00:00Z' };
  assert.equal(agreement(before, [{ run, questions: [before] }]).is, 'agrees');
  assert.equal(agreement(before, [{ run, questions: [now] }]), null);
});

test('one trial in ten that was sent late is marked, and takes the answer from nobody; a second does', () => {
  const late = { check: 'dispatch_lag' };
  const cells = (count) =>
    ['slow', 'fast'].map((id, i) => {
      const cell = cellOf(
        id,
        {},
        Array(10)
          .fill(0)
          .map((_, block) => 9 - 4 * i + block / 100),
      );
      const trials = cell.trials.map((trial, n) => ({ ...trial, reasons: i === 1 && n < count ? [late] : [] }));
      return { ...cell, trials };
    });
  const answerOf = (count) => answered(pairs(['slow', 'fast']), { ...NOTHING, cells: cells(count) })[0];
  assert.match(answerOf(1).text, /slow served .* some trials are marked: requests sent late \(1 of 10 of fast\)/);
  assert.deepEqual([answerOf(1).claim, answerOf(2).claim], [true, false]);
  assert.match(answerOf(2).text, /cannot be compared/);
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
  const [found] = ask(pairs(['a', 'b']), { ...cells, b: [109, 112, 108, 111, 107, 113], copy: cells.b }, { what });
  assert.match(
    found.text,
    / were equal .*; with a second copy of b in its place a difference was shown: a \/ b 1\.1, /,
  );
  assert.equal(found.claim, false);
  assert.match(found.title, /\(a second copy of b differed from it, and with it in its place a difference is shown\)$/);
  const [kept] = ask(pairs(['a', 'b']), { ...cells, copy: [92, 91, 92, 93, 91, 92] }, { what });
  assert.equal(kept.claim, true);
  assert.match(kept.text, /; with a second copy of b in its place the same was shown: a \/ b 1\.\d+, /);
  const [ranked] = ask([{ ...pairs(['a', 'b'])[0], kind: 'rank' }], cells, { what });
  assert.match(ranked.text, /a second copy of b, which should not differ from it, did differ/);
  assert.equal(ranked.claim, false);
});

test('a load generator near its ceiling may hide how much more the best served', () => {
  const cells = Object.entries({ a: [300, 301, 299], b: [100, 100, 101] }).map(([id, rps]) => ({
    ...cellOf(id, {}, rps),
    headroom: id === 'a' ? 1.5 : 9,
  }));
  for (const questions of [pairs(['a', 'b']), ranking(['a', 'b'])])
    assert.match(
      answered(questions, { ...NOTHING, cells })[0].text,
      /; k6 was near its own limit, so it may be more\.$/,
    );
});

test('a load generator near its ceiling speaks against every answer: a tie, a latency, a pool', () => {
  const near = (ids, rps) =>
    Object.keys(rps).map((id) => ({ ...cellOf(id, {}, rps[id]), headroom: ids.includes(id) ? 1.5 : 9 }));
  const alike = { a: [100, 101, 99], b: [100, 100, 101] };
  const text = (questions, cells) => answered(questions, { ...NOTHING, cells })[0].text;
  assert.match(text(pairs(['a', 'b']), near(['a', 'b'], alike)), /; k6 was near its own limit on both sides\.$/);
  assert.match(text(pairs(['a', 'b']), near(['b'], alike)), /; k6 was near its own limit with b\.$/);
  const twins = { a: [100, 101, 100, 99, 100, 100], b: [100, 100, 101, 100, 99, 100] };
  const equal = (cells) => answered(pairs(['a', 'b']), { ...NOTHING, cells })[0];
  assert.deepEqual([equal(near([], twins)).claim, equal(near(['a'], twins)).claim], [true, false]);
  const marked = near([], twins).map((cell) => ({
    ...cell,
    trials: cell.trials.map((trial) => ({ ...trial, reasons: [{ check: 'generator_cpu', verdict: 'suspect' }] })),
  }));
  assert.match(equal(marked).text, /; k6 was near its own limit on both sides\.$/);
  assert.match(text(ranking(['a', 'b']), near(['a', 'b'], alike)), /; k6 was near its own limit on both sides\.$/);
  assert.doesNotMatch(text(pairs(['a', 'b']), near([], alike)), /limit/);
  const latencies = near(['a'], { a: [1, 1, 1], b: [1, 1, 1] }).map((cell) => ({
    ...cell,
    trials: cell.trials.map((trial) => ({ ...trial, p95_us: (cell.id === 'a' ? 100 : 900) + trial.block })),
  }));
  const [question] = pairs(['a', 'b']);
  assert.match(text([{ ...question, metric: 'p95' }], latencies), /; k6 was near its own limit with a\.$/);
});

test('what is missing is said, and nothing is claimed', () => {
  const [question] = pairs(['pooled', 'raw']);
  const text = (cells, more) => ask([{ ...question, ...more }], cells)[0].text;
  assert.equal(
    text({ ...TWICE, raw: [null, null, null, null, null, null] }),
    'No answer: raw has no trial that counts.',
  );
  assert.equal(
    text({ ...TWICE, raw: [100, null, 100, 100, 100, 100] }),
    'No answer: only 5 of 6 blocks have both sides.',
  );
  assert.equal(
    text(TWICE, { why: 'target raw is not measured there', sides: [] }),
    'No answer: target raw is not measured there.',
  );
});

test('beside other programs that took much of the processors nothing is claimed, and the answer says how much', () => {
  const beside = (value) => {
    const cells = Object.entries(TWICE).map(([id, rps]) => ({ ...cellOf(id, {}, rps), resources: { cores: 2 } }));
    cells[0].trials[2].reasons = [{ check: 'other_programs', verdict: 'suspect', value }];
    const [asked] = answered(pairs(['pooled', 'raw']), { ...NOTHING, cells });
    const [ranked] = answered(ranking(['pooled', 'raw']), { ...NOTHING, cells });
    return [asked, ranked];
  };
  for (const { claim, text } of beside(0.49)) assert.ok(claim && !text.includes('other programs took'), text);
  for (const { claim, text, title, brief } of beside(0.51)) {
    assert.equal(claim, false);
    assert.match(text, /^Not claimed, as other programs were at work: with 10 users, /);
    for (const words of [title, brief]) assert.match(words, /^Not claimed: with 10 users, /);
    for (const words of [text, title, brief]) assert.match(words, /; other programs took up to 0\.51 of 2 cores; /);
  }
});

test('a mark of all trials is told apart from a mark of some', () => {
  const trial = (block, ...checks) => ({ block, verdict: 'suspect', reasons: checks.map((check) => ({ check })) });
  const sides = [{ name: 'a', cells: [{ trials: [trial(1, 'littles_law', 'drift'), trial(2, 'littles_law')] }] }];
  const marks = ['drift', 'littles_law'];
  assert.equal(marksInBrief(marks, sides), 'all trials marked');
  assert.equal(
    marksText(marks, sides),
    'all trials are marked: time that the load generator took between requests (2 of 2), some: throughput that drifted (1 of 2)',
  );
  assert.equal(marksInBrief(['drift'], sides), 'some trials marked');
});

test('a drift is told with its direction, as far as all trials have the same', () => {
  const drifting = (...ways) => [
    {
      name: 'a',
      cells: [
        {
          trials: ways.map((way, i) => ({
            ...{ block: i + 1, verdict: 'suspect' },
            reasons: [{ check: 'drift', text: `throughput ${way} by 30 % during the trial` }],
          })),
        },
      ],
    },
  ];
  assert.equal(marksText(['drift'], drifting('rose', 'rose')), 'all trials are marked: throughput that rose (2 of 2)');
  assert.match(marksText(['drift'], drifting('fell', 'rose')), /: throughput that rose or fell \(2 of 2\)$/);
});

test('where second copies differ more often than chance explains, each answer says so', () => {
  const again = { comparisons: 4, hold_one: 1, by_metric: {} };
  const [{ text, brief }] = ask(pairs(['raw', 'pooled']), TWICE, { again });
  for (const words of [text, brief]) assert.match(words, /; only 1 of 4 intervals of second copies includes 1/);
  const [calm] = ask(pairs(['raw', 'pooled']), TWICE, { again: { ...again, hold_one: 4 } });
  assert.doesNotMatch(calm.text, /second copies/);
});

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

test('at shares of a peak nothing is claimed within what equal targets may differ by, which from 95 % on may be anything', () => {
  const spread = (share, metric = 'p95', [low, high] = [1.3, 2]) => {
    const cell = { ...cellOf('a', {}, [1]), share };
    const about = { known: { peaks: null }, comparisons: [{ result: { differs: true, equal: false, low, high } }] };
    return spreadOf({ metric }, [{ cell, cells: [cell] }], about);
  };
  assert.ok(Math.abs(spread('70%').times - 1.38) < 0.01 && spread('70%').hides);
  assert.equal(spread('70%', 'p95', [1.5, 2]).hides, false);
  for (const share of ['95%', '96%', '100%'])
    assert.deepEqual(
      [spread(share).times, spread(share, 'p95', [50, 60]).hides],
      [Number.POSITIVE_INFINITY, true],
      share,
    );
  assert.deepEqual([spread(null), spread('70%', 'cpu_per_request')], [null, null]);
});

test('marks and the work of the database stand in the answer and its title', () => {
  const cells = ['pooled', 'raw'].map((id) => {
    const cell = cellOf(id, {}, TWICE[id]);
    const mark = (trial) => ({
      ...trial,
      reasons: [{ check: 'drift', verdict: 'suspect' }],
      maintenance: ['checkpoint'],
    });
    return id === 'raw'
      ? { ...cell, trials: cell.trials.map(mark) }
      : { ...cell, trials: cell.trials.map((trial) => ({ ...trial, maintenance: [] })) };
  });
  const [{ text, title, marks }] = answered(pairs(['pooled', 'raw']), { ...NOTHING, cells });
  assert.match(
    text,
    /; checkpoint in 6 of 6 trials of raw, and in few or none of pooled; some trials are marked: throughput that drifted \(6 of 6 of raw\)\.$/,
  );
  assert.match(title, /; some trials marked; checkpoint on one side\)$/);
  assert.deepEqual(marks, ['drift']);
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

test('of a peak, the work of the database counts in the trials of the levels that were chosen', () => {
  const rps = { a10: 100, a20: 200, b10: 50, b20: 40 };
  const cells = Object.entries(rps).map(([id, mean]) => {
    const what = { target: id[0], level: Number(id.slice(1)) };
    const cell = cellOf(
      id,
      what,
      [0, 1, 2, 0, 1, 2].map((more) => mean + more / 10),
    );
    const maintenance = ['a20', 'b20'].includes(id) ? ['autovacuum'] : []; // b's peak is at 10
    return { ...cell, trials: cell.trials.map((trial) => ({ ...trial, maintenance })) };
  });
  const question = {
    ...pairs(['a', 'b'])[0],
    where: { level: 'peak' },
    sides: ['a', 'b'].map((name) => ({ name, cells: [`${name}20`, `${name}10`] })),
  };
  const [{ text, comparisons }] = answered([question], { ...NOTHING, cells });
  assert.deepEqual(comparisons[0].maintenance, { is: 'autovacuum', cell: 'a10', trials: 6, of: 6 });
  assert.match(text, /; autovacuum in 6 of 6 trials of a, and in few or none of b\.$/);
});

test('pools that agree to the request are not certain: the step of counting is a part of the error', () => {
  const [{ enough }] = ask([smallest(['p1', 'p2'])], { p1: [9.6, 9.6], p2: [10, 10] }); // 96 and 100 answers a trial
  assert.equal(enough.size, 2);
  const [{ enough: many }] = ask([smallest(['p1', 'p2'])], { p1: [960, 960], p2: [1000, 1000] });
  assert.equal(many.size, 1);
});

test('two runs agree where their intervals overlap, either way round', () => {
  const runOf = (cells, names = ['pooled', 'raw']) => ({
    run: { started_at: '2026-11-20T10:00:00Z' },
    questions: ask([{ ...pairs(names)[0], ask: 'What does a pool save?' }], cells),
  });
  const [question] = runOf(TWICE).questions;
  const alike = runOf({ ...TWICE, raw: TWICE.raw.map((rps) => rps * 1.02) });
  assert.equal(agreement(question, [alike]).is, 'agrees');
  assert.equal(agreement(question, [runOf(TWICE, ['raw', 'pooled'])]).is, 'agrees');
  const unlike = runOf({ ...TWICE, raw: TWICE.raw.map((rps) => rps * 3) });
  assert.match(
    agreementText(question, [unlike]),
    /^Contradicted by a run of 2026-11-20 \(ratio 0\.66\d, 95 % interval .+\): the two intervals do not overlap\.$/,
  );
  assert.equal(agreement({ ...question, ask: 'What else?' }, [alike]), null);
  const atScaleOne = structuredClone(question);
  atScaleOne.comparisons[0].numerator_cells = ['tpch@1.pooled'];
  assert.equal(agreement(atScaleOne, [unlike]), null, 'other data, or another load');
  assert.equal(agreement(question, [{ run: {}, headlines: [] }]), null, 'a run of before');
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
  const other = runOf(ranking(['a', 'b', 'c']), { ...noisy, a: noisy.a.map((rps) => rps * 1.05), c: noisy.b });
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

test('no difference at the level asked about, one at another: the answer says so', () => {
  const measured = (id, what, rps) => cellOf(id, { throughput_rps: { median: rps[0] }, ...what }, rps);
  const cells = [
    measured('a', {}, [100, 103, 98, 101, 99, 100]),
    measured('b', {}, [101, 99, 100, 98, 102, 100]),
    measured('a1', { target: 'a', level: 1 }, [20, 21, 19, 20, 21, 20]),
    measured('b1', { target: 'b', level: 1 }, [40, 41, 39, 40, 42, 40]),
  ];
  const comparisons = compareAll(cells);
  const [{ text }] = answered(pairs(['a', 'b']), { ...NOTHING, cells, comparisons });
  assert.match(
    text,
    /; not asked about: a difference was shown with 1 user \(a \/ b 0\.5, 95 % interval 0\.4\d+ to 0\.5\d+\)\.$/,
  );
  const [turned] = answered(pairs(['b', 'a']), { ...NOTHING, cells, comparisons });
  assert.match(turned.text, /; not asked about: a difference was shown with 1 user \(b \/ a 2, /);
  cells[2].trials[0].reasons = [{ check: 'other_programs', verdict: 'suspect', value: 1.5 }];
  cells[2].resources = { cores: 2 };
  const [beside] = answered(pairs(['a', 'b']), { ...NOTHING, cells, comparisons });
  assert.doesNotMatch(beside.text, /not asked about/, 'asked there, it would not be claimed');
  const alike = compareAll(cells.slice(0, 2));
  const [{ text: same }] = answered(pairs(['a', 'b']), { ...NOTHING, cells, comparisons: alike });
  assert.doesNotMatch(same, /not asked about/);
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
