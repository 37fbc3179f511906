/** Throughput and p95 by level. */
import { once } from '../../analyse/figures.js';
import { levelAlt, levelTitle } from '../../analyse/phrases.js';
import { byName, levelNoun, seriesName } from '../../analyse/words.js';
import { palette } from '../palette.js';
import { COUNT_LABEL, endLabels, levelsAxis, MS_LABEL, seriesScales, trialLayers, valueAxis } from './parts.js';
import { valueScale } from './scales.js';
import { framed, inks, PAPER, panelSize, panelTitle } from './style.js';

const METRICS = {
  throughput: {
    heading: 'Throughput',
    unit: 'answers per second',
    label: COUNT_LABEL,
    of: (trial) => trial.throughput_rps,
    middle: (cell) => cell.throughput_rps?.median ?? null,
  },
  p95: {
    heading: '95th percentile of latency',
    unit: '95 % of answers came within this time',
    label: MS_LABEL,
    of: (trial) => trial.p95_us / 1000,
    middle: (cell) => (cell.latency_us?.p95 ?? null) && cell.latency_us.p95 / 1000,
  },
};

/**
 * Throughput and p95 by level: a line per target through the medians, every trial a dot, invalid ones crosses.
 * @param {object[]} cells of results.json, one workload, tool, model and database
 * @param {{title?: {text, subtitle}, colours?: Map, look?: object}} options colours: see palette; look: see style.js
 * @returns {object|null} Vega-Lite specification with its data inside; null when there is nothing to draw
 */
export function levelChart(cells, { title, look = PAPER, colours = palette(cells.map(seriesName), look.theme) }) {
  const size = panelSize(look, cells.map(seriesName));
  const panels = Object.keys(METRICS)
    .map((metric) => levelPanel(cells, metric, { colours, look, size }))
    .filter((panel) => panel !== null);
  return panels.length === 0 ? null : framed(panels, { look, arrange: size.arrange, title });
}

/**
 * What a section shows as a title, what was measured as a subtitle, and a text for those who cannot see the chart.
 * @param {{cells, database, workload, tool, model}} section see sectionsOf
 */
export function chartTitle(section) {
  const { cells, workload, tool, model, database } = section;
  const title = levelTitle(section);
  const verdicts = new Set(cells.flatMap((cell) => cell.trials.map((trial) => trial.verdict)));
  const notes = [verdicts.has('suspect') && 'hollow when suspect', verdicts.has('invalid') && '× when invalid'].filter(
    Boolean,
  );
  const dots = `small dots: trials${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  const subtitle = `${workload} on ${database}, ${tool}, ${model} model; lines: median throughput, p95 over all trials; ${dots}`;
  return { title, subtitle, alt: levelAlt(title, section, [...new Set(once(cells).map(seriesName))]) };
}

/** One panel of levelChart; null when no cell has the figure. */
function levelPanel(cells, metric, { colours, look, size: { width, height } }) {
  const { heading, unit, label, of, middle } = METRICS[metric];
  const all = [...new Set(cells.map(seriesName))].sort(byName);
  const points = cells
    .map((cell) => ({ series: seriesName(cell), at: cell.level, value: middle(cell), id: cell.id }))
    .filter(({ value }) => value > 0);
  if (points.length === 0) return null;
  const shown = new Set(points.map(({ id }) => id));
  const dots = cells.filter(({ id }) => shown.has(id)).flatMap((cell) => trialDots(cell, of));
  const scale = valueScale([...points, ...dots].map(({ value }) => value));
  const series = [...new Set(points.map((point) => point.series))].sort(byName);
  const [x, y] = [levelAxis(cells[0], points, width), valueAxis(scale, label)];
  const { color, shape, strokeDash } = seriesScales(all, colours);
  const tooltip = [
    { field: 'series', title: 'target' },
    { field: 'at', title: levelNoun(cells[0]) },
    { field: 'value', title: metric === 'p95' ? 'p95, ms' : 'answers/s', format: ',.4~r' },
  ];
  const asFrom = metric === 'p95' && cells[0].model === 'open' ? ', from schedule' : '';
  return {
    width,
    height,
    title: panelTitle(
      heading,
      `${unit}${asFrom}${scale.type === 'log' ? ' (log scale)' : ''}${unquoted(series, all)}`,
      width,
    ),
    layer: [
      {
        data: { values: points },
        mark: { type: 'line', strokeWidth: 2.25, interpolate: 'linear' },
        encoding: { x, y, color, strokeDash },
      },
      {
        data: { values: points },
        mark: { type: 'point', filled: false, fill: inks(look).ground, size: 85, strokeWidth: 1.8, opacity: 1 },
        encoding: { x, y, color, shape, tooltip },
      },
      ...trialLayers(dots, { x, y, color, tooltip: [...tooltip, { field: 'trial' }, { field: 'verdict' }] }),
      endLabels(points, { scale, width, height, color }),
    ],
  };
}

/** Which lines the panel lacks, and why. */
function unquoted(series, all) {
  const absent = all.filter((name) => !series.includes(name));
  return absent.length === 0 ? '' : `; too few answers for ${absent.join(', ')}`;
}

function trialDots(cell, of) {
  const dots = cell.trials.map((trial) => ({
    series: seriesName(cell),
    at: cell.level,
    value: of(trial),
    verdict: trial.verdict,
    trial: trial.id,
  }));
  return dots.filter(({ value }) => value > 0);
}

const levelAxis = (cell, points, width) =>
  levelsAxis(
    points.map(({ at }) => at),
    { title: cell.model === 'open' ? 'arrivals per second' : levelNoun(cell), logarithmic: true, width },
  );
