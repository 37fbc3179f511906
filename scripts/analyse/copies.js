/** What second copies of the sides say of an answer. */
import { grouped, intervalText, withConfidence } from './effects.js';
import { bound } from './words.js';

/** What is said of them beside the answer. @param {object[]} comparisons see compared @param {{confidence: number}} known @returns {(string|null)[]} */
export function copiesTexts(comparisons, known) {
  const mayDiffer = ({ result, same_again, copies }) =>
    result?.differs && same_again && !copies.some(({ again }) => again.differs);
  return [
    ...comparisons.filter(mayDiffer).map((comparison) => againText(comparison, comparisons.length)),
    ...new Set(comparisons.flatMap(({ copies }) => copies.map(copyText))),
    ...comparisons.flatMap((comparison) => insteadTexts(comparison, comparisons.length, known)),
  ];
}

function againText({ same_again: { low, high }, numerator, denominator }, of) {
  const which = of > 1 ? ` between ${numerator} and ${denominator}` : '';
  return `two copies of one target may differ as much${which} in this run: ${low.toFixed(2)} to ${high.toFixed(2)}, 95 % interval`;
}

/** That a copy differs from what it is a copy of; null where it does not. */
const copyText = ({ of, rps = null, again }) => {
  if (!again.differs) return null;
  const which = rps === null ? 'which should not differ from it' : `sent ${grouped(rps)}/s by a search of its own`;
  return `a second copy of ${of}, ${which}, did differ: copy / original ${bound(again.ratio)}, ${intervalText(again)}`;
};

/** Whether a difference was shown, and is not when a copy takes the place of a side. */
const isLostWith = ({ instead }, result) =>
  Boolean(result.differs && instead?.low && !(instead.differs && instead.ratio > 1 === result.ratio > 1));

/** Whether none was shown, and one is with the copy. */
const isFoundWith = ({ instead }, result) => Boolean(!result.differs && instead?.differs);

/** Whether a comparison answers otherwise with a second copy of a side in its place. @param {object} comparison see compared */
export const isOtherwiseWithCopy = ({ result, copies }) =>
  copies.some((copy) => isLostWith(copy, result) || isFoundWith(copy, result));

/** What a comparison gives with a copy in place of a side, where that is another answer or the copy differs from what it is a copy of. */
function insteadTexts({ result, copies, numerator, denominator }, of, known) {
  const which = of > 1 ? ` between ${numerator} and ${denominator}` : '';
  const shown = (copy) =>
    (isLostWith(copy, result) && 'no such difference was shown') ||
    (isFoundWith(copy, result) && 'a difference was shown') ||
    (copy.again.differs && copy.instead?.low && `${result.differs ? 'the same' : 'no difference'} was shown`);
  return copies.filter(shown).map((copy) => {
    const interval = intervalText(withConfidence(copy.instead, known));
    return `with a second copy of ${copy.of} in its place ${shown(copy)}${which}: ${numerator} / ${denominator} ${bound(copy.instead.ratio)}, ${interval}`;
  });
}

/** The same in a few words; null where they say nothing. @param {object} comparison see compared */
export function copiesMark({ result, same_again, copies }) {
  const apart = copies.find(({ again }) => again.differs);
  const isLost = copies.some((copy) => isLostWith(copy, result));
  const isFound = copies.some((copy) => isFoundWith(copy, result));
  const shows = isLost ? 'nothing' : isFound ? 'a difference' : null;
  if (apart)
    return `a second copy of ${apart.of} differed from it${shows ? `, and with it in its place ${shows} is shown` : ''}`;
  if (isLost) return 'not shown with a second copy';
  if (isFound) return 'shown with a second copy';
  return result.differs && same_again ? 'two copies of one target may differ as much' : null;
}
