/** What a write-up aims at, beside what was measured here: our objectives, and the thresholds of our scripts under a ramp. */

import { NOTHING } from '../../analyse/format.js';
import { judge, readObjectives } from '../../findings/objectives/find.js';
import { holdsHere } from './checks.js';
import { inOurUnit, resultOf, written } from './figures.js';

/** Columns of targetRows. */
export const TARGETS = ['target', 'what', '>limit', '>here', 'measured with', 'met'];
const TARGET_METRICS = {
  throughput: 'throughput_rps',
  p95: 'p95_us',
  errors: 'error_share',
  size: 'rss_max_bytes',
  share: 'cpu_share',
  rate: 'disk_read_bytes_per_s',
};
/** Of these a cell has a figure for each block. */
const OF_BLOCKS = { throughput: 'throughput', p95: 'latency.p95' };

/** Experiments in which an objective is asked about, the likest first, and with how many connections; null: those of the objective. */
const LIKE = [
  ['again-documents', 400],
  ['documents', null],
];

/**
 * What a target's objective came to, or its script's threshold in the cells with its ramp.
 * @returns {{result: {ratio, low, high}, met: boolean|null, at: string}[]} under the load that is most like theirs first; met: null where there is no limit, or the interval does not decide
 */
export const targetsHere = (target, published) =>
  (target.objective
    ? LIKE.map(([experiment, level]) => objectiveHere(target, published.get(experiment)?.cells ?? [], level))
    : [thresholdHere(target, published)]
  )
    .map((like) => like && judgedHere(target, like))
    .filter(Boolean);

function judgedHere(target, { cell, quantity, measured, met }) {
  const result = (quantity && resultOf({ id: `${target.id.split('.')[0]}.${quantity}` }, cell)) ?? {
    ratio: measured,
    low: null,
    high: null,
  };
  if (result.ratio === null && met === null) return null;
  const verdict = result.low === null ? met : holdsHere(target, result, inOurUnit(target));
  return { result, met: target.value === null ? null : verdict, at: withText(cell) };
}

function withText({ tool, model, level, share, variant }) {
  if (share) return `${tool}, ${share.replace('%', ' %')} of the peak`;
  return `${tool}, ${model === 'open' ? `${level} requests/s` : `${variant === 'ramp' ? 'a ramp to ' : ''}${level}`}`;
}

/** @returns {{cell, quantity: string|null, measured: number|null, met: boolean|null}|null} quantity: of which the cell has a figure for each block */
function objectiveHere({ objective, metric }, cells, level) {
  const objectives = readObjectives().map((one) => ({ ...one, level: level ?? one.level }));
  const judged = judge(objectives, cells).find(
    (one) => one.name === objective && one.metric === TARGET_METRICS[metric],
  );
  if (!judged) return null;
  const { cell: id, operation, measured, met } = judged;
  return {
    cell: cells.find((cell) => cell.id === id),
    quantity: operation === null ? (OF_BLOCKS[metric] ?? null) : null,
    measured,
    met,
  };
}

function thresholdHere({ threshold, metric, is, value, unit }, published) {
  const cell = published
    .get('again-documents')
    ?.cells.find(({ workload, variant }) => workload === threshold && variant === 'ramp');
  if (!cell) return null;
  const measured = metric === 'errors' ? resultOf({ id: 'threshold.errors.share' }, cell)?.ratio : null;
  const met =
    measured === null
      ? null
      : holdsHere({ is }, { ratio: measured, low: null, high: null }, inOurUnit({ value, unit }));
  return { cell, quantity: OF_BLOCKS[metric] ?? null, measured, met };
}

/** @param {object} target with `here`, see targetsHere @returns {string[][]} a row for each load */
export const targetRows = ({ says, metric, is, value, unit, here }) =>
  (here.length > 0 ? here : [null]).map((one) => [
    says,
    metric,
    value === null ? 'none given' : `${is} ${value.toLocaleString('en-US')} ${unit}`,
    one ? targetText(one.result, unit ?? 'B/s') : NOTHING,
    one?.at ?? NOTHING,
    value === null ? NOTHING : ({ true: 'yes', false: 'no', null: 'not decided' }[one?.met] ?? NOTHING),
  ]);

function targetText({ ratio, low, high }, unit) {
  if (ratio === null) return NOTHING;
  const [value, ...bounds] = [ratio, low, high].map((one) => one === null || written(one, unit));
  return low === null ? value : `${value} [${bounds.join(', ')}]`;
}
