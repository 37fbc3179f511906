/** The figures of trials that are compared, and how two cells are compared by one of them. */
import { pairedRatio } from './intervals.js';
import { mean } from './numbers.js';

/** By name: where a trial of results.json has the figure. Below 1 is better in latencies and costs, above 1 in throughput. */
export const METRICS = {
  throughput: 'throughput_rps',
  p50: 'p50_us',
  p95: 'p95_us',
  p99: 'p99_us',
  cpu_per_request: 'cpu_us_per_request',
  capacity: 'capacity',
};

/** Whether more of it is better. @param {keyof METRICS} metric */
export const isMoreBetter = (metric) => metric === 'throughput' || metric === 'capacity';

/** Those of every comparison; others stand where a question asks for them. */
export const COMPARED = ['throughput', 'p50', 'p95', 'p99'];

/**
 * Of processor time, which Linux counts in ticks of 10 ms for each process, in user and in system mode: a dozen processes, read twice, are off by
 * the square root of 48 such steps.
 */
const TICK_US = 10_000 * Math.sqrt(12 * 2 * 2);
const HISTOGRAM_STEP = { share: 1e-3, us: 1 };

/** What questions compare: cells, and capacities, which have their shape. @param {object} results results.json @returns {object[]} */
export const comparable = ({ cells, capacities = [] }) => [...cells, ...capacities];

/** The variant that is a second copy of base, for A/A; of another variant it is called `<variant>-again`. Also the kind of the comparisons of such copies. */
export const AGAIN = 'again';
export const isCopy = (variant) => variant === AGAIN || variant.endsWith(`-${AGAIN}`);

/** What a variant is a copy of: base, where it is a copy of base; itself, where it is none. */
export const originalOf = (variant) => (variant === AGAIN ? 'base' : variant.replace(new RegExp(`-${AGAIN}$`), ''));

const medianOf = ({ throughput_rps }) => throughput_rps?.median ?? 0;
/** The cell of the highest median throughput, whose level is the peak of a series; the first, where none has any. @param {object[]} cells of results.json */
export const busiestOf = (cells) => cells.reduce((a, b) => (medianOf(b) > medianOf(a) ? b : a));

/** What was measured twice for A/A, once. @param {object[]} cells of results.json */
export const once = (cells) => cells.filter(({ variant }) => !isCopy(variant));

/** Trials that are not invalid, by block. @param {object} cell of results.json @returns {Map<number, object>} */
export const byBlock = ({ trials }) =>
  new Map(trials.filter(({ verdict }) => verdict !== 'invalid').map((trial) => [trial.block, trial]));

/**
 * Blocks in which each of several cells was to be measured: some are measured in fewer than others. Results of before do not say in which.
 * @param {object[]} cells of results.json @returns {number[]}
 */
export function blocksOfAll(cells) {
  const planned = cells.map(({ blocks, trials_planned: n }) => blocks ?? Array.from({ length: n }, (_, i) => i + 1));
  return planned.reduce((common, blocks) => common.filter((block) => blocks.includes(block)));
}

/**
 * What a trial achieved, by unit of work where a request does more than one: documents stored rather than batches answered.
 * @param {keyof METRICS} metric @returns {number|null} null where it was not measured
 */
export function figureOf(trial, metric) {
  const value = metric === 'throughput' ? (trial.work_per_s ?? trial.throughput_rps) : trial[METRICS[metric]];
  return value > 0 ? value : null;
}

/**
 * Variance that the logarithm of a figure has from its smallest step: one request of a throughput; the ticks of processor time; of a histogram's percentile the third
 * digit, but a microsecond at least. The error is uniform within a step: step^2 / 12. A search for a capacity says itself what its steps leave open.
 * @param {keyof METRICS} metric @param trial of results.json
 */
export function stepVariance(metric, trial) {
  if (metric === 'capacity') return trial.resolution;
  const value = trial[METRICS[metric]];
  const steps = {
    throughput: () => 1 / trial.successes,
    cpu_per_request: () => TICK_US / (value * trial.successes),
  };
  const ofHistogram = () => Math.max(HISTOGRAM_STEP.share, HISTOGRAM_STEP.us / value);
  return (steps[metric] ?? ofHistogram)() ** 2 / 12;
}

/**
 * Two sides, paired by block: above over below.
 * @param {Map<number, object>} above trials by block @param {Map<number, object>} below
 * @param {{metric: keyof METRICS, of: number}} options of: blocks that both should have @param {object} [interval] see pairedRatio
 * @returns as pairedRatio
 */
export function ratioOfTrials(above, below, { metric, of }, interval = {}) {
  const [logs, steps, unseen] = [[], [], [0]];
  for (const [block, trial] of above) {
    const other = below.get(block);
    const [one, two] = [trial, other].map((side) => side && figureOf(side, metric));
    if (!one || !two) continue;
    logs.push(Math.log(one / two));
    steps.push(stepVariance(metric, trial) + stepVariance(metric, other));
    unseen.push(trial.unseen_share ?? 0, other.unseen_share ?? 0);
  }
  return pairedRatio(logs, { ...interval, resolution: mean(steps) ?? 0, bias: Math.log(1 + Math.max(...unseen)), of });
}

/** One figure of two cells of results.json, as ratioOfTrials; null where either cell cannot be quoted. */
export function ratioOf(metric, above, below, interval) {
  const quotable = (cell) => !(metric in LATENCY) || (cell.latency_us?.[metric] ?? null) !== null;
  if (metric === 'throughput' && above.model === 'open') return null;
  if (!quotable(above) || !quotable(below)) return null;
  const of = blocksOfAll([above, below]).length;
  return ratioOfTrials(byBlock(above), byBlock(below), { metric, of }, interval);
}

const LATENCY = { p50: true, p95: true, p99: true };
