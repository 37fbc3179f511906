import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeWithoutSummary } from '../../scripts/analyse/checks/index.js';
import { honestTrial } from './lib/synthetic.js';
import { CELL, SHARED, unanswered, verdictOf, WRK } from './lib/verdict.js';

test('latency_law is not measured where more than a few requests were never answered', () => {
  const measured = (count) => !verdictOf(unanswered(count, 60e6, 60e6)).not_measured.includes('latency_law');
  assert.deepEqual([measured(4), measured(5)], [true, false]);
});

test('wrong answers are looked for in bodies enough, or in all; else it is not measured', () => {
  const looked = (checked, successes) =>
    !verdictOf((t) => Object.assign(t.summary, { checked, successes, requests: successes })).not_measured.includes(
      'wrong_answers',
    );
  assert.deepEqual(
    [looked(300, 4000), looked(299, 4000), looked(80, 80), looked(79, 80), looked(0, 40), looked(null, 4000)],
    [true, false, true, false, false, false],
  );
});

test('what a tool cannot tell is not measured, never a pass', () => {
  const { not_measured } = verdictOf(() => {}, WRK);
  for (const check of [
    'littles_law',
    'wrong_answers',
    'connections',
    'users',
    'drift',
    'frozen',
    'paused',
    'ramp',
    'timeline',
    'statements',
    'other_statements',
  ])
    assert.ok(not_measured.includes(check), check);
  const blind = verdictOf((t) =>
    Object.assign(t, {
      status: null,
      headroom: null,
      summary: { ...t.summary, resources: null, in_flight_mean: null, lead_in: null },
    }),
  );
  for (const check of [
    'exit_status',
    'warm_up',
    'processes',
    'wall_clock',
    'clock_jump',
    'generator_cpu',
    'headroom',
    'littles_law',
  ]) {
    assert.ok(blind.not_measured.includes(check), check);
  }
});

test('the length of answers is not measured where no spot check brought one, and makes no sense for several paths', () => {
  const sized = (spot) =>
    verdictOf(
      (t) => Object.assign(t.summary, { bytes_per_answer: 190, spot_checks: { unanswered: 0, wrong: [], ...spot } }),
      WRK,
    ).not_measured.includes('answer_size');
  const wrong = [{ path: '/', status: 500, body: '' }];
  assert.deepEqual(
    [
      sized({ asked: 0, lengths: [] }),
      sized({ asked: 4, unanswered: 4, lengths: [] }),
      sized({ asked: 2, unanswered: 1, wrong, lengths: [] }),
      sized({ asked: 4, lengths: null }),
      sized({ asked: 4, unanswered: 2, lengths: [190] }),
      sized({ asked: 10, lengths: [180, 195, 186, 184, 191] }),
    ],
    [true, true, true, false, false, true],
  );
});

test('without a summary the status still explains', () => {
  const { status } = honestTrial(CELL, 400);
  status.exit_code = 3;
  const { verdict, reasons } = judgeWithoutSummary({ cell: CELL, status }, { check: 'summary', text: 'missing' });
  assert.equal(verdict, 'invalid');
  assert.deepEqual(
    reasons.map(({ check }) => check),
    ['exit_status', 'summary'],
  );
});

test('without a summary the clocks of several generators are still judged', () => {
  const clocks = (offset_ms) => {
    const ran = { exit_code: 0, clock: { before: { offset_ms, error_ms: 0.2 }, after: { offset_ms, error_ms: 0.2 } } };
    const status = { ...honestTrial(CELL, 400).status, generators: [ran, ran] };
    const { reasons } = judgeWithoutSummary({ cell: SHARED, status }, { check: 'summary', text: 'missing' });
    return reasons.filter(({ check }) => check === 'generators_clocks').map(({ text }) => text);
  };
  assert.deepEqual(clocks(0.1), []);
  assert.match(clocks(50)[0], / was 50\.0 ms ahead of the one that it was read by /);
});
