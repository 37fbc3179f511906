/** The picture of an answer: rows of dots, lines over levels, or the intervals of copies. See ../answers/facts.js for what is drawn. */
import { copiesChart } from './copies.js';
import { METRICS } from './metrics.js';
import { endLabels, levelsAxis, seriesScales, trialLayers, valueAxis } from './parts.js';
import { intervalLayers, ROW_Y, rowAxis, rowFrame, textsBehind } from './rows.js';
import { valueScale } from './scales.js';
import { BESIDE, dashed, framed, inks, PAPER, PAPER_WIDTH, panelSize, panelTitle, SPACING } from './style.js';

const MOST_ROWS = 12;
const NARROW = 520;
const ROW_TEXT = 66;
const FAINT = 0.45;
/** Pixels between a mark with its interval and its trials, which the interval would hide. */
const ASIDE = 8;
/** From this factor between the first and the last level on, their axis is logarithmic. */
const FAR = 4;

const SHAPES = { rows: rowsChart, lines: linesChart, copies: copiesChart };

/**
 * @param {object} facts see factsOf @param {{colours: Map, look?: object, title?: {text, subtitle}}} options colours: by series, see palette
 * @returns {object} Vega-Lite specification with its data inside
 */
export const answerChart = (facts, { look = PAPER, ...options }) => SHAPES[facts.shape](facts, { look, ...options });

/** In the unit of the axis. */
const drawn = ({ of }, mark) => ({
  ...mark,
  value: mark.value === null ? null : of(mark.value),
  low: mark.low === null ? null : of(mark.low),
  high: mark.high === null ? null : of(mark.high),
  trials: mark.trials.map((trial) => ({ ...trial, value: of(trial.value) })),
});

const extent = (marks) =>
  marks
    .flatMap(({ value, low, high, trials }) => [value, low, high, ...trials.map((trial) => trial.value)])
    .filter((value) => value !== null);

const logNote = ({ type }) => (type === 'log' ? ' (log scale)' : '');

function rowsChart({ panels }, { colours, look, title }) {
  const parts = panels.flatMap(({ metric, units, rows }) => {
    const all = rows.map((row) => drawn(METRICS[metric], row));
    const common = {
      metric,
      units,
      scale: valueScale(extent(all)),
      ground: metric === 'capacity' ? undefined : all.find(({ role }) => role === 'reference'), // whose intervals are their own
    };
    const chunks = Array.from({ length: Math.ceil(all.length / MOST_ROWS) }, (_, i) => i * MOST_ROWS);
    return chunks.map((from) => ({ ...common, rows: all.slice(from, from + MOST_ROWS) }));
  });
  const whole = look.width ?? PAPER_WIDTH;
  const beside = parts.length > 1 && whole >= BESIDE;
  const width = beside ? (whole - SPACING * (parts.length - 1)) / parts.length : whole;
  const color = {
    ...{ field: 'series', type: 'nominal', legend: null },
    scale: colourScale(
      panels.flatMap(({ rows }) => rows),
      { colours, look },
    ),
  };
  return framed(
    parts.map((part) => rowsPanel(part, { color, look, width })),
    { look, arrange: beside ? 'hconcat' : 'vconcat', title },
  );
}

function rowsPanel({ metric, units, scale, ground, rows }, { color, look, width: whole }) {
  const { heading, unit, label, text } = METRICS[metric];
  const named = rows.map(({ name, role }) => ({ name, strong: role !== 'beside' }));
  const { width, height, yOf, bands, layers } = rowFrame(named, { look, width: whole, right: ROW_TEXT });
  const x = rowAxis(scale, label, width);
  const marks = rows.map(({ trials: _trials, ...row }, i) => ({
    ...row,
    place: yOf(i),
    text: row.value === null ? 'unknown' : text(row.value),
  }));
  const trials = rows.flatMap(({ series, trials: each }, i) =>
    each.map((trial) => ({ series, place: yOf(i), ...trial })),
  );
  const dot = (roles, more) => ({
    data: { values: marks.filter(({ role, value }) => value !== null && roles.includes(role)) },
    mark: { type: 'point', shape: 'circle', size: 95, strokeWidth: 2, opacity: 1, ...more },
    encoding: { x: x('value'), y: ROW_Y, color, tooltip: [{ field: 'name' }, { field: 'text', title: heading }] },
  });
  const tooltip = [{ field: 'trial' }, { field: 'verdict' }, { field: 'value', title: heading, format: ',.4~r' }];
  return {
    width,
    height,
    title: panelTitle(heading, unit(units) + logNote(scale), width),
    layer: [
      dashed(
        ground ? bands.map((band) => ({ value: ground.value, ...band })) : [],
        { x: x('value'), y: { ...ROW_Y, field: 'from' }, y2: { field: 'to' } },
        look,
      ),
      ...trialLayers(trials, { x: x('value'), y: ROW_Y, color, tooltip }, { opacity: 0.5, yOffset: ASIDE }),
      dot(['compared', 'reference'], { filled: true }),
      dot(['beside'], { filled: false, fill: inks(look).ground }),
      ...intervalLayers(
        marks.filter(({ low }) => low !== null),
        x,
        { look },
      ),
      ...layers,
      textsBehind(marks, { look, width }),
    ].filter(({ data }) => data.values.length > 0),
  };
}

function linesChart({ metric, units, noun, asked, floor, lines }, { colours, look, title }) {
  const kind = METRICS[metric];
  const shown = lines.map((line) => ({ ...line, points: line.points.map((point) => drawn(kind, point)) }));
  const names = shown.length > 1 ? shown.map(({ name }) => name) : [];
  const narrow = look.width !== null && look.width < NARROW;
  const size = panelSize({ ...look, width: look.width ?? PAPER_WIDTH }, narrow ? [] : names, 1);
  const { width, height } = size;
  const scale = valueScale(shown.flatMap(({ points }) => extent(points)));
  const { ink } = inks(look);
  const points = shown.flatMap(({ name, series, role, points: all }) =>
    all.map(({ trials: _trials, ...point }) => ({ ...point, name, series, opacity: role === 'beside' ? FAINT : 1 })),
  );
  const trials = shown.flatMap(({ series, points: all }) =>
    all.flatMap(({ at, trials: each }) => each.map((trial) => ({ at, series, ...trial }))),
  );
  const compared = shown.filter(({ role }) => role === 'compared').length; // intervals of several have their colours
  const levels = points.map(({ at }) => at);
  const last = Math.max(...levels); // its trials stand within the axis
  const x = levelsAxis(levels, { title: noun, logarithmic: last / Math.min(...levels) > FAR, width });
  const y = valueAxis(scale, kind.label);
  const series = shown.map((line) => line.series);
  const legend = narrow && names.length > 0 ? { columns: 1, labelLimit: width } : null;
  const { color, shape, strokeDash } = seriesScales(series, colours, legend);
  const opacity = { field: 'opacity', type: 'quantitative', scale: null };
  const tooltip = [
    { field: 'name' },
    { field: 'at', title: noun },
    { field: 'value', title: kind.heading, format: ',.4~r' },
  ];
  const layer = [
    dashed(asked === null ? [] : [{ at: asked }], { x }, look),
    dashed(floor === null ? [] : [{ value: kind.of(floor) }], { y }, look),
    ...[true, false].flatMap((isLast) =>
      trialLayers(
        trials.filter(({ at }) => (at === last) === isLast),
        { x, y, color, tooltip: [{ field: 'trial' }, { field: 'verdict' }, ...tooltip.slice(1)] },
        { opacity: 0.5, xOffset: isLast ? -ASIDE : ASIDE },
      ),
    ),
    {
      data: { values: points },
      mark: { type: 'line', strokeWidth: 2.25 },
      encoding: { x, y, color, opacity, strokeDash, detail: { field: 'name' } },
    },
    {
      data: { values: points },
      mark: { type: 'point', filled: true, size: 75, opacity: 1 },
      encoding: { x, y, color, shape, opacity, tooltip },
    },
    {
      data: { values: points.filter(({ low }) => low !== null) },
      mark: { type: 'rule', strokeWidth: 1.8, color: ink },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, ...(compared > 1 ? { color } : {}) },
    },
  ].filter(({ data }) => data.values.length > 0);
  const ends = points.map(({ series: of, at, value }) => ({ series: of, at, value }));
  if (names.length > 0 && !narrow) layer.push(endLabels(ends, { scale, width, height, color }));
  const heading = panelTitle(kind.heading, kind.unit(units) + logNote(scale), width);
  return framed([{ width, height, title: heading, layer }], { look, arrange: 'hconcat', title });
}

/** Colours by series; of marks that belong to no target, ink. */
function colourScale(marks, { colours, look }) {
  const series = [...new Set(marks.map((mark) => mark.series))];
  return { domain: series, range: series.map((name) => colours.get(name)?.colour ?? inks(look).ink) };
}
