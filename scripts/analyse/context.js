/** What an answer says beside its figures: of what they are, and what speaks against it. */
import { doubtsOf, underrated } from './capacity/doubts.js';
import { noisyText } from './comparisons.js';
import { copiesMark, copiesTexts, isOtherwiseWithCopy } from './copies.js';
import { intervalText } from './effects.js';
import { generatorLimit } from './generator-limit.js';
import { SERIES } from './identity.js';
import { CONFIDENCE } from './intervals.js';
import { limitOf } from './limits.js';
import { disturbedText, isUnsent, marksInBrief, marksText } from './marks.js';
import { datasetText, ordersText } from './names.js';
import { spreadOf } from './peak-spread.js';
import { equalMayDiffer, levelPhrase, listed, measuredText, ofRates } from './phrases.js';
import { variantOfAll } from './sentence-facts.js';
import { compared, sideOf } from './sides.js';
import { bound, levelOf } from './words.js';

/**
 * What stands behind an answer: what was asked of what, with which tool, on how much data; and what speaks against it.
 * @param {object[]} sides that which the sentence is about first @param {object} facts gain: see generatorLimit; comparisons: see compared
 */
export function contextOf(question, sides, { known, marks, gain, comparisons }) {
  const { tool } = sides[0].cell;
  const spread = spreadOf(question, sides, { known, comparisons });
  return [
    loadText(question, sides, known),
    spread && ofRates(spread),
    ...sides.filter(({ beyond }) => beyond).map(beyondText),
    generatorLimit({ tool, sides, gain }),
    ...copiesTexts(comparisons, known),
    ...comparisons.filter(({ maintenance }) => maintenance).map(maintenanceText),
    comparisons.length === 1 && elsewhereText(comparisons[0], question, known),
    disturbedText(sides.flatMap(({ cells }) => cells)),
    known.again && noisyText(known.again),
    marks.length > 0 && question.metric !== 'capacity' && marksText(marks, sides),
  ]
    .filter(Boolean)
    .join('; ');
}

/** The same as a sentence, and of capacities what speaks against them as further ones. @param {string} context see contextOf @param {object[]} sides as there */
export const besideText = (context, { metric }, sides) =>
  [measuredText(context), ...(metric === 'capacity' ? doubtsOf(sides.map(({ cell }) => cell)) : [])].join(' ');

/** The same where there is little room: without the figures of second copies, counts, and what the database did beside it. */
export function contextInBrief(question, sides, { known, marks, gain, comparisons }) {
  return [
    loadText(question, sides, known),
    generatorLimit({ tool: sides[0].cell.tool, sides, gain }),
    ...briefMarks(marks, sides, { comparisons, spread: spreadOf(question, sides, { known, comparisons }) }),
    known.again && noisyText(known.again),
  ]
    .filter(Boolean)
    .join('; ');
}

/** That a series ended where throughput may still have risen. */
const beyondText = ({ name, beyond }) => `the peak of ${name} may lie above ${beyond}, the highest level measured`;

/**
 * What a title says: marks, what second copies of the sides did, and by how much equal targets may differ.
 * @param {object[]} sides see sideOf @param {{comparisons?: object[], spread?: object|null}} [about] see compared, spreadOf @returns {string[]}
 */
export const briefMarks = (marks, sides, { comparisons = [], spread = null } = {}) =>
  [
    spread && equalMayDiffer(spread),
    ...sides.filter(({ beyond }) => beyond).map(beyondText),
    disturbedText(sides.flatMap(({ cells }) => cells)),
    marks.length > 0 && marksInBrief(marks, sides),
    mayBeHigher(sides),
    ...new Set(comparisons.map(copiesMark)),
    ...new Set(comparisons.map(({ maintenance }) => maintenance && `${maintenance.is} on one side`)),
  ].filter(Boolean);

/**
 * Between which of those below the best of a ranking by capacity no difference was shown: each is compared with each at the question's confidence, which is
 * of so many comparisons. @param {object[]} others see sideOf, the better first @param {number[]} blocks see compared @returns {string|null}
 */
export function unorderedText(others, question, known, blocks) {
  if (question.metric !== 'capacity') return null;
  const isApart = (i, j) => compared(others[i], others[j], question, known, blocks).result?.differs;
  const groups = others.map((_side, from) => {
    let to = from;
    while (to + 1 < others.length && others.slice(from, to + 1).every((_one, i) => !isApart(from + i, to + 1))) to += 1;
    return { from, to };
  });
  // what ends where the group before ends is part of that
  const whole = groups.filter(({ from, to }, i) => to > from && to > (groups[i - 1]?.to ?? -1));
  const texts = whole.map(({ from, to }) => listed(others.slice(from, to + 1).map(({ name }) => name)));
  return texts.length > 0 ? `No order was shown between ${texts.join(', nor between ')}.` : null;
}

/** Of capacities, which held at 150 % of what was found; null where none did. */
function mayBeHigher(sides) {
  const names = underrated(sides.flatMap(({ cells }) => cells));
  return names.length > 0 ? `${listed(names)} may take more` : null;
}

/** 'echo, variant pool-10, wrk, TPC-H scale 1' */
function loadText(question, sides, { names, scale }) {
  const { dimension, metric } = question;
  const { workload, tool, target, variant, database } = sides[0].cell;
  const shared = variantOfAll(question, sides);
  const data =
    dimension === 'database'
      ? [...Object.values(names.target(target, variant)), scale && `scale ${scale}`]
      : [datasetText(database, scale), metric === 'capacity' && ordersText(database, scale)];
  return [dimension === 'workload' ? null : workload, shared && `variant ${shared}`, tool, sharedBy(sides), ...data]
    .filter(Boolean)
    .join(', ');
}

/** How many load generators shared the loads, of each side where they differ; null where one made each alone. */
function sharedBy(sides) {
  const numbers = sides.map(({ cells }) => [...new Set(cells.map(({ generators = 1 }) => generators))]);
  const all = [...new Set(numbers.flat())];
  if (all.length === 1) return all[0] === 1 ? null : `${all[0]} load generators`;
  return `${numbers.map((of, i) => `${sides[i].name} by ${listed(of)}`).join(', ')} load generators`;
}

function maintenanceText({ maintenance: { is, cell, trials, of }, numerator, denominator, numerator_cells }) {
  const [maintained, other] = numerator_cells.includes(cell) ? [numerator, denominator] : [denominator, numerator];
  return `${is} in ${trials} of ${of} trials of ${maintained}, and in few or none of ${other}`;
}

/** What forbids to claim what was found, or null. @param {object[]} sides see sideOf @param {object|null} [spread] see spreadOf @param {object[]} [comparisons] see compared */
export function heldBy(sides, spread = null, comparisons = []) {
  if (disturbedText(sides.flatMap(({ cells }) => cells))) return 'other programs were at work';
  if (spread?.hides) return `${equalMayDiffer(spread)} at rates that were searched for`;
  if (comparisons.some(isOtherwiseWithCopy)) return 'a second copy in place of one side gives another answer';
  const cut = comparisons.flatMap((comparison) => cutOff(comparison, sides));
  const names = [...new Set(cut)];
  return names.length > 0
    ? `${listed(names)} ${names.length === 1 ? 'is' : 'are'} only known to take at least so much`
    : null;
}

/** The sides whose capacity is "at least" what was found in some block, where another is said to be above it, or equal. @param {object} comparison see compared @returns {string[]} names */
function cutOff({ numerator, denominator, result }, sides) {
  if (!result.differs && !result.equal) return [];
  const mayBeMore = ({ trials }) => [...(trials?.values() ?? [])].some(({ kind }) => kind === 'at least');
  const most = result.ratio > 1 ? numerator : denominator;
  return sides
    .filter(({ name }) => [numerator, denominator].includes(name) && !(result.differs && name === most))
    .filter(mayBeMore)
    .map(({ name }) => name);
}

/** That at other levels, which the question is not about, a difference was shown where here there is none; null where that is not so. */
function elsewhereText({ result, numerator, denominator, numerator_cells, denominator_cells }, question, known) {
  if (result?.differs !== false || numerator_cells.length > 1) return null;
  const asked = [numerator_cells, denominator_cells].map(([id]) => known.byId.get(id));
  const isLike = (id, cell) => SERIES.every((key) => known.byId.get(id)[key] === cell[key]);
  const told = known.comparisons
    .filter((entry) => levelOf(entry) !== levelOf(asked[0]))
    .map(({ numerator_cell, denominator_cell }) => [numerator_cell, denominator_cell])
    .map((ids) => asked.map((cell) => ids.find((id) => isLike(id, cell))))
    .filter((ids) => !ids.includes(undefined))
    .map(([above, below]) => [
      { name: numerator, cells: [above] },
      { name: denominator, cells: [below] },
    ])
    .flatMap((sides) => shownBetween(sides, question, known) ?? []);
  return told.length > 0 ? `not asked about: a difference was shown ${listed(told)}` : null;
}

/** 'with 1 user (a / b 1.11, 95 % interval 1.05 to 1.17)'; null where nothing was shown, or something forbids to claim it. @param {{name: string, cells: string[]}[]} sides */
function shownBetween(sides, question, known) {
  const [above, below] = sides.map((side) => sideOf(side, question, known));
  const cells = [...above.cells, ...below.cells];
  if (isUnsent(cells, limitOf('unsent_share'))) return null;
  const comparison = compared(above, below, question, { ...known, confidence: CONFIDENCE });
  const spread = spreadOf(question, [above, below], { known, comparisons: [comparison] });
  const { result } = comparison;
  if (!result?.differs || heldBy([above, below], spread, [comparison])) return null;
  return `${levelPhrase(above.cell)} (${above.name} / ${below.name} ${bound(result.ratio)}, ${intervalText(result)})`;
}
