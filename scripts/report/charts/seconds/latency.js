/** The latency of a trial on its axis of time: a heat map of what k6 recorded, and percentiles. */
import { mixed } from '../colour.js';
import { endLabels, MS_LABEL } from '../parts.js';
import { logScale, valueScale } from '../scales.js';
import { inks, panelTitle } from '../style.js';
import { at, valueAt } from './axis.js';

/** Of the heat map: rows for each factor of ten of latency, and degrees of each of its fields. */
export const ROWS_PER_DECADE = 10;
export const DEGREES = 9;

const TALL = 150; // height
const HEAT = { light: ['#cfe2f0', '#00406a'], dark: ['#1d3d55', '#8fd0fa'] };

/** A heat map of what k6 recorded, with two percentiles as lines; those alone of other tools. */
export function latencyPanel({ heat, step_s, p50_us = [], p95_us = [] }, frame) {
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
    title: panelTitle('Latency', `${drawn}lines: ${of}${scale.type === 'log' ? ' (log scale)' : ''}`, width),
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
