/** What a run found: answers to the questions that its experiment asked, in their order, and what findings say unasked: which objectives were met. */
import { agreementText, controlOfRuns } from '../analyse/agreement.js';
import { withoutCounts } from '../analyse/marks.js';
import { FINDINGS } from '../findings/index.js';

/**
 * @param {object} results results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{ask: string|null, text: string, brief: string, claim: boolean}[]} none of a run that was made before experiments asked; ask: the question, null of what none asked; brief: for little room, of a
 *   ranking without its ratios; claim: something was shown
 */
export function sentences(results, earlier = []) {
  const unasked = Object.values(FINDINGS)
    .flatMap(({ texts }) => texts?.(results) ?? [])
    .map((text) => ({ ask: null, text, brief: text, claim: true }));
  const answers = (results.questions ?? [])
    .map((question) => ({ ...controlOfRuns(question, results, earlier), capacities: results.capacities }))
    .map((question) => ({
      ...{ ask: question.ask ?? null, claim: question.claim },
      text: answerText(question, earlier),
      brief: briefText(question, earlier),
    }));
  return [...answers, ...unasked];
}

/** What is said where there is room. */
const AT_LENGTH =
  /; a true difference of [^;]+ would be found in four such runs of five| \(those of one pair depend on one another\)| (A|In half of (the|its) pairs, a) true difference of [^.]+\./g;

const briefly = ({ text, brief = text }) => withoutCounts(brief).replace(AT_LENGTH, '');

/** An answer, of what it is, and whether the newest earlier run that asked the same agrees. @param {object} question of results.json */
export const answerText = (question, earlier) =>
  [question.text, besideText(question, earlier)].filter(Boolean).join(' ');

/** An answer where there is little room. @returns {string} */
export const briefText = (question, earlier) =>
  answerText({ ...question, text: briefly(question), context: question.brief ? null : question.context }, earlier);

/** What stands beside an answer. @returns {string} */
export const besideText = (question, earlier) =>
  [question.context, question.ask && question.answered && agreementText(question, earlier)].filter(Boolean).join(' ');
