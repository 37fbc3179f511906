import { judge } from '../../../scripts/analyse/checks/index.js';
import { honestTrial } from './synthetic.js';

export const CELL = {
  id: 'tpch.pooled.base.echo.k6.closed-0010',
  block: 1,
  database: 'tpch',
  target: 'pooled',
  variant: 'base',
  workload: 'echo',
  tool: 'k6',
  model: 'closed',
  level: 10,
  duration_s: 10,
  warmup_s: 2,
  argv: ['bin/k6', 'run'],
  warmup_argv: null,
};

const RESOURCES = {
  cores: 2,
  roles: { generator: { cpu_cores: 0.6, cores_allowed: 2 } },
  host: { cpu_steal_share: 0, cpu_throttled_share: 0 },
  waits: {},
};

/** Judges an honest trial after `change` has had its way with it. */
export function verdictOf(change = () => {}, cell = CELL) {
  const summary = structuredClone({
    ...honestTrial(cell, cell.model === 'open' ? cell.level : 400),
    resources: RESOURCES,
  });
  const trial = { cell: structuredClone(cell), summary, status: summary.status, headroom: 8, reconciliation: null };
  change(trial);
  return judge(trial);
}

export const OPEN = { ...CELL, model: 'open', level: 400 };

export const WRK = { ...CELL, tool: 'wrk', argv: ['wrk', '-t1', '-c10'], warmup_argv: ['wrk'] };

export const AB = { ...CELL, tool: 'ab', argv: ['ab', '-k', '-c', '10'], warmup_argv: ['ab'] };

export const BY_NUMBER = { ...AB, requests: 4000 };

/** What ab says of connections: how many answers there were, and how many of them it got over one that was kept. */
export const kept = (complete_requests, keep_alive_requests) => (trial) =>
  Object.assign(trial.summary, { printed: { complete_requests, keep_alive_requests } });

export const CLOSE = { ...WRK, argv: [...WRK.argv, '-H', 'Connection: close'] };

/** Two generators share the users. */
export const SHARED = { ...CELL, generators: 2, argvs: [CELL.argv, CELL.argv] };

const CLOCK = { before: { offset_ms: 0.1, error_ms: 0.2 }, after: { offset_ms: -0.1, error_ms: 0.2 } };

export const shared = (change) => (trial) => {
  const half = (number) => ({ number, requests: trial.summary.requests / 2, began_after_ms: 3, complete: true });
  trial.summary.generators = [half(1), half(2)];
  const ran = (number) => ({ number, exit_code: 0, began_after_ms: null, clock: structuredClone(CLOCK) });
  trial.status.generators = [ran(1), ran(2)];
  const each = [0.3, 0.3].map((cpu_cores) => ({
    programs: ['timeout', 'k6'],
    cpu_cores,
    cores_allowed: 1,
    stopped_share: 0,
  }));
  trial.summary.resources.roles.generator.each = each;
  change({ made: trial.summary.generators[1], ran: trial.status.generators[1], used: each[1] });
};

export const setSeconds = (trial, key, figure) => {
  for (const second of trial.summary.timeline) second[key] = figure(second.t_s, second[key]);
};

export const setRequests = (trial, requestsOf) => {
  for (const key of ['requests', 'answers']) setSeconds(trial, key, (s, n) => Math.round(requestsOf(s, n)));
};

export const reconciled = (statements, expected) => (trial) => {
  trial.reconciliation = {
    statements: Math.round(statements * trial.summary.requests_total),
    expects: { statements_per_request: expected },
  };
};

export const unanswered = (count, more_than_us, longest_us) => (trial) =>
  (trial.summary.latency_us.beyond = { count, more_than_us, longest_us });

const LATENCY = {
  min: 500,
  mean: 2500,
  p50: 1500,
  p90: 5000,
  p95: 12_000,
  p99: 40_000,
  p99_9: 60_000,
  max: 70_000,
};

/** wrk at so many requests a second, of which throughput times latency knows a share of the connections. */
export const atRate = (rate, share) => (trial) => {
  const { cell, summary } = trial;
  Object.assign(summary, { requests: rate * summary.window.seconds, successes: rate * summary.window.seconds });
  summary.throughput_rps = rate;
  const { kind, count, beyond, histogram, ...figures } = summary.latency_us;
  const factor = (1e6 * share * cell.level) / rate / figures.mean;
  for (const key of Object.keys(figures)) summary.latency_us[key] *= factor;
};

/** Of so many requests that were sent late: the figures of lag. */
export const lag = (figures) => (trial) =>
  Object.assign(trial.summary, {
    dispatch_lag_us: { ...trial.summary.dispatch_lag_us, ...figures },
    latency_us: { ...trial.summary.latency_us, ...LATENCY },
  });

/** Each arrival asks five times, of which so many are answered in the window. */
export const fiveEach = (inTime) => (trial) => {
  for (const key of ['requests', 'successes', 'throughput_rps']) trial.summary[key] *= 5;
  setSeconds(trial, 'answers', (_s, n) => inTime * n);
};

/** Sixteen cores, of which the roles and the sampler use six, and others so many. */
export const onManyCores = (others) => ({
  cores: 16,
  roles: {
    generator: { cpu_cores: 3, cores_allowed: 7 },
    target: { cpu_cores: 0.95, cores_allowed: 4 },
    postgres: { cpu_cores: 2, cores_allowed: 5 },
  },
  host: {
    cpu_busy_share: (6 + others) / 16,
    cpu_steal_share: 0.004,
    cpu_steal_core_share: 0.03,
    cpu_throttled_share: 0,
  },
  sampler_cpu_cores: 0.05,
  waits: {},
});

/** A lie, the check that must see it, the verdict, and the cell that it needs. */
export const LIES = {
  'one of two generators was killed': [
    'generators_ended',
    'invalid',
    shared(({ ran }) => (ran.exit_code = 137)),
    SHARED,
  ],
  'one of two generators left half a file': [
    'generators_ended',
    'invalid',
    shared(({ made }) => (made.complete = false)),
    SHARED,
  ],
  'one of two began 150 ms late': [
    'generators_began',
    'suspect',
    shared(({ made }) => (made.began_after_ms = 150)),
    SHARED,
  ],
  'one of two began 3 s late': [
    'generators_began',
    'invalid',
    shared(({ made }) => (made.began_after_ms = 3000)),
    SHARED,
  ],
  'one of two began too early': [
    'generators_began',
    'suspect',
    shared(({ made }) => (made.began_after_ms = -150)),
    SHARED,
  ],
  'a clock 25 ms ahead': [
    'generators_clocks',
    'suspect',
    shared(({ ran }) => (ran.clock.after.offset_ms = 25)),
    SHARED,
  ],
  'a clock 250 ms behind': [
    'generators_clocks',
    'invalid',
    shared(({ ran }) => (ran.clock.before.offset_ms = -250)),
    SHARED,
  ],
  'one of two made 80 % of its share': [
    'generators_shared',
    'suspect',
    shared(({ made }) => (made.requests *= 0.66)),
    SHARED,
  ],
  'one of two used all of its core': [
    'generators_cpu',
    'suspect',
    shared(({ used }) => (used.cpu_cores = 0.95)),
    SHARED,
  ],
  'tool failed': ['exit_status', 'invalid', (t) => (t.status.exit_code = 107)],
  'tool ran into its time limit': ['exit_status', 'invalid', (t) => (t.status.timed_out = true)],
  'target died': ['processes', 'invalid', (t) => (t.status.processes.target.alive_after = false)],
  'a worker of the target died': ['processes', 'invalid', (t) => (t.status.processes.target.children_lost = 1)],
  'database restarted': [
    'processes',
    'invalid',
    (t) => (t.status.processes.postgres.postmaster_started_after = '2026-01-05T10:00:07.000Z'),
  ],
  'database died': ['processes', 'invalid', (t) => (t.status.processes.postgres.postmaster_started_after = null)],
  'warm-up failed': ['warm_up', 'invalid', (t) => (t.status.warmup.exit_code = 1), WRK],
  'warm-up left out': ['warm_up', 'invalid', (t) => (t.status.warmup = null), WRK],
  'lead-in failed': ['warm_up', 'invalid', (t) => Object.assign(t.summary.lead_in, { requests: 800, errors: 500 })],
  'raw file cut': ['complete', 'invalid', (t) => (t.summary.complete = false)],
  'raw file with bad lines': [
    'complete',
    'invalid',
    (t) => Object.assign(t.summary, { complete: false, bad_lines: 2 }),
  ],
  'requests in no line': [
    'complete',
    'invalid',
    (t) => Object.assign(t.summary, { complete: false, missing_requests: 40 }),
  ],
  'correction that cannot be undone': [
    'restored',
    'invalid',
    (t) => (t.summary.correction = { interval_us: 347, added_samples: 5, fault: 'some counts come out negative' }),
    WRK,
  ],
  'requests that do not add up': ['counts_agree', 'invalid', (t) => (t.summary.requests += 5)],
  'throughput that does not follow': ['counts_agree', 'invalid', (t) => (t.summary.throughput_rps *= 1.1)],
  'percentiles out of order': [
    'percentiles_ordered',
    'invalid',
    (t) => (t.summary.latency_us.p95 = t.summary.latency_us.p99 * 2),
  ],
  'mean above the maximum': [
    'percentiles_ordered',
    'invalid',
    (t) => (t.summary.latency_us.mean = t.summary.latency_us.max * 2),
  ],
  errors: ['errors', 'invalid', (t) => (t.summary.errors = { total: 40, by_class: { status_4xx: 40 } })],
  'wrong answers': ['wrong_answers', 'invalid', (t) => (t.summary.errors = { total: 1, by_class: { check: 1 } })],
  'an answer that wrk gets, and verification did not': [
    'wrong_answers',
    'invalid',
    (t) =>
      (t.summary.spot_checks = {
        asked: 5,
        unanswered: 0,
        wrong: [{ path: '/echo/x', status: 302, body: '' }],
        lengths: null,
      }),
    WRK,
  ],
  'a trial that nobody watched': [
    'watched',
    'suspect',
    (t) => {
      t.status.sampled = true;
      t.summary.resources = null;
    },
  ],
  'a short trial in which the generator had ended before it was looked at': [
    'watched',
    'suspect',
    (t) => {
      t.status.sampled = true;
      t.cell.duration_s = 1;
      t.summary.resources = { ...RESOURCES, roles: { generator: { cpu_cores: null } } };
    },
  ],
  'a generator that somebody stops now and then': [
    'stopped',
    'suspect',
    (t) => (t.summary.resources.roles.generator.stopped_share = 0.1),
  ],
  'a target that leaves all but wrk unanswered': [
    'wrong_answers',
    'suspect',
    (t) => (t.summary.spot_checks = { asked: 5, unanswered: 5, wrong: [], lengths: [] }),
    WRK,
  ],
  'answers that are shorter for wrk': [
    'answer_size',
    'invalid',
    (t) =>
      Object.assign(t.summary, {
        bytes_per_answer: 190,
        spot_checks: { asked: 5, unanswered: 0, wrong: [], lengths: [200, 200, 200, 200] },
      }),
    WRK,
  ],
  'connections lost, and requests sent again': ['connections', 'invalid', (t) => (t.summary.connections.repeated = 20)],
  'connections that are not kept': ['connections', 'suspect', (t) => (t.summary.connections.opened = 30)],
  'connections that are not kept, at a rate': [
    'connections',
    'suspect',
    (t) => (t.summary.connections.opened = t.summary.requests_total),
    OPEN,
  ],
  'connections that were not kept for ab': ['connections', 'suspect', kept(4000, 3990), AB],
  'answers that are longer for ab': [
    'answer_size',
    'invalid',
    (t) =>
      Object.assign(t.summary, {
        bytes_per_answer: 220,
        spot_checks: { asked: 10, unanswered: 0, wrong: [], lengths: [200, 200, 200, 200, 200] },
      }),
    AB,
  ],
  'fewer requests than were to be made': ['complete', 'invalid', (t) => (t.summary.requests_total = 3999), BY_NUMBER],
  'files of ab that are not of one trial': [
    'complete',
    'invalid',
    (t) => Object.assign(t.summary, { complete: false, printed: { disagreement: 'not all percentiles are there' } }),
    AB,
  ],
  'requests that took longer than they were to': [
    'window',
    'invalid',
    (t) => (t.summary.window.seconds = 12),
    BY_NUMBER,
  ],
  'connections that are never answered, which ab does not count': [
    'latency_law',
    'invalid',
    (t) => (t.summary.latency_us.mean /= 3),
    AB,
  ],
  'ab at the limit of its one thread': [
    'generator_cpu',
    'suspect',
    (t) => (t.summary.resources.roles.generator.cpu_cores = 0.95),
    AB,
  ],
  'connections that wrk could not open again': [
    'connections',
    'suspect',
    (t) => (t.summary.errors = { total: 3, by_class: { transport: 3 } }),
    WRK,
  ],
  'a user without an answer': ['users', 'invalid', (t) => (t.summary.users.answered = 9)],
  'a user whose first answer came too late': ['users', 'invalid', (t) => (t.summary.users.answered_by_s = 12.5)],
  'hardly an answer': ['samples', 'invalid', (t) => (t.summary.successes = 7)],
  'few answers': ['samples', 'suspect', (t) => (t.summary.successes = 25)],
  'less than two answers each': ['samples', 'suspect', (t) => (t.cell.level = 3000)],
  'trial too short': ['duration', 'suspect', (t) => (t.summary.window.seconds = 0.4)],
  'half of the users': ['littles_law', 'invalid', (t) => (t.summary.in_flight_mean = 5)],
  'more users than there are': ['littles_law', 'invalid', (t) => (t.summary.in_flight_mean = 11)],
  'a generator that is slow between requests': [
    'littles_law',
    'suspect',
    (t) => Object.assign(t.summary, { in_flight_mean: 9, requests: 80_000 }),
  ],
  'a sixth of each latency left out': ['latency_law', 'suspect', (t) => (t.summary.latency_us.mean *= 5 / 6)],
  'latencies longer than the users had time for': [
    'latency_law',
    'suspect',
    (t) => (t.summary.latency_us.mean *= 1.15),
    WRK,
  ],
  'latencies of twice as many users as there were': [
    'latency_law',
    'invalid',
    (t) => (t.summary.latency_us.mean *= 2),
    WRK,
  ],
  'a sixth of each latency left out, and two requests that are never answered': [
    'latency_law',
    'suspect',
    (t) => {
      t.summary.latency_us.mean *= 5 / 6;
      unanswered(2, 60e6, 60e6)(t);
    },
  ],
  'half of the time left out by pgbench, which connects for each transaction': [
    'latency_law',
    'suspect',
    (t) => (t.summary.latency_us.mean /= 2),
    { ...CELL, tool: 'pgbench', argv: ['pgbench', '-C'] },
  ],
  'half of the connections of wrk, at 44,000 requests a second': ['latency_law', 'invalid', atRate(44_000, 0.5), WRK],
  'a tenth of the connections of wrk, at 10,000 requests a second': [
    'latency_law',
    'suspect',
    atRate(10_000, 0.89),
    WRK,
  ],
  'three in four connections of wrk, which connects for each request': [
    'latency_law',
    'invalid',
    atRate(400, 0.25),
    CLOSE,
  ],
  ramp: ['ramp', 'invalid', (t) => setSeconds(t, 'in_flight', (s) => s + 1)],
  'a generator that grows slow': [
    'ramp',
    'suspect',
    (t) => {
      setSeconds(t, 'in_flight', (s) => 10 - s * 0.2);
      setSeconds(t, 'requests', () => 20_000);
    },
  ],
  'arrivals dropped': ['dropped', 'suspect', (t) => (t.summary.dropped_iterations = 60), OPEN],
  'most arrivals dropped': ['dropped', 'invalid', (t) => (t.summary.dropped_iterations = 3000), OPEN],
  'an answer that outlasts the trial': ['settled', 'suspect', (t) => (t.summary.latency_us.max = 20e6), OPEN],
  'no answer, for longer than the trial': ['settled', 'suspect', unanswered(2, 60e6), OPEN],
  'a failure after 200 us, and no answer for longer than the trial': ['settled', 'suspect', unanswered(3, 200, 60e6)],
  'a request of the lead-in that outlasts the trial': [
    'settled',
    'suspect',
    (t) => (t.summary.lead_in.longest_us = 20e6),
  ],
  'sent late': ['dispatch_lag', 'suspect', lag({ mean: 3000 }), OPEN],
  'sent late, one in twelve': ['dispatch_lag', 'suspect', lag({ mean: 800, p95: 9500 }), OPEN],
  'a rate that is not the one on the label': ['offered', 'suspect', (t) => (t.cell.level = 200), OPEN],
  'target that falls behind the rate': [
    'offered',
    'suspect',
    (t) => setSeconds(t, 'answers', (_s, n) => 0.9 * n),
    OPEN,
  ],
  'iterations of a script that ask more often than they did': [
    'asks',
    'invalid',
    (t) => Object.assign(t.cell, { script: { requests: 0.8 } }),
    OPEN,
  ],
  'target that answers one of five requests of an arrival in time': ['offered', 'suspect', fiveEach(1), OPEN],
  'ended early': ['wall_clock', 'invalid', (t) => (t.status.wall_s = 6)],
  'a ramp that ended when its users should have left': ['wall_clock', 'invalid', (t) => (t.cell.profile = 'ramp')],
  hung: ['wall_clock', 'invalid', (t) => (t.status.wall_s = 99)],
  'users that take most of the time for their first answer': [
    'window',
    'suspect',
    (t) => {
      t.summary.lead_in.seconds = 9;
      t.summary.window.seconds = 3;
    },
  ],
  'window of another length': ['window', 'invalid', (t) => (t.summary.window.seconds = 12)],
  'clock set forward in the window': ['window', 'invalid', (t) => (t.summary.window.end = '2026-01-05T11:00:00.000Z')],
  'clock set back': [
    'clock_jump',
    'invalid',
    (t) => Object.assign(t.summary.window, { start: '2026-01-05T09:00:00.000Z', end: '2026-01-05T09:00:10.000Z' }),
  ],
  'clock set forward while requests are under way': [
    'clock_jump',
    'invalid',
    (t) => {
      t.status.monotonic_s = t.status.wall_s;
      t.status.wall_s += 0.9;
    },
  ],
  'seconds of another hour': [
    'clock_jump',
    'invalid',
    (t) => Object.assign(t.summary, { complete: false, impossible_seconds: 7 }),
  ],
  'seconds out of order': ['timeline', 'invalid', (t) => t.summary.timeline.reverse()],
  'seconds missing': ['timeline', 'invalid', (t) => t.summary.timeline.splice(3, 4)],
  'slower each second': ['drift', 'suspect', (t) => setRequests(t, (s, requests) => requests * (1 - 0.05 * s))],
  'two of five seconds slower': [
    'drift',
    'suspect',
    (t) => setRequests(t, (s) => [1000, 950, 960, 600, 500][s % 5]),
    { ...CELL, duration_s: 5 },
  ],
  'latency rising at a fixed rate': ['drift', 'suspect', (t) => setSeconds(t, 'p50_us', (s) => 1000 * (s + 5)), OPEN],
  'frozen for a second': ['frozen', 'suspect', (t) => setRequests(t, (s, requests) => (s === 4 ? 10 : requests))],
  'frozen for two': ['frozen', 'invalid', (t) => setRequests(t, (s, requests) => (s === 4 || s === 5 ? 0 : requests))],
  'no answer for two seconds of a single user, which may be a slow one': [
    'frozen',
    'suspect',
    (t) => setRequests(t, (s, requests) => (s === 4 || s === 5 ? 0 : requests)),
    { ...CELL, level: 1 },
  ],
  'no answer from the fifth second on': [
    'frozen',
    'invalid',
    (t) => setRequests(t, (s, requests) => (s < 4 ? requests : 0)),
  ],
  'no answer for 2 s, of which p90 knows nothing': ['paused', 'suspect', (t) => (t.summary.longest_pause_ms = 2000)],
  'a hypervisor that serves others first': [
    'processor_taken',
    'suspect',
    (t) => (t.summary.resources.host = { cpu_steal_share: 0.05, cpu_throttled_share: 0 }),
  ],
  'a hypervisor that takes a third of one core of sixteen': [
    'processor_taken',
    'suspect',
    (t) => (t.summary.resources.host = { cpu_steal_share: 0.019, cpu_steal_core_share: 0.3, cpu_throttled_share: 0 }),
  ],
  'a container whose quota is used up': [
    'processor_taken',
    'suspect',
    (t) => (t.summary.resources.host = { cpu_steal_share: 0, cpu_throttled_share: 0.3 }),
  ],
  'another program beside the trial': [
    'other_programs',
    'suspect',
    (t) => {
      t.summary.resources.host.cpu_busy_share = 1;
      t.summary.resources.sampler_cpu_cores = 0;
      t.summary.resources.roles = {
        generator: { cpu_cores: 0.4 },
        target: { cpu_cores: 0.5 },
        postgres: { cpu_cores: 0.3 },
      };
    },
  ],
  'another program that uses one and a half cores of sixteen': [
    'other_programs',
    'suspect',
    (t) => (t.summary.resources = onManyCores(1.5)),
  ],
  'connections that are never answered, which wrk does not count': [
    'latency_law',
    'invalid',
    (t) => (t.summary.latency_us.mean /= 3),
    WRK,
  ],
  'generator at its limit': ['generator_cpu', 'suspect', (t) => (t.summary.resources.roles.generator.cpu_cores = 1.9)],
  'wrk at the limit of its one thread': [
    'generator_cpu',
    'suspect',
    (t) => (t.summary.resources.roles.generator.cpu_cores = 0.95),
    WRK,
  ],
  'row that measures the generator': ['headroom', 'suspect', (t) => (t.headroom = 1.3)],
  'answers from a cache': ['statements', 'invalid', reconciled(0.01, [1, 1])],
  'a fifth of the answers from a cache, at 1,000 arrivals a second': [
    'statements',
    'invalid',
    (t) => {
      reconciled(0.8, [1, 1])(t);
      setSeconds(t, 'in_flight', () => 20);
    },
    { ...OPEN, level: 1000, duration_s: 5 },
  ],
  'twice the statements': ['statements', 'invalid', reconciled(2, [1, 1])],
  'other statements than were verified': [
    'other_statements',
    'invalid',
    (t) => (t.reconciliation = { unverified_statements: { calls: t.summary.requests_total, query: 'select $1' } }),
  ],
  'answers from memory, no more of them than users, beside few requests': [
    'other_statements',
    'invalid',
    (t) => {
      t.summary.requests_total = 150;
      t.reconciliation = { unverified_statements: { calls: 60, query: 'select $1' } };
    },
    { ...CELL, level: 64 },
  ],
  'batches of which half is stored': [
    'rows',
    'invalid',
    (t) => {
      t.summary.rows_acknowledged = 35 * t.summary.requests_total;
      t.reconciliation = { rows: 17.5 * t.summary.requests_total };
    },
  ],
  'session per request': [
    'sessions',
    'invalid',
    (t) => (t.reconciliation = { sessions: t.summary.requests_total, expects: { sessions_per_request: [0, 0.01] } }),
  ],
};
