/** What charts with lines share. */
import { groupBy } from '../../analyse/numbers.js';
import { pixelOf, spaced, spreadLabels } from './scales.js';
import { LABEL_GAP } from './style.js';

/** Of what was not measured, in both themes. */
const LEADER = '#808890';

const DIGIT = 7.5; // pixels

/** '2 ms', '1.5 s', from milliseconds, in the language of axes. */
export const MS_LABEL =
  "datum.value >= 1000 ? format(datum.value / 1000, ',~r') + ' s' : format(datum.value, '~r') + ' ms'";
export const COUNT_LABEL = "format(datum.value, ',~r')";

/** '12.3 ms', '1.5 s', from milliseconds. */
export const msText = (ms) =>
  Math.abs(ms) >= 1000 ? `${Number((ms / 1000).toPrecision(3))} s` : `${Number(ms.toPrecision(3))} ms`;

/** Colour, shape and dash by series, over all series of a chart; without a legend where names stand at the ends of the lines. */
export function seriesScales(names, colours, legend = null) {
  const range = (key) => ({ domain: names, range: names.map((name) => colours.get(name)[key]) });
  const by = (key) => ({ field: 'series', type: 'nominal', legend, scale: range(key) });
  return { color: by('colour'), shape: by('shape'), strokeDash: by('dash') };
}

/** A vertical axis on a scale of valueScale. @param {string} label expression, MS_LABEL or COUNT_LABEL */
export function valueAxis(scale, label) {
  return {
    field: 'value',
    type: 'quantitative',
    title: null,
    scale: { type: scale.type, domain: scale.domain, nice: false },
    axis: { labelExpr: label, values: scale.values, labelOverlap: false },
  };
}

/** Room for the marks of the first and the last level. */
const LEVEL_PADDING = 12;

/**
 * A horizontal axis of levels, with as many of them written as there is room for.
 * @param {number[]} levels @param {{title: string, logarithmic: boolean, width: number}} options
 */
export function levelsAxis(levels, { title, logarithmic, width }) {
  const sorted = [...new Set(levels)].sort((a, b) => a - b);
  const type = logarithmic ? 'log' : 'linear';
  const scale = { type, domain: [sorted[0], sorted.at(-1)] };
  const sizeOf = (level) => level.toLocaleString('en-US').length * DIGIT;
  return {
    field: 'at',
    type: 'quantitative',
    title: `${title}${logarithmic && sorted.length > 1 ? ' (log scale)' : ''}`,
    scale: { type, nice: false, padding: LEVEL_PADDING, ...(logarithmic ? {} : { zero: false }) },
    axis: {
      values: spaced(sorted, scale, width - 2 * LEVEL_PADDING, sizeOf),
      grid: false,
      format: ',~r',
      labelOverlap: false,
      labelFlush: false,
    },
  };
}

/**
 * Each trial at the mark of its cell: filled when valid, hollow when suspect, a cross when invalid.
 * @param {object[]} dots with their verdict @param {object} [options] the rest: of each mark, such as its offset
 */
export function trialLayers(dots, encoding, { opacity = 0.75, ...mark } = {}) {
  const marks = {
    valid: { type: 'point', shape: 'circle', filled: true, size: 14, opacity },
    suspect: {
      type: 'point',
      shape: 'circle',
      filled: false,
      size: 16,
      strokeWidth: 1.2,
      opacity: Math.min(1, opacity + 0.2),
    },
    invalid: { type: 'text', text: '×', fontSize: 15, fontWeight: 600 },
  };
  return Object.entries(marks)
    .map(([verdict, of]) => ({
      data: { values: dots.filter((dot) => dot.verdict === verdict) },
      mark: { ...of, ...mark },
      encoding,
    }))
    .filter(({ data }) => data.values.length > 0);
}

/**
 * The name of each series at the right of the panel, beside the end of its line, moved apart where lines end together; a thin grey line leads there
 * from a line that ends before: it must not look like what was measured.
 * @param {{series: string, at: number, value: number, text?: string}[]} points text: in place of the series' name
 * @param {{scale, width: number, height: number, color: object}} options scale: see valueScale
 */
export function endLabels(points, { scale, width, height, color }) {
  const ends = [...groupBy(points, ({ series }) => series).values()].map((line) =>
    line.reduce((a, b) => (b.at > a.at ? b : a)),
  );
  const from = ends.map(({ value }) => pixelOf(scale, height, value));
  const places = spreadLabels(from, LABEL_GAP, height);
  const labels = ends.map(({ series, at, text = series }, i) => ({
    series,
    at,
    text,
    from: from[i],
    place: places[i],
  }));
  const early = labels.filter(({ at }) => labels.some((other) => other.at > at));
  const pixels = (field) => ({ field, type: 'quantitative', scale: null, axis: null });
  const leader = {
    data: { values: early },
    mark: { type: 'rule', strokeWidth: 0.75, strokeDash: [1, 4], opacity: 0.6 },
    encoding: {
      x: { field: 'at', type: 'quantitative' },
      x2: { value: width },
      y: pixels('from'),
      y2: { field: 'place' },
      color: { value: LEADER },
    },
  };
  return {
    layer: [
      ...(early.length > 0 ? [leader] : []),
      {
        data: { values: labels },
        mark: { type: 'text', align: 'left', dx: 8, fontSize: 13, fontWeight: 600 },
        encoding: { x: { value: width }, y: pixels('place'), text: { field: 'text' }, color },
      },
    ],
  };
}
