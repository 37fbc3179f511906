/**
 * The peaks that open cells are shares of: the highest rate at which a short probe is sent and answered as planned. Closed throughput is no
 * such rate: its users never wait for a free one among them, and stop asking while the target is slow.
 *
 * Usage: node scripts/analyse/open-peaks.js RUN
 * Prints {peaks: [{cell, closed_rps, rate}], probes: [{cell, level}]}: what is known by now (rate null: none), and what to probe next.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalOf } from './figures.js';
import { groupBy } from './numbers.js';
import { analyse } from './results.js';
import { fail, openRun } from './run-folder.js';

/** A peak is known when the lowest rate that failed is at most this many times the highest that did not. */
const GAP = 1.1;
/** Below this share of the closed throughput the search gives up. */
const LEAST = 1 / 32;
/** Marks of a probe that says nothing against its rate. */
const HARMLESS = new Set([
  'headroom',
  'generator_cpu',
  'samples',
  'duration',
  'processor_taken',
  'other_programs',
  'paused',
]);

/** A second copy of a target has the peak of the first. */
const keyOf = ({ database, target, variant, workload, tool }) =>
  [database, target, originalOf(variant), workload, tool].join(' ');

/**
 * The search: half of the closed throughput first; doubled until it fails or halved until it does not; then halfway, as ratios go.
 * @param {number} closed_rps the best level's median @param {{rate: number, sustained: boolean}[]} probes so far
 * @returns {{rate: number|null}|{next: number}} requests per second, whole; rate: the peak; null: not at any rate
 */
export function search(closed_rps, probes) {
  if (probes.length === 0) return { next: Math.max(1, Math.round(closed_rps / 2)) };
  const lowestFailed = Math.min(...probes.filter(({ sustained }) => !sustained).map(({ rate }) => rate));
  const highest = Math.max(
    0,
    ...probes.filter(({ sustained, rate }) => sustained && rate < lowestFailed).map(({ rate }) => rate),
  );
  if (highest === 0)
    return lowestFailed / 2 < Math.max(1, closed_rps * LEAST) ? { rate: null } : { next: Math.floor(lowestFailed / 2) };
  if (lowestFailed === Infinity) return { next: 2 * highest };
  const between = Math.round(Math.sqrt(highest * lowestFailed));
  return lowestFailed <= GAP * highest || between === highest || between === lowestFailed
    ? { rate: highest }
    : { next: between };
}

/** @param {object} run see openRun @param {object|null} probes the run of its probes */
export function openPeaks(run, probes) {
  const measured = groupBy(
    analyse(run).cells.filter(
      (cell) => !cell.calibration && cell.model === 'closed' && cell.throughput_rps?.median > 0,
    ),
    keyOf,
  );
  const probed = groupBy(probes === null ? [] : analyse(probes).cells, keyOf);
  const found = [...groupBy(run.plan.open ?? [], ({ cell }) => keyOf(cell))].flatMap(([key, [open]]) => {
    if (!measured.has(key)) return [];
    const closed_rps = Math.max(...measured.get(key).map((cell) => cell.throughput_rps.median));
    const soFar = (probed.get(key) ?? []).map((cell) => ({
      rate: cell.level,
      sustained: cell.trials.length > 0 && cell.trials.every(isSustained),
    }));
    return [{ open, key, closed_rps, ...search(closed_rps, soFar) }];
  });
  return {
    peaks: found
      .filter(({ next }) => next === undefined)
      .map(({ key, closed_rps, rate }) => ({ key, closed_rps, rate })),
    probes: found
      .filter(({ next }) => next !== undefined)
      .map(({ open, next }) => ({ ...open, cell: { ...open.cell, level: next } })),
  };
}

const isSustained = ({ reasons }) => reasons.every(({ check }) => HARMLESS.has(check));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const run = openRun(process.argv[2]);
    const folder = join(run.folder, 'probes');
    console.log(JSON.stringify(openPeaks(run, existsSync(join(folder, 'plan.json')) ? openRun(folder) : null)));
  } catch (error) {
    fail(error);
  }
}
