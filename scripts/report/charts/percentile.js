/** Latency by percentile, as HDR histograms are drawn: the tail takes as much room as the middle. */
import { byName, seriesName } from '../../analyse/words.js';
import { endLabels, MS_LABEL, seriesScales, valueAxis } from './parts.js';
import { spaced, valueScale } from './scales.js';
import { framed, inks, panelSize, panelTitle } from './style.js';

/** The axis counts 1 / (1 - p): 1 is p0, 10 is p90, 100 is p99. */
const PERCENT_LABEL = "format(100 - 100 / datum.value, '.6~r') + ' %'";
const PERCENT = 64; // pixels of its longest label; the last one ends where the axis does
const MARKED = new Set([2, 10, 100, 1000, 10_000]);

/**
 * @param {object[]} cells of one level
 * @param {Record<string, [number, number][]>} latencies by cell id: [1 / (1 - p), us], only as far as the samples allow
 * @param {{colours: Map, look: object}} options
 * @returns {object|null} Vega-Lite specification
 */
export function percentileChart(cells, latencies, { colours, look }) {
  const points = cells.flatMap((cell) =>
    (latencies[cell.id] ?? []).map(([at, us]) => ({ series: seriesName(cell), at, value: us / 1000 })),
  );
  if (points.length === 0) return null;
  const names = [...new Set(points.map(({ series }) => series))].sort(byName);
  const { width, height, arrange } = panelSize(look, names, 1);
  const scale = valueScale(points.map(({ value }) => value));
  const last = Math.max(...points.map(({ at }) => at));
  const shares = { type: 'log', domain: [1, last] };
  const ticks = [1, 2, 10, 100, 1000, 10_000, 100_000].filter((at) => at < last).concat(last);
  const { color, shape } = seriesScales(names, colours);
  const x = {
    field: 'at',
    type: 'quantitative',
    title: 'share of answers within this time (tail stretched)',
    scale: { ...shares, nice: false },
    axis: {
      values: spaced(ticks, shares, width, (at) => (at === last ? 2 : 1) * PERCENT),
      labelExpr: PERCENT_LABEL,
      labelOverlap: false,
    },
  };
  const y = valueAxis(scale, MS_LABEL);
  const tooltip = [
    { field: 'series', title: 'target' },
    { field: 'percentile' },
    { field: 'value', title: 'ms', format: ',.3~r' },
  ];
  const marked = points
    .filter(({ at }) => MARKED.has(at))
    .map((point) => ({ ...point, percentile: `p${Number((100 - 100 / point.at).toFixed(3))}` }));
  return framed(
    [
      {
        width,
        height,
        title: panelTitle(
          'Latency by percentile',
          `all trials merged; lines end at the last ten answers${scale.type === 'log' ? ' (log scale)' : ''}`,
          width,
        ),
        layer: [
          {
            data: { values: points },
            mark: { type: 'line', strokeWidth: 2.25 },
            encoding: { x, y, color },
          },
          {
            data: { values: marked },
            mark: { type: 'point', filled: false, fill: inks(look).ground, size: 70, strokeWidth: 1.8, opacity: 1 },
            encoding: { x, y, color, shape, tooltip },
          },
          endLabels(points, { scale, width, height, color }),
        ],
      },
    ],
    { look, arrange },
  );
}
