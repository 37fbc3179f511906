/** Figures that differ from those of the run that a published one replaces. */

import { ratio } from '../analyse/format.js';
import { withCurrentName } from '../analyse/renamed.js';
import { compareRuns } from '../analyse/two-runs.js';
import { plural } from '../analyse/words.js';
import { folded, heading, paragraph, table } from './blocks.js';
import { FIGURES } from './two-runs.js';

/** Changes of less are not told. */
const CHANGED = 0.05;

/** @param {object} results results.json @param {object[]} earlier results of the runs that it replaces, the newest first @returns {object[]} blocks */
export function changes(results, [before]) {
  if (!before) return [];
  const named = [before, results].map((run) => ({
    ...run,
    cells: run.cells.map((cell) => withCurrentName(cell, run.environment)),
  }));
  const figures = compareRuns(...named, CHANGED).cells.flatMap((cell) =>
    Object.entries(FIGURES).flatMap(([metric, { name, text }]) =>
      cell[metric] ? [{ ...cell[metric], id: cell.id, name, text }] : [],
    ),
  );
  const changed = figures.filter((figure) => Math.abs(Math.log(figure.ratio)) > Math.log(1 + CHANGED));
  const sure = changed.filter(({ differs }) => differs).length;
  const known = changed.filter(({ low }) => low !== null).length;
  return [
    heading(2, `Compared with ${before.run.id}, which this run replaces`),
    paragraph(
      `Of ${plural(figures.length, 'figure')} that both have, ${changed.length} changed by more than ${100 * CHANGED} %: ${sure} with an interval that excludes 1, ${known - sure} with one that includes it, ${changed.length - known} without. Causes may be changes of method, of code and of settings, another machine of this kind, the hour, and the state of the machine.`,
    ),
    folded(
      `What changed (${changed.length})`,
      table(
        'Figures that changed: geometric means over trials',
        ['cell', 'figure', '>before', '>now', '>now / before'],
        changed.map((figure) => [
          figure.id,
          figure.name,
          figure.text(figure.before),
          figure.text(figure.after),
          ratio(figure),
        ]),
      ),
    ),
  ];
}
