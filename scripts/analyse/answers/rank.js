/** Which of several did best. */
import { besideText, briefMarks, contextInBrief, contextOf, heldBy, unorderedText } from '../context.js';
import { withConfidence } from '../effects.js';
import { blocksOfAll, isMoreBetter } from '../figures.js';
import { marksOf } from '../marks.js';
import { Names } from '../names.js';
import { spreadOf } from '../peak-spread.js';
import { ranking } from '../phrases.js';
import { factsOf, nameIn } from '../sentence-facts.js';
import { compared, meanLog, sideOf } from '../sides.js';
import { isSent, unanswered, unlike, whyFew, withheld } from './refused.js';

/** @param {object} question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function rank(question, known) {
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
}
