/** How far questions may err: an error that the primary ones of a run share. */
import { sum } from './numbers.js';

/** The error that all primary comparisons of a run share. */
const ALPHA = 0.05;

/**
 * How many comparisons a question makes: a ranking, whose best the run itself chooses, each with each; at peaks, whose levels the run chooses too, each
 * level of one side with each of the other; the smallest pool, each other with the best, and as many for what the best is told apart from;
 * what a finding answers, one.
 */
function comparisonsIn({ kind, sides }) {
  if (sides.length === 0) return 0;
  const levels = sides.map(({ cells }) => cells.length);
  const eachWithEach = sum(levels.flatMap((one, i) => levels.slice(i + 1).map((other) => one * other)));
  return { pair: eachWithEach, rank: eachWithEach, smallest: 2 * (levels.length - 1) }[kind] ?? 1;
}

/**
 * The error of each comparison of a question, which all those of primary questions share [Bonferroni].
 * @param {object} question of plan.json @param {object[]} questions all of them
 */
export const errorOf = (question, questions) =>
  ALPHA /
  Math.max(1, sum((question.primary ? questions.filter(({ primary }) => primary) : [question]).map(comparisonsIn)));
