/** Rows of the tables, as cautions name them. */
import { levelPhrase } from '../phrases.js';
import { plural, seriesName } from '../words.js';

/** Rows that a caution names. */
export const NAMED = 3;

export const listed = (names) => names.join(', ');

/** 'echo: pooled with 16 users, tpch' */
export const rowName = (cell) =>
  `${cell.workload}: ${seriesName(cell)} ${levelPhrase(cell)}${cell.database === 'none' ? '' : `, ${cell.database}`}`;

/** '1 row (echo: pooled with 16 users)', '5 rows (..., ..., ... and others)' */
export function rows(cells) {
  const names = cells.slice(0, NAMED).map(rowName);
  return `${plural(cells.length, 'row')} (${listed(names)}${cells.length > NAMED ? ' and others' : ''})`;
}
