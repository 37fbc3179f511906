/** The smallest pool that is enough. */
import { briefMarks, contextInBrief, contextOf, heldBy } from '../context.js';
import { intervalOf, intervalText, percent, rangeText, withConfidence } from '../effects.js';
import { leastEnough } from '../enough.js';
import { isLimited } from '../generator-limit.js';
import { limitOf } from '../limits.js';
import { marksOf } from '../marks.js';
import { Names } from '../names.js';
import { bracketed, listed, measuredText, sentences, unitOf } from '../phrases.js';
import { factsOf } from '../sentence-facts.js';
import { compared, sideOf } from '../sides.js';
import { bound, inverted, plural } from '../words.js';
import { unanswered, withheld } from './refused.js';

/** @param {object} question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function smallest(question, known) {
  const sides = question.sides.toSorted((a, b) => a.size - b.size);
  const cells = sides.map((side) => known.byId.get(side.cells[0]));
  const within = limitOf('pool_share');
  const alpha = question.primary ? 1 - known.confidence : undefined;
  const smallest = leastEnough(cells, { within, alpha, confidence: known.confidence });
  if (smallest === null) return unanswered('a block of one of the pools is missing');
  const size = (i) => sides[i].size;
  const enough = {
    ...{ size: size(smallest.at), best: size(smallest.best), of_best: smallest.of_best, within },
    undecided: smallest.undecided.map(size),
  };
  const marks = marksOf(cells);
  const measured = sides.map((side) => sideOf(side, question, known));
  const best = measured[smallest.best];
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
    .filter(({ result }, i) => i > smallest.best && result?.differs === false)
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
  const { text, title } = enoughText(factsOf(question, measured, null), shown, briefMarks(marks, measured).join('; '));
  const about = { known, marks, gain: null, comparisons };
  const brief = contextInBrief(question, measured, { ...about, known: { ...known, names: new Names() } });
  const context = measuredText(contextOf(question, measured, about));
  const held = heldBy(measured);
  return {
    answered: true,
    enough,
    marks,
    claim: smallest.of_best !== null && smallest.undecided.length === 0 && !measured.some(isLimited) && held === null,
    ...withheld(held, { text, title, brief: `${text} With ${brief}.`, context }),
  };
}

/** Of the interval of each pool to each other, which share what is left of a question's error to k - 1 comparisons. @param {{confidence, sides}} question */
export const confidenceOfPairs = ({ confidence, sides }) => 1 - (2 * (1 - confidence)) / sides.length;

/** All that is not ruled out of any pool over the best. */
const rangeOf = (overBest) => {
  const bounds = overBest.flatMap(({ result }) => (result?.low ? [result.low, result.high] : []));
  return { low: Math.min(...bounds), high: Math.max(...bounds) };
};

/**
 * How many connections are enough for so many users.
 * @param {object} facts {tool, model, level, unit}
 * @param {object} smallest see leastEnough; sizes: all that were measured, the least first; alike: larger ones that the best is not told apart from; apart:
 *   {size, result}[] of those that it is, result over the best; open: from the lowest to the highest bound of any over the best
 */
function enoughText(
  facts,
  { size, best, sizes = [], open: possible = null, of_best, undecided, within, alike = [], apart = [] },
  mark = '',
) {
  const share = percent(within, true);
  const most = `${plural(best, 'connection')} served the most ${unitOf(facts)}${undecided.length + alike.length > 0 ? ' on average' : ''}`;
  const open = undecided.filter((lesser) => !apart.some((other) => other.size === lesser));
  const fewer = open.length > 0 ? `; ${listed(open.map(String))} may do as well` : '';
  const larger =
    alike.length > 0
      ? `; ${listed(alike.map(String))} ${alike.length > 1 ? 'were' : 'was'} not told apart from ${best}`
      : '';
  const served = ({ size, result }) =>
    `${size} served ${bound(result.ratio)} times as many as ${best}, ${intervalText(result)}`;
  const others = apart.map((other) => `; ${served(other)}`).join('');
  const less = fewer + larger;
  if (size === best && sizes.length > 1 && open.length + alike.length + 1 === sizes.length) {
    const unshown = `no difference was shown between ${listed([...open, best, ...alike].map(String))} connections, of which ${best} served the most ${unitOf(facts)} on average`;
    const range = `${rangeText(possible)} times that is not ruled out`;
    return sentences(facts, unshown + bracketed(range), unshown + bracketed(range, mark));
  }
  const text =
    size === best
      ? `${most}${size === sizes[0] ? '' : `, and fewer were not shown to be within ${share} % of that`}${less}${others}`
      : `${plural(size, 'connection')} ${size === 1 ? 'was' : 'were'} enough, within ${share} % of what ${best} served (${percent(of_best.ratio, true)} %, ${intervalOf(of_best)} ${percent(of_best.low, true)} to ${percent(of_best.high, true)} %)${less}${others}`;
  const lesser = apart.filter((other) => other.result.ratio < 1).map((other) => String(other.size));
  const tooFew = lesser.length > 0 ? `; ${listed(lesser)} served less` : '';
  const title =
    (size === best ? most : `${plural(size, 'connection')} ${size === 1 ? 'was' : 'were'} enough`) + less + tooFew;
  return sentences(facts, text, title + bracketed(mark));
}
