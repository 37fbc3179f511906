import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agreement } from '../../scripts/analyse/agreement.js';
import { compareAll } from '../../scripts/analyse/comparisons.js';
import { marksInBrief, marksText } from '../../scripts/analyse/marks.js';
import { spreadOf } from '../../scripts/analyse/peak-spread.js';
import { answered, ask, NOTHING, TWICE } from './lib/asked.js';
import { cellOf, pairs, ranking } from './lib/claims.js';

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
  assert.equal(agreement(before, [{ run, questions: [before] }]).is, 'same');
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
    for (const told of [title, brief]) assert.match(told, /^Not claimed: with 10 users, /);
    for (const told of [text, title, brief]) assert.match(told, /; other programs took up to 0\.51 of 2 cores; /);
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
