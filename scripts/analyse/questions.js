/** The answers to what an experiment asked before the run: plan.json names each question with the cells that answer it. */
import { onOneSide } from './comparisons.js';
import { leastEnough } from './enough.js';
import { blocksOfAll, byBlock, figureOf, isCopy, originalOf, ratioOfTrials } from './figures.js';
import { pairedRatio } from './intervals.js';
import { limitOf } from './limits.js';
import { lossesIn } from './losses.js';
import { GENERATOR_MARKS, isUnsent, marksOf, marksText } from './marks.js';
import { datasetText, Names } from './names.js';
import { mean, sum } from './numbers.js';
import {
  controlText,
  difference,
  enoughText,
  indexText,
  listed,
  noAnswer,
  noDifference,
  notComparable,
  ofRates,
  ordered,
  ranking,
  survivalText,
} from './phrases.js';

/** The error that all primary comparisons of a run share. */
const ALPHA = 0.05;

/** How many comparisons a question makes; a ranking, whose best the run itself chooses, each with each. */
const comparisonsIn = ({ kind, sides: { length: k } }) =>
  k === 0 ? 0 : ({ pair: 1, index: 1, rank: (k * (k - 1)) / 2, smallest: k - 1 }[kind] ?? 0);

/**
 * The error of each comparison of a question, which all those of primary questions share [Bonferroni].
 * @param {object} question of plan.json @param {object[]} questions all of them
 */
export const errorOf = ({ primary }, questions) =>
  ALPHA / (primary ? Math.max(1, sum(questions.filter((other) => other.primary).map(comparisonsIn))) : 1);

/**
 * @param {object[]} questions of plan.json: {ask, primary, metric, kind, dimension, where, sides: {name, cells: string[], size?}[], why}
 * @param {{cells, comparisons, again, index_pairs, survival, scale}} results of the run; scale: of the data
 * @returns {{ask, primary, metric, kind, dimension, sides, confidence, comparisons: {numerator, denominator, numerator_cells, denominator_cells, result,
 *   same_again, maintenance}[], enough, marks: string[], answered, claim, text, title}[]} confidence: of each interval, such that with 95 % all
 *   those of the primary questions hold; comparisons: by name, result as pairedRatio; same_again: the interval of a second copy of the
 *   denominator over the first, where the result lies within it; enough: see leastEnough; claim: something was shown; text: the answer; title: without
 *   what stands in brackets behind it
 */
export function answered(questions, results) {
  const byId = new Map(results.cells.map((cell) => [cell.id, cell]));
  const names = new Names();
  return questions.map((question) => {
    const confidence = 1 - errorOf(question, questions);
    const { ask, primary, metric, kind, dimension = null, why, sides } = question;
    const known = { ...results, byId, names, confidence };
    const absent = why ?? missing(sides, byId);
    const answer = absent === null ? ANSWERS[kind](question, known) : unanswered(absent);
    const declared = { ask, primary, metric, kind, dimension, sides };
    return { ...declared, confidence, comparisons: [], enough: null, marks: [], ...answer };
  });
}

const unanswered = (why) => ({ answered: false, claim: false, ...noAnswer(why) });

/** Why a question cannot be answered that was asked: a cell without any trial that counts. */
function missing(sides, byId) {
  const empty = sides.flatMap(({ cells }) => cells).find((id) => !(byId.get(id)?.trials_used > 0));
  return empty === undefined ? null : `${empty} has no trial that counts`;
}

const ANSWERS = {
  pair(question, known) {
    const [above, below] = question.sides.map((side) => sideOf(side, question, known));
    const apart = unlike([above, below], question);
    if (apart) return unanswered(apart);
    const comparison = compared(above, below, question, known);
    if (comparison.result === null) return unanswered(whyFew(null, [above, below], question));
    const facts = factsOf(question, [above, below], withConfidence(comparison.result, known));
    const marks = marksOf([...above.cells, ...below.cells]);
    const told = tell(facts, [above, below], { question, marks, comparison, known });
    return { answered: !isUnsent(marks), comparisons: [comparison], marks, ...told };
  },

  rank(question, known) {
    const sides = question.sides.map((side) => sideOf(side, question, known));
    const apart = unlike(sides, question);
    if (apart) return unanswered(apart);
    const lowerIsBetter = question.metric !== 'throughput';
    const common = blocksOfAll(sides.flatMap(({ cells }) => cells));
    const better = (a, b) =>
      (meanLog(a, question.metric, common) - meanLog(b, question.metric, common)) * (lowerIsBetter ? 1 : -1);
    const [best, ...others] = sides.toSorted(better);
    const comparisons = others
      .map((other) => (lowerIsBetter ? [other, best] : [best, other]))
      .map(([above, below]) => compared(above, below, question, known, common));
    const short = comparisons.find(({ result }) => (result?.differs ?? null) === null);
    if (short) return { ...unanswered(whyFew(short.result, sides, question)), comparisons };
    const marks = marksOf(sides.flatMap(({ cells }) => cells));
    if (isUnsent(marks)) return { ...unanswered('not every request was sent when it was due'), comparisons, marks };
    const nameOf = nameIn(question, known.names);
    const [{ result }] = comparisons;
    const gain = !lowerIsBetter && result.differs ? result : null;
    const { text, title } = ranking(
      factsOf(question, [best, ...others], null),
      nameOf(best),
      others.map((other, i) => ({ name: nameOf(other), result: withConfidence(comparisons[i].result, known) })),
      sides.length,
      contextOf(question, [best, ...others], { known, marks, gain, comparisons }),
      marks.length > 0 && `marked: ${marks.join(', ')}`,
    );
    return {
      answered: true,
      comparisons,
      marks,
      claim: comparisons.every(({ result }) => result.differs),
      text,
      title,
    };
  },

  smallest(question, known) {
    const sides = question.sides.toSorted((a, b) => a.size - b.size);
    const cells = sides.map((side) => known.byId.get(side.cells[0]));
    const within = limitOf('pool_share');
    const alpha = question.primary ? 1 - known.confidence : undefined;
    const found = leastEnough(cells, { within, alpha, confidence: known.confidence });
    if (found === null) return unanswered('a block of one of the pools is missing');
    const size = (i) => sides[i].size;
    const enough = {
      ...{ size: size(found.at), best: size(found.best), of_best: found.of_best, within },
      undecided: found.undecided.map(size),
    };
    const marks = marksOf(cells);
    const measured = sides.map((side) => sideOf(side, question, known));
    const best = measured[found.best];
    const comparisons = measured.filter((side) => side !== best).map((side) => compared(best, side, question, known));
    const context = contextOf(question, measured, { known, marks, gain: null, comparisons });
    const shown = { ...enough, of_best: withConfidence(enough.of_best, known) };
    const { text, title } = enoughText(factsOf(question, measured, null), shown, context);
    return {
      answered: true,
      enough,
      marks,
      claim: found.of_best !== null && found.undecided.length === 0 && !measured.some(isLimited),
      text,
      title,
    };
  },

  index(question, { index_pairs, byId, confidence }) {
    const [id] = question.sides[0].cells;
    const pairs = index_pairs?.cells.find((cell) => cell.id === id);
    if (!pairs) return unanswered('no pair of equal answers was found');
    const result = pairedRatio(pairs.speedups.map(Math.log), { of: byId.get(id).trials_planned, confidence });
    if (result === null || result.differs === null)
      return unanswered(result ? whyFew(result, [], question) : 'no trial has a pair of equal answers');
    const comparison = { numerator: 'without', denominator: 'with', numerator_cells: [id], denominator_cells: [id] };
    const marks = marksOf([byId.get(id)]);
    return {
      ...{ answered: true, marks, claim: result.differs },
      comparisons: [{ ...comparison, result, same_again: null, maintenance: null }],
      ...indexText(
        { ...pairs, speedup: withConfidence(result, { confidence }) },
        marks.length > 0 && marksText(marks, [{ name: '', cells: [byId.get(id)] }]),
      ),
    };
  },

  lost(_question, { survival }) {
    if (!survival?.length) return unanswered('no server was killed');
    const text = survivalText(...lossesIn(survival));
    return { answered: true, claim: true, text, title: text };
  },

  again(_question, { again }) {
    if (again === null) return unanswered('no target was measured twice in two blocks or more');
    const text = controlText(again);
    return { answered: true, claim: true, text, title: text };
  },
};

/**
 * One side of a question: its cells, and its trials by block. At the peak, the level of each block is chosen from the other blocks, so that
 * a level is not chosen for its luck in the figures that it then enters.
 * @returns {{name, cells: object[], cell: object, trials: Map<number, object>, planned: number[]}} planned: blocks; cell: one that stands for the side in words
 */
function sideOf({ name, cells: ids }, { where }, { byId }) {
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

const meanLog = ({ trials }, metric, blocks) =>
  mean(
    [...trials.values()]
      .filter(({ block }) => blocks.includes(block))
      .map((trial) => figureOf(trial, metric))
      .filter(Boolean)
      .map(Math.log),
  );

/** @param {number[]} [blocks] in which they are compared: those of both, or of all that a ranking ranks */
function compared(above, below, question, known, blocks = blocksOfAll([...above.cells, ...below.cells])) {
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

/** Why sides cannot be compared, or null: a request of one does other work, or a share of a low peak is no whole rate (see plan-open.jq). */
function unlike(sides, { metric }) {
  if (metric === 'throughput' && new Set(sides.map(({ cell }) => unitIn(cell))).size > 1)
    return 'a request of one side stores many documents, and one of another does not';
  const shares = [...new Set(sides.map(({ cell }) => cell.share))];
  return shares.length > 1 ? `the peaks are so low that their nearest whole rates are ${listed(shares)} of them` : null;
}

/** A result as a sentence needs it, which tells how sure an interval is. */
const withConfidence = (result, { confidence }) => result && { ...result, confidence };

/** @param {object[]} sides see sideOf, that which a sentence is about first @param {object|null} result of the comparison, where it is one */
function factsOf({ metric, where }, sides, result) {
  const [{ cell }] = sides;
  const { level, share, tool, model } = cell;
  const shown = result?.differs ? result : null;
  return {
    ...{ tool, model, metric, result, within: limitOf('equality') },
    level: where.level === 'peak' ? 'peak' : level,
    share: where.level === 'peak' ? null : share,
    rates: share ? sides.map(({ name, cell: { level: rps } }) => ({ name, rps })) : null,
    unit: unitIn(cell),
    throughput: metric === 'throughput' ? shown : null,
    lower: metric !== 'throughput' && shown ? { metric, result: shown } : null,
  };
}

/** How a side is called, the name that tables have behind its first mention. */
function nameIn({ dimension }, names) {
  let first = true;
  return ({ name, cell: { target, variant } }) => {
    if (dimension === 'database') return names.database(name);
    if (dimension === 'workload') return { label: `workload ${name}`, note: null };
    if (dimension === 'target') return names.target(name, variant);
    const told = first ? names.target(target, name) : names.variant(name);
    first = false;
    return told;
  };
}

/**
 * What stands in brackets behind an answer: what was asked of what, with which tool, on how much data; and what speaks against it.
 * @param {object[]} sides that which the sentence is about first @param {object} facts gain: see generatorLimit; comparisons: see compared
 */
function contextOf({ dimension }, sides, { known, marks, gain, comparisons }) {
  const [{ cell }] = sides;
  const { workload, tool, target, variant, database, share } = cell;
  const { names, scale } = known;
  const data =
    dimension === 'database'
      ? [...Object.values(names.target(target, variant)), scale && `scale ${scale}`]
      : [datasetText(database, scale)];
  return [
    [dimension === 'workload' ? null : workload, tool, ...data].filter(Boolean).join(', '),
    share && !isUnsent(marks) && ofRates(limitOf('peak_share')),
    generatorLimit({ tool, sides, gain }),
    ...comparisons
      .filter(({ result, same_again }) => result?.differs && same_again)
      .map((comparison) => againText(comparison, comparisons.length)),
    ...comparisons.filter(({ maintenance }) => maintenance).map(maintenanceText),
    marks.length > 0 && marksText(marks, sides),
  ]
    .filter(Boolean)
    .join('; ');
}

function againText({ same_again: { low, high }, numerator, denominator }, of) {
  const which = of > 1 ? ` as ${numerator} and ${denominator}` : '';
  return `two copies of one target differed as much${which} in this run: ${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function maintenanceText({ maintenance: { is, cell, trials, of }, numerator, denominator, numerator_cells }) {
  const [it, other] = numerator_cells.includes(cell) ? [numerator, denominator] : [denominator, numerator];
  return `${is} in ${trials} of ${of} trials of ${it}, and in few or none of ${other}`;
}

function tell(facts, sides, { question, marks, comparison, known }) {
  const unsent = isUnsent(marks);
  const { result } = comparison;
  const claim = !unsent && Boolean(result.differs || (result.equal && !sides.some(isLimited)));
  if (!unsent && result.differs === null) return unanswered(whyFew(result, sides, question));
  const phrase = unsent ? notComparable : result.differs ? difference : noDifference;
  const written = (names) => {
    const nameOf = nameIn(question, names);
    const [above, below] = sides;
    const context = contextOf(question, sides, {
      ...{ known: { ...known, names }, marks, gain: facts.throughput, comparisons: [comparison] },
    });
    return phrase(
      facts,
      (side) => nameOf(side === 'numerator' ? above : below),
      context,
      marks.length > 0 && `marked: ${marks.join(', ')}`,
    );
  };
  return { claim, text: written(known.names).text, title: written(new Names()).title };
}

/** Why sides have no ratio with an interval. @param {object|null} result see pairedRatio @param {object[]} sides see sideOf */
function whyFew(result, sides, { metric, where }) {
  if (result && result.n === result.of) return 'one block has no interval';
  const isShort = (cells) => (cell) => byBlock(cell).size < blocksOfAll(cells).length;
  const gap = where.level === 'peak' && sides.flatMap(({ cells }) => cells.filter(isShort(cells)))[0];
  if (gap) return `${gap.id} lacks a trial that counts, so the peak is not known in every block`;
  const bare = sides.find(({ trials }) => [...trials.values()].some((trial) => figureOf(trial, metric) === null));
  if (bare) return `some trials of ${bare.name} have no ${metric.replaceAll('_', ' ')}, as where answers are too few`;
  return result ? `only ${result.n} of ${result.of} blocks have both sides` : 'no block has them all';
}

/** Whether the load generator was near its ceiling, or out of processor time, in half of a side's trials or more. */
function isLimited({ cells, trials }) {
  const [cell, ...others] = cells;
  if (others.length === 0 && (cell.headroom ?? Infinity) < limitOf('headroom')) return true;
  const used = [...(trials?.values() ?? byBlock(cell).values())];
  const marked = used.filter(({ reasons }) => reasons.some(({ check }) => GENERATOR_MARKS.has(check)));
  return used.length > 0 && 2 * marked.length >= used.length;
}

/**
 * What a load generator near its ceiling makes of an answer: a difference in throughput may be larger, and all else shows less of the targets; or null.
 * @param {{tool, sides: {name, cells}[], gain: object|null}} facts gain: the difference in throughput, of the first two sides
 */
export function generatorLimit({ tool, sides, gain }) {
  const limited = sides.filter(isLimited);
  if (limited.length === 0) return null;
  const near = `${tool} was near its own limit`;
  if (limited.length === sides.length) return `${near} ${sides.length === 2 ? 'on both sides' : 'with each of them'}`;
  const [fast] = gain ? ordered(...sides.slice(0, 2), gain) : [];
  return limited.length === 1 && limited[0] === fast
    ? `${near}, so it may be more`
    : `${near} with ${listed(limited.map(({ name }) => name))}`;
}
