/** Throughput and p95 by level. */
import { once } from '../../analyse/figures.js';
import { groupBy } from '../../analyse/numbers.js';
import { levelAlt, levelTitle } from '../../analyse/phrases.js';
import { byName, levelNoun, seriesName } from '../../analyse/words.js';
import { palette } from '../palette.js';
import { METRICS, P95_MEANING } from './metrics.js';
import { COUNT_LABEL, endLabels, levelsAxis, MS_LABEL, seriesScales, trialLayers, valueAxis } from './parts.js';
import { valueScale } from './scales.js';
import { framed, inks, PAPER, panelSize, panelTitle } from './style.js';

const PANELS = {
  throughput: {
    heading: 'Throughput',
    unit: 'answers per second',
    label: COUNT_LABEL,
    of: (trial) => trial.throughput_rps,
    middle: (cell) => cell.throughput_rps?.median ?? null,
  },
  p95: {
    heading: METRICS.p95.heading,
    unit: P95_MEANING,
    label: MS_LABEL,
    of: (trial) => trial.p95_us / 1000,
    middle: (cell) => (cell.latency_us?.p95 ?? null) && cell.latency_us.p95 / 1000,
  },
};

/** What eyes and palette tell apart in one panel. */
const MOST_LINES = 8;

/**
 * Throughput and p95 by level: a line per target through the medians, every trial a dot, invalid ones crosses. More than eight lines stand in panels of
 * their own for each variant, on one scale.
 * @param {object[]} cells of results.json, one workload, tool, model and database
 * @param {{title?: {text, subtitle}, colours?: Map, look?: object}} options colours: see palette; look: see style.js
 * @returns {object|null} Vega-Lite specification with its data inside; null when there is nothing to draw
 */
export function levelChart(cells, { title, look = PAPER, colours = palette(cells.map(seriesName), look.theme) }) {
  const parts = legible(cells);
  const size = panelSize(
    look,
    seriesIn(parts.toSorted((a, b) => seriesIn(b.cells).length - seriesIn(a.cells).length)[0].cells),
  );
  const rows = parts
    .map((part) => Object.keys(PANELS).map((metric) => levelPanel(part, metric, { among: cells, colours, look, size })))
    .map((panels) => panels.filter((panel) => panel !== null))
    .filter((panels) => panels.length > 0);
  if (rows.length === 0) return null;
  if (rows.length === 1) return framed(rows[0], { look, arrange: size.arrange, title });
  return framed(
    rows.map((panels) => ({ [size.arrange]: panels })),
    { look, arrange: 'vconcat', title },
  );
}

const seriesIn = (cells) => [...new Set(cells.map(seriesName))].sort(byName);

/** Cells whose lines one panel can show: all, else those of each variant, those alone in theirs together. @returns {{of: string|null, cells: object[]}[]} */
function legible(cells) {
  if (seriesIn(cells).length <= MOST_LINES) return [{ of: null, cells }];
  const variants = [...groupBy(cells, ({ variant }) => variant)].map(([of, same]) => ({ of, cells: same }));
  const isAlone = (variant) => seriesIn(variant.cells).length === 1;
  const alone = variants.filter(isAlone).flatMap((variant) => variant.cells);
  return [...variants.filter((variant) => !isAlone(variant)), { of: 'other variants', cells: alone }].flatMap(inParts);
}

/** A variant in as few parts as are legible; none of an empty one. */
function inParts({ of, cells }) {
  const names = seriesIn(cells);
  const parts = Math.ceil(names.length / MOST_LINES);
  const partOf = (cell) => Math.floor((names.indexOf(seriesName(cell)) * parts) / names.length);
  return Array.from({ length: parts }, (_, i) => ({ of, cells: cells.filter((cell) => partOf(cell) === i) }));
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
function levelPanel({ of: variant, cells }, metric, { among, colours, look, size: { width, height } }) {
  const { heading, unit, label, of, middle } = PANELS[metric];
  const all = seriesIn(cells);
  const pointsOf = (measured) =>
    measured
      .map((cell) => ({ series: seriesName(cell), at: cell.level, value: middle(cell), id: cell.id }))
      .filter(({ value }) => value > 0);
  const points = pointsOf(cells);
  if (points.length === 0) return null;
  const dotsOf = (measured) => measured.filter((cell) => middle(cell) > 0).flatMap((cell) => trialDots(cell, of));
  const dots = dotsOf(cells);
  const scale = valueScale([...pointsOf(among), ...dotsOf(among)].map(({ value }) => value));
  const series = [...new Set(points.map((point) => point.series))].sort(byName);
  const [x, y] = [levelAxis(cells[0], points, width), valueAxis(scale, label)];
  const { color, shape, strokeDash } = seriesScales(seriesIn(among), colours);
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
      variant === null ? heading : `${heading}, ${variant}`,
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
