/** Ratios between cells that differ in one thing only: what a run is for. Everything else is evidence for them. */
import { pairedRatio } from './intervals.js';
import { groupBy, mean, median } from './numbers.js';
import { rung } from './words.js';

const METRICS = { throughput: 'throughput_rps', p50: 'p50_us', p95: 'p95_us', p99: 'p99_us' };
const HISTOGRAM_STEP = { share: 1e-3, us: 1 };
const DIMENSIONS = ['target', 'variant', 'database'];
const COMMON = ['database', 'target', 'variant', 'workload', 'tool', 'model'];

const BASE = 'base';

/** The variant that is a second copy of base, for A/A. */
export const AGAIN = 'again';

/**
 * Every pair of targets, of variants and of database profiles, at every level where both were measured.
 * Open cells planned as shares of each one's own peak meet at the same share; their rate is given, so its ratio is null.
 * @param {object[]} cells of results.json
 * @returns {object[]} `{kind, numerator, denominator, <what both share>, level, share, numerator_cell, denominator_cell, throughput, p50,
 *   p95, p99, maintenance}`; level is the numerator's; each metric as pairedRatio gives it, numerator over denominator, or null. Kind is target, variant, database, or again (A/A).
 *   Numerator: the one that is faster over all common levels; where a variant is compared with base, the variant.
 */
export function compareAll(cells) {
  const measured = cells
    .filter((cell) => !cell.calibration && cell.trials_used > 0)
    .map((cell) => ({ cell, byBlock: byBlock(cell.trials) }));
  return DIMENSIONS.flatMap((dimension) => compareBy(dimension, measured));
}

const byBlock = (trials) =>
  new Map(trials.filter(({ verdict }) => verdict !== 'invalid').map((trial) => [trial.block, trial]));

function compareBy(dimension, measured) {
  const candidates = dimension === 'variant' ? measured : measured.filter(({ cell }) => cell.variant !== AGAIN);
  const shared = COMMON.filter((key) => key !== dimension);
  const contexts = groupBy(candidates, ({ cell }) => shared.map((key) => cell[key]).join(' '));
  return [...contexts.values()].flatMap((members) =>
    compareContext(
      dimension,
      shared,
      groupBy(members, ({ cell }) => cell[dimension]),
    ),
  );
}

function compareContext(dimension, shared, byName) {
  return pairsOf([...byName.keys()], dimension).flatMap((pair) => {
    const [numerator, denominator] = dimension === 'variant' && pair.includes(BASE) ? pair : fasterFirst(pair, byName);
    return atCommonLevels(byName.get(numerator), byName.get(denominator)).map(([above, below]) => ({
      kind: numerator === AGAIN && dimension === 'variant' ? AGAIN : dimension,
      numerator,
      denominator,
      ...Object.fromEntries(shared.map((key) => [key, above.cell[key]])),
      level: above.cell.level,
      share: above.cell.share,
      numerator_cell: above.cell.id,
      denominator_cell: below.cell.id,
      maintenance: onOneSide(above, below),
      ...Object.fromEntries(Object.entries(METRICS).map(([name, key]) => [name, ratio(name, key, above, below)])),
    }));
  });
}

/** What the database did in the background in more than half of one side's trials and in none of the other's: {is, cell, trials, of}, or null. */
function onOneSide(...sides) {
  const often = sides.flatMap((side, i) => {
    const [mine, theirs] = [side, sides[1 - i]].map(({ byBlock }) =>
      [...byBlock.values()].map((trial) => trial.maintenance),
    );
    if (mine.concat(theirs).includes(null)) return [];
    const count = (trials, what) => trials.filter((done) => done.includes(what)).length;
    return ['checkpoint', 'autovacuum']
      .filter((what) => 2 * count(mine, what) > mine.length && count(theirs, what) === 0)
      .map((is) => ({ is, cell: side.cell.id, trials: count(mine, is), of: mine.length }));
  });
  return often[0] ?? null;
}

/** Variants are compared with base where it was measured, everything else each with each. */
function pairsOf(names, dimension) {
  if (dimension === 'variant' && names.includes(BASE))
    return names.filter((name) => name !== BASE).map((name) => [name, BASE]);
  return names.flatMap((name, i) => names.slice(i + 1).map((other) => [name, other]));
}

function atCommonLevels(above, below) {
  const levels = new Map(below.map((member) => [rung(member.cell), member]));
  const common = above
    .filter(({ cell }) => levels.has(rung(cell)))
    .map((member) => [member, levels.get(rung(member.cell))]);
  return common.sort(([a], [b]) => a.cell.level - b.cell.level);
}

/** wrk's throughput is null where its connections had too few answers: such levels do not say which is faster. */
function fasterFirst([one, other], byName) {
  const logs = atCommonLevels(byName.get(one), byName.get(other))
    .filter((pair) => pair.every(({ cell }) => cell.throughput_rps !== null))
    .map(([a, b]) => Math.log(a.cell.throughput_rps.median / b.cell.throughput_rps.median));
  return logs.length > 0 && mean(logs) < 0 ? [other, one] : [one, other];
}

/** One figure of two cells, paired by block: above over below, as pairedRatio gives it, or null. @param {'throughput'|'p50'|'p95'|'p99'} name */
export function ratioOf(name, above, below) {
  const [one, other] = [above, below].map((cell) => ({ cell, byBlock: byBlock(cell.trials) }));
  return ratio(name, METRICS[name], one, other);
}

function ratio(name, key, above, below) {
  const quotable = (cell) => name === 'throughput' || (cell.latency_us?.[name] ?? null) !== null;
  if (name === 'throughput' && above.cell.model === 'open') return null;
  if (!quotable(above.cell) || !quotable(below.cell)) return null;
  const [logs, steps] = [[], []];
  for (const [block, trial] of above.byBlock) {
    const other = below.byBlock.get(block);
    if (!other || !(trial[key] > 0) || !(other[key] > 0)) continue;
    logs.push(Math.log(trial[key] / other[key]));
    steps.push(stepVariance(name, trial) + stepVariance(name, other));
  }
  return pairedRatio(logs, mean(steps) ?? 0, Math.min(above.cell.trials_planned, below.cell.trials_planned));
}

/**
 * Variance that the logarithm of a figure has from its smallest step: one request of a throughput; of a histogram's percentile the third
 * digit, but a microsecond at least. The error is uniform within a step: step^2 / 12.
 * @param {'throughput'|'p50'|'p95'|'p99'} name @param trial of results.json
 */
export function stepVariance(name, trial) {
  const step =
    name === 'throughput'
      ? 1 / trial.successes
      : Math.max(HISTOGRAM_STEP.share, HISTOGRAM_STEP.us / trial[METRICS[name]]);
  return step ** 2 / 12;
}

/**
 * The A/A comparisons in total: the same target measured twice must not differ, except by chance once in twenty.
 * @returns {{comparisons, hold_one, visible, by_metric}|null} visible: median `detectable` of throughput; null when none has an interval
 */
export function summariseAgain(comparisons) {
  const again = comparisons.filter(({ kind }) => kind === AGAIN);
  const by_metric = {};
  for (const metric of Object.keys(METRICS)) {
    const judged = again.map((comparison) => comparison[metric]).filter((result) => (result?.differs ?? null) !== null);
    by_metric[metric] = { comparisons: judged.length, hold_one: judged.filter(({ differs }) => !differs).length };
  }
  const total = (key) => Object.values(by_metric).reduce((all, counts) => all + counts[key], 0);
  return total('comparisons') === 0
    ? null
    : { comparisons: total('comparisons'), hold_one: total('hold_one'), visible: visibleIn(again), by_metric };
}

function visibleIn(comparisons) {
  const widths = comparisons.map(({ throughput }) => throughput?.detectable ?? null).filter((width) => width !== null);
  return median(widths);
}
