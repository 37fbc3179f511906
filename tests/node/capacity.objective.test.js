/** Objectives: how they are read, and what a trial says of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { figuresOf, judge, samplesFor } from '../../scripts/analyse/capacity/objective.js';
import { probeIn, secondsOf } from '../../scripts/analyse/capacity/probes.js';
import { near, partsOf } from './lib/capacity.js';

test('an objective is one to four limits, with units', () => {
  assert.deepEqual(partsOf('p95<50ms, errors<0.1%'), [
    { metric: 'p95_us', limit: 50_000 },
    { metric: 'error_share', limit: 0.001 },
  ]);
  assert.deepEqual(partsOf(' p50 < 800us,p90<1.5ms,p99 <2s , p99.9<10s'), [
    { metric: 'p50_us', limit: 800 },
    { metric: 'p90_us', limit: 1500 },
    { metric: 'p99_us', limit: 2_000_000 },
    { metric: 'p99_9_us', limit: 10_000_000 },
  ]);
});

test('each fault of an objective is one line that names the part and what to write', () => {
  for (const [text, part, what] of [
    ['', '', 'METRIC<LIMIT'],
    ['p95<50ms,', '', 'METRIC<LIMIT'],
    ['p95=50ms', 'p95=50ms', 'METRIC<LIMIT'],
    ['p95>50ms', 'p95>50ms', 'METRIC<LIMIT'],
    ['p95<=50ms', 'p95<=50ms', 'METRIC<LIMIT'],
    ['errors<0.1%, p97<50ms', 'p97<50ms', 'p97 is not known'],
    ['p95<61s', 'p95<61s', 'the limit must be 60s or less'],
    ['errors<0.001%', 'errors<0.001%', 'the limit must be 0.01% or more'],
    ['max<50ms', 'max<50ms', 'max is not known'],
    ['constructor<50ms', 'constructor<50ms', 'constructor is not known'],
    ['p95<50', 'p95<50', 'us, ms or s'],
    ['p95<50m', 'p95<50m', 'us, ms or s'],
    ['p95<-5ms', 'p95<-5ms', 'us, ms or s'],
    ['p95<5%', 'p95<5%', 'us, ms or s'],
    ['p95<0ms', 'p95<0ms', 'above 0'],
    ['errors<0.1', 'errors<0.1', 'percentage'],
    ['errors<5ms', 'errors<5ms', 'percentage'],
    ['errors<0%', 'errors<0%', 'above 0%'],
    ['errors<100%', 'errors<100%', 'below 100%'],
    ['p95<50ms, p95<60ms', 'p95<60ms', 'has a limit already'],
  ])
    assert.throws(
      () => partsOf(text),
      ({ message }) =>
        message.startsWith(`objective ${JSON.stringify(part)}: `) && message.includes(what) && !message.includes('\n'),
      text,
    );
  assert.throws(() => partsOf('p50<1s,p90<1s,p95<1s,p99<1s,errors<1%'), /has 5 parts, and may have 4/);
});

test('a probe needs as many samples as its strictest part', () => {
  assert.equal(samplesFor(partsOf('p95<50ms')), 200);
  assert.equal(samplesFor(partsOf('p95<50ms, p99<80ms')), 1000);
  assert.equal(samplesFor(partsOf('p95<50ms, errors<0.1%')), 3000);
});

/** A summary of so many answers of each time, [[us, count]], and of so many requests without one. */
const summary = (counts, unanswered = 0, errors = unanswered) => ({
  latency_us: { histogram: { counts }, beyond: unanswered > 0 ? { count: unanswered, more_than_us: 60e6 } : null },
  requests: counts.reduce((all, [, count]) => all + count, unanswered),
  errors,
});
const judged = (objective, found) => {
  const parts = partsOf(objective);
  return judge(parts, figuresOf(parts, found));
};

test('a percentile holds below its limit and fails at it; the margin is the worst figure over its limit', () => {
  const held = judged(
    'p95<50ms',
    summary([
      [20_000, 950],
      [50_000, 50],
    ]),
  );
  assert.equal(held.outcome, 'holds');
  near(held.margin, 0.4, 1e-9);
  near(held.excess.share, 0.05, 1e-9);
  near(held.excess.allowed, 0.05, 1e-9);
  const failed = judged(
    'p95<50ms',
    summary([
      [20_000, 949],
      [50_000, 51],
    ]),
  );
  assert.deepEqual([failed.outcome, failed.margin], ['fails', 1]);
  const both = judged(
    'p50<25ms, p95<100ms',
    summary([
      [20_000, 950],
      [50_000, 50],
    ]),
  );
  near(both.margin, 0.8, 1e-9);
  for (const p of ['p50', 'p90', 'p95', 'p99', 'p99.9']) {
    const allowed = Math.round(100_000 * (1 - Number(p.slice(1)) / 100));
    const outcome = (beyond) =>
      judged(
        `${p}<50ms`,
        summary([
          [49_999, 100_000 - beyond],
          [50_000, beyond],
        ]),
      ).outcome;
    assert.deepEqual([outcome(allowed), outcome(allowed + 1)], ['holds', 'fails'], p);
  }
});

test('requests without an answer are slower than any limit, and errors are a share of all', () => {
  const failed = judged('p95<50ms', summary([[20_000, 940]], 60));
  assert.deepEqual([failed.outcome, failed.margin], ['fails', Number.POSITIVE_INFINITY]);
  near(failed.excess.share, 0.06, 1e-9);
  const errors = (count) => judged('p95<50ms, errors<0.1%', summary([[20_000, 20_000 - count]], count)).outcome;
  assert.deepEqual([errors(19), errors(20)], ['holds', 'fails']);
});

test('the part that comes closest to its limit is the one that is followed', () => {
  const { excess } = judged(
    'p95<50ms, errors<1%',
    summary(
      [
        [20_000, 9900],
        [60_000, 20],
      ],
      80,
    ),
  );
  assert.deepEqual([excess.share, excess.allowed], [0.008, 0.01]);
});

test('too few samples decide nothing, unless the failures are more than enough samples may have', () => {
  assert.equal(judged('p95<50ms', summary([[20_000, 199]])).outcome, 'undecided');
  assert.equal(judged('p95<50ms', summary([[20_000, 200]])).outcome, 'holds');
  assert.equal(
    judged(
      'p95<50ms',
      summary([
        [20_000, 60],
        [90_000, 10],
      ]),
    ).outcome,
    'undecided',
  );
  assert.equal(
    judged(
      'p95<50ms',
      summary([
        [20_000, 60],
        [90_000, 11],
      ]),
    ).outcome,
    'fails',
  );
  assert.equal(judged('p95<50ms, errors<0.1%', summary([[20_000, 2000]])).outcome, 'undecided');
  assert.equal(judged('p95<50ms, errors<0.1%', summary([[20_000, 1989]], 11)).outcome, 'fails');
  const nothing = judged('p95<50ms, errors<0.1%', { latency_us: null, requests: 0, errors: 0 });
  assert.deepEqual(nothing, { outcome: 'undecided', margin: null, excess: null });
});

/** A probe of p95<50ms with 1,000 answers of 10 ms, or of 100 ms, and marks. @param {string[]} marks checks that marked it @param {object} [more] of the trial */
function probed({
  ms,
  sent_ms = null,
  marks = [],
  verdict = 'suspect',
  cell = { level: 400, model: 'open' },
  in_flight_mean = 4,
  objective = 'p95<50ms',
  of = {},
}) {
  const took = (value) => value && { histogram: { counts: [[value * 1000, 1000]] }, beyond: null };
  const summary = {
    latency_us: took(ms),
    latency_from_send_us: took(sent_ms),
    requests: 1000,
    errors: { total: 0 },
    ...of,
  };
  const trial = { reasons: marks.map((check) => ({ check, verdict })), in_flight_mean };
  const { outcome, limited } = probeIn(partsOf(objective), cell, trial, summary);
  return limited ? `${outcome}, ${limited}` : outcome;
}

test('a probe that failed while something else was at work, or not all generators were, decides nothing', () => {
  assert.deepEqual([probed({ ms: 10 }), probed({ ms: 100 })], ['held', 'failed']);
  for (const mark of ['other_programs', 'processor_taken', 'generators_ended', 'generators_began', 'generators_shared'])
    assert.deepEqual([mark, probed({ ms: 100, marks: [mark] })], [mark, 'disturbed']);
  assert.equal(probed({ ms: 10, marks: ['other_programs'] }), 'held');
  assert.equal(probed({ ms: 10, marks: ['complete'], verdict: 'invalid' }), 'disturbed');
});

test('a lead-in that failed: what held after it is not known to hold, and what failed has failed', () => {
  assert.equal(probed({ ms: 10, marks: ['warm_up'], verdict: 'invalid' }), 'disturbed');
  assert.equal(probed({ ms: 100, marks: ['warm_up'], verdict: 'invalid' }), 'failed');
  assert.equal(probed({ ms: 10, marks: ['processes'], verdict: 'invalid' }), 'held', 'of its workers some may end');
});

test('requests that were sent late are the generator’s fault while it had users to spare, and answers that fell behind the target’s', () => {
  assert.equal(probed({ ms: 100, sent_ms: 10, marks: ['dispatch_lag'] }), 'failed, generator');
  assert.equal(probed({ ms: 100, sent_ms: 90, marks: ['dropped'] }), 'failed');
  assert.equal(probed({ ms: 100, marks: ['dispatch_lag'], in_flight_mean: 390 }), 'failed');
  // all users wait for answers that the objective allows to be slow, so that more cannot be sent
  const of = {
    latency_us: { histogram: { counts: [[10_000, 400]] }, beyond: { count: 600 } },
    ...{ requests: 400, dropped_iterations: 600 },
  };
  const allWait = { sent_ms: 10, marks: ['dropped', 'offered'], in_flight_mean: 400 };
  assert.equal(probed({ ...allWait, of }), 'failed, generator');
  // of an iteration of twenty requests one alone takes long
  const slow = { ...of, latency_us: { ...of.latency_us, histogram: { counts: [[90_000, 400]] } } };
  const cell = { level: 400, model: 'open', script: { requests: 20 } };
  assert.equal(probed({ ...allWait, of: slow, cell }), 'failed');
  assert.equal(probed({ ms: 10, marks: ['offered'] }), 'failed');
  assert.equal(probed({ ms: 10, marks: ['settled'] }), 'held'); // one that takes longer than the window is one of those that may
});

test('requests that were sent and not answered are the target’s, those never sent the generator’s', () => {
  const none = { latency_us: { histogram: { counts: [] }, beyond: { count: 1000 } }, latency_from_send_us: null };
  const refused = { ms: 10, marks: ['offered'], in_flight_mean: 0 };
  assert.equal(probed({ ...refused, of: none }), 'failed');
  const unsent = { ...none, dropped_iterations: 1000 };
  assert.equal(probed({ ...refused, marks: ['offered', 'dropped'], of: unsent }), 'failed, generator');
  // of p90 a tenth may miss the objective, so that which was never sent shows in the rate alone
  assert.equal(probed({ ms: 10, objective: 'p90<50ms', marks: ['offered', 'dropped'] }), 'failed, generator');
});

test('of parts that nothing misses the strictest is followed', () => {
  assert.equal(judged('p95<50ms, errors<1%', summary([[20_000, 2000]])).excess.allowed, 0.01);
});

test('an objective that allows any wait is not failed by users who all wait', () => {
  const busy = { ms: 3000, sent_ms: 3000, in_flight_mean: 400, objective: 'errors<1%' };
  assert.equal(probed({ ...busy, marks: ['dropped', 'offered'] }), 'failed, generator');
  assert.equal(probed({ ...busy, marks: ['offered'] }), 'failed');
  assert.equal(probed({ ...busy, marks: ['dropped', 'offered'], of: { errors: { total: 20 } } }), 'failed');
});

test('an objective that says nothing of waiting does not hold while a queue grows', () => {
  assert.equal(probed({ ms: 500, marks: ['drift'], objective: 'errors<1%' }), 'failed');
  assert.equal(probed({ ms: 10, marks: ['drift'] }), 'held');
});

test('a request that k6 repeated unseen is an error', () => {
  const of = { requests_total: 2000, connections: { repeated: 100 } };
  assert.equal(probed({ ms: 10, objective: 'p95<50ms, errors<1%', of }), 'failed');
  assert.equal(probed({ ms: 10, objective: 'p95<50ms, errors<6%', of }), 'held');
});

test('of an iteration that asks several times each request may take its part of the limit', () => {
  const late = { ms: 100, sent_ms: 20, marks: ['dispatch_lag'] };
  assert.equal(probed({ ...late, cell: { level: 400, model: 'open', script: { requests: 2 } } }), 'failed, generator');
  assert.equal(probed({ ...late, cell: { level: 400, model: 'open', script: { requests: 3 } } }), 'failed');
});

test('iterations that ask more or less often than they did say nothing of a rate', () => {
  assert.equal(probed({ ms: 10, marks: ['asks'], verdict: 'invalid' }), 'disturbed');
});

test('users who think: the generator is at fault where it was at its ceiling, or did not make the load', () => {
  const cell = { level: 400, model: 'closed', think_s: 1 };
  assert.equal(probed({ ms: 100, marks: ['connections'], cell }), 'failed');
  assert.equal(probed({ ms: 100, marks: ['generator_cpu'], cell }), 'failed, generator');
  assert.equal(probed({ ms: 10, marks: ['littles_law'], verdict: 'invalid', cell }), 'failed, generator');
});

test('a probe is long enough for its samples, its limit and its pauses', () => {
  const p95 = partsOf('p95<50ms');
  const least = samplesFor(p95);
  assert.equal(secondsOf(p95, 10, { duration_s: 8 }), Math.ceil(least / 10));
  assert.equal(secondsOf(p95, 10_000, { duration_s: 8 }), 5);
  assert.equal(secondsOf(partsOf('p95<2s'), 10_000, { duration_s: 8 }), 60);
  assert.equal(secondsOf(p95, 10_000, { duration_s: 8, think_s: 5 }), 20);
  // who thinks for a second and waits for two asks every three
  assert.equal(secondsOf(partsOf('p95<2s'), 6, { duration_s: 8, think_s: 1 }), 100);
});
