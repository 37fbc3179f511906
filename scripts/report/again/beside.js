/** Of a report: what write-ups published of the same, beside this run's figures. */
import { heading, paragraph } from '../blocks.js';
import { comparedHere } from './checks.js';
import { figuresTable, isBeside, pairsTable, rowsOf, writeUps } from './tables.js';

/** What a write-up published beside one run's own figures. @param {object} results results.json @returns {object[]} blocks; none where no write-up did the same */
export function besideBlocks(results) {
  const { experiment } = results.run;
  const measured = new Map([[experiment, results]]);
  return writeUps()
    .filter(({ runs }) => Object.values(runs).some(({ here }) => here[0]?.experiment === experiment))
    .flatMap((writeUp) => {
      const pairs = comparedHere(writeUp, measured);
      const rows = Object.entries(writeUp.runs).flatMap(([key, run]) =>
        besideTable(key, run, writeUp.figures, measured),
      );
      return [
        heading(2, 'Beside what was published'),
        paragraph(
          `${writeUp.source}. Its figures as printed, what this run has of the same, and how many times the published number that is; of what else it says, and what differs, see docs/again.md.`,
        ),
        pairsTable(writeUp.name, pairs),
        ...rows,
      ];
    });
}

function besideTable(key, { what, here }, figures, measured) {
  const { cells, rows } = rowsOf(key, { what, here }, figures, measured);
  const beside = rows.filter(isBeside);
  if (beside.length === 0) return [];
  const title = [key, what.level && `${what.level} at once`].filter(Boolean).join(', ');
  return [heading(3, title), figuresTable(key, cells, beside)];
}
