/** What an index gains, by pairs of equal answers with it and without. */
import { indexText } from '../../findings/index-pairs/tell.js';
import { briefMarks, heldBy } from '../context.js';
import { withConfidence } from '../effects.js';
import { pairedRatio } from '../intervals.js';
import { disturbedText, marksInBrief, marksOf, marksText } from '../marks.js';
import { datasetText } from '../names.js';
import { measuredText } from '../phrases.js';
import { unanswered, whyFew, withheld } from './refused.js';

/** @param {object} question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function index(question, { index_pairs, byId, confidence, scale }) {
  const [id] = question.sides[0].cells;
  const pairs = index_pairs?.cells.find((cell) => cell.id === id);
  if (!pairs) return unanswered('no pair of equal answers was found');
  const speedups = pairs.speedups.filter((speedup) => speedup !== null);
  const result = pairedRatio(speedups.map(Math.log), { of: byId.get(id).trials_planned, confidence });
  if (result === null || result.differs === null)
    return unanswered(result ? whyFew(result, [], question) : 'no trial has a pair of equal answers');
  const comparison = { numerator: 'without', denominator: 'with', numerator_cells: [id], denominator_cells: [id] };
  const cell = byId.get(id);
  const marks = marksOf([cell]);
  const sides = [{ name: '', cells: [cell] }];
  const held = heldBy(sides);
  const where = [cell.workload, cell.tool, datasetText(cell.database, scale)].filter(Boolean).join(', ');
  const withMarks = (text) => [where, disturbedText([cell]), marks.length > 0 && text(marks, sides)];
  const [context, brief] = [marksText, marksInBrief].map((text) => withMarks(text).filter(Boolean).join('; '));
  const told = indexText(
    { ...pairs, plans: index_pairs.plans, speedup: withConfidence(result, { confidence }) },
    briefMarks(marks, sides).join('; '),
  );
  return {
    ...{ answered: true, marks, claim: result.differs && held === null },
    comparisons: [{ ...comparison, result, same_again: null, copies: [], maintenance: null }],
    ...withheld(result.differs ? held : null, {
      ...told,
      brief: `${told.brief} With ${brief}.`,
      context: measuredText(context),
    }),
  };
}
