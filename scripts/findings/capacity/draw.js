/** Latency by arrival rate: every probe of a search for a capacity, the objective, and the answer. */

import { saysText, shownLeast, unitOf } from '../../analyse/capacity/sentences.js';
import { factor } from '../../analyse/words.js';
import { endLabels, MS_LABEL, valueAxis } from '../../report/charts/parts.js';
import { logScale, narrowScale, spaced } from '../../report/charts/scales.js';
import { framed, inks, PAPER, PAPER_WIDTH, panelSize, panelTitle } from '../../report/charts/style.js';
import { palette } from '../../report/palette.js';
import { alt, title } from './tell.js';

/** By how a probe's figure is drawn. */
const MARKS = {
  held: { type: 'point', shape: 'circle', filled: true, size: 40, opacity: 0.8 },
  failed: { type: 'point', shape: 'circle', filled: false, size: 40, strokeWidth: 1.5, opacity: 0.9 },
  disturbed: { type: 'text', text: '×', fontSize: 15, fontWeight: 600 },
  'not sent': { type: 'point', shape: 'triangle-up', filled: false, size: 40, opacity: 0.9 },
};
const DRAWN = ['p50_us', 'p90_us', 'p95_us', 'p99_us'];

/** @param {object} capacity see find.js @param {object} [look] see style.js @returns {{spec: object, alt: string}} Vega-Lite specification */
export function picture(capacity, _cells, look = PAPER) {
  const asked = capacity.objective.parts.map(({ metric }) => metric).filter((metric) => DRAWN.includes(metric));
  const metrics = DRAWN.filter((metric) => metric === 'p50_us' || asked.includes(metric));
  const nameOf = (metric) => metric.replace('_us', '');
  const dots = capacity.trials.flatMap(({ probes }) => probes.flatMap((probe) => dotsOf(probe, metrics, nameOf)));
  const limits = capacity.objective.parts
    .filter(({ metric }) => asked.includes(metric))
    .map(({ metric, limit }) => ({ series: nameOf(metric), value: limit / 1000 }));
  const { width, height } = panelSize(
    { ...look, width: look.width ?? PAPER_WIDTH },
    metrics.map((metric) => `${nameOf(metric)}, limit`),
    1,
  );
  const values = [...dots, ...limits].map(({ value }) => value).concat(dots.length + limits.length > 0 ? [] : [1]);
  const probed = capacity.trials.flatMap(({ probes }) => probes.map(({ level }) => level));
  const rates = [...probed, capacity.answer.low, capacity.answer.high].filter((value) => value > 0);
  const scale = logScale(Math.min(...values), Math.max(...values));
  const across = narrowScale(Math.min(...rates), Math.max(...rates));
  const colours = palette(metrics.map(nameOf), look.theme);
  const color = {
    ...{ field: 'series', type: 'nominal', legend: null },
    scale: { domain: metrics.map(nameOf), range: metrics.map((metric) => colours.get(nameOf(metric)).colour) },
  };
  const labels = metrics.map((metric) => labelOf(nameOf(metric), { dots, limits }));
  const x = {
    ...{
      field: 'at',
      type: 'quantitative',
      title: capacity.think_s ? 'users who think (log scale)' : `${unitOf(capacity)}, as they arrive (log scale)`,
    },
    scale: { type: across.type, domain: across.domain, nice: false },
    axis: {
      values: spaced(across.values, across, width, (tick) => 8 * tick.toLocaleString('en-US').length),
      ...{ grid: false, format: ',~r', labelOverlap: false, labelFlush: false },
    },
  };
  const y = valueAxis(scale, MS_LABEL);
  const layer = [
    ...answerLayers(capacity.answer, { x, look }),
    ...limitLayers(limits, { y, color }),
    ...probeLayers(dots, { x, y, color }),
    endLabels(labels, { scale, width, height, color }),
  ];
  const reads = `Dots: probes that held; hollow: that failed; ×: disturbed; triangles: neither, as the load generator did not send all in time; no dot where too few were answered. Dashed: the objective. Vertical: the answer${capacity.answer.low > 0 ? ', with its 95 % interval' : ''}`;
  const panel = {
    width,
    height,
    title: panelTitle(capacity.think_s ? 'Latency' : 'Latency from when each request was due', reads, width),
    layer: layer.filter(({ data, layer: inner }) => inner || data.values.length > 0),
  };
  return {
    spec: framed([panel], {
      look,
      arrange: 'hconcat',
      ...(look.width === null ? { title: { text: title(capacity) } } : {}),
    }),
    alt: alt(capacity),
  };
}

/** At its limit, or where it has none beside its last dot. */
function labelOf(series, { dots, limits }) {
  const limit = limits.find((one) => one.series === series);
  const last = dots
    .filter((dot) => dot.series === series)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
  return limit ? { ...limit, at: 0, text: `${series}, limit` } : { series, at: 0, value: last?.value ?? 0 };
}

const dotsOf = (probe, metrics, nameOf) =>
  metrics
    .filter((metric) => probe[metric] > 0)
    .map((metric) => ({
      series: nameOf(metric),
      at: probe.level,
      value: probe[metric] / 1000,
      says: saysText(probe),
      trial: probe.trial,
    }));

const probeLayers = (dots, encoding) =>
  Object.entries(MARKS).map(([says, mark]) => ({
    data: { values: dots.filter((dot) => dot.says === says) },
    mark,
    encoding: {
      ...encoding,
      tooltip: [
        { field: 'series' },
        { field: 'at', title: 'level' },
        { field: 'value', title: 'ms', format: ',.4~r' },
        { field: 'says' },
        { field: 'trial' },
      ],
    },
  }));

const limitLayers = (limits, { y, color }) => [
  { data: { values: limits }, mark: { type: 'rule', strokeDash: [4, 3], strokeWidth: 1.5 }, encoding: { y, color } },
];

/** The rate, and its interval as a band; an interval without an end goes to the edge. */
function answerLayers({ kind, rate, low, high }, { x, look }) {
  const { ink, line } = inks(look);
  const [, last] = x.scale.domain;
  const band = low > 0 ? [{ at: low, to: high ?? last }] : [];
  return [
    {
      data: { values: band },
      mark: { type: 'rect', color: line, opacity: 0.35 },
      encoding: { x, x2: { field: 'to' } },
    },
    {
      data: { values: rate === null ? [] : [{ at: rate }] },
      mark: { type: 'rule', color: ink, strokeWidth: 1.5 },
      encoding: { x },
    },
    {
      data: {
        values:
          rate === null
            ? []
            : [{ at: rate, text: kind === 'at least' ? `at least ${factor(shownLeast(rate))}` : factor(rate) }],
      },
      mark: { type: 'text', align: 'right', baseline: 'top', dx: -4, color: ink, fontWeight: 600 },
      encoding: { x, y: { value: 2 }, text: { field: 'text' } },
    },
  ];
}
