/** The sides of a question: their cells, their trials by block, and how one compares with another. */
import { onOneSide } from './comparisons.js';
import { leastEnough } from './enough.js';
import { blocksOfAll, byBlock, figureOf, isCopy, originalOf, ratioOfTrials } from './figures.js';
import { placeKey } from './identity.js';
import { limitOf } from './limits.js';
import { mean } from './numbers.js';

/**
 * One side of a question: its cells, and its trials by block. At the peak, those of the level that served the most over all blocks; that the run
 * chose it is in the error of the interval, see errorOf.
 * @returns {{name, cells: object[], cell: object, trials: Map<number, object>, planned: number[], beyond?: number}} planned: blocks; cell: one that stands for
 *   the side in words; beyond: the highest level, where it is the peak, so that the true one may lie higher
 */
export function sideOf({ name, cells: ids }, { where }, { byId }) {
  const cells = ids.map((id) => byId.get(id)).sort((a, b) => a.level - b.level);
  const side = { name, cells, cell: cells[0], planned: blocksOfAll(cells) };
  if (where.level !== 'peak') return { ...side, trials: byBlock(cells[0]) };
  const enough = leastEnough(cells, { within: limitOf('pool_share') });
  if (enough === null) return { ...side, trials: new Map() };
  const trials = new Map([...byBlock(cells[enough.best])].filter(([block]) => side.planned.includes(block)));
  return { ...side, trials, ...(enough.best === cells.length - 1 && { beyond: cells.at(-1).level }) };
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
  const over = (one, other) => {
    const trials = new Map([...one.trials].filter(([block]) => blocks.includes(block)));
    return ratioOfTrials(trials, other.trials, { metric, of: blocks.length }, { confidence, within });
  };
  const result = over(above, below);
  const copies = result?.low ? copiesOf([above, below], question, known, over) : [];
  const ids = (side) => side.cells.map(({ id }) => id);
  return {
    numerator: above.name,
    denominator: below.name,
    numerator_cells: ids(above),
    denominator_cells: ids(below),
    result,
    same_again: withinCopies(result, copies),
    copies,
    maintenance: onOneSide(...[above, below].map(({ cell: { id }, trials: of }) => ({ id, trials: [...of.values()] }))),
  };
}

/**
 * Second copies of the sides: what each differs by from what it is a copy of, and what the comparison gives with it instead, where it
 * was measured in as many blocks.
 * @param {(one: object, other: object) => object} over the ratio of two sides @returns {{of: string, rps: number|null, again: object, instead: object|null}[]} see pairedRatio; rps: of the open model at a share of a peak: the copy has one of its own
 */
function copiesOf([above, below], question, known, over) {
  return [above, below].flatMap((original) => {
    const cells = original.cells.map((cell) =>
      known.cells.find((other) => isCopy(other.variant) && isSame(other, cell)),
    );
    if (cells.includes(undefined)) return [];
    const copy = sideOf({ name: original.name, cells: cells.map(({ id }) => id) }, question, known);
    const shared = blocksOfAll([...cells, ...original.cells]);
    const again = ratioOfTrials(copy.trials, original.trials, { metric: question.metric, of: shared.length });
    const isWhole = shared.length === original.planned.length && copy.planned.length === shared.length;
    const instead = isWhole ? (original === above ? over(copy, below) : over(above, copy)) : null;
    const rps = copy.cell.share ? copy.cell.level : null;
    return again?.low ? [{ of: original.name, rps, again, instead }] : [];
  });
}

/** The interval of a copy over what it is a copy of where the result lies within it, else null. */
function withinCopies(result, copies) {
  const inverse = ({ low, high }) => ({ low: 1 / high, high: 1 / low });
  const holds = ({ low, high }) => low <= result.ratio && result.ratio <= high;
  const intervals = copies.map(({ again: { low, high } }) => ({ low, high }));
  return intervals.find((interval) => holds(interval) || holds(inverse(interval))) ?? null;
}

const isSame = (copy, original) =>
  placeKey({ ...copy, variant: originalOf(copy.variant) }) === placeKey(original) &&
  copy.model === original.model &&
  copy.share === original.share &&
  (original.share !== null || copy.level === original.level);

/** 'document write' where a request writes many, so that trials have work_per_s; null where a request is the unit. */
export const unitIn = ({ trials }) =>
  trials.some(({ work_per_s }) => (work_per_s ?? null) !== null) ? 'document write' : null;
