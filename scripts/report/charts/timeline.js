/** Throughput and p95 of each second. */
import { byName, seriesName } from '../../analyse/words.js';
import { COUNT_LABEL, endLabels, MS_LABEL, seriesScales, valueAxis } from './parts.js';
import { valueScale } from './scales.js';
import { framed, panelSize, panelTitle } from './style.js';

const PANELS = [
  { key: 'rps', heading: 'Answers in each second', unit: 'a line per trial', label: COUNT_LABEL, of: (value) => value },
  { key: 'p95_us', heading: 'p95 of each second', unit: 'a line per trial', label: MS_LABEL, of: (us) => us / 1000 },
];

/**
 * @param {object[]} cells of one level; or one cell with a single trial, to look at that
 * @param {Record<string, {step_s: number, rps: number[], p95_us: (number|null)[]}>} timelines by trial id
 * @param {{colours: Map, look: object}} options
 * @returns {object|null} Vega-Lite specification; null when the tool records no seconds
 */
export function timelineChart(cells, timelines, { colours, look }) {
  const size = panelSize(look, cells.map(seriesName));
  const pointsIn = PANELS.map((panel) =>
    cells.flatMap((cell) => cell.trials.flatMap((trial) => pointsOf(cell, trial, timelines, panel))),
  );
  const names = [...new Set(pointsIn.flat().map(({ series }) => series))].sort(byName);
  const { color } = seriesScales(names, colours);
  const panels = PANELS.map((panel, i) => panelOf(pointsIn[i], panel, { color, ...size })).filter(
    (panel) => panel !== null,
  );
  return panels.length === 0 ? null : framed(panels, { look, arrange: size.arrange });
}

function pointsOf(cell, { id, verdict }, timelines, { key, of }) {
  const timeline = timelines[id];
  return (timeline?.[key] ?? [])
    .map((value, i) => ({
      series: seriesName(cell),
      trial: id,
      verdict,
      at: (i + 0.5) * timeline.step_s,
      value: value === null ? null : of(value),
    }))
    .filter(({ value }) => value !== null);
}

function panelOf(points, { heading, unit, label, key }, { color, width, height }) {
  if (points.length === 0) return null;
  const scale = valueScale(points.map(({ value }) => value));
  const { domain, values } = valueScale([0, ...points.map(({ at }) => at)]);
  const x = {
    field: 'at',
    type: 'quantitative',
    title: 'seconds into the trial',
    scale: { domain, nice: false },
    axis: { grid: false, values, labelOverlap: false },
  };
  const y = valueAxis(scale, label);
  const encoding = { x, y, color, detail: { field: 'trial' } };
  const tooltip = [
    { field: 'trial' },
    { field: 'verdict' },
    { field: 'at', title: 'middle, s' },
    { field: 'value', title: key === 'rps' ? 'answers/s' : 'p95, ms', format: ',.4~r' },
  ];
  return {
    width,
    height,
    title: panelTitle(heading, `${unit}${scale.type === 'log' ? ' (log scale)' : ''}`, width),
    layer: [
      { data: { values: points }, mark: { type: 'line', strokeWidth: 1.4, opacity: 0.75 }, encoding },
      {
        data: { values: points },
        mark: { type: 'point', filled: true, size: 18, opacity: 0.55 },
        encoding: { ...encoding, tooltip },
      },
      endLabels(points, { scale, width, height, color }),
    ],
  };
}
