/** What a run found: answers to the questions that its experiment asked, in their order, and which objectives were met. */
import { agreementText } from '../analyse/agreement.js';
import { lossesIn } from '../analyse/losses.js';
import { marksOf, marksText } from '../analyse/marks.js';
import { controlText, indexText, objectivesText, place, survivalText } from '../analyse/phrases.js';

/**
 * @param {object} results results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{ask: string|null, text: string, claim: boolean}[]} ask: the question, null where none was declared; claim: something was shown
 */
export function sentences(results, earlier = []) {
  const objectives = judged(results).map((text) => ({ ask: null, text, claim: true }));
  const answers = (results.questions ?? undeclared(results)).map((found) => ({
    ...{ ask: found.ask ?? null, claim: found.claim },
    text: found.ask ? answerText(found, earlier) : found.text,
  }));
  return [...answers, ...objectives];
}

/** An answer, and whether the newest earlier run that asked the same agrees. @param {object} question of results.json */
export const answerText = (question, earlier) =>
  [question.text, question.answered && agreementText(question, earlier)].filter(Boolean).join(' ');

/** Of runs that were made before experiments declared questions: what their figures chose. */
function undeclared({ index_pairs, survival, headlines, again }) {
  const lines = [
    ...index(index_pairs?.cells ?? []),
    ...lost(survival ?? []).map((text) => ({ text, claim: true })),
    ...headlines,
  ];
  return lines.length === 0 && again ? [{ text: controlText(again), claim: true }] : lines;
}

function judged({ objectives: all, cells = [], environment }) {
  const objectives = all ?? [];
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const [met, missed] = [true, false].map((answer) => objectives.filter((objective) => objective.met === answer));
  const judgedCells = [...new Set(objectives.map(({ cell }) => byId.get(cell)).filter(Boolean))];
  const places = new Set(judgedCells.map(({ workload, ...cell }) => `${workload} ${place(cell)}`));
  const measured = [...places, environment?.scale && `scale ${environment.scale}`].filter(Boolean).join(', ');
  const marks = marksOf(judgedCells);
  const marked = marks.length > 0 && marksText(marks, [{ name: '', cells: judgedCells }]);
  const where = [measured, marked].filter(Boolean).join('; ');
  return met.length + missed.length === 0 ? [] : [objectivesText(met, objectives.length, missed, where)];
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
