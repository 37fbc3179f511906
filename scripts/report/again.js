/** docs/again.md: what the write-ups published that this project grew from, number by number, beside what is published of the same here. */
import { readdirSync, readFileSync } from 'node:fs';
import { byBlock } from '../analyse/figures.js';
import { pairedRatio } from '../analyse/intervals.js';
import { groupBy } from '../analyse/numbers.js';
import { byName, plural, seriesName } from '../analyse/words.js';
import { folded, heading, list, paragraph, table } from './blocks.js';
import { duration, NOTHING, rate, times } from './format.js';
import { currentPublished } from './published.js';

const FOLDER = new URL('../declared/again/', import.meta.url);
const US = { us: 1, ms: 1e3, s: 1e6 };

/** Quantities of a figure's id that a trial of results.json has, and where. */
const OF_TRIALS = {
  throughput: 'throughput_rps',
  'latency.p50': 'p50_us',
  'latency.p90': 'p90_us',
  'latency.p95': 'p95_us',
  'latency.p99': 'p99_us',
};
/** Those that a cell alone has. */
const OF_CELLS = ['latency.mean', 'latency.min', 'latency.max'];

/** Each write-up (scripts/declared/schema/again.json), by its name. */
const writeUps = () =>
  readdirSync(FOLDER)
    .toSorted(byName)
    .map((file) => ({ name: file.replace('.json', ''), ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) }));

/** @param {string} root results/published @returns {object[]} blocks */
export function againBlocks(root) {
  const published = ofOneMachine(root);
  const all = writeUps();
  const told = all.map((writeUp) => toldBeside(writeUp, published));
  const counts = told.flatMap(({ rows }) => rows);
  const beside = counts.filter(({ ours }) => ours.some(({ value }) => value !== null)).length;
  return [
    paragraph(
      `${plural(counts.length, 'number')} of ${all.length} write-ups; beside ${beside} stands what was measured here.`,
    ),
    ...told.flatMap(({ blocks }) => blocks),
  ];
}

/** Current results by experiment, of the machine on which most were measured. */
function ofOneMachine(root) {
  const machines = [...groupBy(currentPublished(root), ({ machine }) => machine).values()];
  const most = machines.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return new Map(most.map(({ experiment, results }) => [experiment, results]));
}

function toldBeside({ name, source, runs, figures, claims }, published) {
  const of = Object.entries(runs).map(([key, run]) => runOf(key, run, figures, published));
  return {
    rows: of.flatMap(({ rows }) => rows),
    blocks: [
      heading(2, name),
      paragraph(`${source}.`),
      ...of.flatMap(({ blocks }) => blocks),
      folded(`What it claims (${claims.length})`, list(claims.map(claimText))),
    ],
  };
}

const HOLDS = {
  true: 'holds in its own figures',
  false: 'does not hold in its own figures',
  null: 'cannot be told from its figures',
};
const claimText = ({ says, holds_in_its_own_figures: holds, why }) => `${says} **${HOLDS[holds]}**: ${why}`;

/** One run of theirs: a row for each figure that it has and that is measured here, the others folded. */
function runOf(key, { what, measures, here }, figures, published) {
  const cells = here.flatMap((place) => cellOf(place, published));
  const rows = figures
    .filter(({ id }) => id.split('.')[0] === key)
    .map((figure) => ({ figure, ours: cells.map(({ cell }) => oursOf(figure, cell)) }));
  const isBeside = ({ ours }) => ours.some(({ value }) => value !== null);
  const header = ['figure', '>published', ...cells.map(({ place }) => `>${labelOf(place)}`)];
  const rowOf = ({ figure, ours }) => [nameOf(figure), publishedText(figure), ...ours.map(({ text }) => text)];
  const others = rows.filter((row) => !isBeside(row));
  const { tool, target, workload, level } = what;
  return {
    rows,
    blocks: [
      heading(3, [key, level && `${level} at once`].filter(Boolean).join(', ')),
      paragraph(`Theirs: ${[tool, target, workload].join('; ')}. ${measures}`),
      table(`Figures of ${key}`, header, rows.filter(isBeside).map(rowOf)),
      here.length === 0 && paragraph('Nothing here asks the same.'),
      list(here.filter(({ command }) => command).map(({ command }) => `Here: \`${command}\`.`)),
      folded(
        `${plural(others.length, 'figure')} without a counterpart`,
        table(
          `Other figures of ${key}`,
          ['figure', '>published'],
          others.map((row) => rowOf(row).slice(0, 2)),
        ),
      ),
    ],
  };
}

/** The cell of a place that is published, or none. @returns {{place, cell}[]} */
function cellOf(place, published) {
  const { experiment, variant = 'base' } = place;
  const is = (cell) =>
    cell.model === 'closed' &&
    cell.variant === variant &&
    ['database', 'target', 'workload', 'tool', 'level'].every((key) => cell[key] === place[key]);
  return (published.get(experiment)?.cells ?? []).filter(is).map((cell) => ({ place, cell }));
}

const labelOf = ({ experiment, target, variant = 'base', level, tool, database }) =>
  `${seriesName({ target, variant })}, ${tool} ${level}, ${experiment}${target === 'postgres' ? `, ${database}` : ''}`;

const quantityOf = ({ id }) => id.split('.').slice(1).join('.');
const nameOf = (figure) => quantityOf(figure).replaceAll('-', ' ').replace('.', ', ');

const publishedText = ({ value, unit }) => `${value.toLocaleString('en-US')} ${unit === 'us' ? 'µs' : unit}`;

/**
 * What a cell has of a figure: the geometric mean over its blocks with a 95 % interval, and how many times theirs that is; of what only a
 * whole cell has, the value alone.
 * @returns {{value: number|null, text: string}} value in requests/s or us
 */
function oursOf(figure, cell) {
  const quantity = quantityOf(figure);
  const theirs = figure.value * (US[figure.unit] ?? 1);
  const result = resultOf(quantity, cell);
  if (result === null || !(result.ratio > 0)) return { value: null, text: NOTHING };
  const written = quantity === 'throughput' ? rate : duration;
  if (theirs === 0) return { value: result.ratio, text: written(result.ratio) };
  const over = {
    ratio: result.ratio / theirs,
    low: result.low && result.low / theirs,
    high: result.high && result.high / theirs,
  };
  return { value: result.ratio, text: `${written(result.ratio)}: ${times(over, '×')}` };
}

function resultOf(quantity, cell) {
  const key = OF_TRIALS[quantity];
  if (key) {
    const values = [...byBlock(cell).values()].map((trial) => trial[key]);
    return values.length > 0 && values.every((value) => value > 0)
      ? pairedRatio(values.map(Math.log), { of: values.length })
      : null;
  }
  if (!OF_CELLS.includes(quantity) || !cell.latency_us) return null;
  return { ratio: cell.latency_us[quantity.split('.')[1]], low: null, high: null };
}
