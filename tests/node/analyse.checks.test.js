import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABOUT, CHECKS } from '../../scripts/analyse/checks/index.js';
import { LIMITS } from '../../scripts/analyse/limits.js';
import { bundled } from '../../scripts/report/bundle.js';
import { LIES } from './lib/lies.js';
import {
  AB,
  atRate,
  BY_NUMBER,
  CELL,
  CLOSE,
  fiveEach,
  kept,
  lag,
  OPEN,
  onManyCores,
  reconciled,
  SHARED,
  setRequests,
  setSeconds,
  shared,
  verdictOf,
  WRK,
} from './lib/verdict.js';

test('the kernel may use a tenth of what is measured, and a fifth of a core at least', () => {
  const marked = (resources) => verdictOf((t) => (t.summary.resources = resources)).reasons.map(({ check }) => check);
  assert.deepEqual([marked(onManyCores(0.55)), marked(onManyCores(0.65))], [[], ['other_programs']]);
  const onTwoCores = (others) => ({
    ...onManyCores(0),
    cores: 2,
    roles: { generator: { cpu_cores: 0.4 }, target: { cpu_cores: 0.5 }, postgres: { cpu_cores: 0.3 } },
    host: { cpu_busy_share: (1.25 + others) / 2, cpu_steal_share: 0.015, cpu_throttled_share: 0 },
  });
  assert.deepEqual([marked(onTwoCores(0.19)), marked(onTwoCores(0.21))], [[], ['other_programs']]);
});

test('what explains a mark is no lie', () => {
  const seen = (change, cell) => verdictOf((trial) => void change(trial), cell).reasons.map(({ check }) => check);
  const twoClocks = (t) => (t.status.monotonic_s = t.status.wall_s - 0.03);
  assert.deepEqual(seen(atRate(60_000, 0.88), WRK), [], "wrk's own 20 us between two requests");
  assert.deepEqual(seen(atRate(6_500, 0.68), CLOSE), [], 'connecting takes a third of the time');
  const overTls = { ...CLOSE, by_hand: "wrk -t1 -c10 -d10s -H 'Connection: close' https://example.com" };
  assert.deepEqual(seen(atRate(400, 0.25), overTls), [], 'a TLS handshake may take longer than an answer');
  assert.deepEqual(seen(fiveEach(5), OPEN), []);
  assert.deepEqual(seen(lag({ mean: 464, p95: 1303 }), OPEN), [], "k6's timers");
  assert.deepEqual(seen(lag({ count: 199, mean: 200, p95: 9500 }), OPEN), [], 'too few for a percentile');
  assert.deepEqual(seen(twoClocks), []);
});

test('a fixed number of requests may take less than its seconds; without -k ab is asked to keep nothing', () => {
  const sooner = (t) => {
    const { summary, status } = t;
    summary.window.seconds = 3;
    summary.window.end = new Date(Date.parse(summary.window.start) + 3000).toISOString();
    summary.throughput_rps = summary.successes / 3;
    Object.assign(status, { wall_s: 3.1, monotonic_s: 3.1 });
    kept(4000, null)(t);
  };
  const marks = (cell) => verdictOf(sooner, cell).reasons.map(({ check }) => check);
  const byTime = marks(AB);
  assert.ok(byTime.includes('window') && byTime.includes('wall_clock'));
  assert.deepEqual(
    marks(BY_NUMBER).filter((check) => check !== 'latency_law'),
    [],
  );
});

test('two generators that share a load are valid, and a clock that cannot be read to 20 ms is suspect', () => {
  const marks = (change) => verdictOf(shared(change), SHARED).reasons.map(({ check }) => check);
  assert.deepEqual(
    marks(() => {}),
    [],
  );
  assert.deepEqual(
    marks(({ ran }) => Object.assign(ran.clock, { before: { offset_ms: -15, error_ms: 1100 } })),
    ['generators_clocks'],
  );
  const unread = verdictOf(
    shared(({ ran }) => (ran.clock.before = null)),
    SHARED,
  );
  assert.match(unread.reasons[0].text, /^the clock of generator 2 could not be read/);
  const far = (trial) => {
    shared(({ ran }) => (ran.clock.before = null))(trial);
    trial.status.generators[0].clock.after = { offset_ms: 5000, error_ms: 0.1 };
  };
  assert.match(verdictOf(far, SHARED).reasons[0].text, /^the clock of generator 1 was 5000.0 ms ahead/); // one that is not known hides none
  const busy = (trial) => {
    shared(({ used }) => (used.programs = ['ssh']))(trial);
    trial.summary.resources.roles.generator.each[0].cpu_cores = 0.99;
  };
  assert.match(verdictOf(busy, SHARED).reasons[0].text, /^generator 1 used 99 %/);
  const unseen = verdictOf(
    shared(({ used }) => (used.programs = ['ssh'])),
    SHARED,
  );
  for (const check of ['generators_cpu', 'generator_cpu']) assert.ok(unseen.not_measured.includes(check));
});

test('a load of one generator has no check of several', () => {
  assert.ok(!verdictOf().not_measured.some((check) => check.startsWith('generators_')));
});

test('every check has a lie that it sees', () => {
  assert.deepEqual(new Set(Object.keys(LIES)), new Set(Object.keys(CHECKS)));
});

test('nothing is said of a check that does not exist', () => {
  assert.deepEqual(
    Object.keys(ABOUT).filter((check) => !(check in CHECKS)),
    [],
  );
});

test('a page has the words of checks, and not their functions', async () => {
  const script = await bundled('report.js');
  assert.ok(script.includes(ABOUT.processes.finds));
  assert.doesNotMatch(script, /ended with exit status/);
});

test('of pods each machine is looked at: what a hypervisor took there, what others used, and a limit of cores that was used up', () => {
  const machine = (roles, figures) => ({
    ...{ roles, cores: 4, used_cores: 1, cpu_busy_share: 0.28, cpu_steal_share: 0, cpu_steal_core_share: 0 },
    ...figures,
  });
  const marks = (machines, throttled_share = 0) =>
    verdictOf((t) => {
      const { roles, host } = t.summary.resources;
      host.cpu_busy_share = 0.3;
      Object.assign(roles, { target: { cpu_cores: 0.9, throttled_share }, postgres: { cpu_cores: 0.5 } });
      Object.assign(t.summary.resources, { machines, sampler_cpu_cores: 0.02 });
    })
      .reasons.filter(({ check }) => check === 'other_programs' || check === 'processor_taken')
      .map(({ text }) => text);
  const quiet = machine(['generator', 'target']);
  assert.deepEqual(marks([quiet, machine(['postgres'])]), []);
  assert.deepEqual(marks([quiet, machine(['postgres'], { cpu_busy_share: 0.9 })]), [
    "other programs, the cluster's own among them, used 2.60 of the 4 cores of postgres's machine",
  ]);
  assert.deepEqual(marks([quiet, machine(['postgres'], { cpu_steal_share: 0.3 })]), [
    'other virtual machines took 30 % of the processor time of a node',
  ]);
  assert.deepEqual(marks([quiet], 0.4), [
    "up to 40 % of the time target's pod was stopped: its limit of cores was used up",
  ]);
});

test('users who think between iterations of several requests are counted by iteration', () => {
  const users = { ...CELL, level: 400, think_s: 0.9, script: { requests: 4 } };
  // 1600 requests/s are 400 iterations/s: 360 users think, and so many wait
  const waits = (in_flight_mean, cell = users) => {
    const { reasons } = verdictOf((t) => {
      Object.assign(t.summary, { requests: 1600 * t.summary.window.seconds, in_flight_mean });
    }, cell);
    return reasons.find(({ check }) => check === 'littles_law')?.text;
  };
  assert.equal(waits(40), undefined);
  assert.match(waits(120), /^120.00 users waited and 360.0 thought on average, not 400$/);
  assert.match(waits(40, { ...users, script: { requests: 1 } }), /1440.0 thought/);
});

test('of users who think more may wait in the end than in the beginning: that is no ramp', () => {
  const isRamp = (cell) =>
    verdictOf((t) => setSeconds(t, 'in_flight', (s) => s + 1), cell).reasons.some(({ check }) => check === 'ramp');
  assert.deepEqual([isRamp(CELL), isRamp({ ...CELL, think_s: 1 })], [true, false]);
});

test('iterations that end at a request that failed are not held against who made them', () => {
  const users = { ...CELL, level: 400, think_s: 0.9, script: { requests: 4 } };
  // 200 whole iterations a second, and 200 that end at their first request
  const ended = (failed, cell) =>
    verdictOf((t) => {
      const { seconds } = t.summary.window;
      Object.assign(t.summary, { requests: 1000 * seconds, in_flight_mean: 40 });
      t.summary.errors = { ...t.summary.errors, total: failed * seconds };
      t.summary.latency_us = { ...t.summary.latency_us, histogram: { counts: [[2000, 400 * seconds]] }, beyond: null };
    }, cell).reasons.map(({ check }) => check);
  for (const [cell, check] of [
    [users, 'littles_law'],
    [{ ...OPEN, script: { requests: 4 } }, 'asks'],
  ])
    assert.deepEqual([ended(200, cell).includes(check), ended(20, cell).includes(check)], [false, true], check);
});

test('a drift by more than the median is told by its ends', () => {
  const text = (change) =>
    verdictOf((t) => setSeconds(t, 'p50_us', change), OPEN).reasons.find(({ check }) => check === 'drift').text;
  assert.match(
    text((s) => 40_000 / 2 ** s),
    /^median latency fell from [\d.]+ to [\d.]+ ms during the trial$/,
  );
  assert.match(
    text((s) => 10_000 - 300 * s),
    /^median latency fell by \d+ % during the trial$/,
  );
});

test('a drift that is a step is told by the means before it and after: medians would not show it', () => {
  const burst = [
    ...[12844, 11740, 13212, 11252, 11820, 12068, 11828, 11732, 12212, 12108, 13412, 12004, 11660, 18536, 12132, 49104],
    ...[12092, 13164, 11772, 11716, 11892, 12132, 12212, 12092, 12180, 197312, 352896, 172096, 11732, 11780, 90592],
  ];
  const { reasons } = verdictOf((t) => {
    t.summary.timeline = burst.map((p50_us, t_s) => ({ ...t.summary.timeline[0], t_s, p50_us }));
  }, OPEN);
  const { text } = reasons.find(({ check }) => check === 'drift');
  const [, from, to] = /^median latency rose from ([\d.]+) to ([\d.]+) ms during the trial$/.exec(text);
  assert.ok(Number(to) > 5 * Number(from), text);
});

test('where the responder repeats answers to a script, a check that fails there is told as that', () => {
  const said = (cell) =>
    verdictOf((t) => (t.summary.errors = { total: 1, by_class: { check: 1 } }), cell).reasons.find(
      ({ check }) => check === 'wrong_answers',
    ).text;
  const script = { path: 'k6/shop.js', requests: 1 };
  assert.match(said({ ...CELL, target: 'null', script }), /: the responder repeats answers from before/);
  assert.doesNotMatch(said({ ...CELL, target: 'external', script }), /responder/);
  assert.doesNotMatch(said({ ...CELL, target: 'null' }), /responder/);
});

test('reconciliation allows for requests under way, and for what is declared', () => {
  const honest = (t) => {
    t.reconciliation = {
      statements: t.summary.requests_total + 12,
      sessions: 12,
      expects: { statements_per_request: [1, 1], sessions_per_request: [0, 0.001] },
    };
  };
  assert.equal(verdictOf(honest).verdict, 'valid');
  assert.equal(verdictOf(reconciled(0.05, [0, 0.1])).verdict, 'valid');
});

test('answers of different lengths: their mean may lie between them, and beyond is suspect; so is one beside few that are alike', () => {
  const sized = (bytes_per_answer, lengths) =>
    verdictOf(
      (t) =>
        Object.assign(t.summary, { bytes_per_answer, spot_checks: { asked: 10, unanswered: 0, wrong: [], lengths } }),
      WRK,
    )
      .reasons.filter(({ check }) => check === 'answer_size')
      .map(({ verdict }) => verdict);
  const ids = [153, 139, 160, 148, 157];
  assert.deepEqual([sized(155.5, ids), sized(170, ids)], [[], ['suspect']]);
  assert.deepEqual([sized(157, [153, 153]), sized(157, [153, 153, 153, 154])], [['suspect'], ['invalid']]);
});

test('slow targets: waves of answers are neither frozen nor missing seconds', () => {
  const slow = (t) => {
    t.summary.latency_us.p50 = 2e6;
    t.summary.throughput_rps = t.summary.successes / t.summary.window.seconds;
    setRequests(t, (s, requests) => (s % 3 === 0 ? requests : 0));
  };
  assert.ok(!verdictOf(slow).reasons.some(({ check }) => check === 'frozen'));
});

test('every limit has a value and a reason', () => {
  for (const [name, { value, why }] of Object.entries(LIMITS))
    assert.ok(typeof value === 'number' && why.length > 30, name);
});
