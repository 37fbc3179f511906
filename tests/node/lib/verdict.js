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
