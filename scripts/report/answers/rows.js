/** An answer as rows of marks, one for each side. See facts.js. */

import { blocksOfAll, isMoreBetter } from '../../analyse/figures.js';
import { levelOf, seriesName } from '../../analyse/words.js';
import { beside, centre, family, isNear, nameOf, ownInterval, sidesOf, unitsIn, whisker } from './marks.js';
import { dots } from './trials.js';

/** A row for each side, the best first, with what else was measured in their place. */
export function atOneLevel(results, question) {
  const { metric, confidence } = question;
  const sides = sidesOf(results, question);
  const { reference, compared, dimension } = sides;
  const [ground] = reference;
  const ratios = new Map(compared.map(({ cells, result }) => [cells[0], result]));
  const blocks = blocksOfAll([ground, ...ratios.keys()]);
  const base = centre(ground, metric, blocks);
  const all = family(results, sides)
    .filter((cell) => levelOf(cell) === levelOf(ground))
    .map((cell) => {
      const role = cell === ground ? 'reference' : ratios.has(cell) ? 'compared' : 'beside';
      return {
        ...{ name: nameOf(cell, dimension), series: seriesName(cell), role },
        value: centre(cell, metric, blocks),
        ...(role === 'beside' ? beside(metric, cell, ground) : whisker(ratios.get(cell), base, confidence)),
        ...(metric === 'capacity' && ownInterval(cell)),
        cell: cell.id,
        trials: dots(cell, metric),
      };
    });
  const measured = all.filter(({ value }) => value !== null);
  const asked = measured.filter(({ role }) => role !== 'beside').map(({ value }) => value);
  const rows = measured.filter(({ role, value }) => role !== 'beside' || isNear(value, asked));
  const better = isMoreBetter(metric) ? -1 : 1;
  const units = unitsIn(ground);
  const panel = { metric, units, rows: rows.toSorted((a, b) => better * (a.value - b.value)) };
  return {
    ...{ shape: 'rows', metric, units, by: dimension },
    ...{ reference: nameOf(ground, dimension), confidence, panels: [panel] },
    absent: all.filter(({ value }) => value === null).map(({ name }) => name),
  };
}
