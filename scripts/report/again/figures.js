/** What is published here of a write-up's figures (scripts/declared/schema/again.json): which cells ask the same, and what they have of it. */
import { byBlock, ratioOf } from '../../analyse/figures.js';
import { bytes, duration, NOTHING, rate, share, times } from '../../analyse/format.js';
import { pairedRatio } from '../../analyse/intervals.js';
import { mean } from '../../analyse/numbers.js';
import { shareOfErrors } from '../../findings/objectives/find.js';

/** Units that write-ups print, in those of results.json: microseconds, bytes, shares. */
const UNITS = { us: 1, ms: 1e3, s: 1e6, min: 60e6, kB: 1e3, MB: 1e6, GB: 1e9, 'kB/s': 1e3, 'KiB/s': 1024, '%': 0.01 };

/** What a unit measures: figures of one dimension can be compared. */
const DIMENSIONS = [
  ['time', /^(us|ms|s|min)$/],
  ['size', /^(bytes|kB|MB|GB)$/],
  ['bytes a second', /^(B|kB|KiB)\/s$/],
  ['rate', /\/s$/],
  ['share', /^%$/],
  ['ratio', /^times$/],
];
export const dimensionOf = (unit) => DIMENSIONS.find(([, units]) => units.test(unit))?.[0] ?? 'count';

/** A value as printed, in the unit of results.json. */
export const inOurUnit = ({ value, unit }) => value * (UNITS[unit] ?? 1);

/** 'latency.p95' of 'pool.latency.p95' */
export const quantityOf = (id) => id.split('.').slice(1).join('.');

/** Quantities that a trial of results.json has, and where. */
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
  'errors.count': ({ errors, trials_used }) => errors.total / trials_used,
  'errors.share': ({ trials }) => shareOfErrors(trials),
  'success.share': ({ trials }) => {
    const failed = shareOfErrors(trials); // of all of them: those that are invalid for their errors count
    return failed === null ? null : 1 - failed;
  },
  'indexed.mean': ({ operations }) => operations?.indexed?.mean,
  'unindexed.mean': ({ operations }) => operations?.unindexed?.mean,
};

/** Those of pairs of equal answers, see findings/index-pairs. */
const OF_PAIRS = {
  'indexed-faster.share': ({ wins, pairs }) => wins / pairs,
  'indexed-slower.share': ({ losses, pairs }) => losses / pairs,
  'ties.share': ({ ties, pairs }) => ties / pairs,
};

/** Percentiles of ab are whole milliseconds. */
const PRINTED_STEP_US = { ab: (quantity) => (/^latency\.p\d|\.(min|max|median)$/.test(quantity) ? 1000 : 0) };

/** What says nothing but how long a trial was, unless so many requests were asked for. */
const DEPENDS_ON_LENGTH = new Set([
  'requests.count',
  'transactions.count',
  'received.size',
  'sent.size',
  'bodies.size',
]);

/** Ratios of a cell and the one that it is over: what the first gains. */
const OF_BOTH = {
  'throughput.ratio': (cell) => ratioOf('throughput', cell, cell.below),
  'throughput.gain': (cell) => ratioOf('throughput', cell, cell.below),
  'latency.ratio': (cell) => ratioOf('p95', cell.below, cell),
};

/**
 * The cells of a run's counterparts: with the index's pairs where a cell has any, and what it is over. Of several experiments the first that is published counts,
 * as the one that is most like what was published.
 * @param {object[]} here counterparts, of which commands have no cell @param {Map<string, object>} published results by experiment
 * @returns {{counterpart, cell}[]}
 */
export function cellsOf(here, published) {
  const [closest] = here.map(({ experiment }) => experiment).filter((experiment) => published.has(experiment));
  const counterparts = here.filter(({ experiment }) => experiment !== undefined && experiment === closest);
  return counterparts.flatMap((counterpart) => {
    const { experiment, variant = 'base', over } = counterpart;
    const { cells = [], index_pairs } = published.get(experiment) ?? {};
    const is = (cell) =>
      cell.model === 'closed' &&
      cell.variant === variant &&
      ['database', 'target', 'workload', 'tool', 'level'].every((key) => cell[key] === counterpart[key]);
    const pairs = ({ id }) => index_pairs?.cells.find((cell) => cell.id === id) ?? null;
    const [below = null] = over ? cellsOf([{ ...counterpart, ...over, over: undefined }], published) : [];
    return cells
      .filter((cell) => is(cell) && cell.trials_used > 0)
      .map((cell) => ({ counterpart, cell: { ...cell, pairs: pairs(cell), below: below?.cell } }));
  });
}

/**
 * What a cell has of a figure: what the tool itself printed of it, else what was made of its raw output; the geometric mean over its blocks with a
 * 95 % interval; of what only a whole cell has, or what is 0 in some block, the value alone.
 * @returns {{ratio: number, low: number|null, high: number|null}|null} in requests/s, microseconds, bytes, or as a share
 */
export function resultOf({ id }, cell) {
  const quantity = quantityOf(id);
  if (quantity === 'speedup.ratio') return speedupOf(id, cell);
  if (cell.below) return OF_BOTH[quantity]?.(cell) ?? null;
  if (DEPENDS_ON_LENGTH.has(quantity) && !cell.requests) return null;
  const key = OF_TRIALS[quantity];
  const ofTrials = key && [...byBlock(cell).values()].map((trial) => trial[key]);
  if (ofTrials?.includes(null)) return null; // too few answers, whatever the tool prints
  const printed = cell.printed?.[quantity];
  const isOfWindow = ofTrials && cell.tool !== 'ab'; // other tools' tables also have what went before, and came after
  if (printed && !isOfWindow) return meanOf(printed, cell, PRINTED_STEP_US[cell.tool]?.(quantity) ?? 0);
  if (ofTrials) return meanOf(ofTrials, cell);
  const whole = (cell.pairs && OF_PAIRS[quantity]?.(cell.pairs)) ?? OF_CELLS[quantity]?.(cell) ?? null;
  return whole === null ? null : alone(whole);
}

/**
 * A figure of each trial that counts, by block; null where it is not known of each trial.
 * @returns {Map<number, number>|null}
 */
export function byBlockOf({ id }, cell) {
  const quantity = quantityOf(id);
  const key = OF_TRIALS[quantity];
  const trials = [...byBlock(cell).values()];
  const printed = cell.printed?.[quantity] ?? [];
  const values = key ? trials.map((trial) => trial[key]) : printed;
  if (values.length !== trials.length || !values.every((value) => value > 0)) return null;
  return new Map(trials.map(({ block }, i) => [block, values[i]]));
}

/** 'some trials marked', of cells whose trials are marked as suspect; else null. @param {object[]} cells */
export function marksText(cells) {
  const counts = cells.flatMap(({ verdicts, below }) => [verdicts, below?.verdicts]).filter(Boolean);
  if (!counts.some(({ suspect }) => suspect > 0)) return null;
  return `${counts.every(({ valid }) => valid === 0) ? 'all' : 'some'} trials marked`;
}

/** Of all pairs of answers, or of the best of them. */
const speedupOf = (id, { pairs }) => pairs && (id.startsWith('index-best') ? alone(pairs.best.speedup) : pairs.speedup);

const alone = (value) => ({ ratio: value, low: null, high: null });

/**
 * The geometric mean over trials with a 95 % interval, which takes all trials that were planned; of values some of which are 0 the arithmetic one;
 * null where one is missing. @param {number} [step] to which a tool rounds what it prints: uniform errors within a step, as in figures.js
 */
function meanOf(values, { trials_planned: of }, step = 0) {
  if (values.length === 0 || values.includes(null)) return null;
  if (!values.every((value) => value > 0)) return alone(mean(values));
  const resolution = mean(values.map((value) => (step / value) ** 2 / 12));
  return pairedRatio(values.map(Math.log), { of, resolution });
}

/** A value of ours, and how many times theirs that is: '8,117: 1.53× [1.24, 1.88]'. */
export function besideText(figure, result) {
  if (result === null) return NOTHING;
  if (quantityOf(figure.id).endsWith('.gain')) return gainText(result);
  const theirs = inOurUnit(figure);
  const text = written(result.ratio, figure.unit);
  if (theirs === 0 || !(result.ratio > 0)) return text;
  const { ratio, low, high } = result;
  const isSpread = low !== high; // equal in each trial: rounded by the tool, or not left to chance
  return `${text}: ${times({ ratio: ratio / theirs, low: isSpread ? low / theirs : null, high: isSpread ? high / theirs : null }, '×')}`;
}

/** How a value, in our unit, is written beside one of a dimension. */
const WRITTEN = {
  time: (value) => (value === 0 ? '0' : duration(value)),
  size: bytes,
  'bytes a second': (value) => `${bytes(value)}/s`,
  rate,
  share: (value) => (value >= 0.995 && value < 1 ? 'almost 100 %' : share(value)),
  ratio: (value) => Number(value.toPrecision(3)).toLocaleString('en-US'),
  count: (value) => (value < 10 ? Number(value.toPrecision(2)) : Math.round(value)).toLocaleString('en-US'),
};
export const written = (value, unit) => WRITTEN[dimensionOf(unit)](value);

/** '12 % more [5, 20]' */
function gainText({ ratio, low, high }) {
  const [text, ...bounds] = [ratio, low, high].map((value) => Number((100 * (value - 1)).toPrecision(3)));
  return low === null ? `${text} % more` : `${text} % more [${bounds.join(', ')}]`;
}
