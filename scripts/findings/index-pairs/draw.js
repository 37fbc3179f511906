/** What the picture of an answer shows of an index. */
import { count } from '../../analyse/effects.js';

const found = ([least, most]) =>
  most === null ? `${count(least)}, the limit` : least === most ? `${least} found` : `${least} to ${most} found`;

/**
 * How much faster an index made queries, by how much they found.
 * @param {object} results results.json @param {object} question one of its answers @returns {object} see report/answers/facts.js
 */
export function kinds({ index_pairs }, { confidence, comparisons: [{ numerator_cells, result }] }) {
  const { by_results, speedups } = index_pairs.cells.find(({ id }) => id === numerator_cells[0]);
  const row = (name, role, { ratio, low, high }, trials = []) => ({
    ...{ name, series: '', role, value: ratio, low, high },
    trials: trials.map((value) => ({ value, verdict: 'valid', trial: null })),
  });
  const rows = [
    row('all queries', 'compared', result, speedups),
    ...by_results
      .filter(({ speedup }) => speedup !== null)
      .map(({ results: range, speedup }) => row(found(range), 'beside', speedup)),
  ];
  const metric = 'speedup';
  return {
    ...{ shape: 'rows', metric, units: 'queries', by: 'queries', reference: null, confidence },
    panels: [{ metric, units: 'queries', rows }],
  };
}
