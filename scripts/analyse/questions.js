/** The answers to what an experiment asked before the run: plan.json names each question with the cells that answer it. */
import { ANSWERING } from '../findings/index.js';
import { pair } from './answers/pair.js';
import { rank } from './answers/rank.js';
import { unanswered } from './answers/refused.js';
import { smallest } from './answers/smallest.js';
import { metricsThatMiss } from './comparisons.js';
import { errorOf } from './error-rate.js';
import { comparable } from './figures.js';
import { Names } from './names.js';
import { controlText } from './phrases.js';

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
  ...Object.fromEntries(ANSWERING.map(({ kind, answer }) => [kind, answer])),

  again(_question, { again }) {
    if (again === null) return unanswered('no target was measured twice in two blocks or more');
    const text = controlText(again, metricsThatMiss(again));
    return { answered: true, claim: true, text, title: text.split('. ')[0] };
  },
};
