/** What charts with lines share. */
import { groupBy } from '../../analyse/numbers.js';
import { pixelOf, spreadLabels } from './scales.js';

const LABEL_GAP = 16;

/** '2 ms', '1.5 s', from milliseconds, in the language of axes. */
export const MS_LABEL =
  "datum.value >= 1000 ? format(datum.value / 1000, ',~r') + ' s' : format(datum.value, '~r') + ' ms'";
export const COUNT_LABEL = "format(datum.value, ',~r')";

/** Colour and shape by series, over all series of a chart, without a legend: names stand at the ends of the lines. */
export function seriesScales(names, colours) {
  const range = (key) => ({ domain: names, range: names.map((name) => colours.get(name)[key]) });
  const by = (key) => ({ field: 'series', type: 'nominal', legend: null, scale: range(key) });
  return { color: by('colour'), shape: by('shape') };
}

/** A vertical axis on a scale of valueScale. @param {string} label expression, MS_LABEL or COUNT_LABEL */
export function valueAxis(scale, label) {
  return {
    field: 'value',
    type: 'quantitative',
    title: null,
    scale: { type: scale.type, domain: scale.domain, nice: false },
    axis: { labelExpr: label, ...(scale.values ? { values: scale.values } : { tickCount: 6 }) },
  };
}

/**
 * The name of each series beside the end of its line, moved apart where lines end together.
 * @param {{series: string, at: number, value: number, text?: string}[]} points text: in place of the series' name
 * @param {{scale, height: number, color: object}} options scale: see valueScale
 */
export function endLabels(points, { scale, height, color }) {
  const ends = [...groupBy(points, ({ series }) => series).values()].map((line) =>
    line.reduce((a, b) => (b.at > a.at ? b : a)),
  );
  const labels = [...groupBy(ends, ({ at }) => at).values()].flatMap((together) => {
    const ends = together.map(({ value }) => pixelOf(scale, height, value));
    return spreadLabels(ends, LABEL_GAP, height).map((place, i) => ({ ...together[i], place }));
  });
  return {
    data: { values: labels.map(({ series, at, place, text = series }) => ({ series, at, place, text })) },
    mark: { type: 'text', align: 'left', dx: 11, fontSize: 13, fontWeight: 600 },
    encoding: {
      x: { field: 'at', type: 'quantitative' },
      y: { field: 'place', type: 'quantitative', scale: null, axis: null },
      text: { field: 'text' },
      color,
    },
  };
}
