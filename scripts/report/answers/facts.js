/**
 * What the picture of an answer shows, from results.json alone. Its shape follows from what the question compares: lines over levels where both sides
 * were measured at three or more, else a row for each side; pools by size; kinds of query; what each promise lost; copies of one target.
 *
 * A mark is the geometric mean over the blocks that all compared marks have. Its whisker is the interval of its ratio to the reference, laid on the
 * reference: it leaves out the reference where a difference was shown, and says what the answer says. A capacity is the answer over its blocks, with the interval of that.
 */

import { confidenceOfPairs } from '../../analyse/answers/smallest.js';
import { againstText } from '../../analyse/capacity/doubts.js';
import {
  AGAIN,
  blocksOfAll,
  byBlock,
  figureOf,
  isCopy,
  isMoreBetter,
  METRICS,
  ratioOf,
} from '../../analyse/figures.js';
import { SERIES } from '../../analyse/identity.js';
import { CONFIDENCE } from '../../analyse/intervals.js';
import { groupBy, mean } from '../../analyse/numbers.js';
import { unitsOf } from '../../analyse/phrases.js';
import { unitIn } from '../../analyse/sides.js';
import { byName, inverted, levelNoun, levelOf, seriesName } from '../../analyse/words.js';
import { amountText, intervalText } from '../../findings/capacity/table.js';
import { facts as indexFacts } from '../../findings/index-pairs/draw.js';
import { facts as survivalFacts } from '../../findings/survival/draw.js';
import { dots } from './trials.js';

/** What two sides may differ in. */
const DIMENSIONS = ['database', 'target', 'variant', 'workload'];

/** From so many levels of both sides on, a question is about load. */
const LEVELS = 3;

/** What stands beside the sides is left out where it is so many times as far: it would hide the difference that was asked about. */
const FAR = 10;

const isNear = (value, sides) => sides.some((side) => Math.abs(Math.log(value / side)) <= Math.log(FAR));

/**
 * @typedef {{name: string, series: string, role: 'reference'|'compared'|'beside', at?: number, value: number|null, low: number|null, high: number|null,
 *   over?: {ratio, low, high, confidence}, told?: {amount, interval, against: string}, cell?: string, trials: {value: number, verdict: string, trial: string|null}[]}} Mark in the units of the metric: answers per second, microseconds;
 *   value: null: unknown; series: whose colour it has, '' for ink; over: the ratio to the reference, of which low and high are the bounds where the question asks about it; told: a capacity in words; cell: whose trials they are, where they are a cell's; trial: null of what is no trial
 * @typedef {{metric: string, units: string, by: string, reference: string|null, confidence: number|null, absent?: string[]}} Common units: what is counted; by: what rows
 *   or lines differ in; reference: name of the mark that whiskers compare with; confidence: of the whiskers where the question asks, null where there are none;
 *   absent: names of rows that have no figure
 * @param {object} results results.json @param {object} question one of its answers
 * @returns {Common & {shape: 'rows', panels: {metric: string, units: string, rows: Mark[]}[]}
 *   |Common & {shape: 'lines', noun: string, asked: number|null, floor: number|null, lines: {name, series, role, points: Mark[]}[]}
 *   |{shape: 'copies', panels: {metric: string, intervals: {name, ratio, low, high, differs}[]}[]}|null} null where there is nothing to draw
 */
export function factsOf(results, question) {
  return question.answered ? (SHAPES[question.kind]?.(results, question) ?? null) : null;
}

const SHAPES = {
  pair: (results, question) => overLevels(results, question) ?? atOneLevel(results, question),
  rank: (results, question) => (isAtPeak(question) ? overLevels(results, question) : atOneLevel(results, question)),
  smallest: pools,
  index: indexFacts,
  lost: (results, question) => survivalFacts(results, question, costOf(results)),
  again: copies,
};

/** Whether each side is at its own peak, so that it has cells at several levels. */
const isAtPeak = ({ comparisons }) => comparisons[0].numerator_cells.length > 1;

/** Both sides of a question: the cells that the others are compared with, and those others with their ratio to it. */
function sidesOf({ cells }, { kind, metric, comparisons, ...question }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const bestAbove = kind === 'rank' && isMoreBetter(metric);
  const [of, over] = bestAbove ? ['denominator', 'numerator'] : ['numerator', 'denominator'];
  const reference = comparisons[0][`${over}_cells`].map((id) => byId.get(id));
  const compared = comparisons.map((comparison) => ({
    cells: comparison[`${of}_cells`].map((id) => byId.get(id)),
    result: bestAbove ? inverted(comparison.result) : comparison.result,
  }));
  const [one, other] = [reference[0], compared[0].cells[0]];
  const dimension = question.dimension ?? DIMENSIONS.find((key) => one[key] !== other[key]); // results of before do not say
  return { reference, compared, dimension };
}

/** The sides, and cells that differ from them in the dimension alone, at any level. Other workloads than those asked about are other questions. */
function family({ cells }, { reference, compared, dimension }) {
  const sides = [reference, ...compared.map((side) => side.cells)].flat();
  const [one] = sides;
  const asked = new Set(sides.map(({ workload }) => workload));
  const shared = SERIES.filter((key) => key !== dimension);
  const isBeside = (cell) =>
    !cell.calibration &&
    !isCopy(cell.variant) &&
    shared.every((key) => cell[key] === one[key]) &&
    (dimension !== 'workload' || asked.has(cell.workload));
  return cells.filter((cell) => sides.includes(cell) || isBeside(cell));
}

const nameOf = (cell, dimension) => (['target', 'variant'].includes(dimension) ? seriesName(cell) : cell[dimension]);

const unitsIn = (cell) => unitsOf({ tool: cell.tool, unit: unitIn(cell) });

/** Geometric mean over blocks; null where a trial of them has no figure. */
function centre(cell, metric, blocks) {
  const trials = byBlock(cell);
  const figures = blocks.filter((block) => trials.has(block)).map((block) => figureOf(trials.get(block), metric));
  return figures.length === 0 || figures.includes(null) ? null : Math.exp(mean(figures.map(Math.log)));
}

/** @param {object|null} result the ratio to the reference, whose mark is at `base` */
const whisker = (result, base, confidence) =>
  result?.low && base
    ? { low: base * result.low, high: base * result.high, over: timesOf(result, confidence) }
    : { low: null, high: null };

const timesOf = ({ ratio, low, high }, confidence) => ({ ratio, low, high, confidence });

/** What was not asked about has its ratio to the reference, of the blocks that both have, but no whisker. */
function beside(metric, cell, ground) {
  const result = ratioOf(metric, cell, ground, { confidence: CONFIDENCE });
  return { low: null, high: null, ...(result && { over: timesOf(result, CONFIDENCE) }) };
}

/** Of a capacity: what was found over its own blocks. */
function ownInterval({ answer, ...capacity }) {
  const isKnown = answer.kind === 'rate' || answer.kind === 'at least';
  const { low, high } = answer.low > 0 && answer.high !== null ? answer : { low: null, high: null };
  const told = {
    ...{ amount: amountText(answer), interval: intervalText(answer) },
    against: againstText({ answer, ...capacity }),
  };
  return { ...(isKnown && { value: answer.rate }), low, high, told };
}

/** A row for each side, the best first, with what else was measured in their place. */
function atOneLevel(results, question) {
  const { metric, confidence } = question;
  const sides = sidesOf(results, question);
  const { reference, compared, dimension } = sides;
  const [ground] = reference;
  const ratios = new Map(compared.map(({ cells, result }) => [cells[0], result]));
  const blocks = blocksOfAll([ground, ...ratios.keys()]);
  const base = centre(ground, metric, blocks);
  const all = family(results, sides)
    .filter((cell) => levelOf(cell) === levelOf(ground))
    .map((cell) => {
      const role = cell === ground ? 'reference' : ratios.has(cell) ? 'compared' : 'beside';
      return {
        ...{ name: nameOf(cell, dimension), series: seriesName(cell), role },
        value: centre(cell, metric, blocks),
        ...(role === 'beside' ? beside(metric, cell, ground) : whisker(ratios.get(cell), base, confidence)),
        ...(metric === 'capacity' && ownInterval(cell)),
        cell: cell.id,
        trials: dots(cell, metric),
      };
    });
  const measured = all.filter(({ value }) => value !== null);
  const asked = measured.filter(({ role }) => role !== 'beside').map(({ value }) => value);
  const rows = measured.filter(({ role, value }) => role !== 'beside' || isNear(value, asked));
  const better = isMoreBetter(metric) ? -1 : 1;
  const units = unitsIn(ground);
  const panel = { metric, units, rows: rows.toSorted((a, b) => better * (a.value - b.value)) };
  return {
    ...{ shape: 'rows', metric, units, by: dimension },
    ...{ reference: nameOf(ground, dimension), confidence, panels: [panel] },
    absent: all.filter(({ value }) => value === null).map(({ name }) => name),
  };
}

/** Where a cell stands on the axis of levels: users, or per cent of its own peak. */
const position = ({ share, level }) => (share ? Number.parseFloat(share) : level);

/** Lines over levels; null where the sides have too few in common. */
function overLevels(results, question) {
  const { metric, confidence } = question;
  const sides = sidesOf(results, question);
  const { reference, compared, dimension } = sides;
  const atPeak = isAtPeak(question);
  const [ground] = reference;
  const ratios = new Map(compared.map(({ cells, result }) => [cells[0], result]));
  const named = groupBy(family(results, sides), (cell) => nameOf(cell, dimension));
  const below = nameOf(ground, dimension);
  const above = new Set([...ratios.keys()].map((cell) => nameOf(cell, dimension)));
  const grounds = new Map(named.get(below).map((cell) => [levelOf(cell), cell]));
  const common = [...named]
    .filter(([name]) => above.has(name))
    .map(([, cells]) => cells.filter((cell) => grounds.has(levelOf(cell))));
  if (!atPeak && common.some((cells) => cells.length < LEVELS)) return null;
  const pointOf = (cell, role) => {
    const under = role === 'reference' ? undefined : grounds.get(levelOf(cell));
    const blocks = blocksOfAll(under && role === 'compared' ? [under, cell] : [cell]);
    const asked = atPeak ? undefined : ratios.get(cell);
    const other = under && !asked ? ratioOf(metric, cell, under, { confidence: CONFIDENCE }) : null;
    return {
      at: position(cell),
      value: centre(cell, metric, blocks),
      ...(role === 'beside' && under
        ? beside(metric, cell, under)
        : whisker(asked ?? other, under && centre(under, metric, blocks), asked ? confidence : CONFIDENCE)),
      cell: cell.id,
      trials: dots(cell, metric),
    };
  };
  const all = [...named].map(([name, cells]) => {
    const role = name === below ? 'reference' : above.has(name) ? 'compared' : 'beside';
    const points = cells.map((cell) => pointOf(cell, role)).filter(({ value }) => value !== null);
    const series = ['target', 'variant'].includes(dimension) ? seriesName(cells[0]) : name; // lines of one target need colours of their own
    return { name, series, role, points: points.toSorted((a, b) => a.at - b.at) };
  });
  const asked = all.filter(({ role }) => role !== 'beside').flatMap(({ points }) => points);
  const isClose = ({ at, value }) =>
    isNear(
      value,
      asked.filter((point) => point.at === at).map((point) => point.value),
    );
  const lines = all.filter(({ role, points }) => points.length > 0 && (role !== 'beside' || points.some(isClose)));
  return {
    ...{ shape: 'lines', metric, units: unitsIn(ground), by: dimension, reference: below, confidence },
    noun: ground.share ? '% of its own peak' : levelNoun(ground),
    asked: atPeak ? null : position(ground),
    floor: null,
    lines: lines.toSorted((a, b) => byName(a.name, b.name)),
  };
}

/** Throughput by size of the pool, each compared with the best. */
function pools(results, { sides, enough, ...question }) {
  const confidence = confidenceOfPairs({ ...question, sides });
  if (!sides) return null; // results of before do not say which
  const byId = new Map(results.cells.map((cell) => [cell.id, cell]));
  const pool = sides.map(({ size, cells: [id] }) => ({ size, cell: byId.get(id) })).sort((a, b) => a.size - b.size);
  const best = pool.find(({ size }) => size === enough.best).cell;
  const blocks = blocksOfAll(pool.map(({ cell }) => cell));
  const metric = 'throughput';
  const base = centre(best, metric, blocks);
  const points = pool.map(({ size, cell }) => ({
    at: size,
    role: cell === best ? 'reference' : 'compared',
    value: centre(cell, metric, blocks),
    ...whisker(cell === best ? null : ratioOf(metric, cell, best, { confidence }), base, confidence),
    cell: cell.id,
    trials: dots(cell, metric),
  }));
  const line = { name: best.target, series: best.target, role: 'compared', points };
  return {
    ...{ shape: 'lines', metric, units: unitsIn(best), by: 'variant', reference: String(enough.best), confidence },
    ...{
      noun: 'connections in the pool',
      asked: enough.of_best && enough.size,
      floor: base * (1 - enough.within),
      lines: [line],
    },
  };
}

/** What each database costs, where a question ranks them. */
function costOf(results) {
  const ranked = results.questions.find(
    ({ kind, answered, comparisons, dimension = 'database' }) =>
      kind === 'rank' && answered && dimension === 'database' && comparisons.length > 0,
  );
  return ranked ? atOneLevel(results, ranked) : null;
}

/** 'echo, raw, wrk, 16' */
const copyName = ({ workload, target, tool, share, level }) =>
  [workload, target, tool, levelOf({ share, level })].join(', ');

/** The interval of each copy over what it is a copy of, by metric, from the lowest ratio to the highest. */
function copies({ comparisons }) {
  const again = comparisons.filter(({ kind }) => kind === AGAIN);
  const panels = Object.keys(METRICS).map((metric) => ({
    metric,
    intervals: again
      .filter(({ [metric]: result }) => result?.low)
      .map(({ [metric]: { ratio, low, high, differs }, ...pair }) => ({
        name: copyName(pair),
        ratio,
        low,
        high,
        differs,
      }))
      .toSorted((a, b) => a.ratio - b.ratio),
  }));
  const shown = panels.filter(({ intervals }) => intervals.length > 0);
  return shown.length > 0 ? { shape: 'copies', panels: shown } : null;
}
