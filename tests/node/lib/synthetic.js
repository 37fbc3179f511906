/** Writes run folders whose truth is known: throughput, ratios and noise are chosen here, and analyse must find them again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../../k6/lib/random.js';
import { percentiles } from '../../../scripts/analyse/histogram.js';

const PS = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p99_9: 0.999 };
const START = Date.parse('2026-01-05T10:00:00.000Z');

/** Standard normal numbers from a seeded stream (Box and Muller 1958). */
export function normals(seed) {
  const random = seeded(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Three significant digits, as the tools' histograms keep. */
const quantised = (value) => Number(value.toPrecision(3));

/** A lognormal latency histogram of `count` samples around a mean, spread over at most `bins` values. */
function lognormalHistogram(mean_us, count, { sigma = 0.4, bins = 60 } = {}) {
  const merged = new Map();
  const used = Math.min(bins, count);
  for (let i = 0; i < used; i += 1) {
    const share = (i + 0.5) / used;
    const z = Math.log(share / (1 - share)) / 1.702; // the logistic's quantile lies within 1 % of the normal's
    const value = quantised(mean_us * Math.exp(sigma * z - sigma ** 2 / 2));
    const samples = Math.floor(((i + 1) * count) / used) - Math.floor((i * count) / used);
    merged.set(value, (merged.get(value) ?? 0) + samples);
  }
  return [...merged].sort((a, b) => a[0] - b[0]);
}

function latencyOf(counts, kind) {
  const total = counts.reduce((all, [, count]) => all + count, 0);
  const values = percentiles(counts, Object.values(PS), total);
  const mean = total === 0 ? null : counts.reduce((all, [value, count]) => all + value * count, 0) / total;
  return {
    kind,
    count: total,
    beyond: null,
    mean,
    min: counts[0]?.[0] ?? null,
    max: counts.at(-1)?.[0] ?? null,
    ...Object.fromEntries(Object.keys(PS).map((key, i) => [key, values[i]])),
    histogram: { unit: 'us', digits: 3, counts },
  };
}

/** What k6 and pgbench tell, and k6 alone. */
const ofUsers = ({ level, tool }, requests, lead_s) => ({
  lead_in: { seconds: lead_s, requests: 0, errors: 0 },
  users: { count: level, answered: level, answered_by_s: lead_s / 2 },
  connections: tool === 'k6' ? { opened: level, repeated: 0, keep_alive: true } : null,
  checked: tool === 'k6' ? Math.min(requests, 1000) : null,
});

/** An honest trial's summary and status. @param {number} rps true throughput of this trial */
export function honestTrial(cell, rps, { normal = normals(1), bins, at = START } = {}) {
  const seconds = cell.duration_s;
  const lead_s = cell.warmup_argv === null ? cell.warmup_s : 0; // the load runs before it is measured
  const watched = !['wrk', 'ab'].includes(cell.tool); // every second
  const timeline = Array.from({ length: seconds }, (_, t_s) => {
    const requests = Math.max(0, Math.round(rps * (1 + 0.02 * normal())));
    const in_flight = watched ? cell.level : null;
    const p50_us = cell.model === 'open' ? Math.round((cell.level / rps) * 1e6) : null;
    return { t_s, requests, errors: 0, answers: requests, p50_us, p95_us: null, in_flight };
  });
  const requests = timeline.reduce((all, second) => all + second.requests, 0);
  const kind =
    { wrk: 'wrk-corrected', ab: 'ab' }[cell.tool] ?? (cell.model === 'open' ? 'open-from-schedule' : 'closed');
  const counts = lognormalHistogram((cell.level / rps) * 1e6, requests, { bins });
  const iso = (offset) => new Date(at + offset * 1000).toISOString();
  const status = {
    started_at: iso(0),
    ended_at: iso(lead_s + seconds + 0.3),
    wall_s: lead_s + seconds + 0.3,
    exit_code: 0,
    timed_out: false,
    warmup: lead_s === 0 ? { exit_code: 0, wall_s: cell.warmup_s } : null,
    processes: {
      target: { pid: 7, alive_before: true, alive_after: true },
      postgres: { postmaster_started_before: iso(-60), postmaster_started_after: iso(-60) },
    },
  };
  return {
    schema: 'summary/2',
    run: 'synthetic',
    plan_hash: 'a'.repeat(64),
    git_commit: 'b'.repeat(40),
    environment_hash: 'c'.repeat(64),
    cell,
    complete: true,
    window: { start: iso(0.1 + lead_s), end: iso(0.1 + lead_s + seconds), seconds },
    ...(watched ? ofUsers(cell, requests, lead_s) : { lead_in: null, users: null, connections: null, checked: null }),
    requests,
    successes: requests,
    errors: { total: 0, by_class: {} },
    requests_total: requests,
    successes_total: requests,
    throughput_rps: requests / seconds,
    latency_us: latencyOf(counts, kind),
    latency_from_send_us: cell.model === 'open' ? latencyOf(counts, 'open') : null,
    dispatch_lag_us: cell.model === 'open' ? latencyOf(lognormalHistogram(150, requests), 'open') : null,
    connect_us: null,
    bytes_per_answer: null,
    rows_acknowledged: null,
    spot_checks: null,
    operations: null,
    in_flight_mean: watched && cell.model === 'closed' ? cell.level * 0.998 : null,
    longest_pause_ms: cell.tool === 'k6' ? 0 : null,
    dropped_iterations: cell.tool === 'k6' ? 0 : null,
    timeline: watched ? timeline : null,
    resources: null,
    database: null,
    status,
  };
}

const ENVIRONMENT = {
  machine: {
    cpu: 'Synthetic CPU',
    cores: 2,
    memory_bytes: 8 * 2 ** 30,
    kernel: 'Linux 6.1',
    architecture: 'x86_64',
    os: 'Debian 12',
    container: null,
  },
  versions: { k6: 'k6 v1.8.1', node: 'v20.0.0' },
  databases: { tpch: { version: '17.5', settings: { shared_buffers: '1GB' } } },
  git: { commit: 'b'.repeat(40), dirty: false },
  stack: 'local',
  scale: 1,
  layout: 'shared',
};

const USUAL = {
  blocks: 3,
  seed: 1,
  duration_s: 5,
  warmup_s: 1,
  workloads: ['analytics'],
  tools: ['k6'],
  databases: ['tpch'],
  variants: ['base'],
  models: ['closed'],
  blockSd: 0.05,
  trialSd: 0.02,
  environment: ENVIRONMENT,
  experiment: {},
  questions: [],
};

/**
 * Writes a run.
 * @param {string} folder made when missing
 * @param {object} truth with what differs from USUAL
 * @param {Record<string, (level: number, variant: object, database: string) => number>} truth.targets true throughput in requests per second
 * @param {number[]} truth.levels
 * @param {number} [truth.ceiling_rps] calibrated ceiling of every load; none when absent
 * @param {number} [truth.blockSd] noise that all targets of a block share (log scale) @param {number} [truth.trialSd] and that they do not
 * @param {(string|{name, env})[]} [truth.variants] @param {object} [truth.experiment] what experiment.json has beyond the usual
 * @param {object[]} [truth.questions] of plan.json
 * @param {(summary: object) => object|null} [truth.mutate] what a trial left instead; null: no summary.json
 * @returns {string} the folder
 */
export function writeSyntheticRun(folder, truth) {
  const run = { ...USUAL, ...truth };
  const { seed, blocks, duration_s, warmup_s, questions, experiment } = run;
  const groups = groupsOf(run);
  writeTrials(folder, run, groups);
  const write = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
  write('plan.json', { experiment: 'synthetic', seed, blocks, groups, questions, estimate_s: 1 });
  const why = 'A run whose truth is known.';
  write('experiment.json', { name: 'synthetic', why, blocks, seed, duration_s, warmup_s, cells: [], ...experiment });
  write('environment.json', run.environment);
  return folder;
}

/** Of plan.json: that of calibration where a ceiling is given, then block by block. */
function groupsOf(run) {
  const { targets, levels, blocks, workloads, tools, databases, variants, models, ceiling_rps } = run;
  const loads = workloads.flatMap((workload) =>
    tools.flatMap((tool) => models.flatMap((model) => levels.map((level) => ({ workload, tool, model, level })))),
  );
  const group = (block, database, target, given) => {
    const variant = { env: {}, args: [], ...(typeof given === 'string' ? { name: given } : given) };
    const place = { block, database, target, variant };
    return { ...place, cells: loads.map((load) => plannedCell(run, place, load)) };
  };
  const ofBlock = (_, i) =>
    databases.flatMap((database) =>
      Object.keys(targets).flatMap((target) => variants.map((variant) => group(i + 1, database, target, variant))),
    );
  const calibration = ceiling_rps ? [group(0, 'none', 'null', 'base')] : [];
  return [...calibration, ...Array.from({ length: blocks }, ofBlock).flat()];
}

function plannedCell({ environment, duration_s, warmup_s }, { block, database, target, variant }, load) {
  const level = String(load.level).padStart(4, '0');
  const scale = database === 'none' ? null : (environment?.scale ?? null);
  const at = scale === null ? '' : `@${scale}`;
  return {
    id: `${database}${at}.${target}.${variant.name}.${load.workload}.${load.tool}.${load.model}-${level}`,
    block,
    database,
    scale,
    target,
    variant: variant.name,
    ...load,
    duration_s,
    warmup_s,
    by_hand:
      load.tool === 'k6'
        ? `k6 run -e vus=${load.level} -e duration=${duration_s}s k6/${load.workload}.js`
        : `wrk -c${load.level} -d${duration_s}s`,
    argv: [load.tool],
    warmup_argv: ['wrk', 'ab'].includes(load.tool) ? [load.tool] : null,
  };
}

/** What each trial of the groups left, in their order, with the run's noise. */
function writeTrials(folder, run, groups) {
  const { targets, blocks, seed, duration_s, warmup_s, blockSd, trialSd, ceiling_rps, bins } = run;
  const { mutate = (summary) => summary } = run;
  const normal = normals(seed);
  const shared = Array.from({ length: blocks + 1 }, () => Math.exp(blockSd * normal()));
  let at = START;
  for (const { block, database, target, variant, cells } of groups) {
    for (const cell of cells) {
      const noisy = () => targets[target](cell.level, variant, database) * shared[block] * Math.exp(trialSd * normal());
      const rps = block === 0 ? ceiling_rps : noisy();
      const path = join(folder, 'cells', String(block).padStart(2, '0'), cell.id);
      at += (duration_s + warmup_s + 2) * 1000;
      const summary = mutate(honestTrial(cell, rps, { normal, bins, at }));
      mkdirSync(path, { recursive: true });
      if (summary === null) continue;
      writeFileSync(join(path, 'status.json'), JSON.stringify(summary.status));
      writeFileSync(join(path, 'summary.json'), JSON.stringify(summary));
    }
  }
}
