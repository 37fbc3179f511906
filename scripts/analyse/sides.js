/** The sides of a question: their cells, their trials by block, and how one compares with another. */
import { onOneSide } from './comparisons.js';
import { leastEnough } from './enough.js';
import { blocksOfAll, byBlock, figureOf, isCopy, originalOf, ratioOfTrials } from './figures.js';
import { limitOf } from './limits.js';
import { mean } from './numbers.js';

/**
 * One side of a question: its cells, and its trials by block. At the peak, the level of each block is chosen from the other blocks, so that
 * a level is not chosen for its luck in the figures that it then enters.
 * @returns {{name, cells: object[], cell: object, trials: Map<number, object>, planned: number[]}} planned: blocks; cell: one that stands for the side in words
 */
export function sideOf({ name, cells: ids }, { where }, { byId }) {
  const cells = ids.map((id) => byId.get(id)).sort((a, b) => a.level - b.level);
  const planned = blocksOfAll(cells);
  if (where.level !== 'peak') return { name, cells, cell: cells[0], trials: byBlock(cells[0]), planned };
  const measured = new Set(cells.flatMap((cell) => [...byBlock(cell).keys()]));
  const chosen = planned
    .filter((block) => measured.has(block))
    .map((block) => {
      const peak = leastEnough(cells, { within: limitOf('pool_share'), without: block });
      return [block, peak && byBlock(cells[peak.at]).get(block)];
    });
  return { name, cells, cell: cells[0], trials: new Map(chosen.filter(([, trial]) => trial)), planned };
}

export const meanLog = ({ trials }, metric, blocks) =>
  mean(
    [...trials.values()]
      .filter(({ block }) => blocks.includes(block))
      .map((trial) => figureOf(trial, metric))
      .filter(Boolean)
      .map(Math.log),
  );

/** @param {number[]} [blocks] in which they are compared: those of both, or of all that a ranking ranks */
export function compared(above, below, question, known, blocks = blocksOfAll([...above.cells, ...below.cells])) {
  const { metric } = question;
  const { confidence } = known;
  const within = limitOf('equality');
  const trials = new Map([...above.trials].filter(([block]) => blocks.includes(block)));
  const result = ratioOfTrials(trials, below.trials, { metric, of: blocks.length }, { confidence, within });
  const ids = (side) => side.cells.map(({ id }) => id);
  return {
    numerator: above.name,
    denominator: below.name,
    numerator_cells: ids(above),
    denominator_cells: ids(below),
    result,
    same_again: withinCopies(result, [above, below], question, known),
    maintenance: onOneSide(...[above, below].map(({ cell: { id }, trials: of }) => ({ id, trials: [...of.values()] }))),
  };
}

/** The interval of a copy over what it is a copy of, of either side, where the result lies within it; else null. */
function withinCopies(result, sides, question, known) {
  if ((result?.differs ?? null) === null) return null;
  const intervals = sides.flatMap((original) => {
    const copies = original.cells.map((cell) =>
      known.cells.find((other) => isCopy(other.variant) && isSame(other, cell)),
    );
    if (copies.includes(undefined)) return [];
    const copy = sideOf({ name: original.name, cells: copies.map(({ id }) => id) }, question, known);
    const of = blocksOfAll([...copies, ...original.cells]).length;
    const again = ratioOfTrials(copy.trials, original.trials, { metric: question.metric, of });
    return again?.low ? [{ low: again.low, high: again.high }] : [];
  });
  const inverse = ({ low, high }) => ({ low: 1 / high, high: 1 / low });
  const holds = ({ low, high }) => low <= result.ratio && result.ratio <= high;
  return intervals.find((interval) => holds(interval) || holds(inverse(interval))) ?? null;
}

const PLACE = ['database', 'target', 'workload', 'tool', 'model', 'share'];

const isSame = (copy, original) =>
  originalOf(copy.variant) === original.variant &&
  PLACE.every((key) => copy[key] === original[key]) &&
  (original.share !== null || copy.level === original.level);

/** 'document' where a request stores many, so that trials have work_per_s; null where a request is the unit. */
export const unitIn = ({ trials }) =>
  trials.some(({ work_per_s }) => (work_per_s ?? null) !== null) ? 'document' : null;
