/** One trial on one axis of time: what the checks found, answers, latency, what was in flight, processor by role, and what the database's sessions did. */
import { rolePalette, waitPalette } from '../palette.js';
import { mixed } from './colour.js';
import { COUNT_LABEL, endLabels, MS_LABEL, valueAxis } from './parts.js';
import { logScale, valueScale } from './scales.js';
import { framed, inks, panelTitle } from './style.js';

const AXIS = 58; // pixels for the numbers at the left, the same in every panel, so that seconds stand below one another
const RIGHT = 40;
const [LOW, TALL, MARK] = [96, 150, 22]; // heights

/** Of the heat map: rows for each factor of ten of latency, and degrees of each of its fields. */
export const ROWS_PER_DECADE = 10;
export const DEGREES = 9;

const HEAT = { light: ['#cfe2f0', '#00406a'], dark: ['#1d3d55', '#8fd0fa'] };
const MARKS = {
  light: { suspect: '#ecd9a8', invalid: '#f3c1bc', seen: '#d5d9e0' },
  dark: { suspect: '#6b5210', invalid: '#7a2a24', seen: '#4b525e' },
};

/**
 * @param {object} trial of results.json @param {object} seconds see secondsOf @param {{look: object}} options
 * @returns {object|null} Vega-Lite specification: a panel for each of them that was recorded
 */
export function secondsChart(trial, seconds, { look }) {
  const { step_s, rps, heat, in_flight, of, cores, waits } = seconds;
  const recorded = [rps, heat?.degrees, ...Object.values(cores ?? {}), ...Object.values(waits ?? {})];
  const end = step_s * Math.max(...recorded.map((steps) => steps?.length ?? 0));
  const each = step_s === 1 ? 'each second' : `every ${step_s} s`;
  const frame = { look, width: Math.max(120, look.width - AXIS - RIGHT), time: valueScale([0, end]), each };
  const ofAll = of ? `, of ${of}` : '';
  const processor = { heading: 'Processor', unit: `cores used by role${ofAll}`, most: of, colours: rolePalette };
  const panels = [
    marksPanel(marksOf(trial, seconds, end), frame),
    linePanel(rps, step_s, { heading: 'Answers per second', unit: `mean of ${each}` }, frame),
    latencyPanel(seconds, frame),
    linePanel(in_flight, step_s, { heading: 'In flight', unit: 'requests under way, on average' }, frame),
    blocksPanel(cores, step_s, processor, frame),
    blocksPanel(waits, step_s, SESSIONS, frame),
  ].filter((panel) => panel !== null);
  if (panels.length === 0) return null;
  panels.at(-1).layer = panels.at(-1).layer.map(titled);
  const apart = { color: 'independent' };
  return { ...framed(panels, { look, arrange: 'vconcat' }), resolve: { scale: apart, legend: apart } };
}

/** A layer, with what the axis of time counts. */
function titled(layer) {
  const { encoding } = layer;
  if (!encoding?.x?.field) return layer;
  return { ...layer, encoding: { ...encoding, x: { ...encoding.x, title: 'seconds into the measured window' } } };
}

/** A place on the axis of time. @param {string} field in seconds */
const at = (field, { time }) => ({
  field,
  type: 'quantitative',
  title: null,
  scale: { domain: time.domain, nice: false },
  axis: { values: time.values, labelOverlap: false },
});

/** A value, with the numbers of all panels in one column. */
const valueAt = (scale, label) => {
  const axis = valueAxis(scale, label);
  return { ...axis, axis: { ...axis.axis, minExtent: AXIS - 10 } };
};

/** What a trial may have at some seconds: [from, to] of each. The first three are what checks find, and have their names. */
const SPANS = {
  paused: ({ pauses = [] }) => pauses,
  frozen: (seconds) => spansOf(seconds, seconds.stalled),
  errors: (seconds) => spansOf(seconds, seconds.errors),
  autovacuum: (seconds) => spansOf(seconds, seconds.autovacuum),
};

/** What those of a check are called where it found no fault in them. */
const SEEN = { paused: 'no answer', frozen: 'few answers' };

const spansOf = ({ step_s }, steps = []) => steps.map((i) => [i * step_s, (i + 1) * step_s]);

/** Rows of marks: what the checks found, then what else was seen. @returns {{name: string, is: string, spans: [number, number][]}[]} */
function marksOf({ reasons, maintenance }, seconds, end) {
  const all = [[0, end]];
  const found = reasons.map(({ check, verdict }) => {
    const spans = SPANS[check]?.(seconds) ?? [];
    const isSometime = SPANS[check] && spans.length === 0;
    return { name: isSometime ? `${check}, at some time` : check, is: verdict, spans: spans.length > 0 ? spans : all };
  });
  const names = new Set(reasons.map(({ check }) => check));
  const seen = Object.keys(SPANS).map((name) => ({
    name: SEEN[name] ?? name,
    spans: names.has(name) ? [] : SPANS[name](seconds),
  }));
  const sometime = (maintenance ?? [])
    .filter((name) => !(SPANS[name]?.(seconds).length > 0))
    .map((name) => ({ name: `${name}, at some time`, spans: all }));
  const clipped = ([from, to]) => [Math.max(0, from), Math.min(end, to)];
  return [...found, ...[...seen, ...sometime].map((row) => ({ ...row, is: 'seen' }))]
    .filter(({ spans }) => spans.length > 0)
    .map((row) => ({ ...row, spans: row.spans.map(clipped) }));
}

function marksPanel(rows, frame) {
  if (rows.length === 0) return null;
  const { look, width } = frame;
  const height = rows.length * MARK;
  const place = (i) => ({ top: i * MARK + 2, middle: (i + 0.5) * MARK, bottom: (i + 1) * MARK - 2 });
  const y = (field) => ({ field, type: 'quantitative', scale: null, axis: null });
  const bars = rows.flatMap(({ name, is, spans }, i) =>
    spans.map(([from, to]) => ({ name, is, from, to, ...place(i), fill: MARKS[look.theme][is] })),
  );
  const tooltip = [
    { field: 'name' },
    { field: 'is' },
    { field: 'from', title: 'from, s' },
    { field: 'to', title: 'to, s' },
  ];
  return {
    width,
    height,
    title: panelTitle('Marks', 'what the checks found, and what else was seen', width),
    layer: [
      {
        data: { values: bars },
        mark: { type: 'rect', stroke: inks(look).line, strokeWidth: 0.5 },
        encoding: {
          ...{ x: at('from', frame), x2: { field: 'to' }, y: y('top'), y2: { field: 'bottom' }, tooltip },
          color: { field: 'fill', type: 'nominal', scale: null },
        },
      },
      {
        data: {
          values: rows.map(({ name, is }, i) => ({ text: is === 'seen' ? name : `${name} (${is})`, ...place(i) })),
        },
        mark: { type: 'text', align: 'left', dx: 6, fontSize: 12 },
        encoding: { x: { value: 0 }, y: y('middle'), text: { field: 'text' } },
      },
    ],
  };
}

function linePanel(values, step_s, { heading, unit }, frame) {
  const points = (values ?? []).flatMap((value, i) => (value === null ? [] : [{ at: (i + 0.5) * step_s, value }]));
  if (points.length === 0) return null;
  const scale = valueScale([0, ...points.map(({ value }) => value)]);
  const encoding = { x: at('at', frame), y: valueAt(scale, COUNT_LABEL) };
  return {
    width: frame.width,
    height: LOW,
    title: panelTitle(heading, unit, frame.width),
    layer: [
      { data: { values: points }, mark: { type: 'line', strokeWidth: 1.8, color: inks(frame.look).ink }, encoding },
      {
        data: { values: points },
        mark: { type: 'point', filled: true, size: 22, opacity: 1, color: inks(frame.look).ink },
        encoding: {
          ...encoding,
          tooltip: [
            { field: 'at', title: 'middle, s' },
            { field: 'value', title: heading, format: ',.4~r' },
          ],
        },
      },
    ],
  };
}

/** A heat map of what k6 recorded, with two percentiles as lines; those alone of other tools. */
function latencyPanel({ heat, step_s, p50_us = [], p95_us = [] }, frame) {
  const { look, width, each } = frame;
  const points = Object.entries({ p50: p50_us, p95: p95_us }).flatMap(([series, values]) =>
    values.flatMap((us, i) => (us === null ? [] : [{ series, at: (i + 0.5) * step_s, value: us / 1000 }])),
  );
  const fields = heat ? fieldsOf(heat, step_s, look) : [];
  if (points.length + fields.length === 0) return null;
  const values = [...points.map(({ value }) => value), ...fields.flatMap(({ low, high }) => [low, high])];
  const scale = heat ? logScale(Math.min(...values), Math.max(...values)) : valueScale(values);
  const names = [...new Set(points.map(({ series }) => series))];
  const color = {
    field: 'series',
    type: 'nominal',
    legend: null,
    scale: { domain: names, range: names.map(() => inks(look).alarm) },
  };
  const [x, y] = [at('at', frame), valueAt(scale, MS_LABEL)];
  const more = look.theme === 'dark' ? 'brighter' : 'darker';
  const drawn = heat ? `${more}: more answers, up to ${heat.most.toLocaleString('en-US')}; ` : '';
  const of = step_s === 1 ? `p50 and p95 of ${each}` : `highest p50 and p95 of a second in ${each}`;
  return {
    width,
    height: TALL,
    title: panelTitle(
      'Latency',
      `${drawn}lines: ${of}${scale.type === 'log' ? ' (log scale)' : ''}`,
      width,
    ),
    layer: [
      {
        data: { values: fields },
        mark: { type: 'rect' },
        encoding: {
          x: at('from', frame),
          x2: { field: 'to' },
          y: { ...y, field: 'low' },
          y2: { field: 'high' },
          color: { field: 'fill', type: 'nominal', scale: null },
          tooltip: [{ field: 'latency' }, { field: 'answers' }],
        },
      },
      { data: { values: points }, mark: { type: 'line', strokeWidth: 1.8 }, encoding: { x, y, color } },
      {
        data: { values: points },
        mark: { type: 'point', filled: true, size: 22, opacity: 1 },
        encoding: {
          x,
          y,
          color,
          tooltip: [
            { field: 'series' },
            { field: 'at', title: 'middle, s' },
            { field: 'value', title: 'ms', format: ',.3~r' },
          ],
        },
      },
      endLabels(points, { scale, width, height: TALL, color }),
    ].filter((layer) => layer.layer || layer.data.values.length > 0),
  };
}

/** The fields of a heat map, in ms. @param {object} heat see seconds.js */
function fieldsOf({ low, most, degrees }, step_s, { theme }) {
  const edge = (row) => 10 ** ((low + row) / ROWS_PER_DECADE) / 1000;
  const count = (degree) => Math.ceil((most + 1) ** ((degree - 1) / DEGREES));
  const text = (ms) => `${Number(ms.toPrecision(3))} ms`;
  return degrees.flatMap((digits, i) =>
    [...digits].map(Number).flatMap((degree, row) => {
      if (degree === 0) return [];
      const [from, to] = [count(degree), Math.max(count(degree), Math.min(most, count(degree + 1) - 1))];
      return [
        {
          ...{ from: i * step_s, to: (i + 1) * step_s, low: edge(row), high: edge(row + 1) },
          fill: mixed(HEAT[theme], (degree - 1) / (DEGREES - 1)),
          latency: `${text(edge(row))} to ${text(edge(row + 1))}`,
          answers: from === to ? String(from) : `${from} to ${to}`,
        },
      ];
    }),
  );
}

const SESSIONS = {
  heading: 'Sessions of the database that are not idle',
  unit: 'by what they wait for, read once a second; CPU: running, or waiting for a processor',
  most: 1,
  colours: waitPalette,
};

/** Parts of each step, one on the other; a step that was not watched has none. */
function blocksPanel(all, step_s, { heading, unit, most, colours }, frame) {
  const parts = Object.entries(all ?? {});
  const tops = [];
  const values = parts.flatMap(([part, uses]) =>
    uses.flatMap((use, i) => {
      if (!(use > 0)) return [];
      const low = tops[i] ?? 0;
      tops[i] = low + use;
      return [{ part, use, from: i * step_s, to: (i + 1) * step_s, low, high: tops[i] }];
    }),
  );
  if (values.length === 0) return null;
  const names = parts.map(([part]) => part);
  const scale = valueScale([0, most ?? 1, ...values.map(({ high }) => high)]);
  const range = colours(names, frame.look.theme);
  return {
    width: frame.width,
    height: LOW,
    title: panelTitle(heading, unit, frame.width),
    layer: [
      {
        data: { values },
        mark: { type: 'rect', stroke: inks(frame.look).ground, strokeWidth: 0.6 },
        encoding: {
          x: at('from', frame),
          x2: { field: 'to' },
          y: { ...valueAt(scale, COUNT_LABEL), field: 'low' },
          y2: { field: 'high' },
          color: {
            field: 'part',
            type: 'nominal',
            scale: { domain: names, range: names.map((name) => range.get(name)) },
            legend: { columns: frame.width < 300 ? 2 : 4 },
          },
          tooltip: [
            { field: 'part' },
            { field: 'from', title: 'from, s' },
            { field: 'use', title: unit, format: ',.3~r' },
          ],
        },
      },
    ],
  };
}
