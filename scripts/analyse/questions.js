/** The answers to what an experiment asked before the run: plan.json names each question with the cells that answer it. */
import { indexText } from '../findings/index-pairs/tell.js';
import { lossesIn } from '../findings/survival/find.js';
import { survivalText } from '../findings/survival/tell.js';
import { metricsThatMiss } from './comparisons.js';
import {
  besideText,
  briefMarks,
  contextInBrief,
  contextOf,
  factsOf,
  generatorLimit,
  heldBy,
  isLimited,
  nameIn,
  spreadOf,
  unorderedText,
  withConfidence,
} from './context.js';
import { leastEnough } from './enough.js';
import { blocksOfAll, byBlock, comparable, figureOf, isMoreBetter } from './figures.js';
import { pairedRatio } from './intervals.js';
import { limitOf } from './limits.js';
import { disturbedText, isUnsent, marksInBrief, marksOf, marksText } from './marks.js';
import { datasetText, Names } from './names.js';
import { sum } from './numbers.js';
import {
  controlText,
  difference,
  enoughText,
  listed,
  measuredText,
  noAnswer,
  noDifference,
  notClaimed,
  notComparable,
  ranking,
} from './phrases.js';
import { compared, meanLog, sideOf, unitIn } from './sides.js';
import { bound, inverted } from './words.js';

/** The error that all primary comparisons of a run share. */
const ALPHA = 0.05;

/**
 * How many comparisons a question makes: a ranking, whose best the run itself chooses, each with each; at peaks, whose levels the run chooses too, each
 * level of one side with each of the other; the smallest pool, each other with the best, and as many for what the best is told apart from.
 */
function comparisonsIn({ kind, sides }) {
  if (sides.length === 0) return 0;
  const levels = sides.map(({ cells }) => cells.length);
  const eachWithEach = sum(levels.flatMap((one, i) => levels.slice(i + 1).map((other) => one * other)));
  return { pair: eachWithEach, index: 1, rank: eachWithEach, smallest: 2 * (levels.length - 1) }[kind] ?? 0;
}

/**
 * The error of each comparison of a question, which all those of primary questions share [Bonferroni].
 * @param {object} question of plan.json @param {object[]} questions all of them
 */
export const errorOf = (question, questions) =>
  ALPHA /
  Math.max(1, sum((question.primary ? questions.filter(({ primary }) => primary) : [question]).map(comparisonsIn)));

/**
 * @param {object[]} questions of plan.json: {ask, primary, metric, kind, dimension, where, sides: {name, cells: string[], size?}[], why}
 * @param {{cells, comparisons, again, index_pairs, survival, scale}} results of the run; scale: of the data
 * @returns {{ask, primary, metric, kind, dimension, sides, confidence, comparisons: {numerator, denominator, numerator_cells, denominator_cells, result,
 *   same_again, copies, maintenance}[], enough, marks: string[], answered, claim, text, title}[]} confidence: of each interval, such that with 95 % all
 *   those of the primary questions hold; comparisons: by name, result as pairedRatio; same_again: the interval of a second copy of the
 *   denominator over the first, where the result lies within it; enough: see leastEnough; claim: something was shown, and nothing forbids to claim it; text: the answer; context: of what it
 *   is, and what speaks against it; title: the answer with the bounds and the marks alone in brackets
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

/**
 * The answers by today's rules, from the figures that a run has: its own are by the rules of the day on which it was analysed.
 * @param {object} results results.json @returns {object[]} as of answered; those that do not say what they compared stay as they are
 */
export function answeredAnew(results) {
  const { questions = [], environment } = results;
  const isTold = ({ kind, sides }) => sides && (sides.length > 0 || ['lost', 'again'].includes(kind));
  const where = (sides) => ({ level: sides.some(({ cells }) => cells.length > 1) ? 'peak' : null });
  const asked = questions.filter(isTold).map((question) => ({ ...question, where: where(question.sides) }));
  const anew = answered(asked, { ...results, cells: comparable(results), scale: environment?.scale ?? null });
  return questions.map((question) => (isTold(question) ? anew.shift() : question));
}

/** Of the interval of each pool to each other, which share what is left of a question's error to k - 1 comparisons. @param {{confidence, sides}} question */
export const confidenceOfPairs = ({ confidence, sides }) => 1 - (2 * (1 - confidence)) / sides.length;

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
    return { answered: isSent([above, below]), comparisons: [comparison], marks, ...told };
  },

  rank(question, known) {
    const sides = question.sides.map((side) => sideOf(side, question, known));
    const apart = unlike(sides, question);
    if (apart) return unanswered(apart);
    const lowerIsBetter = !isMoreBetter(question.metric);
    const common = blocksOfAll(sides.flatMap(({ cells }) => cells));
    const better = (a, b) =>
      (meanLog(a, question.metric, common) - meanLog(b, question.metric, common)) * (lowerIsBetter ? 1 : -1);
    const [best, ...others] = sides.toSorted(better);
    const comparisons = others
      .map((other) => (lowerIsBetter ? [other, best] : [best, other]))
      .map(([above, below]) => compared(above, below, question, known, common));
    const gap = comparisons.find(({ result }) => (result?.differs ?? null) === null);
    if (gap) return { ...unanswered(whyFew(gap.result, sides, question)), comparisons };
    const marks = marksOf(sides.flatMap(({ cells }) => cells));
    if (!isSent(sides)) return { ...unanswered('not every request was sent when it was due'), comparisons, marks };
    const [{ result }] = comparisons;
    const spread = spreadOf(question, sides, { known, comparisons });
    const about = { marks, gain: !lowerIsBetter && result.differs ? result : null, comparisons };
    const written = (names, context, mark) => {
      const nameOf = nameIn(question, names, sides);
      const told = ranking(
        factsOf(question, [best, ...others], null),
        nameOf(best),
        others.map((other, i) => ({ name: nameOf(other), result: withConfidence(comparisons[i].result, known) })),
        sides.length,
        mark,
      );
      const of = context(question, [best, ...others], { known: { ...known, names }, ...about });
      return { ...told, of };
    };
    const { text, title, of } = written(
      known.names,
      contextOf,
      briefMarks(marks, sides, { comparisons, spread }).join('; '),
    );
    const short = written(new Names(), contextInBrief);
    const told = comparisons.filter((comparison) => comparison.result.differs);
    const held = heldBy(sides, spread, told);
    return {
      answered: true,
      comparisons,
      marks,
      claim: held === null && told.length === comparisons.length,
      ...withheld(told.length > 0 ? held : null, {
        text,
        title,
        brief: `${short.title}. With ${short.of}.`,
        context: [besideText(of, question, [best, ...others]), unorderedText(others, question, known, common)]
          .filter(Boolean)
          .join(' '),
      }),
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
    // which of all is the best is chosen by the run: each with each, by the second half of the question's comparisons
    const confidence = confidenceOfPairs({ confidence: known.confidence, sides });
    const comparisons = measured
      .filter((side) => side !== best)
      .map((side) => compared(best, side, question, { ...known, confidence }));
    const overBest = sides.map(({ name, size }) => {
      const { result } = comparisons.find(({ denominator }) => denominator === name) ?? {};
      return { size, result: result ? withConfidence(inverted(result), { confidence }) : null };
    });
    const alike = overBest
      .filter(({ result }, i) => i > found.best && result?.differs === false)
      .map(({ size }) => size);
    const apart = overBest.filter(({ size, result }) => size !== enough.size && result?.differs);
    const shown = {
      ...{
        ...enough,
        sizes: sides.map((side) => side.size),
        alike,
        apart,
        of_best: withConfidence(enough.of_best, known),
      },
      open: rangeOf(overBest),
    };
    const { text, title } = enoughText(
      factsOf(question, measured, null),
      shown,
      briefMarks(marks, measured).join('; '),
    );
    const about = { known, marks, gain: null, comparisons };
    const brief = contextInBrief(question, measured, { ...about, known: { ...known, names: new Names() } });
    const context = measuredText(contextOf(question, measured, about));
    const held = heldBy(measured);
    return {
      answered: true,
      enough,
      marks,
      claim: found.of_best !== null && found.undecided.length === 0 && !measured.some(isLimited) && held === null,
      ...withheld(held, { text, title, brief: `${text} With ${brief}.`, context }),
    };
  },

  index(question, { index_pairs, byId, confidence, scale }) {
    const [id] = question.sides[0].cells;
    const pairs = index_pairs?.cells.find((cell) => cell.id === id);
    if (!pairs) return unanswered('no pair of equal answers was found');
    const speedups = pairs.speedups.filter((speedup) => speedup !== null);
    const result = pairedRatio(speedups.map(Math.log), { of: byId.get(id).trials_planned, confidence });
    if (result === null || result.differs === null)
      return unanswered(result ? whyFew(result, [], question) : 'no trial has a pair of equal answers');
    const comparison = { numerator: 'without', denominator: 'with', numerator_cells: [id], denominator_cells: [id] };
    const cell = byId.get(id);
    const marks = marksOf([cell]);
    const sides = [{ name: '', cells: [cell] }];
    const held = heldBy(sides);
    const where = [cell.workload, cell.tool, datasetText(cell.database, scale)].filter(Boolean).join(', ');
    const withMarks = (text) => [where, disturbedText([cell]), marks.length > 0 && text(marks, sides)];
    const [context, brief] = [marksText, marksInBrief].map((text) => withMarks(text).filter(Boolean).join('; '));
    const {
      text,
      title,
      brief: short,
    } = indexText(
      { ...pairs, plans: index_pairs.plans, speedup: withConfidence(result, { confidence }) },
      briefMarks(marks, sides).join('; '),
    );
    return {
      ...{ answered: true, marks, claim: result.differs && held === null },
      comparisons: [{ ...comparison, result, same_again: null, copies: [], maintenance: null }],
      ...withheld(result.differs ? held : null, {
        text,
        title,
        brief: `${short} With ${brief}.`,
        context: measuredText(context),
      }),
    };
  },

  lost(_question, { survival }) {
    if (!survival?.length) return unanswered('no server was killed');
    return { answered: true, claim: true, ...survivalText(...lossesIn(survival)) };
  },

  again(_question, { again }) {
    if (again === null) return unanswered('no target was measured twice in two blocks or more');
    const text = controlText(again, metricsThatMiss(again));
    return { answered: true, claim: true, text, title: text.split('. ')[0] };
  },
};

/** Why sides cannot be compared, or null: a request of one does other work, or a share of a low peak is no whole rate (see plan-open.jq). */
function unlike(sides, { metric }) {
  if (metric === 'throughput' && new Set(sides.map(({ cell }) => unitIn(cell))).size > 1)
    return 'a request of one side stores many documents, and one of another does not';
  const shares = [...new Set(sides.map(({ cell }) => cell.share))];
  return shares.length > 1 ? `the peaks are so low that their nearest whole rates are ${listed(shares)} of them` : null;
}

/** All that is not ruled out of any pool over the best. */
const rangeOf = (overBest) => {
  const bounds = overBest.flatMap(({ result }) => (result?.low ? [result.low, result.high] : []));
  return { low: Math.min(...bounds), high: Math.max(...bounds) };
};

const withheld = (why, told) => (why === null ? told : notClaimed(told, why));

const isSent = (sides) =>
  !isUnsent(
    sides.flatMap(({ cells }) => cells),
    limitOf('unsent_share'),
  );

/**
 * What is said of two sides.
 * @param {object} facts see factsOf @param {object[]} sides see sideOf @param {{question, marks: string[], comparison: object, known: {names: Names, scale}}} about
 * @returns {{claim: boolean, text: string, title: string, brief: string}|object} as of an answer
 */
export function tell(facts, sides, { question, marks, comparison, known }) {
  const unsent = !isSent(sides);
  const { result } = comparison;
  const spread = spreadOf(question, sides, { known, comparisons: [comparison] });
  const found = !unsent && Boolean(result.differs || result.equal);
  const held =
    heldBy(sides, spread, [comparison]) ??
    (result.equal && sides.some(isLimited) ? 'the load generator was near its limit' : null);
  if (!unsent && result.differs === null) return unanswered(whyFew(result, sides, question));
  const gain = isMoreBetter(question.metric) && result.differs ? result : null;
  const phrase = unsent ? notComparable : result.differs ? difference : noDifference;
  const written = (names, context) => {
    const nameOf = nameIn(question, names, sides);
    const [above, below] = sides;
    const comparisons = unsent ? [] : [comparison]; // of such a load nothing is said, nor of its copies
    const of = { known: { ...known, names }, marks, gain, comparisons };
    const limit = generatorLimit({ tool: above.cell.tool, sides, gain });
    const mark = [limit, ...briefMarks(marks, sides, { comparisons, spread })].filter(Boolean).join('; ');
    const told = phrase(facts, (side) => nameOf(side === 'numerator' ? above : below), mark);
    return { ...told, of: context(question, sides, of) };
  };
  const { text, of } = written(known.names, contextOf);
  const short = written(new Names(), contextInBrief);
  const brief = `${short.text} With ${short.of}.`;
  return {
    claim: found && held === null,
    ...withheld(found ? held : null, { text, title: short.title, brief, context: besideText(of, question, sides) }),
  };
}

/** Why sides have no ratio with an interval. @param {object|null} result see pairedRatio @param {object[]} sides see sideOf */
function whyFew(result, sides, { metric, where }) {
  if (result && result.n === result.of) return 'one block has no interval';
  const isShort = (cells) => (cell) => byBlock(cell).size < blocksOfAll(cells).length;
  const gap = where.level === 'peak' && sides.flatMap(({ cells }) => cells.filter(isShort(cells)))[0];
  if (gap) return `${gap.id} lacks a trial that counts, so the peak is not known in every block`;
  const slow = sides.find(({ cells }) => cells.some((cell) => cell.latency_us?.beyond?.percentiles?.includes(metric)));
  if (slow) {
    const { more_than_us } = slow.cells.find((cell) => cell.latency_us?.beyond?.percentiles?.includes(metric))
      .latency_us.beyond;
    return `the ${metric} of ${slow.name} is more than ${bound(more_than_us / 1e6)} s, as requests had no answer by then`;
  }
  const none = sides.find(({ trials }) => [...trials.values()].some(({ kind }) => kind === 'none'));
  if (none) return `${none.name} met the objective at no rate in some block`;
  const bare = sides.find(({ trials }) => [...trials.values()].some((trial) => figureOf(trial, metric) === null));
  if (bare) return `some trials of ${bare.name} have no ${metric.replaceAll('_', ' ')}, as where answers are too few`;
  return result ? `only ${result.n} of ${result.of} blocks have both sides` : 'no block has them all';
}
