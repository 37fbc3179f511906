// Usage: node tests/bench/checks.js [TRIALS]
// What the checks can see: faults of growing size are put into otherwise honest trials, whose seconds vary by 3 % (and resemble their
// neighbours: lag-1 autocorrelation 0.3); prints the smallest size that a check finds in 9 of 10 trials, and how often it speaks up in honest ones.
import { judge } from '../../scripts/analyse/checks/index.js';
import { honestTrial, normals } from '../node/lib/synthetic.js';

const TRIALS = Number(process.argv[2] ?? 400);
const NOISE = 0.03;
const CELL = {
  tool: 'k6',
  model: 'closed',
  workload: 'echo',
  level: 8,
  duration_s: 10,
  warmup_s: 1,
  warmup_argv: null,
  argv: ['k6'],
  block: 1,
};
const RPS = 2000;

const sum = (values) => values.reduce((a, b) => a + b, 0);

/** A trial whose second t has `shape(t)` times the usual throughput. */
function trial(normal, shape, cell = CELL) {
  let noise = 0;
  const summary = honestTrial(cell, RPS, { normal });
  const timeline = summary.timeline.map((second) => {
    noise = 0.3 * noise + NOISE * Math.sqrt(1 - 0.3 ** 2) * normal();
    const requests = Math.max(0, Math.round(RPS * shape(second.t_s) * (1 + noise)));
    return { ...second, requests, answers: requests };
  });
  const requests = sum(timeline.map((second) => second.requests));
  const mean = (1e6 * cell.level * cell.duration_s) / requests;
  const counts = {
    requests,
    successes: requests,
    throughput_rps: requests / cell.duration_s,
    requests_total: requests,
    successes_total: requests,
  };
  return { ...summary, ...counts, timeline, latency_us: { ...summary.latency_us, mean } };
}

const resources = (cpu_cores) => ({ cores: 2, roles: { generator: { cpu_cores, cores_allowed: 2 } } });
const steady = () => 1;

/** Two cores of which generator, target, database and sampler use three quarters, and others this share. */
const busy = (share) => {
  const roles = {
    generator: { cpu_cores: 0.4, cores_allowed: 2 },
    target: { cpu_cores: 0.7 },
    postgres: { cpu_cores: 0.35 },
  };
  return {
    cores: 2,
    roles,
    sampler_cpu_cores: 0.05,
    host: { cpu_busy_share: 0.75 + share, cpu_steal_share: 0, cpu_throttled_share: 0 },
  };
};

/** By check: the fault, its unit, the sizes tried in turn, and how a trial with a fault of a size is made. */
const FAULTS = [
  [
    'drift',
    'step in throughput after a random second, %',
    [10, 20, 25, 30, 35, 40, 50],
    (size, normal, random) => {
      const at = 2 + Math.floor(random() * 7);
      return { summary: trial(normal, (t) => (t < at ? 1 : 1 - size / 100)) };
    },
  ],
  [
    'drift',
    'answers of 20 ms that get slower, ms each second',
    [0.5, 1, 2, 3, 4],
    (size, normal) => ({ summary: trial(normal, (t) => 20 / (20 + size * t)) }),
  ],
  [
    'drift',
    'answers of 60 ms that get slower, ms each second',
    [1, 2, 3, 4, 6],
    (size, normal) => ({ summary: trial(normal, (t) => 60 / (60 + size * t)) }),
  ],
  [
    'frozen',
    'part of one second without answers, %',
    [25, 50, 75, 85, 90, 100],
    (size, normal) => ({ summary: trial(normal, (t) => (t === 4 ? 1 - size / 100 : 1)) }),
  ],
  [
    'ramp',
    'users that begin during the trial, % of the level',
    [2, 5, 10, 20, 40],
    (size, normal) => {
      const summary = trial(normal, steady);
      const timeline = summary.timeline.map((second) => ({
        ...second,
        in_flight: CELL.level * (1 - (size / 100) * (1 - second.t_s / 9)),
      }));
      return { summary: { ...summary, timeline } };
    },
  ],
  [
    'littles_law',
    'users that never ask, % of the level',
    [1, 2, 5, 10, 20],
    (size, normal) => ({ summary: { ...trial(normal, steady), in_flight_mean: CELL.level * (1 - size / 100) } }),
  ],
  [
    'latency_law',
    'latency that is left out, %',
    [2, 5, 10, 12, 15, 20],
    (size, normal) => {
      const summary = trial(normal, steady);
      return {
        summary: {
          ...summary,
          latency_us: { ...summary.latency_us, mean: summary.latency_us.mean * (1 - size / 100) },
        },
      };
    },
  ],
  [
    'generator_cpu',
    'processor time of the generator, % of what it may use',
    [50, 70, 80, 85, 86, 90, 95],
    (size, normal) => ({ summary: { ...trial(normal, steady), resources: resources((2 * size) / 100) } }),
  ],
  [
    'headroom',
    'throughput of the generator alone, % of the row',
    [400, 300, 220, 199, 150],
    (size, normal) => ({ summary: trial(normal, steady), headroom: size / 100 }),
  ],
  [
    'wrong_answers',
    'wrong answers, % (300 bodies checked)',
    [0.1, 0.2, 0.5, 0.8, 1, 2],
    (size, normal, random) => {
      const wrong = Array.from({ length: 300 }, random).filter((value) => value < size / 100).length;
      const summary = trial(normal, steady);
      return {
        summary: {
          ...summary,
          checked: 300,
          successes: summary.requests - wrong,
          errors: { total: wrong, by_class: wrong ? { check: wrong } : {} },
        },
      };
    },
  ],
  [
    'wrong_answers',
    'wrong answers for wrk alone, % (5 looked at beside it)',
    [1, 10, 20, 37, 50, 100],
    (size, normal, random) => {
      const wrong = Array.from({ length: 5 }, random).filter((value) => value < size / 100);
      const summary = { ...trial(normal, steady), checked: null };
      const spot_checks = {
        asked: 5,
        unanswered: 0,
        wrong: wrong.map(() => ({ path: '/', status: 200, body: '?' })),
        lengths: null,
      };
      return { summary: { ...summary, spot_checks } };
    },
  ],
  [
    'answer_size',
    'length of an answer for wrk, % off',
    [0.2, 0.5, 1, 1.1, 2, 5],
    (size, normal) => {
      const spot_checks = { asked: 5, unanswered: 0, wrong: [], lengths: Array(5).fill(200) };
      const summary = { ...trial(normal, steady), bytes_per_answer: 200 * (1 + size / 100), spot_checks };
      return { cell: { ...CELL, tool: 'wrk' }, summary };
    },
  ],
  [
    'paused',
    'a time without any answer, ms (p90 of 5 ms)',
    [50, 100, 150, 200, 300, 700],
    (size, normal) => ({ summary: { ...trial(normal, steady), longest_pause_ms: size } }),
  ],
  [
    'processor_taken',
    'processor time taken by a hypervisor, %',
    [0.5, 1, 2, 2.1, 3, 10],
    (size, normal) => {
      const taken = { ...resources(1), host: { cpu_steal_share: size / 100, cpu_throttled_share: 0 } };
      return { summary: { ...trial(normal, steady), resources: taken } };
    },
  ],
  [
    'other_programs',
    'processor time that other programs use, %',
    [2, 5, 9, 10, 11, 15, 25],
    (size, normal) => ({ summary: { ...trial(normal, steady), resources: busy(size / 100) } }),
  ],
  [
    'statements',
    'answers that the database was not asked for, %',
    [0.2, 0.5, 1, 1.2, 2, 5],
    (size, normal) => {
      const summary = trial(normal, steady);
      const statements = Math.round(summary.requests_total * (1 - size / 100));
      return { summary, reconciliation: { statements, expects: { statements_per_request: [1, 1] } } };
    },
  ],
  [
    'other_statements',
    'answers that another statement was asked for, %',
    [0.2, 0.5, 1, 1.2, 2, 5],
    (size, normal) => {
      const summary = trial(normal, steady);
      const calls = Math.round((summary.requests_total * size) / 100);
      return { summary, reconciliation: { unverified_statements: { calls, query: 'select $1' } } };
    },
  ],
  [
    'rows',
    'rows that were acknowledged and not stored, %',
    [0.2, 0.5, 1, 1.2, 2, 5],
    (size, normal) => {
      const summary = { ...trial(normal, steady), rows_acknowledged: 35 * RPS * CELL.duration_s };
      return { summary, reconciliation: { rows: summary.rows_acknowledged * (1 - size / 100) } };
    },
  ],
];

/** Share of trials in which the check speaks up. */
function shareFound(check, make, size) {
  const normal = normals(7);
  let seed = 11;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let hits = 0;
  for (let i = 0; i < TRIALS; i += 1) {
    const { cell = CELL, summary, headroom = 9, reconciliation = null } = make(size, normal, random);
    const { reasons } = judge({ cell, summary, status: summary.status, headroom, reconciliation });
    if (reasons.some((reason) => reason.check === check)) hits += 1;
  }
  return hits / TRIALS;
}

console.log(`| check | fault | found in 9 of 10 trials from | shares found |\n| :-- | :-- | --: | :-- |`);
for (const [check, fault, sizes, make] of FAULTS) {
  const shares = sizes.map((size) => shareFound(check, make, size));
  const from = sizes.find((_, i) => shares.slice(i).every((share) => share >= 0.9));
  if (from === undefined) throw new Error(`${check} finds no size of: ${fault}`);
  console.log(
    `| ${check} | ${fault} | ${from} | ${sizes.map((size, i) => `${size}: ${Math.round(100 * shares[i])} %`).join(', ')} |`,
  );
}
const honest = [...new Set(FAULTS.map(([check]) => check))];
const honestMake = (_, normal) => {
  const summary = { ...trial(normal, steady), resources: busy(0.01) };
  const expects = { statements_per_request: [1, 1] };
  return {
    summary,
    reconciliation: { statements: summary.requests_total + CELL.level, unverified_statements: { calls: 2 }, expects },
  };
};
console.log(
  `\nFalse alarms in ${TRIALS} honest trials: ${honest.map((check) => `${check} ${(100 * shareFound(check, honestMake, 0)).toFixed(2)} %`).join(', ')}`,
);
