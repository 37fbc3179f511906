/** What an index gains, by pairs of equal answers with it and without; and what the picture of that shows. */
import { unanswered, whyFew, withheld } from '../../analyse/answers/refused.js';
import { briefMarks, heldBy } from '../../analyse/context.js';
import { count, withConfidence } from '../../analyse/effects.js';
import { pairedRatio } from '../../analyse/intervals.js';
import { disturbedText, marksInBrief, marksOf, marksText } from '../../analyse/marks.js';
import { datasetText } from '../../analyse/names.js';
import { measuredText } from '../../analyse/phrases.js';
import { usedTrials } from '../../analyse/usable.js';
import { indexText } from './tell.js';

export const kind = 'index';

/** @param {object} question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function answer(question, { index_pairs, byId, confidence, scale }) {
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

const rangeText = ([least, most]) =>
  most === null ? `${count(least)}, the limit` : least === most ? `${least} found` : `${least} to ${most} found`;

/**
 * How much faster an index made queries, by how much they found.
 * @param {object} results results.json @param {object} question one of its answers @returns {object} see report/answers/facts.js
 */
export function facts({ index_pairs, cells }, { confidence, comparisons: [{ numerator_cells, result }] }) {
  const [id] = numerator_cells;
  const { by_results, speedups } = index_pairs.cells.find((cell) => cell.id === id);
  const used = usedTrials(cells.find((cell) => cell.id === id));
  const row = (name, role, { ratio, low, high }, trials = []) => ({
    ...{ name, series: '', role, value: ratio, low, high, trials },
  });
  const dots = used
    .map(({ id: trial, verdict }, i) => ({ value: speedups[i] ?? null, trial, verdict }))
    .filter(({ value }) => value !== null);
  const rows = [
    row('all queries', 'compared', result, dots),
    ...by_results
      .filter(({ speedup }) => speedup !== null)
      .map(({ results: range, speedup }) => row(rangeText(range), 'beside', speedup)),
  ];
  const metric = 'speedup';
  return {
    ...{ shape: 'rows', metric, units: 'queries', by: 'queries', reference: null, confidence },
    panels: [{ metric, units: 'queries', rows }],
  };
}
