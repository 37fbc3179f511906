/** The picture of an answer: rows of dots, lines over levels, or the intervals of copies. See ../answers/facts.js for what is drawn. */
import { COUNT_LABEL, endLabels, MS_LABEL, valueAxis } from './parts.js';
import { niceScale } from './scales.js';
import { framed, inks, PAPER, panelSize, panelTitle } from './style.js';

const ROW = 30;
const MOST_ROWS = 12;
const PAPER_WIDTH = 806;
const CHARACTER = 7.2;

/** What each metric is called on an axis, and in which unit it is drawn. */
const METRICS = {
  throughput: { heading: 'Throughput', unit: 'answers per second', label: COUNT_LABEL, of: (value) => value },
  p50: { heading: 'Median latency', unit: 'milliseconds', label: MS_LABEL, of: (us) => us / 1000 },
  p95: { heading: '95th percentile of latency', unit: 'milliseconds', label: MS_LABEL, of: (us) => us / 1000 },
  p99: { heading: '99th percentile of latency', unit: 'milliseconds', label: MS_LABEL, of: (us) => us / 1000 },
  cpu_per_request: { heading: 'Processor time', unit: 'milliseconds per request', label: MS_LABEL, of: (us) => us / 1000 },
  speedup: { heading: 'How many times as fast', unit: 'without the index / with it', label: "format(datum.value, '~r') + '×'", of: (value) => value },
  lost: { heading: 'Acknowledged documents lost', unit: 'per kill', label: COUNT_LABEL, of: (value) => value },
};

const SHAPES = { rows: rowsChart, lines: linesChart, copies: copiesChart };

/**
 * @param {object} facts see factsOf @param {{colours: Map, look?: object, title?: {text, subtitle}}} options colours: by series, see palette
 * @returns {object} Vega-Lite specification with its data inside
 */
export const answerChart = (facts, { look = PAPER, ...options }) => SHAPES[facts.shape](facts, { look, ...options });

/** In the unit of the axis. */
const drawn = ({ of }, mark) => ({
  ...mark,
  value: of(mark.value),
  low: mark.low === null ? null : of(mark.low),
  high: mark.high === null ? null : of(mark.high),
  trials: mark.trials.map((trial) => ({ ...trial, value: of(trial.value) })),
});

const extent = (marks) =>
  marks.flatMap(({ value, low, high, trials }) => [value, low, high, ...trials.map((trial) => trial.value)]).filter((value) => value !== null);

function rowsChart({ panels }, { colours, look, title }) {
  const parts = panels.flatMap(({ metric, rows }) => {
    const all = rows.map((row) => drawn(METRICS[metric], row));
    const scale = niceScale(extent(all));
    const chunks = Array.from({ length: Math.ceil(all.length / MOST_ROWS) }, (_, i) => all.slice(i * MOST_ROWS, (i + 1) * MOST_ROWS));
    return chunks.map((chunk) => ({ metric, scale, rows: chunk }));
  });
  const width = look.width ?? PAPER_WIDTH;
  const count = parts.length;
  const beside = count > 1 && width >= 700;
  const own = (beside ? (width - 26 * (count - 1)) / count : width) - 8;
  return framed(
    parts.map((part) => rowsPanel(part, { colours, look, width: own })),
    { look, arrange: beside ? 'hconcat' : 'vconcat', title },
  );
}

const valueText = (metric, value) => {
  const number = Number(value.toPrecision(3));
  const text = number >= 1000 ? number.toLocaleString('en-US') : String(number);
  if (metric === 'speedup') return `${text}×`;
  return ['throughput', 'lost'].includes(metric) ? text : value >= 1000 ? `${Number((value / 1000).toPrecision(3))} s` : `${text} ms`;
};

function rowsPanel({ metric, scale, rows }, { colours, look, width }) {
  const { heading, unit, label } = METRICS[metric];
  const { ink, pale } = inks(look);
  const names = rows.map(({ name }) => name);
  const left = Math.min(170, Math.max(...names.map((name) => name.length)) * CHARACTER) + 10;
  const right = 70;
  const y = { field: 'name', type: 'nominal', sort: names, title: null, axis: { ticks: false, domain: false, labelFontSize: 13, labelLimit: 170, grid: false } };
  const x = (field) => ({
    field,
    type: 'quantitative',
    title: null,
    scale: { type: scale.type, domain: scale.domain, nice: false, zero: false },
    axis: { values: scale.values, labelExpr: label, grid: true },
  });
  const color = { field: 'series', type: 'nominal', legend: null, scale: colourScale(rows, { colours, look }) };
  const marks = rows.map(({ trials: _trials, ...row }) => ({ ...row, text: valueText(metric, row.value) }));
  const trials = rows.flatMap(({ name, series, trials: each }) => each.map((trial) => ({ name, series, ...trial })));
  const whiskers = marks.filter(({ low }) => low !== null);
  const reference = marks.filter(({ role }) => role === 'reference');
  return {
    width: Math.max(120, Math.floor(width - left - right)),
    height: rows.length * ROW,
    title: panelTitle(heading, `${unit}${scale.type === 'log' ? ' (log scale)' : ''}`),
    layer: [
      { data: { values: reference }, mark: { type: 'rule', strokeDash: [4, 3], color: pale }, encoding: { x: x('value') } },
      { data: { values: trials }, mark: { type: 'point', filled: true, size: 22, opacity: 0.3 }, encoding: { x: x('value'), y, color } },
      { data: { values: whiskers }, mark: { type: 'rule', strokeWidth: 2.5, color: ink }, encoding: { x: x('low'), x2: { field: 'high' }, y } },
      ...['compared', 'reference', 'beside'].map((role) => ({
        data: { values: marks.filter((mark) => mark.role === role) },
        mark: { type: 'point', filled: role !== 'beside', size: role === 'beside' ? 70 : 130, strokeWidth: 2, opacity: 1, ...(role === 'beside' ? { fill: inks(look).ground } : {}) },
        encoding: { x: x('value'), y, color, tooltip: [{ field: 'name' }, { field: 'text', title: heading }] },
      })),
      {
        data: { values: marks },
        mark: { type: 'text', align: 'left', fontSize: 12, fontWeight: 600, color: ink },
        encoding: { x: { value: Math.max(120, Math.floor(width - left - right)) + 10 }, y, text: { field: 'text' } },
      },
    ].filter(({ data }) => data.values.length > 0),
  };
}

function linesChart({ metric, noun, asked, floor, lines }, { colours, look, title }) {
  const kind = METRICS[metric];
  const shown = lines.map((line) => ({ ...line, points: line.points.map((point) => drawn(kind, point)) }));
  const names = shown.map(({ name }) => name);
  const size = panelSize(look, names, 1);
  const [width, height] = look.width === null ? [PAPER_WIDTH - 190, 300] : [size.width, size.height];
  const scale = niceScale(shown.flatMap(({ points }) => extent(points)));
  const { pale } = inks(look);
  const flat = (marks) => marks.flatMap(({ name, series, role, points }) => points.map((point) => ({ ...point, name, series, role })));
  const x = levelsAxis([...new Set(flat(shown).map(({ at }) => at))], noun);
  const y = valueAxis(scale, kind.label);
  const color = { field: 'series', type: 'nominal', legend: null, scale: colourScale(shown, { colours, look }) };
  const faint = { field: 'role', type: 'nominal', legend: null, scale: { domain: ['reference', 'compared', 'beside'], range: [1, 1, 0.45] } };
  const trials = flat(shown).flatMap(({ at, series, role, trials: each }) => each.map((trial) => ({ at, series, role, ...trial })));
  const ends = shown.map(({ name, series, points }) => ({ series, text: name, at: points.at(-1).at, value: points.at(-1).value }));
  const layer = [
    asked !== null && { data: { values: [{ at: asked }] }, mark: { type: 'rule', strokeDash: [4, 3], color: pale }, encoding: { x } },
    floor !== null && { data: { values: [{ value: kind.of(floor) }] }, mark: { type: 'rule', strokeDash: [2, 3], color: pale }, encoding: { y } },
    { data: { values: trials }, mark: { type: 'point', filled: true, size: 14, opacity: 0.3 }, encoding: { x, y, color } },
    { data: { values: flat(shown) }, mark: { type: 'line', strokeWidth: 2.25 }, encoding: { x, y, color, opacity: faint, detail: { field: 'name' } } },
    {
      data: { values: flat(shown).filter(({ low }) => low !== null) },
      mark: { type: 'rule', strokeWidth: 2 },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
    },
    {
      data: { values: flat(shown) },
      mark: { type: 'point', filled: true, size: 70, opacity: 1 },
      encoding: { x, y, color, opacity: faint, tooltip: [{ field: 'name' }, { field: 'at', title: noun }, { field: 'value', title: kind.unit, format: ',.4~r' }] },
    },
    endLabels(ends, { scale, height, color }),
  ].filter(Boolean);
  const heading = panelTitle(kind.heading, `${kind.unit}${scale.type === 'log' ? ' (log scale)' : ''}`);
  return framed([{ width, height, title: heading, layer }], { look, arrange: 'hconcat', title });
}

const levelsAxis = (levels, noun) => {
  const logarithmic = Math.max(...levels) / Math.min(...levels) > 4;
  return {
    field: 'at',
    type: 'quantitative',
    title: `${noun}${logarithmic ? ' (log scale)' : ''}`,
    scale: { type: logarithmic ? 'log' : 'linear', nice: false, zero: false, padding: 12 },
    axis: { values: levels, grid: false, format: ',d', labelOverlap: true },
  };
};

/** Colours by series; of marks that belong to no target, ink. */
function colourScale(marks, { colours, look }) {
  const series = [...new Set(marks.map((mark) => mark.series))];
  return { domain: series, range: series.map((name) => colours.get(name)?.colour ?? inks(look).ink) };
}

function copiesChart({ panels }, { look, title }) {
  const { ink, pale } = inks(look);
  const all = panels.flatMap(({ intervals }) => intervals.flatMap(({ low, high }) => [low, high]));
  const domain = [Math.min(...all) / 1.02, Math.max(...all) * 1.02];
  const beside = (look.width ?? PAPER_WIDTH) >= 700;
  const width = Math.floor(((look.width ?? PAPER_WIDTH) - 40) / (beside ? panels.length : 1)) - 30;
  const parts = panels.map(({ metric, intervals }) => {
    const values = intervals.map((interval, i) => ({ ...interval, i }));
    const x = (field) => ({ field, type: 'quantitative', title: null, scale: { type: 'log', domain, nice: false }, axis: { tickCount: 4, format: '.2~f' } });
    const y = { field: 'i', type: 'quantitative', axis: null, scale: { domain: [-1, values.length] } };
    const color = { condition: { test: 'datum.differs', value: '#c4500a' }, value: ink };
    return {
      width,
      height: 220,
      title: panelTitle(METRICS[metric].heading, `${intervals.filter(({ differs }) => !differs).length} of ${intervals.length} include 1`),
      layer: [
        { data: { values: [{ one: 1 }] }, mark: { type: 'rule', strokeDash: [4, 3], color: pale }, encoding: { x: x('one') } },
        { data: { values }, mark: { type: 'rule', strokeWidth: 1.5 }, encoding: { x: x('low'), x2: { field: 'high' }, y, color } },
        { data: { values }, mark: { type: 'point', filled: true, size: 16, opacity: 1 }, encoding: { x: x('ratio'), y, color } },
      ],
    };
  });
  return framed(parts, { look, arrange: beside ? 'hconcat' : 'vconcat', title });
}
