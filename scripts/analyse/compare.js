/** Two runs, cell by cell. */
import { stepVariance } from './comparisons.js';
import { differences } from './environment.js';
import { unpairedRatio } from './intervals.js';
import { mean } from './numbers.js';

/** Figures that are compared, and which way is worse: throughput that falls, p95 that rises. */
const METRICS = { throughput: { key: 'throughput_rps', worse: -1 }, p95: { key: 'p95_us', worse: 1 } };

function usable(cell, key) {
  return cell.trials.filter((trial) => trial.verdict !== 'invalid' && trial[key] > 0);
}

function ratioOf(metric, key, a, b) {
  const trials = [usable(a, key), usable(b, key)];
  const [before, after] = trials.map((of) => of.map((trial) => trial[key]));
  return unpairedRatio(
    before,
    after,
    trials.map((of) => mean(of.map((trial) => stepVariance(metric, trial))) ?? 0),
    [a, b].every((cell, i) => trials[i].length === (cell.trials_planned ?? cell.trials.length)),
  );
}

/** p95 counts only where both runs have enough answers to quote it, and mean the same by latency. */
const quotable = (metric, cell) => metric === 'throughput' || (cell.latency_us?.p95 ?? null) !== null;
const sameKind = (metric, a, b) => metric === 'throughput' || a.latency_us.kind === b.latency_us.kind;

function compareCell(a, b, threshold) {
  const figures = {};
  for (const [metric, { key, worse }] of Object.entries(METRICS)) {
    const rateIsGiven = metric === 'throughput' && a.model === 'open';
    const comparable = !rateIsGiven && quotable(metric, a) && quotable(metric, b) && sameKind(metric, a, b);
    const ratio = comparable ? ratioOf(metric, key, a, b) : null;
    const beyond = ratio !== null && worse * Math.log(ratio.ratio) > Math.log(1 + threshold);
    figures[metric] = ratio && { ...ratio, regression: Boolean(ratio.differs && beyond) };
  }
  const { id, database, target, variant, workload, tool, model, level } = b;
  return { id, database, target, variant, workload, tool, model, level, ...figures };
}

/**
 * Ratios b over a, unpaired: the runs' blocks have nothing in common.
 * @param {object} a results.json of the first run @param {object} b of the second
 * @param {number} threshold share by which a figure must be worse to be a regression (0.05: 1.05 times)
 * @returns {{cells, only_a: string[], only_b: string[], environment, regressions: number}} regression: the interval excludes 1
 *   and the ratio is beyond the threshold
 */
export function compareRuns(a, b, threshold) {
  const measured = (results) => results.cells.filter((cell) => !cell.calibration && cell.trials_used > 0);
  const [left, right] = [a, b].map((results) => new Map(measured(results).map((cell) => [cell.id, cell])));
  const cells = [...right.values()]
    .filter(({ id }) => left.has(id))
    .map((cell) => compareCell(left.get(cell.id), cell, threshold));
  const regressed = (cell) => Object.keys(METRICS).filter((metric) => cell[metric]?.regression).length;
  return {
    cells,
    only_a: [...left.keys()].filter((id) => !right.has(id)),
    only_b: [...right.keys()].filter((id) => !left.has(id)),
    environment: differences(a.environment, b.environment),
    regressions: cells.reduce((all, cell) => all + regressed(cell), 0),
  };
}
