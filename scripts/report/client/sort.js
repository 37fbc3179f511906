/** Sortable columns: a button in each heading; numbers sort by value whatever their unit, and unmeasured cells always last. */
import { make } from './dom.js';

const UNITS = { µs: 1, ms: 1e3, s: 1e6, '%': 0.01, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** The value that a cell sorts by: a number for '~ 1,730', '18.7 ms', '1.31× [1.2, 1.4]', '1/1,160 [1/1,430, 1/943]'; else its text; null for '–' and nothing. */
export function sortValue(text) {
  const plain = text.trim().replace(/^~ /, '');
  if (plain === '' || plain === '–') return null;
  const part = /^1\/([\d,]+(?:\.\d+)?)/.exec(plain);
  if (part) return 1 / Number(part[1].replaceAll(',', ''));
  const number = /^(-?[\d,]*\.?\d+(?:e-?\d+)?)\s*(µs|ms|s|%|[KMG]iB|B)?(?![\w.:-])/.exec(plain);
  return number ? Number(number[1].replaceAll(',', '')) * (UNITS[number[2]] ?? 1) : plain.toLowerCase();
}

/** @returns {number} of two sort values; null last whatever the direction */
export function compareValues(a, b, direction = 1) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a !== typeof b) return direction * (typeof a === 'number' ? -1 : 1);
  return direction * (a < b ? -1 : Number(a > b));
}

/**
 * Turns headings into buttons.
 * @param {HTMLTableSectionElement} head @param {(column: number, direction: 1|-1) => void} sort
 * @returns {(column: number, direction: 1|-1) => void} sorts as a button does
 */
export function sortButtons(head, sort) {
  const cells = [...head.rows[0].cells];
  const sortBy = (column, direction) => {
    for (const cell of cells) cell.removeAttribute('aria-sort');
    cells[column].setAttribute('aria-sort', direction === 1 ? 'ascending' : 'descending');
    sort(column, direction);
  };
  cells.forEach((cell, column) => {
    if (cell.textContent === '') return;
    const click = () => sortBy(column, cell.getAttribute('aria-sort') === 'ascending' ? -1 : 1);
    const button = make('button', { type: 'button', click });
    button.append(...cell.childNodes);
    cell.append(button);
  });
  return sortBy;
}

/** Makes a table of the page sortable. @param {HTMLTableElement} table */
export function sortable(table) {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  sortButtons(table.tHead, (column, direction) => {
    const keyed = rows.map((row) => [sortValue(row.cells[column].textContent), row]);
    keyed.sort(([a], [b]) => compareValues(a, b, direction));
    body.append(...keyed.map(([, row]) => row));
  });
}
