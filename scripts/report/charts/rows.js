/** Rows, each with its name: at the left, or above it where the chart is narrow. */
import { spaced, valueAxis } from './scales.js';
import { inks } from './style.js';

const NARROW = 380;
const MOST_NAME = 0.45; // of the width
const CHARACTER = 7.8;
const [ROW, ROW_BELOW_NAME] = [30, 48];
const NAME_ABOVE = 17;

/** The y of a row, in pixels. */
export const ROW_Y = { field: 'place', type: 'quantitative', scale: null, axis: null };

/**
 * Room for rows, and the layers that name them.
 * @param {{name: string, strong?: boolean}[]} rows @param {{look: object, width: number, right: number}} options width: of all; right: room for text behind
 * @returns {{width: number, height: number, yOf: (i: number) => number, bands: {from: number, to: number}[], layers: object[]}} width, height: of the panel; yOf: see ROW_Y;
 *   bands: in pixels from the top, where a line across the rows crosses no name
 */
export function rowFrame(rows, { look, width, right }) {
  const longest = Math.ceil(Math.max(...rows.map(({ name }) => name.length)) * CHARACTER) + 12;
  const narrow = width < NARROW || longest > MOST_NAME * width;
  const gap = narrow ? ROW_BELOW_NAME : ROW;
  const left = narrow ? 0 : longest;
  const yOf = (i) => (narrow ? (i + 1) * gap - 12 : (i + 0.5) * gap);
  const named = rows.map(({ name, strong = true }, i) => ({ name, strong, place: yOf(i) }));
  const at = narrow ? { align: 'left', dy: -NAME_ABOVE } : { align: 'right' };
  const layerOf = (strong) => ({
    data: { values: named.filter((row) => row.strong === strong) },
    mark: { type: 'text', ...at, fontSize: 13, fontWeight: strong ? 600 : 400, color: inks(look).ink },
    encoding: { x: { value: narrow ? 0 : -12 }, y: ROW_Y, text: { field: 'name' } },
  });
  return {
    width: Math.max(100, Math.floor(width - left - right)),
    height: rows.length * gap,
    yOf,
    bands: narrow
      ? rows.map((_row, i) => ({ from: yOf(i) - 9, to: yOf(i) + 12 }))
      : [{ from: 0, to: rows.length * gap }],
    layers: [layerOf(true), layerOf(false)].filter(({ data }) => data.values.length > 0),
  };
}

/** Text behind the right end of each row. @param {{text: string, place: number}[]} rows */
export const textsBehind = (rows, { look, width }) => ({
  data: { values: rows.map(({ text, place }) => ({ text, place })) },
  mark: { type: 'text', align: 'left', fontSize: 12, fontWeight: 600, color: inks(look).ink },
  encoding: { x: { value: width + 12 }, y: ROW_Y, text: { field: 'text' } },
});

/** The horizontal axis of rows, on a scale of valueScale. @param {string} label expression @returns {(field: string) => object} */
export function rowAxis(scale, label, width) {
  const sizeOf = (tick) => (tick.toLocaleString('en-US').length + 3) * CHARACTER;
  return valueAxis(scale, { values: spaced(scale.values, scale, width, sizeOf), labelExpr: label, grid: true });
}

/** An interval with its ends. @param {{low: number, high: number, place: number}[]} rows @param {(field: string) => object} x see rowAxis */
export function intervalLayers(rows, x, { look }) {
  const { ink } = inks(look);
  const ends = rows.flatMap(({ low, high, place }) => [low, high].map((end) => ({ end, place })));
  return [
    {
      data: { values: rows.map(({ low, high, place }) => ({ low, high, place })) },
      mark: { type: 'rule', strokeWidth: 1.8, color: ink },
      encoding: { x: x('low'), x2: { field: 'high' }, y: ROW_Y },
    },
    {
      data: { values: ends },
      mark: { type: 'point', shape: 'stroke', angle: 90, size: 110, strokeWidth: 1.8, color: ink, opacity: 1 },
      encoding: { x: x('end'), y: ROW_Y },
    },
  ];
}
