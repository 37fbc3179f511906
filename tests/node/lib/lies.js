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
  unanswered,
  WRK,
} from './verdict.js';

const summary = (figures) => (t) => Object.assign(t.summary, figures);
const host = (figures) => (t) => (t.summary.resources.host = figures);
const generator = (figures) => (t) => Object.assign(t.summary.resources.roles.generator, figures);

/** Spot checks of five requests beside the load, all answered right, but for what is said; and other figures. */
const spotted = (checks, figures) =>
  summary({ spot_checks: { asked: 5, unanswered: 0, wrong: [], ...checks }, ...figures });

const invalid = (change, cell) => ['invalid', change, cell];
const suspect = (change, cell) => ['suspect', change, cell];
const ofTwo = (verdict, change) => verdict(shared(change), SHARED);

/** Of each check, the lies that it must see: [the verdict, what is changed in an honest trial, the cell that it needs]. */
export const LIES = {
  exit_status: {
    'tool failed': invalid((t) => (t.status.exit_code = 107)),
    'tool ran into its time limit': invalid((t) => (t.status.timed_out = true)),
  },
  processes: {
    'target died': invalid((t) => (t.status.processes.target.alive_after = false)),
    'a worker of the target died': invalid((t) => (t.status.processes.target.children_lost = 1)),
    'database restarted': invalid(
      (t) => (t.status.processes.postgres.postmaster_started_after = '2026-01-05T10:00:07.000Z'),
    ),
    'database died': invalid((t) => (t.status.processes.postgres.postmaster_started_after = null)),
  },
  warm_up: {
    'warm-up failed': invalid((t) => (t.status.warmup.exit_code = 1), WRK),
    'warm-up left out': invalid((t) => (t.status.warmup = null), WRK),
    'lead-in failed': invalid((t) => Object.assign(t.summary.lead_in, { requests: 800, errors: 500 })),
  },
  complete: {
    'raw file cut': invalid((t) => (t.summary.complete = false)),
    'raw file with bad lines': invalid(summary({ complete: false, bad_lines: 2 })),
    'requests in no line': invalid(summary({ complete: false, missing_requests: 40 })),
    'fewer requests than were to be made': invalid((t) => (t.summary.requests_total = 3999), BY_NUMBER),
    'files of ab that are not of one trial': invalid(
      summary({ complete: false, printed: { disagreement: 'not all percentiles are there' } }),
      AB,
    ),
  },
  counts_agree: {
    'requests that do not add up': invalid((t) => (t.summary.requests += 5)),
    'throughput that does not follow': invalid((t) => (t.summary.throughput_rps *= 1.1)),
  },
  percentiles_ordered: {
    'percentiles out of order': invalid((t) => (t.summary.latency_us.p95 = t.summary.latency_us.p99 * 2)),
    'mean above the maximum': invalid((t) => (t.summary.latency_us.mean = t.summary.latency_us.max * 2)),
  },
  restored: {
    'correction that cannot be undone': invalid(
      summary({ correction: { interval_us: 347, added_samples: 5, fault: 'some counts come out negative' } }),
      WRK,
    ),
  },
  samples: {
    'hardly an answer': invalid((t) => (t.summary.successes = 7)),
    'few answers': suspect((t) => (t.summary.successes = 25)),
    'less than two answers each': suspect((t) => (t.cell.level = 3000)),
  },
  duration: {
    'trial too short': suspect((t) => (t.summary.window.seconds = 0.4)),
  },
  errors: {
    errors: invalid(summary({ errors: { total: 40, by_class: { status_4xx: 40 } } })),
  },
  wrong_answers: {
    'wrong answers': invalid(summary({ errors: { total: 1, by_class: { check: 1 } } })),
    'an answer that wrk gets, and verification did not': invalid(
      spotted({ wrong: [{ path: '/echo/x', status: 302, body: '' }], lengths: null }),
      WRK,
    ),
    'a target that leaves all but wrk unanswered': suspect(spotted({ unanswered: 5, lengths: [] }), WRK),
  },
  answer_size: {
    'answers that are shorter for wrk': invalid(
      spotted({ lengths: [200, 200, 200, 200] }, { bytes_per_answer: 190 }),
      WRK,
    ),
    'answers that are longer for ab': invalid(
      spotted({ asked: 10, lengths: [200, 200, 200, 200, 200] }, { bytes_per_answer: 220 }),
      AB,
    ),
  },
  connections: {
    'connections lost, and requests sent again': invalid((t) => (t.summary.connections.repeated = 20)),
    'connections that are not kept': suspect((t) => (t.summary.connections.opened = 30)),
    'connections that are not kept, at a rate': suspect(
      (t) => (t.summary.connections.opened = t.summary.requests_total),
      OPEN,
    ),
    'connections that were not kept for ab': suspect(kept(4000, 3990), AB),
    'connections that wrk could not open again': suspect(
      summary({ errors: { total: 3, by_class: { transport: 3 } } }),
      WRK,
    ),
  },
  users: {
    'a user without an answer': invalid((t) => (t.summary.users.answered = 9)),
    'a user whose first answer came too late': invalid((t) => (t.summary.users.answered_by_s = 12.5)),
  },
  littles_law: {
    'half of the users': invalid((t) => (t.summary.in_flight_mean = 5)),
    'more users than there are': invalid((t) => (t.summary.in_flight_mean = 11)),
    'a generator that is slow between requests': suspect(summary({ in_flight_mean: 9, requests: 80_000 })),
  },
  latency_law: {
    'connections that are never answered, which ab does not count': invalid(
      (t) => (t.summary.latency_us.mean /= 3),
      AB,
    ),
    'a sixth of each latency left out': suspect((t) => (t.summary.latency_us.mean *= 5 / 6)),
    'latencies longer than the users had time for': suspect((t) => (t.summary.latency_us.mean *= 1.15), WRK),
    'latencies of twice as many users as there were': invalid((t) => (t.summary.latency_us.mean *= 2), WRK),
    'a sixth of each latency left out, and two requests that are never answered': suspect((t) => {
      t.summary.latency_us.mean *= 5 / 6;
      unanswered(2, 60e6, 60e6)(t);
    }),
    'half of the time left out by pgbench, which connects for each transaction': suspect(
      (t) => (t.summary.latency_us.mean /= 2),
      { ...CELL, tool: 'pgbench', argv: ['pgbench', '-C'] },
    ),
    'half of the connections of wrk, at 44,000 requests a second': invalid(atRate(44_000, 0.5), WRK),
    'a tenth of the connections of wrk, at 10,000 requests a second': suspect(atRate(10_000, 0.89), WRK),
    'three in four connections of wrk, which connects for each request': invalid(atRate(400, 0.25), CLOSE),
    'connections that are never answered, which wrk does not count': invalid(
      (t) => (t.summary.latency_us.mean /= 3),
      WRK,
    ),
  },
  ramp: {
    ramp: invalid((t) => setSeconds(t, 'in_flight', (s) => s + 1)),
    'a generator that grows slow': suspect((t) => {
      setSeconds(t, 'in_flight', (s) => 10 - s * 0.2);
      setSeconds(t, 'requests', () => 20_000);
    }),
  },
  dropped: {
    'arrivals dropped': suspect((t) => (t.summary.dropped_iterations = 60), OPEN),
    'most arrivals dropped': invalid((t) => (t.summary.dropped_iterations = 3000), OPEN),
  },
  dispatch_lag: {
    'sent late': suspect(lag({ mean: 3000 }), OPEN),
    'sent late, one in twelve': suspect(lag({ mean: 800, p95: 9500 }), OPEN),
  },
  offered: {
    'a rate that is not the one on the label': suspect((t) => (t.cell.level = 200), OPEN),
    'target that falls behind the rate': suspect((t) => setSeconds(t, 'answers', (_s, n) => 0.9 * n), OPEN),
    'target that answers one of five requests of an arrival in time': suspect(fiveEach(1), OPEN),
  },
  asks: {
    'iterations of a script that ask more often than they did': invalid(
      (t) => Object.assign(t.cell, { script: { requests: 0.8 } }),
      OPEN,
    ),
  },
  settled: {
    'an answer that outlasts the trial': suspect((t) => (t.summary.latency_us.max = 20e6), OPEN),
    'no answer, for longer than the trial': suspect(unanswered(2, 60e6), OPEN),
    'a failure after 200 us, and no answer for longer than the trial': suspect(unanswered(3, 200, 60e6)),
    'a request of the lead-in that outlasts the trial': suspect((t) => (t.summary.lead_in.longest_us = 20e6)),
  },
  wall_clock: {
    'ended early': invalid((t) => (t.status.wall_s = 6)),
    'a ramp that ended when its users should have left': invalid((t) => (t.cell.profile = 'ramp')),
    hung: invalid((t) => (t.status.wall_s = 99)),
  },
  window: {
    'requests that took longer than they were to': invalid((t) => (t.summary.window.seconds = 12), BY_NUMBER),
    'users that take most of the time for their first answer': suspect((t) => {
      t.summary.lead_in.seconds = 9;
      t.summary.window.seconds = 3;
    }),
    'window of another length': invalid((t) => (t.summary.window.seconds = 12)),
    'clock set forward in the window': invalid((t) => (t.summary.window.end = '2026-01-05T11:00:00.000Z')),
  },
  clock_jump: {
    'clock set back': invalid((t) =>
      Object.assign(t.summary.window, { start: '2026-01-05T09:00:00.000Z', end: '2026-01-05T09:00:10.000Z' }),
    ),
    'clock set forward while requests are under way': invalid((t) => {
      t.status.monotonic_s = t.status.wall_s;
      t.status.wall_s += 0.9;
    }),
    'seconds of another hour': invalid(summary({ complete: false, impossible_seconds: 7 })),
  },
  timeline: {
    'seconds out of order': invalid((t) => t.summary.timeline.reverse()),
    'seconds missing': invalid((t) => t.summary.timeline.splice(3, 4)),
  },
  drift: {
    'slower each second': suspect((t) => setRequests(t, (s, requests) => requests * (1 - 0.05 * s))),
    'two of five seconds slower': suspect((t) => setRequests(t, (s) => [1000, 950, 960, 600, 500][s % 5]), {
      ...CELL,
      duration_s: 5,
    }),
    'latency rising at a fixed rate': suspect((t) => setSeconds(t, 'p50_us', (s) => 1000 * (s + 5)), OPEN),
  },
  frozen: {
    'frozen for a second': suspect((t) => setRequests(t, (s, requests) => (s === 4 ? 10 : requests))),
    'frozen for two': invalid((t) => setRequests(t, (s, requests) => (s === 4 || s === 5 ? 0 : requests))),
    'no answer for two seconds of a single user, which may be a slow one': suspect(
      (t) => setRequests(t, (s, requests) => (s === 4 || s === 5 ? 0 : requests)),
      { ...CELL, level: 1 },
    ),
    'no answer from the fifth second on': invalid((t) => setRequests(t, (s, requests) => (s < 4 ? requests : 0))),
  },
  paused: {
    'no answer for 2 s, of which p90 knows nothing': suspect((t) => (t.summary.longest_pause_ms = 2000)),
  },
  generator_cpu: {
    'ab at the limit of its one thread': suspect(generator({ cpu_cores: 0.95 }), AB),
    'generator at its limit': suspect(generator({ cpu_cores: 1.9 })),
    'wrk at the limit of its one thread': suspect(generator({ cpu_cores: 0.95 }), WRK),
  },
  headroom: {
    'row that measures the generator': suspect((t) => (t.headroom = 1.3)),
  },
  generators_ended: {
    'one of two generators was killed': ofTwo(invalid, ({ ran }) => (ran.exit_code = 137)),
    'one of two generators left half a file': ofTwo(invalid, ({ made }) => (made.complete = false)),
  },
  generators_began: {
    'one of two began 150 ms late': ofTwo(suspect, ({ made }) => (made.began_after_ms = 150)),
    'one of two began 3 s late': ofTwo(invalid, ({ made }) => (made.began_after_ms = 3000)),
    'one of two began too early': ofTwo(suspect, ({ made }) => (made.began_after_ms = -150)),
  },
  generators_clocks: {
    'a clock 25 ms ahead': ofTwo(suspect, ({ ran }) => (ran.clock.after.offset_ms = 25)),
    'a clock 250 ms behind': ofTwo(invalid, ({ ran }) => (ran.clock.before.offset_ms = -250)),
  },
  generators_shared: {
    'one of two made 80 % of its share': ofTwo(suspect, ({ made }) => (made.requests *= 0.66)),
  },
  generators_cpu: {
    'one of two used all of its core': ofTwo(suspect, ({ used }) => (used.cpu_cores = 0.95)),
  },
  watched: {
    'a trial that nobody watched': suspect((t) => {
      t.status.sampled = true;
      t.summary.resources = null;
    }),
    'a short trial in which the generator had ended before it was looked at': suspect((t) => {
      t.status.sampled = true;
      t.cell.duration_s = 1;
      t.summary.resources.roles.generator = { cpu_cores: null };
    }),
  },
  stopped: {
    'a generator that somebody stops now and then': suspect(generator({ stopped_share: 0.1 })),
  },
  processor_taken: {
    'a hypervisor that serves others first': suspect(host({ cpu_steal_share: 0.05, cpu_throttled_share: 0 })),
    'a hypervisor that takes a third of one core of sixteen': suspect(
      host({ cpu_steal_share: 0.019, cpu_steal_core_share: 0.3, cpu_throttled_share: 0 }),
    ),
    'a container whose quota is used up': suspect(host({ cpu_steal_share: 0, cpu_throttled_share: 0.3 })),
  },
  other_programs: {
    'another program beside the trial': suspect((t) => {
      t.summary.resources.host.cpu_busy_share = 1;
      t.summary.resources.sampler_cpu_cores = 0;
      t.summary.resources.roles = {
        generator: { cpu_cores: 0.4 },
        target: { cpu_cores: 0.5 },
        postgres: { cpu_cores: 0.3 },
      };
    }),
    'another program that uses one and a half cores of sixteen': suspect(
      (t) => (t.summary.resources = onManyCores(1.5)),
    ),
  },
  statements: {
    'answers from a cache': invalid(reconciled(0.01, [1, 1])),
    'a fifth of the answers from a cache, at 1,000 arrivals a second': invalid(
      (t) => {
        reconciled(0.8, [1, 1])(t);
        setSeconds(t, 'in_flight', () => 20);
      },
      { ...OPEN, level: 1000, duration_s: 5 },
    ),
    'twice the statements': invalid(reconciled(2, [1, 1])),
  },
  sessions: {
    'session per request': invalid(
      (t) => (t.reconciliation = { sessions: t.summary.requests_total, expects: { sessions_per_request: [0, 0.01] } }),
    ),
  },
  rows: {
    'batches of which half is stored': invalid((t) => {
      t.summary.rows_acknowledged = 35 * t.summary.requests_total;
      t.reconciliation = { rows: 17.5 * t.summary.requests_total };
    }),
  },
  other_statements: {
    'other statements than were verified': invalid(
      (t) => (t.reconciliation = { unverified_statements: { calls: t.summary.requests_total, query: 'select $1' } }),
    ),
    'answers from memory, no more of them than users, beside few requests': invalid(
      (t) => {
        t.summary.requests_total = 150;
        t.reconciliation = { unverified_statements: { calls: 60, query: 'select $1' } };
      },
      { ...CELL, level: 64 },
    ),
  },
};
