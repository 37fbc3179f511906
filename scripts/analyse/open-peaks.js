/**
 * The peaks that open cells are shares of: the highest rate at which short probes are sent and answered as planned. Closed throughput is no
 * such rate: its users never wait for a free one among them, and stop asking while the target is slow.
 *
 * Usage: node scripts/analyse/open-peaks.js RUN
 * Prints {peaks, folder, probes: [{variant, cell}], told}: what is known by now, see openPeaks, and what to probe next, as plan.json names open cells.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { busiestOf, isCopy, originalOf } from './figures.js';
import { placeKey, placeOf } from './identity.js';
import { limitOf } from './limits.js';
import { DISTURBING, GENERATOR_MARKS } from './marks.js';
import { groupBy, sum } from './numbers.js';
import { analyse } from './results.js';
import { fail, openRun } from './run-folder.js';

/** How long a probe is, after the lead-in of the cells that the peak is for. */
const PROBE_S = 3;
/** A peak is known when the lowest rate that failed is at most this many times the highest that held. */
const GAP = 1 + limitOf('peak_share');
/** Below this share of the closed throughput the search gives up. */
const LEAST = 1 / 32;
/**
 * A rate has failed when so many probes of it did, as a single one may fail by chance and would bound the peak for good. Failures that say nothing
 * of the target do not count, unless they always come. One probe that held leads the search on to higher rates; the peak itself has held in
 * so many, as the highest of many rates that held once is likely to be one that was lucky.
 */
const FAILURES = 2;
const HELD = 3;
const TRIES = 4;
/** Marks of requests that were sent late or not at all. Where few are under way, the target is not what they waited for. */
const LATE = new Set(['dispatch_lag', 'dropped']);
/** Marks of a probe that say nothing against its rate; of a slow target, 3 s hold fewer answers than a trial needs. */
const HARMLESS = new Set([
  ...GENERATOR_MARKS,
  ...['samples', 'duration', 'processor_taken', 'other_programs', 'paused', 'connections'],
]);

/** A second copy of a target is searched on its own, but its search begins at what the first served. */
const closedKeyOf = (cell) => placeKey({ ...cell, variant: originalOf(cell.variant) });

/**
 * The search: half of the closed throughput first; doubled until it fails or halved until it does not; then halfway, as ratios go; what it ends at is
 * probed again.
 * @param {number} closed_rps the best level's median @param {{rate: number, tries: number, failures: number, held: number}[]} probed the rates
 *   so far: how often each was probed, in how many of these it failed undisturbed, and in how many it held
 * @returns {{rate: number|null, failed: number}|{next: number}} requests per second, whole; rate: the peak; null: not at any rate; failed: the lowest
 *   that did
 */
export function search(closed_rps, probed) {
  if (probed.length === 0) return { next: Math.max(1, Math.round(closed_rps / 2)) };
  const hasFailed = ({ failures, tries, held }) => failures >= FAILURES || tries - held >= TRIES;
  const doubtful = probed.find((probe) => probe.held === 0 && !hasFailed(probe));
  if (doubtful) return { next: doubtful.rate };
  const failed = Math.min(...probed.filter(hasFailed).map(({ rate }) => rate));
  const best = probed
    .filter((probe) => !hasFailed(probe) && probe.rate < failed)
    .reduce((a, b) => (b.rate > a.rate ? b : a), { rate: 0 });
  const { rate } = best;
  if (rate === 0)
    return failed / 2 < Math.max(1, closed_rps * LEAST) ? { rate: null, failed } : { next: Math.floor(failed / 2) };
  if (failed === Infinity) return { next: 2 * rate };
  const between = Math.round(Math.sqrt(rate * failed));
  if (failed > GAP * rate && between !== rate && between !== failed) return { next: between };
  return best.held < HELD ? { next: rate } : { rate, failed };
}

/**
 * @param {object} run see openRun @param {object|null} probes the run of its probes
 * @returns {{peaks: {database, target, variant, workload, tool, closed_rps, rate_rps, failed_rps, probes}[], probes: object[]}} rate_rps: null where no
 *   rate held; failed_rps: the lowest that failed; probes of peaks: how many were made
 */
export function openPeaks(run, probes) {
  const measured = groupBy(
    analyse(run).cells.filter(
      (cell) => !cell.calibration && cell.model === 'closed' && cell.throughput_rps?.median > 0,
    ),
    closedKeyOf,
  );
  const probed = groupBy(probes === null ? [] : analyse(probes).cells, placeKey);
  const searches = [...groupBy(run.plan.open ?? [], ({ cell }) => placeKey(cell))].flatMap(([key, [open]]) => {
    const closed = measured.get(closedKeyOf(open.cell));
    if (!closed) return [];
    const busiest = busiestOf(closed);
    const closed_rps = busiest.throughput_rps.median;
    const holds = (trial) => isSustained(trial, busiest.level);
    const soFar = (probed.get(key) ?? []).map((cell) => ({
      rate: cell.level,
      tries: cell.trials_planned,
      failures: cell.trials.filter((trial) => !holds(trial) && !isDisturbed(trial, busiest.level)).length,
      held: cell.trials.filter(holds).length,
    }));
    // the same steps from the same start would end at the same rate: a copy's begin half a step further
    const start = isCopy(open.cell.variant) ? closed_rps * Math.sqrt(GAP) : closed_rps;
    return [{ open, closed_rps, soFar, ...search(start, soFar) }];
  });
  return {
    peaks: searches
      .filter(({ next }) => next === undefined)
      .map(({ open: { cell }, closed_rps, rate, failed, soFar }) => ({
        ...placeOf(cell),
        ...{ closed_rps, rate_rps: rate, failed_rps: failed, probes: sum(soFar.map(({ tries }) => tries)) },
      })),
    probes: searches
      .filter(({ next }) => next !== undefined)
      .map(({ open, next, soFar }) => {
        const block = soFar.find(({ rate }) => rate === next)?.tries ?? 0; // of its own for each try of a rate
        return { ...open, cell: { ...open.cell, level: next, block, duration_s: PROBE_S } };
      }),
  };
}

/** Whether a failure says nothing of the target: beside something else that used the processors, or by the generator's lateness alone. */
function isDisturbed({ reasons, in_flight_mean }, users) {
  const against = reasons.filter(({ check }) => !HARMLESS.has(check));
  const isLate = against.length > 0 && against.every(({ check }) => LATE.has(check));
  return (
    (isLate && in_flight_mean !== null && in_flight_mean < limitOf('late_users_share') * users) ||
    reasons.some(({ check }) => DISTURBING.has(check))
  );
}

/**
 * No mark that speaks against the rate, and no more requests under way on average than the closed load kept that served the most: a rate for which more must wait is
 * beyond what the target serves, though each may be answered within the probe.
 */
const isSustained = ({ reasons, in_flight_mean }, users) =>
  reasons.every(({ check, verdict }) => HARMLESS.has(check) && (verdict !== 'invalid' || check === 'samples')) &&
  in_flight_mean !== null &&
  in_flight_mean <= users;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const run = openRun(process.argv[2]);
    const folder = join(run.folder, 'probes');
    const peaks = openPeaks(run, existsSync(join(folder, 'plan.json')) ? openRun(folder) : null);
    console.log(JSON.stringify({ ...peaks, folder, told: 'probing the rates that targets sustain' }));
  } catch (error) {
    fail(error);
  }
}
