/** The answers to what an experiment asked before the run: plan.json names each question with the cells that answer it. */
import { lossesIn } from '../findings/survival/find.js';
import { survivalText } from '../findings/survival/tell.js';
import { index } from './answers/index-pairs.js';
import { pair } from './answers/pair.js';
import { rank } from './answers/rank.js';
import { unanswered } from './answers/refused.js';
import { smallest } from './answers/smallest.js';
import { metricsThatMiss } from './comparisons.js';
import { comparable } from './figures.js';
import { Names } from './names.js';
import { sum } from './numbers.js';
import { controlText } from './phrases.js';

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

/** Why a question cannot be answered that was asked: a cell without any trial that counts. */
function missing(sides, byId) {
  const empty = sides.flatMap(({ cells }) => cells).find((id) => !(byId.get(id)?.trials_used > 0));
  return empty === undefined ? null : `${empty} has no trial that counts`;
}

const ANSWERS = {
  pair,
  rank,
  smallest,
  index,

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
