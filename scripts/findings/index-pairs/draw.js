/** What the picture of an answer shows of an index. */
import { count } from '../../analyse/effects.js';
import { usedTrials } from '../../analyse/usable.js';

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
