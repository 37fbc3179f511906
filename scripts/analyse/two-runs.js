/** Two runs, cell by cell. */

import { differences } from './environment.js';
import { comparable, stepVariance } from './figures.js';
import { CONFIDENCE, unpairedRatio } from './intervals.js';
import { limitOf } from './limits.js';
import { disturbedText, isUnsent, marksOf } from './marks.js';
import { mean, sum } from './numbers.js';

/** Figures that are compared, and which way is worse: throughput and capacity that fall, p95 that rises. */
const METRICS = {
  throughput: { key: 'throughput_rps', worse: -1 },
  p95: { key: 'p95_us', worse: 1 },
  capacity: { key: 'capacity', worse: -1 },
};

function usable(cell, key) {
  return cell.trials.filter((trial) => trial.verdict !== 'invalid' && trial[key] > 0);
}

/** Where cells meet: at their ids, which of a share of each run's own peak were of the rate before; capacities under the same objective. */
function keyOf({ id, share, objective, think_s }) {
  if (objective) return [id, objective.text, think_s].join(' ');
  return share ? id.replace(/\.open-\d+$/, `.open-${share.replace('%', 'pct')}`) : id;
}

/** What a cell is called among others of its id. */
const nameOf = ({ id, objective, think_s }) =>
  objective ? `${id} (${objective.text}${think_s ? `, users who think for ${think_s} s` : ''})` : id;

/** Results of before do not say how many were planned. */
const plannedTrials = ({ trials_planned, trials }) => trials_planned ?? trials.length;
const usedShare = (cell) => cell.trials_used / plannedTrials(cell);

/** @param {number} [confidence] of the interval */
function ratioOf(metric, key, [a, b], confidence) {
  const trials = [usable(a, key), usable(b, key)];
  const [before, after] = trials.map((of) => of.map((trial) => trial[key]));
  const ratio = unpairedRatio(
    before,
    after,
    trials.map((of) => mean(of.map((trial) => stepVariance(metric, trial))) ?? 0),
    [a, b].every((cell, i) => trials[i].length === plannedTrials(cell)),
    confidence,
  );
  return ratio && { ...ratio, before: geometricMean(before), after: geometricMean(after) };
}

const geometricMean = (values) => Math.exp(mean(values.map(Math.log)));

/** p95 counts only where both runs have enough answers to quote it, sent when they were due, and mean the same by latency. */
const quotable = (metric, cell) =>
  metric === 'throughput' || ((cell.latency_us?.p95 ?? null) !== null && !isUnsent([cell], limitOf('unsent_share')));
const sameLength = (a, b) => a.duration_s === b.duration_s && a.requests === b.requests;
const sameKind = (metric, a, b) => metric === 'throughput' || a.latency_us.kind === b.latency_us.kind;

/** The figures of both that may be compared. */
function figuresOf([a, b]) {
  if (a.answer) return [a, b].every(isFound) ? ['capacity'] : [];
  return ['throughput', 'p95'].filter((metric) => {
    const rateIsGiven = metric === 'throughput' && a.model === 'open';
    return !rateIsGiven && quotable(metric, a) && quotable(metric, b) && sameKind(metric, a, b);
  });
}

/** Whether a capacity is a number in each block that has an answer, and neither a bound nor none. */
const isFound = ({ trials }) => trials.every(({ kind }) => kind === 'rate' || kind === 'unknown');

/** @param {number} error of each figure, such that all of them share one [Bonferroni] */
function compareCell([a, b], threshold, error) {
  const figures = Object.fromEntries(Object.keys(METRICS).map((metric) => [metric, null]));
  for (const metric of figuresOf([a, b])) {
    const { key, worse } = METRICS[metric];
    const ratio = ratioOf(metric, key, [a, b]);
    const beyond = ratio !== null && worse * Math.log(ratio.ratio) > Math.log(1 + threshold);
    figures[metric] = ratio && {
      ...ratio,
      regression: Boolean(beyond && ratioOf(metric, key, [a, b], 1 - error).differs),
    };
  }
  const { id, database, target, variant, workload, tool, model, level } = b;
  const about = { marks: marksOf([a, b]), disturbed: disturbedText([a, b]), isCapacity: Boolean(b.answer) };
  return { id, database, target, variant, workload, tool, model, level, ...about, ...figures };
}

/** A capacity that was known, be it as a bound, is not known now or less by more than the threshold, and has no ratio that would say so. */
function lacksCapacity(both, threshold) {
  const [before, after] = both.map(({ answer }) => answer);
  const wasKnown = before.kind === 'rate' || before.kind === 'at least';
  const isKept = after.kind !== 'none' && after.rate * (1 + threshold) >= before.rate;
  return wasKnown && !isKept && !both.every(isFound);
}

/** Figures that a cell had and has no more: too few answers, answers that are too slow for it, or an open load that was not sent as planned. */
function lacking([before, after], threshold) {
  if (before.answer)
    return lacksCapacity([before, after], threshold)
      ? [{ id: after.id, metric: 'capacity', answers: [before.answer, after.answer] }]
      : [];
  const throughput = before.model === 'closed' && before.throughput_rps && !after.throughput_rps;
  const p95 = quotable('p95', before) && !quotable('p95', after);
  return [throughput && 'throughput', p95 && 'p95'].filter(Boolean).map((metric) => ({ id: after.id, metric }));
}

/**
 * Ratios b over a, unpaired: the runs' blocks have nothing in common.
 * @param {object} a results.json of the first run @param {object} b of the second
 * @param {number} threshold share by which a figure must be worse to be a regression (0.05: 1.05 times)
 * @returns {{cells: {marks: string[], disturbed: string|null, isCapacity: boolean, throughput, p95}[], lost: {id, used, planned}[], lacking: {id, metric, answers?: object[]}[], rates: {id, before, after}[], shared: {id, before, after}[], unlike: string[], only_a: string[], only_b: string[], suspect: number[], environment, regressions: number}} cells: capacities among them; marks: checks that marked a
 *   trial of either; disturbed: by how much other programs disturbed one; throughput, p95, capacity: as unpairedRatio, with before and after, the geometric means that it divides, or null; regression: the ratio
 *   is beyond the threshold, and an interval that shares its error with all others excludes 1; lost: cells of which a smaller share of the planned trials is usable in b than in a; lacking: figures that a has and b does not, and capacities without a ratio that are less in b, of cells that both measured for the same time;
 *   rates: cells at a share of a peak that each run found for itself, at another rate; shared: cells whose load was made by another number of load generators; unlike: cells that were measured for other times; suspect: trials of a, and of b, that are marked, of the cells that are compared
 */
export function compareRuns(a, b, threshold) {
  const [left, right] = [a, b].map(
    (run) =>
      new Map(
        comparable(run)
          .filter((cell) => !cell.calibration)
          .map((cell) => [keyOf(cell), cell]),
      ),
  );
  const common = [...right].filter(([key]) => left.has(key)).map(([key, cell]) => [left.get(key), cell]);
  const measured = common.filter((both) => both.every(({ trials_used }) => trials_used > 0));
  const error = (1 - CONFIDENCE) / Math.max(1, sum(measured.map((both) => figuresOf(both).length)));
  const cells = measured.map((both) => compareCell(both, threshold, error));
  const regressed = (cell) => Object.keys(METRICS).filter((metric) => cell[metric]?.regression).length;
  return {
    cells,
    lost: common
      .filter(([before, after]) => usedShare(after) < usedShare(before))
      .map(([, { id, trials_used, ...cell }]) => ({ id, used: trials_used, planned: plannedTrials(cell) })),
    lacking: common
      .filter((both) => both.every((cell) => cell.trials_used > 0 && sameLength(cell, both[0])))
      .flatMap((both) => lacking(both, threshold)),
    rates: common
      .filter(([before, after]) => !after.answer && before.level !== after.level)
      .map(([before, after]) => ({ id: after.id, before: before.level, after: after.level })),
    shared: common
      .filter(([before, after]) => before.generators !== after.generators)
      .map(([before, after]) => ({ id: after.id, before: before.generators ?? 1, after: after.generators ?? 1 })),
    unlike: common.filter(([before, after]) => !sameLength(before, after)).map(([, { id }]) => id),
    only_a: [...left].filter(([key]) => !right.has(key)).map(([, cell]) => nameOf(cell)),
    only_b: [...right].filter(([key]) => !left.has(key)).map(([, cell]) => nameOf(cell)),
    suspect: [0, 1].map((run) =>
      sum(common.map((both) => both[run].trials.filter(({ verdict }) => verdict === 'suspect').length)),
    ),
    environment: differences(a.environment, b.environment),
    regressions: cells.reduce((all, cell) => all + regressed(cell), 0),
  };
}
