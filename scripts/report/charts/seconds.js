/** One trial on one axis of time: what the checks found, answers, latency, what was in flight, processor by role, and what the database's sessions did. */
import { rolePalette, waitPalette } from '../palette.js';
import { COUNT_LABEL } from './parts.js';
import { valueScale } from './scales.js';
import { AXIS, at, valueAt } from './seconds/axis.js';
import { latencyPanel } from './seconds/latency.js';
import { marksOf, marksPanel } from './seconds/marks.js';
import { framed, inks, panelTitle } from './style.js';

const RIGHT = 40;
const LOW = 96; // height

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
