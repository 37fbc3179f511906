/** One trial as results.json shows it: scalars and its verdict, no histogram. */
import { bottleneck } from './bottleneck.js';
import { judge, judgeWithoutSummary } from './checks/index.js';
import { headroomOf } from './generator.js';
import { generatorsOf } from './generators.js';
import { quotablePercentiles } from './histogram.js';
import { trialId } from './identity.js';
import { enoughPerUser, samplesOf } from './latency.js';
import { rounded, sum } from './numbers.js';
import { reconcile } from './reconcile.js';

const PS = [0.5, 0.9, 0.95, 0.99];

/**
 * Percentiles of this trial alone: for dots, and for ratios within a block; null where its own samples do not suffice.
 */
function trialPercentiles(cell, latency) {
  const samples = samplesOf(latency);
  const counts = enoughPerUser(cell, samples) ? (latency?.histogram?.counts ?? []) : [];
  const [p50_us, p90_us, p95_us, p99_us] = quotablePercentiles(counts, PS, samples);
  return { p50_us, p90_us, p95_us, p99_us, beyond: latency?.beyond ?? null };
}

/** Documents per second, where a request stores many and the tool was told how many; null where a request is the unit of work. */
function workPerSecond({ throughput_rps, rows_acknowledged, successes_total }) {
  return rows_acknowledged === null || !successes_total
    ? null
    : rounded((throughput_rps * rows_acknowledged) / successes_total);
}

/** Processor time of all that serves a request, by the load generator, for each that succeeded, in microseconds; null where a part was not watched. */
function processorTime({ cell, resources, throughput_rps }) {
  const { generator: _, ...serving } = resources?.roles ?? {};
  const used = Object.values(serving).map((role) => role?.cpu_cores ?? null);
  const unseen = cell.database !== 'none' && !serving.postgres;
  return used.length === 0 || unseen || used.includes(null) || !(throughput_rps > 0)
    ? null
    : rounded((1e6 * sum(used)) / throughput_rps, 4);
}

/** What the database did in the background: see reconcile; an autovacuum also where it was seen at work, as it is counted when it ends. */
function maintenanceOf(reconciliation, resources) {
  const counted = reconciliation?.maintenance ?? null;
  const seen = resources?.autovacuum_workers_mean > 0;
  return counted !== null && seen && !counted.includes('autovacuum') ? [...counted, 'autovacuum'] : counted;
}

/**
 * @param {object} cell the plan's cell
 * @param {{status, summary, problem}} files see readTrial
 * @param {{low, high}|null} ceiling requests per second against the null responder, see Ceilings
 * @returns {object} a trial of results.json (scripts/declared/schema/results.json)
 */
export function describeTrial(cell, { status, summary, problem }, ceiling) {
  if (summary === null)
    return {
      id: trialId(cell),
      block: cell.block,
      ...judgeWithoutSummary({ cell, status }, problem),
      ...nothingMeasured(status),
      ...generatorsPart({ cell, status, summary }),
    };
  const reconciliation = reconcile(summary, cell.workload);
  const headroom = headroomOf(ceiling, summary.throughput_rps, reconciliation?.expects);
  return {
    id: trialId(cell),
    block: cell.block,
    ...judge({ cell, summary, status, headroom, reconciliation }),
    started_at: status?.started_at ?? null,
    wall_s: status?.wall_s ?? null,
    window_s: rounded(summary.window.seconds),
    throughput_rps: rounded(summary.throughput_rps),
    work_per_s: workPerSecond(summary),
    requests: summary.requests,
    successes: summary.successes,
    errors: summary.errors.total,
    ...trialPercentiles(cell, summary.latency_us),
    in_flight_mean: rounded(summary.in_flight_mean ?? null, 4),
    headroom,
    cpu_us_per_request: processorTime({ ...summary, cell }),
    statements_per_request: reconciliation?.statements_per_request ?? null,
    sessions_per_request: reconciliation?.sessions_per_request ?? null,
    maintenance: maintenanceOf(reconciliation, summary.resources),
    bottleneck: bottleneck({ cell, resources: summary.resources, headroom })?.is ?? null,
    ...generatorsPart({ cell, status, summary }),
    ...(summary.resources?.machines && { machine_count: summary.resources.machines.length }),
  };
}

/** What each of several generators made; nothing of one alone. */
function generatorsPart(trial) {
  const generators = generatorsOf(trial);
  return generators && { generators };
}

function nothingMeasured(status) {
  const empty = {
    window_s: null,
    throughput_rps: null,
    work_per_s: null,
    requests: null,
    successes: null,
    errors: null,
    p50_us: null,
    p90_us: null,
    p95_us: null,
  };
  const rest = {
    p99_us: null,
    beyond: null,
    in_flight_mean: null,
    headroom: null,
    cpu_us_per_request: null,
    statements_per_request: null,
    sessions_per_request: null,
    maintenance: null,
    bottleneck: null,
  };
  return { started_at: status?.started_at ?? null, wall_s: status?.wall_s ?? null, ...empty, ...rest };
}
