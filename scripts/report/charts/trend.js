/** One cell over time, on one machine. */
import { METRICS, P95_MEANING } from './metrics.js';
import { COUNT_LABEL, MS_LABEL, valueAxis } from './parts.js';
import { valueScale } from './scales.js';
import { framed, inks, panelSize, panelTitle } from './style.js';

const PANELS = [
  { key: 'throughput', heading: 'Throughput', unit: 'answers per second', label: COUNT_LABEL },
  { key: 'p95', heading: METRICS.p95.heading, unit: P95_MEANING, label: MS_LABEL },
];

/**
 * @param {{run: string, at: string, commit: string|null, throughput: number[], p95: number[]}[]} runs figures of single trials; p95 in ms
 * @param {{look: object, colour: string}} options
 * @returns {object|null} Vega-Lite specification
 */
export function trendChart(runs, { look, colour }) {
  const size = panelSize(look, ['']);
  const panels = PANELS.map((panel) => panelOf(runs, panel, { look, colour, ...size })).filter(Boolean);
  return panels.length === 0 ? null : framed(panels, { look, arrange: size.arrange });
}

function panelOf(runs, { key, heading, unit, label }, { look, colour, width, height }) {
  const points = runs
    .filter((run) => run[key].length > 0)
    .map(({ run, at, commit, [key]: values }) => {
      const sorted = values.toSorted((a, b) => a - b);
      const value = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
      return { run, at, commit, value, low: sorted[0], high: sorted.at(-1), trials: sorted.length };
    });
  if (points.length === 0) return null;
  const scale = valueScale(points.flatMap(({ low, high }) => [low, high]));
  const x = {
    field: 'at',
    type: 'temporal',
    scale: { padding: 14 },
    title: null,
    axis: { grid: false, labelOverlap: true, tickCount: 5 },
  };
  const y = valueAxis(scale, label);
  const tooltip = ['run', 'value', 'low', 'high', 'trials', 'commit'].map((field) => ({
    field,
    ...(typeof points[0][field] === 'number' ? { format: ',.4~r' } : {}),
  }));
  return {
    width,
    height,
    title: panelTitle(
      heading,
      `${unit}; median, whiskers span the trials${scale.type === 'log' ? ' (log scale)' : ''}`,
      width,
    ),
    data: { values: points },
    layer: [
      { mark: { type: 'line', strokeWidth: 1.5, opacity: 0.6, color: colour }, encoding: { x, y } },
      {
        mark: { type: 'rule', strokeWidth: 1.5, color: colour },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        mark: {
          type: 'point',
          filled: false,
          fill: inks(look).ground,
          stroke: colour,
          size: 80,
          strokeWidth: 1.8,
          opacity: 1,
        },
        encoding: { x, y, tooltip },
      },
    ],
  };
}
