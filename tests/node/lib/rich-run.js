/** Synthetic runs for the report: with resources, seconds, and trials of every verdict. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { seeded } from '../../../k6/lib/random.js';
import { writeSyntheticRun } from './synthetic.js';

const MIB = 2 ** 20;

/** Throughput of the usual suspects: a connection per request, a pool, a materialised view, Cube. */
const TARGETS = {
  raw: (n) => 85 * (n / (n + 0.4)),
  pooled: (n) => 900 * (n / (n + 6)),
  rollup: (n) => 3200 * (n / (n + 5)),
  cube: (n) => (1500 * n) / (1 + 0.25 * n + 0.0004 * n * n),
};

function resourcesOf({ target }, busy) {
  const shares = { raw: [0.08, 0.2, 1.5], pooled: [0.3, 0.7, 0.9], rollup: [0.5, 0.98, 0.2], cube: [0.4, 0.3, 0.1] }[
    target
  ];
  if (!shares) return null;
  const role = (cores, mib) => ({ cpu_cores: cores * busy, cores_allowed: 2, rss_max_bytes: mib * MIB });
  return {
    cores: 2,
    seconds: 5,
    roles: {
      generator: role(shares[0], 60),
      target: { ...role(shares[1], 90), elu: Math.min(1, shares[1] * busy) },
      postgres: role(shares[2], 400),
      ...(target === 'cube' ? { cube: role(0.9, 210) } : {}),
    },
    host: { cpu_busy_share: Math.min(1, 0.8 + 0.2 * busy) },
    waits: { 'active:CPU': 0.6 * busy, 'active:IO:WALSync': 0.3, 'idle:Client:ClientRead': 4 },
    database_active_mean: 1,
  };
}

/**
 * A run that looks like a real one: every seventh trial or so is suspect, one of a hundred invalid.
 * @param {string} folder @param {object} truth see writeSyntheticRun; what it leaves out is chosen here
 */
export function writeRichRun(folder, truth = {}) {
  const random = seeded(7);
  const mutate = (summary) => {
    const { cell, status, timeline } = summary;
    const chance = random();
    for (const second of timeline ?? []) {
      second.p50_us = Math.round(summary.latency_us.p50 * (0.95 + 0.1 * random()));
      second.p95_us = Math.round(summary.latency_us.p95 * (0.9 + 0.2 * random()));
    }
    const rich = { ...summary, resources: resourcesOf(cell, 0.8 + 0.2 * random()) };
    if (chance < 0.01) return { ...rich, status: { ...status, exit_code: 1 } };
    if (chance < 0.14 && cell.in_flight !== null)
      return { ...rich, dropped_iterations: 0, in_flight_mean: cell.level * 0.93 };
    return rich;
  };
  return writeSyntheticRun(folder, {
    targets: TARGETS,
    levels: [1, 10, 50, 100],
    tools: ['k6', 'wrk'],
    workloads: ['analytics', 'echo'],
    ceiling_rps: 7000,
    mutate,
    ...truth,
  });
}

/** 2,000 trials: five targets at ten levels by two tools, in ten blocks. */
export const LARGE = {
  targets: Object.fromEntries(
    ['raw', 'pooled', 'rollup', 'cube', 'other'].map((name, i) => [name, (n) => (100 * (i + 1) * n) / (n + 4)]),
  ),
  levels: [1, 2, 5, 10, 20, 50, 100, 150, 200, 400],
  blocks: 10,
  duration_s: 10,
};

/** Runs a script of scripts/stages on a run, which must succeed. */
export function stage(name, folder) {
  const script = join(import.meta.dirname, `../../../scripts/stages/${name}.sh`);
  const { status, stderr } = spawnSync(script, [folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
}
