/**
 * Headlines of runs that were made before experiments declared questions. Which comparisons they tell was chosen by the figures; they are worded
 * as today, and what they compare and claim stays.
 */
import { generatorLimit } from './context.js';
import { isUnsent, marksOf, marksText } from './marks.js';
import { datasetText, Names } from './names.js';
import { difference, noDifference, notComparable } from './phrases.js';

/** @param {object} results results.json that has headlines */
export function retold({ headlines: told, comparisons, cells, environment }) {
  const tell = teller(cells, environment?.scale);
  return told.map((headline) => ({ ...headline, ...tell(comparisonOf(comparisons, headline)) }));
}

/** The headline of two cells, at the only place where they are compared. @param {object} results @param {string[]} pair ids */
export function retoldPair({ comparisons, cells, environment }, [one, other]) {
  const found =
    comparisonOf(comparisons, { numerator_cell: one, denominator_cell: other }) ??
    comparisonOf(comparisons, { numerator_cell: other, denominator_cell: one });
  return teller(cells, environment?.scale)(found);
}

const comparisonOf = (comparisons, { numerator_cell, denominator_cell }) =>
  comparisons.find((entry) => entry.numerator_cell === numerator_cell && entry.denominator_cell === denominator_cell);

function teller(cells, scale) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const names = new Names();
  return (comparison) => sentence(comparison, byId, { scale, names });
}

/** Names each side of a comparison, in the order in which the sentence does. @param {Names} names */
function namesOf({ kind, target, variant, ...sides }, names) {
  if (kind === 'database') return (side) => names.database(sides[side]);
  if (kind === 'target') return (side) => names.target(sides[side], variant);
  let first = true;
  return (side) => {
    const name = first ? names.target(target, sides[side]) : names.variant(sides[side]);
    first = false;
    return name;
  };
}

function sentence(comparison, byId, { scale, names }) {
  const { kind, level, share, target, variant, workload, tool, model, database, p95 } = comparison;
  const throughput = model === 'closed' ? comparison.throughput : null;
  const sides = ['numerator', 'denominator'].map((side) => ({
    name: comparison[side],
    cells: [byId.get(comparison[`${side}_cell`])],
  }));
  const marks = marksOf(sides.flatMap(({ cells }) => cells));
  const shown = (result) => (result?.differs ? result : null);
  const claim = !isUnsent(marks) && Boolean(shown(throughput) ?? shown(p95));
  const facts = {
    ...{ level, share, tool, model },
    metric: throughput ? 'throughput' : 'p95',
    throughput: shown(throughput),
    lower: shown(p95) && { metric: 'p95', result: p95 },
    result: throughput ?? p95,
  };
  const phrase = isUnsent(marks) ? notComparable : claim ? difference : noDifference;
  const told = (among) => {
    const data =
      kind === 'database'
        ? [...Object.values(among.target(target, variant)), scale && `scale ${scale}`]
        : [datasetText(database, scale)];
    const limit = claim && throughput && generatorLimit({ tool, sides, gain: throughput });
    const context = [
      [workload, tool, ...data].filter(Boolean).join(', '),
      limit,
      marks.length > 0 && marksText(marks, sides),
    ]
      .filter(Boolean)
      .join('; ');
    return phrase(facts, namesOf(comparison, among), context);
  };
  return { text: told(names).text, title: told(new Names()).title, claim };
}
