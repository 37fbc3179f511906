/** Objectives (scripts/declared/objectives.json): which of them a run meets. */
import { readFileSync } from 'node:fs';
import { sum } from '../../analyse/numbers.js';
import { diskReads, isOneMachine } from '../../analyse/placement.js';
import { usedTrials } from '../../analyse/usable.js';

const CELL = ['target', 'variant', 'workload', 'tool', 'model'];

/** How each metric is taken from a cell of results.json; null where it was not measured. */
const METRICS = {
  throughput_rps: (cell, operation) =>
    operation === null ? (cell.throughput_rps?.median ?? null) : perSecond(cell, cell.operations?.[operation]),
  p95_us: (cell, operation) => p95(operation === null ? cell.latency_us : cell.operations?.[operation]),
  error_share: ({ trials }) => shareOfErrors(trials),
  rss_max_bytes: ({ resources }) => ofBoth(resources, 'rss_max_bytes'),
  cpu_share: ({ resources }) => {
    const used = ofBoth(resources, 'cpu_cores');
    return used === null || !isOneMachine(resources) ? null : used / resources.cores;
  },
  disk_read_bytes_per_s: ({ resources }) => diskReads(resources),
};

/** What target and database took together: the write-up's own database was both. */
function ofBoth(resources, key) {
  const used = ['target', 'postgres'].map((role) => resources?.roles?.[role]?.[key] ?? null);
  return used.includes(null) ? null : sum(used);
}

/** Infinite where p95 lies among the unanswered requests. */
const p95 = (latency) =>
  latency?.beyond?.percentiles.includes('p95') ? Number.POSITIVE_INFINITY : (latency?.p95 ?? null);

/** Over all trials, those included that are invalid for their errors; null where one of them left no figures. */
export function shareOfErrors(trials) {
  if (trials.length === 0 || trials.some(({ requests }) => requests === null)) return null;
  const requests = sum(trials.map((trial) => trial.requests));
  return requests === 0 ? null : sum(trials.map(({ errors }) => errors)) / requests;
}

/** The seconds of their windows, which may be shorter than planned. */
const measuredSeconds = (trials) => sum(trials.map(({ successes, throughput_rps }) => successes / throughput_rps));

/** Mean over the cell's trials, from the operation's merged histogram. */
function perSecond(cell, operation) {
  return operation ? operation.count / measuredSeconds(usedTrials(cell)) : null;
}

/** @returns {object[]} scripts/declared/objectives.json */
export const readObjectives = () =>
  JSON.parse(readFileSync(new URL('../../declared/objectives.json', import.meta.url), 'utf8'));

/** @param {object} _run see openRun @param {object[]} cells of results.json @returns {object[]} see judge */
export const find = (_run, cells) => judge(readObjectives(), cells);

/**
 * Judges the objectives whose cells a run has; in a run on several databases each of them.
 * @param {object[]} objectives {name, target, variant, workload, tool, model, level, operation, metric, must_be, limit, unit, source};
 *   level: a number, or a share of the peak such as "50%"; must_be: above or below
 * @param {object[]} cells as in results.json
 * @returns {{name, cell, operation, metric, must_be, limit, unit, source, measured, met}[]} met is null where nothing was measured; missed with nothing
 *   measured: p95 lies among the unanswered requests
 */
export function judge(objectives, cells) {
  return objectives.flatMap(({ name, operation, metric, must_be, limit, unit, source, ...asked }) =>
    cells
      .filter((cell) => CELL.every((key) => cell[key] === asked[key]) && [cell.level, cell.share].includes(asked.level))
      .map((cell) => {
        const measured = METRICS[metric](cell, operation);
        const met = measured === null ? null : must_be === 'above' ? measured > limit : measured < limit;
        const figure = Number.isFinite(measured) ? measured : null;
        return { name, cell: cell.id, operation, metric, must_be, limit, unit, source, measured: figure, met };
      }),
  );
}
