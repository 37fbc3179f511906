/** What a write-up published beside what is measured here, as tables: what its figures say of each other, and figure by figure of one of its runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { times } from '../../analyse/format.js';
import { byName, factor, seriesName } from '../../analyse/words.js';
import { table } from '../blocks.js';
import { besideText, cellsOf, marksText, quantityOf, resultOf } from './figures.js';

const FOLDER = new URL('../../declared/again/', import.meta.url);

/** Each write-up (scripts/declared/schema/again.json), by its name. */
export const writeUps = () =>
  readdirSync(FOLDER)
    .toSorted(byName)
    .map((file) => ({ name: file.replace('.json', ''), ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) }));

export const pairsTable = (name, pairs) =>
  table(
    `What figures of ${name} say of each other, and the same here`,
    ['what', 'over what', '>theirs', '>here', 'measured here', 'direction'],
    pairs.map(comparedRow),
  );

const comparedRow = ({ above, below, theirs, counterparts, experiment, result, marks, direction }) => [
  figureName(above),
  figureName(below),
  `${factor(theirs)}×`,
  times(result, '×'),
  [`${experiment}: ${[...new Set(counterparts.map(sideText))].join(' over ')}`, marks].filter(Boolean).join(', '),
  direction,
];
const sideText = (counterpart) => `${sideOf(counterpart)} at ${counterpart.level}`;
const figureName = ({ id }) => `${wordsOf(id)} of ${id.split('.')[0]}`;

/** Latencies of two tools leave out different things. */
const isComparable = ({ id }, { counterpart }, { tool }) =>
  !quantityOf(id).startsWith('latency.') || counterpart.tool === tool || id.endsWith('.ratio');

export const isBeside = ({ ours }) => ours.some((result) => result !== null);

/** Each figure of one run of theirs, beside what cells of ours have of it. */
export function rowsOf(key, { what, here }, figures, published) {
  const cells = cellsOf(here, published);
  const rows = figures
    .filter(({ id }) => id.split('.')[0] === key)
    .map((figure) => ({
      figure,
      ours: cells.map((one) => (isComparable(figure, one, what) ? resultOf(figure, one.cell) : null)),
    }));
  return { cells, rows };
}

export const figuresTable = (key, cells, rows) =>
  table(
    `Figures of ${key}`,
    ['figure', '>published', ...cells.map((one) => `>${labelOf(one)}`)],
    rows.map(({ figure, ours }) => [
      wordsOf(figure.id),
      publishedText(figure),
      ...ours.map((result) => besideText(figure, result)),
    ]),
  );

/** What asks: the target, or the database profile where that is what differs. */
const sideOf = ({ target, variant = 'base', database }) =>
  `${seriesName({ target, variant })}${database === 'tpch' ? '' : ` on ${database}`}`;

function labelOf({ counterpart, cell }) {
  const scale = (cell.scale ?? 1) === 1 ? [] : [`scale ${cell.scale}`];
  const { tool, level, experiment } = counterpart;
  const parts = [sideOf(counterpart), `${tool} ${level}`, experiment, ...scale, marksText([cell])];
  return parts.filter(Boolean).join(', ');
}

export const wordsOf = (id) => quantityOf(id).replaceAll('-', ' ').replace('.', ', ');

export const publishedText = ({ value, unit }) =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: 12 })} ${unit === 'us' ? 'µs' : unit}`;
