/** What searches found, over blocks and in words; users; overload. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { overBlocks, usersOf } from '../../scripts/analyse/capacity/answer.js';
import { unseenShare } from '../../scripts/analyse/capacity/objective.js';
import { courseOf, OVERLOAD_S, unsentIn } from '../../scripts/analyse/capacity/overload.js';
import { answerText, lawText, objectiveText } from '../../scripts/analyse/capacity/sentences.js';
import { ratioOfTrials } from '../../scripts/analyse/figures.js';
import { differ } from '../../scripts/analyse/intervals.js';
import { answeredAnew } from '../../scripts/analyse/questions.js';
import { sideBySide } from '../../scripts/findings/capacity/table.js';
import { near, partsOf } from './lib/capacity.js';

const rates = (...found) => found.map((rate) => ({ kind: 'rate', rate, resolution: 0 }));
const atLeast = (...found) => found.map((rate) => ({ kind: 'at least', rate, why: 'generator' }));
const none = (...found) => found.map((rate) => ({ kind: 'none', rate }));

test("rates in every block: geometric mean and Student's interval", () => {
  const { kind, rate, low, high } = overBlocks(rates(380, 400, 421, 443));
  assert.equal(kind, 'rate');
  near(rate, 410.3, 1e-3);
  // mean log 6.01696, sd 0.06602, t(3) 3.18245
  near(low, 369.4, 1e-3);
  near(high, 455.8, 1e-3);
});

test('what probes are too short to see makes the lower end lower, and ratios of capacities wider', () => {
  near(unseenShare(partsOf('p95<190ms, p99<2s, errors<1%'), 8), 0.19 / (0.95 * 8), 1e-6, 'of the nearest limit');
  assert.equal(unseenShare(partsOf('errors<1%'), 8), 0);
  const seen = overBlocks(rates(380, 400, 421, 443));
  const unseen = overBlocks(
    rates(380, 400, 421, 443).map((answer, i) => ({ ...answer, unseen: i === 2 ? 0.03 : 0.01 })),
  );
  assert.deepEqual([unseen.rate, unseen.high], [seen.rate, seen.high]);
  near(unseen.low, seen.low / 1.03, 1e-6);
  const trials = (...all) => new Map(all.map((capacity, block) => [block, { capacity, resolution: 0 }]));
  const short = (all, unseen_share) => new Map([...all].map(([block, trial]) => [block, { ...trial, unseen_share }]));
  const ratio = (one, other, ...above) =>
    ratioOfTrials(
      short(trials(...above), one),
      short(trials(100, 100, 100), other),
      { metric: 'capacity', of: 3 },
      { within: 0.05 },
    );
  const exact = ratio(0, 0, 200, 210, 220);
  for (const wide of [ratio(0.03, 0.01, 200, 210, 220), ratio(0, 0.03, 200, 210, 220)]) {
    near(wide.low, exact.low / 1.03, 1e-5);
    near(wide.high, exact.high * 1.03, 1e-5);
    near(wide.finds, exact.finds * 1.03, 1e-5);
    near(wide.bias, Math.log(1.03), 1e-5);
  }
  assert.equal('bias' in exact, false);
  const [seenAlike, alike] = [0, 0.03].map((share) => ratio(share, 0, 102, 102.1, 101.9));
  assert.deepEqual([seenAlike.differs, seenAlike.equal, alike.differs, alike.equal], [true, true, false, false]);
  const pair = (share) =>
    [ratio(share, 0, 102, 102.1, 101.9), ratio(share, 0, 106, 106.1, 105.9)].map((one) => ({
      ...one,
      confidence: 0.95,
    }));
  assert.deepEqual(
    [0, 0.03].map((share) => differ(pair(share), 0.95)),
    [true, false],
    'both may be off',
  );
  const bounded = overBlocks(
    [...rates(500, 500, 500), ...atLeast(500, 510, 520)].map((answer) => ({ ...answer, unseen: 0.03 })),
  );
  assert.deepEqual(
    [bounded.kind, bounded.low],
    ['at least', 500],
    'that a lower bound may be too high is said elsewhere',
  );
});

test('one block, or fewer than planned, has no interval; steps that agree are not certain', () => {
  assert.deepEqual(overBlocks(rates(400)).low, null);
  const lost = overBlocks([...rates(400, 410, 405), { kind: 'unknown', why: 'disturbed' }]);
  assert.deepEqual([lost.kind, lost.low, lost.blocks, lost.of], ['rate', null, 3, 4]);
  const steps = Array.from({ length: 5 }, () => ({ kind: 'rate', rate: 400, resolution: Math.log(1.03) ** 2 / 12 }));
  const { low, high } = overBlocks(steps);
  assert.ok(low < 397 && high > 403);
  assert.equal(overBlocks([{ kind: 'unknown', why: 'disturbed' }]).kind, 'unknown');
});

test('what one block found between two rates far apart is the lower one, and at least that', () => {
  const wide = { kind: 'rate', rate: 1969, low: 1392, high: 2784, why: 'probes', resolution: Math.log(2) ** 2 / 12 };
  const one = overBlocks([wide]);
  assert.deepEqual([one.kind, one.rate, one.low, one.why], ['at least', 1392, null, 'probes']);
  assert.match(answerText(partsOf('p95<50ms'), one), /up to at least 1,390 requests\/s \(the probes were spent/);
  const lost = overBlocks([wide, ...rates(1500), { kind: 'unknown', why: 'disturbed' }]);
  assert.deepEqual(
    [lost.kind, Math.floor(lost.rate), lost.low],
    ['at least', 1444, null],
    'the middle of 1,392 or more and 1,500',
  );
  assert.equal(overBlocks([{ ...wide, low: 1900, high: 2040 }]).rate, 1969, 'close enough');
  assert.equal(overBlocks([{ ...wide, rate: 1360 }]).rate, 1360, 'the fit lies lower still');
  const blurred = overBlocks([{ ...wide, rate: 211, low: 202, high: 220, why: 'disturbed' }]);
  assert.deepEqual([blurred.kind, blurred.rate, blurred.why], ['at least', 202, 'disturbed']);
  assert.equal(overBlocks([{ ...wide, rate: 211, low: 210, high: 212, why: 'disturbed' }]).rate, 211, 'close enough');
  // with others the interval says how far it may be off
  const { kind, low, high } = overBlocks([wide, ...rates(1900, 1950, 2000)]);
  assert.deepEqual([kind, low > 1392 && high < 2784], ['rate', true]);
});

test('blocks that were cut off are N or more: the median where it is known, and an interval without an end', () => {
  const few = overBlocks([...rates(380, 400, 390, 410, 420), ...atLeast(500)]);
  assert.deepEqual([few.kind, few.low, few.high], ['rate', 380, null]);
  near(few.rate, Math.sqrt(400 * 410), 1e-9);
  const low = overBlocks([...rates(400, 390, 410, 420, 430), ...atLeast(300)]); // may be anywhere above 300
  assert.deepEqual([low.kind, low.low, low.high, low.why], ['at least', 300, null, 'generator']);
  const all = overBlocks(atLeast(500, 500, 480, 500, 500, 500));
  assert.deepEqual([all.kind, all.rate, all.low, all.high], ['at least', 500, 480, null]);
  assert.deepEqual(overBlocks([...rates(400, 401), ...atLeast(500)]).low, null); // three blocks have no interval of ranks
  // half failed just above 101, so no more than that is known of the middle; the reason is that of most
  const half = overBlocks([
    ...rates(100, 101),
    ...atLeast(1000),
    ...[1100, 1200].map((rate) => ({ kind: 'at least', rate, why: 'disturbed' })),
    ...rates(90),
  ]);
  assert.deepEqual([half.kind, half.rate, half.why], ['at least', 101, 'disturbed']);
});

test('of a target whose capacity is "at least" so much, none is claimed to take more, or as much', () => {
  const file = new URL('../../results/published/20261127-c5ba6255069a/amd-epyc-2-cores.capacity.json', import.meta.url);
  const answers = (cut) => {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    for (const { target, trials } of results.capacities) if (cut.includes(target)) trials[0].kind = 'at least';
    return answeredAnew(results)[0];
  };
  assert.equal(answers([]).claim, true);
  assert.equal(answers(['rollup']).claim, true, 'the best may take more still');
  const held = answers(['cube', 'raw']);
  assert.equal(held.claim, false);
  assert.match(held.text, /^Not claimed, as cube and raw are only known to take at least so much: /);
});

test('blocks that found no rate are below any', () => {
  const few = overBlocks([...rates(5, 6, 7, 8, 9), ...none(1)]);
  assert.deepEqual([few.kind, few.low, few.high], ['rate', 0, 9]);
  const most = overBlocks([...rates(5), ...none(2, 1, 1, 1, 1)]);
  assert.deepEqual([most.kind, most.rate, most.low, most.high], ['none', 1, 0, 5]);
  const half = overBlocks([...rates(400, 402), ...none(10, 12)]);
  assert.deepEqual([half.kind, half.why, half.blocks], ['unknown', 'divided', 4]);
  for (const blocks of [
    [...none(4, 4), ...rates(400)],
    [...rates(400, 410), ...none(4)],
  ])
    assert.deepEqual([overBlocks(blocks).kind, overBlocks(blocks).why], ['unknown', 'divided']);
});

const PARTS = partsOf('p95<50ms, errors<0.1%');

test('the answer in words', () => {
  const p95 = partsOf('p95<50ms');
  const whole = { kind: 'rate', rate: 412.3, low: 398.2, high: 431.4, blocks: 5, of: 5, why: null };
  assert.equal(answerText(p95, whole), 'p95 stays below 50 ms up to about 412 requests/s (95 % interval 398 to 431)');
  assert.equal(
    answerText(PARTS, { ...whole, low: null, high: null, blocks: 1, of: 1 }),
    'p95 stays below 50 ms and errors below 0.1 % up to about 412 requests/s (no interval: 1 of 1 block)',
  );
  assert.equal(
    answerText(p95, { ...whole, kind: 'at least', rate: 5000, low: 4800, high: null, why: 'generator' }),
    'p95 stays below 50 ms up to at least 5,000 requests/s (the load generator could not send more; 95 % interval from 4,800 up)',
  );
  assert.equal(
    answerText(PARTS, { kind: 'none', rate: 1, low: 0, high: 0, why: null }),
    'p95 does not stay below 50 ms and errors below 0.1 % at any rate that was tried, down to 1 request/s',
  );
  assert.equal(
    answerText(p95, { kind: 'unknown', rate: null, low: null, high: null, why: 'disturbed' }),
    'not known at which rates p95 stays below 50 ms: probes were disturbed',
  );
  assert.equal(
    answerText(
      p95,
      { ...whole, kind: 'at least', rate: 4000, low: null, high: null, blocks: 1, of: 1, why: 'bound' },
      { think_s: 5 },
    ),
    'p95 stays below 50 ms up to at least 4,000 users who think for 5 s between an answer and the next request (no more were to be tried; no interval: 1 of 1 block)',
  );
  assert.equal(
    answerText(p95, { ...whole, rate: 251, low: 14.5, high: 4350 }),
    'hardly known at which rates p95 stays below 50 ms: about 251 requests/s (95 % interval 14.5 to 4,350)',
  );
  assert.equal(
    answerText(p95, whole, { iteration_requests: 3 }),
    'p95 stays below 50 ms up to about 412 iterations/s of 3 requests each (95 % interval 398 to 431)',
  );
  assert.equal(
    lawText({ kind: 'rate', rate: 2050 }, { rate_rps: 400, mean_us: 20_000, users: 2008 }),
    'By Little’s law 400 requests/s, each answered in 20 ms on average, are asked by 2,010 such users; found were 2,050, 102 % of that.',
  );
  assert.equal(objectiveText(partsOf('errors<1%')), 'errors stay below 1 %');
  assert.equal(
    objectiveText(partsOf('p50<1ms, p99.9<2s, errors<1%')),
    'p50 stays below 1 ms, p99.9 below 2 s and errors below 1 %',
  );
});

test('users: rate times response and thinking', () => {
  near(usersOf(400, { mean_us: 20_000, think_s: 5 }), 2008, 1e-12);
  assert.throws(() => usersOf(400, { mean_us: 20_000, think_s: -1 }), /think_s must be a number from 0 up/);
  assert.throws(() => usersOf(400, { mean_us: null, think_s: Number.NaN }), /think_s/);
});

/** The seconds of an overload of 100 requests/s that is normal but for what is said. @param {(t_s: number) => object} [unlike] by second */
const course = (unlike = () => ({}), objective = 'p95<100ms, errors<1%', requests = 1) =>
  courseOf(
    Array.from({ length: OVERLOAD_S }, (_, t_s) => ({
      ...{ t_s, requests: 50, answers: 100, errors: 0, p50_us: 10_000, p95_us: 20_000, in_flight: 2 },
      ...unlike(t_s),
    })),
    partsOf(objective),
    requests,
  );
const slow = (from, to) => (t_s) => (t_s >= from && t_s < to ? { p95_us: 300_000 } : {});

test('overload: what was not sent counts while 150 % were due, not after', () => {
  const timeline = Array.from({ length: OVERLOAD_S }, (_, t_s) => ({ t_s, requests: t_s < 10 ? 50 : 20 }));
  const dropped_iterations = 10 * (150 - 20) + 20 * (50 - 20);
  assert.equal(unsentIn({ dropped_iterations, timeline }, { level: 100 }), 1300);
  assert.equal(unsentIn({ dropped_iterations, timeline }, { level: 100, script: { requests: 2 } }), 1400);
  assert.equal(unsentIn({ dropped_iterations: 0, timeline }, { level: 100 }), 0, 'sent later');
});

test('overload: how long p95 takes to be normal for good, and whether it was before', () => {
  const told = ({ normal_before, normal_after_s }) => [normal_before, normal_after_s];
  assert.deepEqual(told(course()), [true, 0]);
  assert.deepEqual(told(course(slow(10, 23))), [true, 3]);
  assert.deepEqual(told(course((t_s) => (t_s === 22 ? {} : slow(10, 26)(t_s)))), [true, 6]);
  assert.deepEqual(told(course(slow(10, 40))), [true, null]);
  assert.deepEqual(told(course(slow(2, 9))), [false, 0]);
  assert.deepEqual(told(course(slow(10, 30), 'errors<1%')), [true, null]);
});

test('overload: a second without a p95 is normal when it was quiet, and not when too many had no answer', () => {
  const unanswered = (t_s) => (t_s >= 10 && t_s < 27 ? { p95_us: null } : {});
  assert.equal(course(unanswered).normal_after_s, 7);
  assert.equal(course((t_s) => (t_s === 30 ? { p95_us: null, requests: 0, in_flight: 300 } : {})).normal_after_s, 11);
  assert.equal(course((t_s) => (t_s === 30 ? { p95_us: null, requests: 0, in_flight: 0 } : {})).normal_after_s, 0);
});

test('overload: in how many of its seconds p95 was below the limit all the same', () => {
  assert.equal(course(slow(10, 20)).held_share, 0);
  assert.equal(course(slow(14, 20)).held_share, 1 / 3); // the first second does not count
  for (const objective of ['errors<1%', 'p99<100ms', 'p50<100ms', 'p95<100ms, p99<200ms', 'p50<9ms, p95<100ms'])
    assert.equal(course(slow(14, 20), objective).held_share, null, `p95 alone does not decide ${objective}`);
  assert.equal(course(slow(14, 20), 'p95<4s').held_share, null, 'a queue has no time to pass it');
  assert.equal(course(slow(10, 23), 'p50<50ms, p99<100ms').limit_us, 100_000, 'the widest, where p95 has none');
});

test('overload: fast wrong answers are not normal', () => {
  assert.equal(course((t_s) => (t_s >= 20 && t_s < 30 ? { errors: 90, p95_us: 500 } : {})).normal_after_s, 10);
  assert.equal(course((t_s) => ({ errors: t_s % 10 === 9 ? 3 : 0 })).normal_after_s, 0); // of 100 one may be, and three by chance
});

test('overload: a request without an answer is none of the wrong ones', () => {
  const { good_rps, wrong_rps, unanswered_rps } = course((t_s) =>
    t_s < 20 ? { answers: 100, errors: 60, unanswered: 50 } : {},
  );
  assert.deepEqual([good_rps, wrong_rps, unanswered_rps], [90, 10, 50]);
});

test('overload: right answers, of a script with several requests iterations', () => {
  assert.equal(course((t_s) => (t_s < 20 ? { answers: 120, errors: 30 } : {})).good_rps, 90);
  assert.equal(course(undefined, undefined, 4).good_rps, 25);
});

test('side by side: the best answer first, rates and numbers of users apart', () => {
  const answer = (kind, rate, low = null, high = null) => ({ kind, rate, low, high, blocks: 4, of: 4, why: null });
  const of = (target, found, more) => ({
    ...{ target, variant: 'base', workload: 'analytics', tool: 'k6', database: 'tpch' },
    ...{ objective: { parts: PARTS }, answer: found, ...more },
  });
  const [rate, users] = sideBySide({
    capacities: [
      of('raw', answer('none', 5, 0, 0)),
      of('pooled', answer('rate', 341, 330, 352)),
      of('rollup', answer('at least', 6400, 6300)),
      of('pooled', answer('unknown', null), { think_s: 5 }),
    ],
  });
  assert.deepEqual(rate.rows, [
    ['rollup', 'at least 6,400', 'from 6,300 up', '4 of 4', '–'],
    ['pooled', '341', '330 to 352', '4 of 4', '–'],
    ['raw', 'none, down to 5', '–', '4 of 4', '–'],
  ]);
  assert.deepEqual(users.rows, [['pooled', 'not known', '–', '4 of 4', '–']]);
  assert.match(users.title, /^With how many users, who think for 5 s/);
  assert.deepEqual(sideBySide({}), []);
});
