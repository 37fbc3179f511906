/** docs/again.md: what the write-ups published that this project grew from, number by number, beside what is published of the same here. */
import { readdirSync, readFileSync } from 'node:fs';
import { byBlock, ratioOf } from '../analyse/figures.js';
import { pairedRatio } from '../analyse/intervals.js';
import { groupBy, mean } from '../analyse/numbers.js';
import { byName, plural, seriesName } from '../analyse/words.js';
import { folded, heading, list, paragraph, table } from './blocks.js';
import { bytes, duration, NOTHING, rate, share, times } from './format.js';
import { currentPublished } from './published.js';

const FOLDER = new URL('../declared/again/', import.meta.url);
/** Units that write-ups print, in those of results.json: microseconds, bytes, shares. */
const UNITS = { us: 1, ms: 1e3, s: 1e6, kB: 1e3, MB: 1e6, GB: 1e9, 'kB/s': 1e3, 'KiB/s': 1024, '%': 0.01 };

/** Quantities of a figure's id that a trial of results.json has, and where. */
const OF_TRIALS = {
  throughput: 'throughput_rps',
  'latency.p50': 'p50_us',
  'latency.p90': 'p90_us',
  'latency.p95': 'p95_us',
  'latency.p99': 'p99_us',
};

/** Those that a cell has as a whole, of all its trials. */
const OF_CELLS = {
  'latency.mean': ({ latency_us }) => latency_us?.mean,
  'latency.min': ({ latency_us }) => latency_us?.min,
  'latency.max': ({ latency_us }) => latency_us?.max,
  'errors.count': ({ errors, trials_used }) => errors.total / trials_used,
  'errors.share': ({ errors }) => errors.share,
  'success.share': ({ errors }) => 1 - errors.share,
  'requests.count': ({ errors, trials_used }) => errors.requests / trials_used,
  'indexed.mean': ({ operations }) => operations?.indexed?.mean,
  'unindexed.mean': ({ operations }) => operations?.unindexed?.mean,
};

/** Those of pairs of equal answers, see findings/index-pairs. */
const OF_PAIRS = {
  'pairs.count': ({ pairs }) => pairs,
  'indexed-faster.count': ({ wins }) => wins,
  'indexed-faster.share': ({ wins, pairs }) => wins / pairs,
  'indexed-slower.count': ({ losses }) => losses,
  'indexed-slower.share': ({ losses, pairs }) => losses / pairs,
  'ties.count': ({ ties }) => ties,
  'ties.share': ({ ties, pairs }) => ties / pairs,
};

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

/** The cell of a place that is published, or none; with the index's pairs where it has any, and what it is compared with. @returns {{place, cell}[]} */
function cellOf(place, published) {
  const { experiment, variant = 'base', over } = place;
  const { cells = [], index_pairs } = published.get(experiment) ?? {};
  const is = (cell) =>
    cell.model === 'closed' &&
    cell.variant === variant &&
    ['database', 'target', 'workload', 'tool', 'level'].every((key) => cell[key] === place[key]);
  const pairs = ({ id }) => index_pairs?.cells.find((cell) => cell.id === id) ?? null;
  const [below = null] = over ? cellOf({ ...place, ...over, over: undefined }, published) : [];
  return cells
    .filter((cell) => is(cell) && cell.trials_used > 0)
    .map((cell) => ({ place, cell: { ...cell, pairs: pairs(cell), below: below?.cell } }));
}

const labelOf = ({ experiment, target, variant = 'base', level, tool, database }) =>
  `${seriesName({ target, variant })}, ${tool} ${level}, ${experiment}${target === 'postgres' ? `, ${database}` : ''}`;

const quantityOf = ({ id }) => id.split('.').slice(1).join('.');
const nameOf = (figure) => quantityOf(figure).replaceAll('-', ' ').replace('.', ', ');

const publishedText = ({ value, unit }) => `${value.toLocaleString('en-US')} ${unit === 'us' ? 'µs' : unit}`;

/**
 * What a cell has of a figure: the geometric mean over its blocks with a 95 % interval, and how many times theirs that is; of what only a
 * whole cell has, or what is 0 in some block, the value alone.
 * @returns {{value: number|null, text: string}} value in requests/s, microseconds, bytes, or as a share
 */
function oursOf(figure, cell) {
  const theirs = figure.value * (UNITS[figure.unit] ?? 1);
  const quantity = quantityOf(figure);
  const result = quantity === 'speedup.ratio' ? speedupOf(figure, cell) : resultOf(quantity, cell);
  if (result === null) return { value: null, text: NOTHING };
  if (quantity.endsWith('.gain')) return { value: result.ratio, text: gainText(result) };
  const text = writtenIn(figure.unit)(result.ratio);
  if (theirs === 0 || !(result.ratio > 0)) return { value: result.ratio, text };
  const over = {
    ratio: result.ratio / theirs,
    low: result.low && result.low / theirs,
    high: result.high && result.high / theirs,
  };
  return { value: result.ratio, text: `${text}: ${times(over, '×')}` };
}

/** How a value of a unit is written. */
function writtenIn(unit) {
  if (unit.endsWith('/s')) return /^(requests|transactions)/.test(unit) ? rate : (value) => `${bytes(value)}/s`;
  if (['us', 'ms', 's', 'min'].includes(unit)) return (value) => (value === 0 ? '0' : duration(value));
  if (['bytes', 'kB', 'MB', 'GB'].includes(unit)) return bytes;
  return unit === '%' ? share : (value) => Number(value.toPrecision(6)).toLocaleString('en-US');
}

/** Of all pairs of answers, or of the best of them. */
const speedupOf = ({ id }, { pairs }) =>
  pairs && (id.startsWith('index-best') ? { ratio: pairs.best.speedup, low: null, high: null } : pairs.speedup);

/** '12 % [5, 20]' */
function gainText({ ratio, low, high }) {
  const [text, ...bounds] = [ratio, low, high].map((value) => Number((100 * (value - 1)).toPrecision(3)));
  return low === null ? `${text} %` : `${text} % [${bounds.join(', ')}]`;
}

/** Ratios of a cell and the one below it: what the first gains. */
const OF_BOTH = {
  'throughput.ratio': (cell) => ratioOf('throughput', cell, cell.below),
  'throughput.gain': (cell) => ratioOf('throughput', cell, cell.below),
  'latency.ratio': (cell) => ratioOf('p95', cell.below, cell),
};

function resultOf(quantity, cell) {
  if (cell.below) return OF_BOTH[quantity]?.(cell) ?? null;
  const key = OF_TRIALS[quantity];
  const ofTrials = key && [...byBlock(cell).values()].map((trial) => trial[key]);
  if (ofTrials?.length > 0 && ofTrials.every((value) => value > 0)) return meanOf(ofTrials);
  const ofPairs = cell.pairs && OF_PAIRS[quantity]?.(cell.pairs);
  const whole = ofPairs ?? OF_CELLS[quantity]?.(cell) ?? null;
  if (whole !== null) return { ratio: whole, low: null, high: null };
  const printed = cell.printed?.[quantity];
  return printed ? meanOf(printed) : null;
}

/** The geometric mean with a 95 % interval; of values some of which are 0 the arithmetic one. */
const meanOf = (values) =>
  values.every((value) => value > 0)
    ? pairedRatio(values.map(Math.log), { of: values.length })
    : { ratio: mean(values), low: null, high: null };
