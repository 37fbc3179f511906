/** What a run found: answers to the questions that its experiment asked, in their order, and which objectives were met. */
import { agreementText } from '../analyse/agreement.js';
import { withoutCounts } from '../analyse/marks.js';
import { controlText } from '../analyse/phrases.js';
import { indexText } from '../findings/index-pairs/tell.js';
import { judgedTexts } from '../findings/objectives/tell.js';
import { lossesIn } from '../findings/survival/find.js';
import { survivalText } from '../findings/survival/tell.js';

/**
 * @param {object} results results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{ask: string|null, text: string, brief: string, claim: boolean}[]} ask: the question, null where none was declared; brief: for little room, of a
 *   ranking without its ratios; claim: something was shown
 */
export function sentences(results, earlier = []) {
  const objectives = judgedTexts(results).map((text) => ({ ask: null, text, brief: text, claim: true }));
  const answers = (results.questions ?? undeclared(results)).map((found) => ({
    ...{ ask: found.ask ?? null, claim: found.claim },
    text: answerText(found, earlier),
    brief: answerText({ ...found, text: briefly(found) }, earlier),
  }));
  return [...answers, ...objectives];
}

const briefly = ({ kind, answered, title, text }) => (kind === 'rank' && answered ? `${title}.` : withoutCounts(text));

/** An answer, and whether the newest earlier run that asked the same agrees. @param {object} question of results.json */
export const answerText = (question, earlier) =>
  [question.text, question.ask && question.answered && agreementText(question, earlier)].filter(Boolean).join(' ');

/** Of runs that were made before experiments declared questions: what their figures chose. */
function undeclared({ index_pairs, survival, headlines, again }) {
  const lines = [
    ...index(index_pairs?.cells ?? []),
    ...lost(survival ?? []).map((text) => ({ text, claim: true })),
    ...headlines,
  ];
  return lines.length === 0 && again ? [{ text: controlText(again), claim: true }] : lines;
}

/** With one block there is no interval, and no answer. */
const index = (cells) =>
  cells
    .filter(({ speedup }) => speedup.differs !== null)
    .map((cell) => ({ text: indexText(cell).text, claim: cell.speedup.differs }));

/** Acknowledged documents that were gone after every process of the server had been killed, over all rounds. */
function lost(rounds) {
  return rounds.length === 0 ? [] : [survivalText(...lossesIn(rounds))];
}
