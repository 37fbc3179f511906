/** One cell: its trials merged. Add them one by one, so that only its own histograms are in memory. */
import { bottleneck, settled } from './bottleneck.js';
import { headroomOf } from './generator.js';
import { isCalibration } from './identity.js';
import { enoughPerUser, Latency } from './latency.js';
import { median, rounded, spread } from './numbers.js';
import { countedMachines } from './placement.js';
import { figuresOf, statementsOf } from './printed.js';
import { reconcile } from './reconcile.js';

const LATENCIES = ['latency_us', 'latency_from_send_us', 'connect_us'];
const DATABASE_MEDIANS = [
  'statements_per_request',
  'sessions_per_request',
  'wal_bytes',
  'buffer_hit_ratio',
  'blocks_read_per_request',
  'wal_bytes_per_request',
  'buffers_checkpoint',
  'buffers_clean',
  'buffers_backend',
  'size_bytes',
];

/** Objects of resources in which a key that is absent stands for 0: sessions by what they wait for. */
const COUNTS = new Set(['waits']);

/** The median of each number in objects of the same shape: resources over trials. `absent` stands for keys that some lack. */
export function medianOfShape(values, absent = null) {
  const present = values.filter((value) => value !== null && value !== undefined);
  if (present.length === 0) return null;
  if (typeof present[0] !== 'object') {
    const numbers = present.filter((value) => typeof value === 'number');
    return numbers.length === 0 ? null : rounded(median(numbers), 5);
  }
  const keys = [...new Set(present.flatMap((value) => Object.keys(value)))];
  return Object.fromEntries(
    keys.map((key) => [
      key,
      medianOfShape(
        present.map((value) => value[key] ?? absent),
        COUNTS.has(key) ? 0 : null,
      ),
    ]),
  );
}

/** Resources without what each of several generators used, which stands with its trial. */
function overTrials(resources) {
  if (resources === null) return null;
  const rest = countedMachines(resources);
  const { each: _each, ...generator } = rest.roles?.generator ?? {};
  return { ...rest, ...(_each && { roles: { ...rest.roles, generator } }) };
}

/** Resources over trials: medians, and the most machines that there were. */
function resourcesOver(trials) {
  const counts = trials.map((resources) => resources?.machine_count).filter(Boolean);
  return counts.length === 0 ? medianOfShape(trials) : { ...medianOfShape(trials), machine_count: Math.max(...counts) };
}

/** Sums of shares, as an adapter rounds them. */
const thousandths = (amount) => Math.round(amount * 1000) / 1000;

export class Cell {
  #plan;
  #blocks;
  #trials = [];
  #latencies = Object.fromEntries(LATENCIES.map((key) => [key, new Latency()]));
  #operations = new Map();
  #resources = [];
  #database = [];
  #statements = [];
  #printed = [];
  #errors = {};

  /** @param {object[]} planned the plan's cell, once for each block */
  constructor(planned) {
    this.#plan = planned[0];
    this.#blocks = planned.map(({ block }) => block);
  }

  /** @param trial see describeTrial; invalid trials are counted, but add nothing else @param summary null when unusable */
  add(trial, summary) {
    this.#trials.push(trial);
    if (trial.verdict === 'invalid' || summary === null) return;
    for (const key of LATENCIES) if (summary[key]) this.#latencies[key].add(summary[key]);
    for (const [name, latency] of Object.entries(summary.operations ?? {})) {
      if (!this.#operations.has(name)) this.#operations.set(name, new Latency());
      this.#operations.get(name).add(latency);
    }
    for (const [name, count] of Object.entries(summary.errors.by_class))
      this.#errors[name] = (this.#errors[name] ?? 0) + count;
    this.#resources.push(overTrials(summary.resources ?? null));
    if (summary.printed?.statements) this.#statements.push(summary.printed);
    if (summary.printed?.figures) this.#printed.push(summary.printed.figures);
    this.#database.push(reconcile(summary, this.#plan.workload));
  }

  /** @returns {object} a cell of results.json @param {{low, high}|null} ceiling_rps see Ceilings */
  result(ceiling_rps) {
    const used = this.#trials.filter((trial) => trial.verdict !== 'invalid');
    const rates = used.map((trial) => trial.throughput_rps);
    const throughput = rates.includes(null) ? null : spread(rates); // wrk and ab give none below a limit: the others would be a choice
    const database_counts = this.#databaseResult();
    const headroom = headroomOf(ceiling_rps, throughput?.median, database_counts?.expects);
    const resources = resourcesOver(this.#resources);
    const quotable = enoughPerUser(this.#plan, this.#latencies.latency_us.samples, used.length);
    return {
      ...this.#identity(),
      verdicts: countVerdicts(this.#trials),
      blocks: this.#blocks,
      trials_planned: this.#blocks.length,
      trials_used: used.length,
      throughput_rps: throughput,
      ...Object.fromEntries(
        LATENCIES.map((key) => [key, this.#latencies[key].result(quotable || key === 'connect_us')]),
      ),
      p95_us_of_trials: spread(used.map((trial) => trial.p95_us).filter((value) => value !== null)),
      operations: this.#operationResults(quotable),
      statements: statementsOf(this.#statements),
      printed: figuresOf(this.#printed),
      errors: this.#errorResult(used),
      ceiling_rps,
      headroom,
      resources,
      bottleneck: settled(
        bottleneck({ cell: this.#plan, resources, headroom }),
        used.map((trial) => trial.bottleneck),
      ),
      database_counts,
      trials: this.#trials,
    };
  }

  #identity() {
    const { id, database, scale, target, variant, workload, tool, model, level, share } = this.#plan;
    const { duration_s, requests, generators, warmup_s, by_hand, settings = {} } = this.#plan;
    const what = {
      id,
      calibration: isCalibration(this.#plan),
      database,
      scale: scale ?? null,
      target,
      variant,
      workload,
      tool,
      model,
      level,
      share: share ?? null,
    };
    const more = { ...(requests && { requests }), ...(generators && { generators }) };
    return { ...what, duration_s, ...more, warmup_s, by_hand: by_hand ?? null, settings };
  }

  #operationResults(quotable) {
    if (this.#operations.size === 0) return null;
    return Object.fromEntries([...this.#operations].map(([name, latency]) => [name, latency.result(quotable)]));
  }

  #errorResult(used) {
    const requests = used.reduce((all, trial) => all + trial.requests, 0);
    const total = used.reduce((all, trial) => all + trial.errors, 0);
    const by_class = Object.fromEntries(
      Object.entries(this.#errors).map(([name, count]) => [name, thousandths(count)]),
    );
    const share = requests === 0 ? null : rounded(total / requests, 4);
    return { requests: thousandths(requests), total: thousandths(total), share, by_class };
  }

  #databaseResult() {
    const counted = this.#database.filter((counts) => counts !== null);
    if (counted.length === 0) return null;
    const over = (key) => counted.map((counts) => counts[key]).filter((value) => value !== null);
    const medians = Object.fromEntries(DATABASE_MEDIANS.map((key) => [key, rounded(median(over(key)))]));
    return { ...medians, expects: counted[0].expects };
  }
}

/** @returns {{valid: number, suspect: number, invalid: number}} */
export function countVerdicts(trials) {
  const counts = { valid: 0, suspect: 0, invalid: 0 };
  for (const { verdict } of trials) counts[verdict] += 1;
  return counts;
}
