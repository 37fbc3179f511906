/** What a question about two sides is answered: which did better, or that no difference was shown. */
import { besideText, briefMarks, contextInBrief, contextOf, heldBy } from '../context.js';
import { withConfidence } from '../effects.js';
import { isMoreBetter } from '../figures.js';
import { generatorLimit, isLimited } from '../generator-limit.js';
import { marksOf } from '../marks.js';
import { Names } from '../names.js';
import { spreadOf } from '../peak-spread.js';
import { difference, noDifference, notComparable } from '../phrases.js';
import { factsOf, nameIn } from '../sentence-facts.js';
import { compared, sideOf } from '../sides.js';
import { isSent, unanswered, unlike, whyFew, withheld } from './refused.js';

/** @param {object} question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function pair(question, known) {
  const [above, below] = question.sides.map((side) => sideOf(side, question, known));
  const apart = unlike([above, below], question);
  if (apart) return unanswered(apart);
  const comparison = compared(above, below, question, known);
  if (comparison.result === null) return unanswered(whyFew(null, [above, below], question));
  const facts = factsOf(question, [above, below], withConfidence(comparison.result, known));
  const marks = marksOf([...above.cells, ...below.cells]);
  const told = tell(facts, [above, below], { question, marks, comparison, known });
  return { answered: isSent([above, below]), comparisons: [comparison], marks, ...told };
}

/**
 * What is said of two sides.
 * @param {object} facts see factsOf @param {object[]} sides see sideOf @param {{question, marks: string[], comparison: object, known: {names: Names, scale}}} about
 * @returns {{claim: boolean, text: string, title: string, brief: string}|object} as of an answer
 */
export function tell(facts, sides, { question, marks, comparison, known }) {
  const unsent = !isSent(sides);
  const { result } = comparison;
  const spread = spreadOf(question, sides, { known, comparisons: [comparison] });
  const isShown = !unsent && Boolean(result.differs || result.equal);
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
    claim: isShown && held === null,
    ...withheld(isShown ? held : null, { text, title: short.title, brief, context: besideText(of, question, sides) }),
  };
}
