/** Ratios between cells that differ in one thing only: what a run is for. Everything else is evidence for them. */
import { AGAIN, byBlock, COMPARED, isCopy, originalOf, ratioOf } from './figures.js';
import { SERIES } from './identity.js';
import { missedByChance } from './intervals.js';
import { limitOf } from './limits.js';
import { groupBy, mean, median } from './numbers.js';
import { levelOf } from './words.js';

const DIMENSIONS = ['target', 'variant', 'database'];

const BASE = 'base';

/**
 * Every pair of targets, of variants and of database profiles, at every level where both were measured.
 * Open cells planned as shares of each one's own peak meet at the same share; their rate is given, so its ratio is null.
 * @param {object[]} cells of results.json
 * @returns {object[]} `{kind, numerator, denominator, <what both share>, level, share, numerator_cell, denominator_cell, throughput, p50,
 *   p95, p99, maintenance}`; level is the numerator's; each metric as pairedRatio gives it, numerator over denominator, or null. Kind is target, variant, database, or again (A/A).
 *   Numerator: the one that is faster over all common levels; where a variant is compared with base, the variant.
 */
export function compareAll(cells) {
  const measured = cells.filter((cell) => !cell.calibration && cell.trials_used > 0);
  return DIMENSIONS.flatMap((dimension) => compareBy(dimension, measured));
}

function compareBy(dimension, measured) {
  const candidates = dimension === 'variant' ? measured : measured.filter(({ variant }) => !isCopy(variant));
  const shared = SERIES.filter((key) => key !== dimension);
  const alike = groupBy(candidates, (cell) => shared.map((key) => cell[key]).join(' '));
  return [...alike.values()].flatMap((members) =>
    compareAlike(
      dimension,
      shared,
      groupBy(members, (cell) => cell[dimension]),
    ),
  );
}

function compareAlike(dimension, shared, byName) {
  return pairsOf([...byName.keys()], dimension).flatMap((pair) => {
    const again = dimension === 'variant' && isCopy(pair[0]);
    const asGiven = again || (dimension === 'variant' && pair.includes(BASE));
    const [numerator, denominator] = asGiven ? pair : fasterFirst(pair, byName);
    return atCommonLevels(byName.get(numerator), byName.get(denominator)).map(([above, below]) => ({
      kind: again ? AGAIN : dimension,
      numerator,
      denominator,
      ...Object.fromEntries(shared.map((key) => [key, above[key]])),
      level: above.level,
      share: above.share,
      numerator_cell: above.id,
      denominator_cell: below.id,
      maintenance: onOneSide(...[above, below].map((cell) => ({ id: cell.id, trials: [...byBlock(cell).values()] }))),
      ...Object.fromEntries(COMPARED.map((metric) => [metric, ratioOf(metric, above, below)])),
    }));
  });
}

/** Ids of the cells that questions compare, of runs of any age. @param {object[]} questions of results.json */
export function cellsAsked(questions) {
  const ids = ({ sides = [], comparisons = [] }) => [
    ...sides.flatMap(({ cells }) => cells),
    ...comparisons.flatMap(({ numerator_cells = [], denominator_cells = [] }) => [
      ...numerator_cells,
      ...denominator_cells,
    ]),
  ];
  return [...new Set(questions.flatMap(ids))];
}

/**
 * Whether a question is about a comparison of two cells.
 * @param {object[]} [questions] of results.json @returns {(comparison: object, metric: string) => boolean}
 */
export function askedBy(questions = []) {
  const asked = new Set(
    questions.flatMap(({ comparisons, metric }) =>
      comparisons
        .map((entry) => [entry.numerator_cells, entry.denominator_cells])
        .flatMap(([above, below]) => [`${above} ${below} ${metric}`, `${below} ${above} ${metric}`]),
    ),
  );
  return ({ numerator_cell, denominator_cell }, metric) => asked.has(`${numerator_cell} ${denominator_cell} ${metric}`);
}

/**
 * What the database did in the background in a share of one side's trials that exceeds that of the other's by more than half: in most against none, or
 * in all against a few. Trials in which that was not counted say nothing.
 * @param {...{id: string, trials: object[]}} sides trials of results.json @returns {{is, cell, trials, of}|null}
 */
export function onOneSide(...sides) {
  const [one, two] = sides.map(({ id, trials }) => ({
    id,
    counted: trials.map(({ maintenance }) => maintenance).filter(Boolean), // of searches nothing was counted
  }));
  const count = ({ counted }, what) => counted.filter((done) => done.includes(what)).length;
  const often = ['checkpoint', 'autovacuum'].flatMap((is) =>
    [
      [one, two],
      [two, one],
    ]
      .filter(
        ([mine, theirs]) => count(mine, is) / mine.counted.length - count(theirs, is) / theirs.counted.length > 0.5,
      )
      .map(([mine]) => ({ is, cell: mine.id, trials: count(mine, is), of: mine.counted.length })),
  );
  return often[0] ?? null;
}

/** Copies are compared with what they are copies of, variants with base where it was measured, everything else each with each. */
function pairsOf(names, dimension) {
  if (dimension !== 'variant') return eachWithEach(names);
  const own = names.filter((name) => !isCopy(name));
  const copies = names.filter((name) => isCopy(name) && own.includes(originalOf(name)));
  const pairs = own.includes(BASE)
    ? own.filter((name) => name !== BASE).map((name) => [name, BASE])
    : eachWithEach(own);
  return [...copies.map((name) => [name, originalOf(name)]), ...pairs];
}

const eachWithEach = (names) => names.flatMap((name, i) => names.slice(i + 1).map((other) => [name, other]));

function atCommonLevels(above, below) {
  const levels = new Map(below.map((cell) => [levelOf(cell), cell]));
  const common = above.filter((cell) => levels.has(levelOf(cell))).map((cell) => [cell, levels.get(levelOf(cell))]);
  return common.sort(([a], [b]) => a.level - b.level);
}

/** wrk's throughput is null where its connections had too few answers: such levels do not say which is faster. */
function fasterFirst([one, other], byName) {
  const logs = atCommonLevels(byName.get(one), byName.get(other))
    .filter((pair) => pair.every((cell) => cell.throughput_rps !== null))
    .map(([a, b]) => Math.log(a.throughput_rps.median / b.throughput_rps.median));
  return logs.length > 0 && mean(logs) < 0 ? [other, one] : [one, other];
}

/**
 * The A/A comparisons in total: the same target measured twice must not differ, except by chance once in twenty.
 * @returns {{comparisons, hold_one, visible, by_metric}|null} visible: median `finds` of throughput
 */
export function summariseAgain(comparisons) {
  const again = comparisons.filter(({ kind }) => kind === AGAIN);
  const by_metric = {};
  for (const metric of COMPARED) {
    const judged = again.map((comparison) => comparison[metric]).filter((result) => (result?.differs ?? null) !== null);
    by_metric[metric] = { comparisons: judged.length, hold_one: judged.filter(({ differs }) => !differs).length };
  }
  const total = (key) => Object.values(by_metric).reduce((all, counts) => all + counts[key], 0);
  return total('comparisons') === 0
    ? null
    : { comparisons: total('comparisons'), hold_one: total('hold_one'), visible: visibleIn(again), by_metric };
}

function visibleIn(comparisons) {
  const widths = comparisons.map(({ throughput }) => throughput?.finds ?? null).filter((width) => width !== null);
  return median(widths);
}

/** Whether more of so many A/A intervals exclude 1 than chance explains. @param {{comparisons: number, hold_one: number}} counts */
const missMore = ({ comparisons, hold_one }) =>
  missedByChance(comparisons - hold_one, comparisons) < limitOf('again_chance');

/** The metrics of which that is so. @param {{by_metric?: object}} again of results.json @returns {string[]} */
export const metricsThatMiss = ({ by_metric }) =>
  Object.keys(by_metric ?? {}).filter((metric) => missMore(by_metric[metric]));

/** Of all intervals of copies, or where these are as many as expected, of those of one figure: how few include 1; null where that is within chance. @param {object} again of results.json */
export function noisyText({ comparisons, hold_one, by_metric }) {
  const all = ['', { comparisons, hold_one }];
  const figures = metricsThatMiss({ by_metric }).map((metric) => [` of ${metric}`, by_metric[metric]]);
  const [which, of] = [all, ...figures].find(([, counts]) => missMore(counts)) ?? [];
  return of
    ? `only ${of.hold_one} of ${of.comparisons} intervals of second copies${which} ${of.hold_one === 1 ? 'includes' : 'include'} 1`
    : null;
}
