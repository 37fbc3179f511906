/**
 * What pictures of answers are made of: the sides of a question, what was measured in their place, and marks with their whiskers.
 *
 * A mark is the geometric mean over the blocks that all compared marks have. Its whisker is the interval of its ratio to the reference, laid on the
 * reference: it leaves out the reference where a difference was shown, and says what the answer says. A capacity is the answer over its blocks, with the interval of that.
 */

import { againstText } from '../../analyse/capacity/doubts.js';
import { byBlock, figureOf, isCopy, isMoreBetter, ratioOf } from '../../analyse/figures.js';
import { SERIES } from '../../analyse/identity.js';
import { CONFIDENCE } from '../../analyse/intervals.js';
import { mean } from '../../analyse/numbers.js';
import { unitsOf } from '../../analyse/phrases.js';
import { unitIn } from '../../analyse/sides.js';
import { inverted, seriesName } from '../../analyse/words.js';
import { amountText, intervalText } from '../../findings/capacity/table.js';

/** What two sides may differ in. */
const DIMENSIONS = ['database', 'target', 'variant', 'workload'];

/** What stands beside the sides is left out where it is so many times as far: it would hide the difference that was asked about. */
const FAR = 10;

export const isNear = (value, sides) => sides.some((side) => Math.abs(Math.log(value / side)) <= Math.log(FAR));

/** Whether each side is at its own peak, so that it has cells at several levels. */
export const isAtPeak = ({ comparisons }) => comparisons[0].numerator_cells.length > 1;

/** Both sides of a question: the cells that the others are compared with, and those others with their ratio to it. */
export function sidesOf({ cells }, { kind, metric, comparisons, ...question }) {
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
export function family({ cells }, { reference, compared, dimension }) {
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

export const nameOf = (cell, dimension) =>
  ['target', 'variant'].includes(dimension) ? seriesName(cell) : cell[dimension];

export const unitsIn = (cell) => unitsOf({ tool: cell.tool, unit: unitIn(cell) });

/** Geometric mean over blocks; null where a trial of them has no figure. */
export function centre(cell, metric, blocks) {
  const trials = byBlock(cell);
  const figures = blocks.filter((block) => trials.has(block)).map((block) => figureOf(trials.get(block), metric));
  return figures.length === 0 || figures.includes(null) ? null : Math.exp(mean(figures.map(Math.log)));
}

/** @param {object|null} result the ratio to the reference, whose mark is at `base` */
export const whisker = (result, base, confidence) =>
  result?.low && base
    ? { low: base * result.low, high: base * result.high, over: timesOf(result, confidence) }
    : { low: null, high: null };

const timesOf = ({ ratio, low, high }, confidence) => ({ ratio, low, high, confidence });

/** What was not asked about has its ratio to the reference, of the blocks that both have, but no whisker. */
export function beside(metric, cell, ground) {
  const result = ratioOf(metric, cell, ground, { confidence: CONFIDENCE });
  return { low: null, high: null, ...(result && { over: timesOf(result, CONFIDENCE) }) };
}

/** Of a capacity: what was found over its own blocks. */
export function ownInterval({ answer, ...capacity }) {
  const isKnown = answer.kind === 'rate' || answer.kind === 'at least';
  const { low, high } = answer.low > 0 && answer.high !== null ? answer : { low: null, high: null };
  const told = {
    ...{ amount: amountText(answer), interval: intervalText(answer) },
    against: againstText({ answer, ...capacity }),
  };
  return { ...(isKnown && { value: answer.rate }), low, high, told };
}
