/** A cost in parts: each row a bar that begins where what it stands on ends. */
import { MS_LABEL } from './parts.js';
import { intervalLayers, ROW_Y, rowAxis, rowFrame, textsBehind } from './rows.js';
import { valueScale } from './scales.js';
import { BESIDE, framed, inks, PAPER, PAPER_WIDTH, panelTitle } from './style.js';

const TEXT = 150;
const COLOURS = {
  light: ['#00805e', '#9a6b00', '#6b7280', '#0072b2'],
  dark: ['#35cfa0', '#e9bd3c', '#9aa1ad', '#5cb3ec'],
};

/**
 * @param {{name: string, kind: string, from: number, to: number, low: number, high: number, text: string}[]} steps in milliseconds, from the top;
 *   from: where what it stands on ends; low, high: of its end
 * @param {{kinds: string[], heading: string, unit: string, look?: object, title?: object}} options kinds: all there may be, at most four
 * @returns {object} Vega-Lite specification
 */
export function waterfallChart(steps, { kinds, heading, unit, look = PAPER, title }) {
  const whole = look.width ?? PAPER_WIDTH;
  const { width, height, yOf, layers } = rowFrame(steps, { look, width: whole, right: TEXT });
  const rows = steps.map((step, i) => ({ ...step, place: yOf(i) }));
  const scale = valueScale([0, ...rows.flatMap(({ from, to, high }) => [from, to, high])]);
  const x = rowAxis(scale, MS_LABEL, width);
  const shown = kinds.filter((kind) => rows.some((row) => row.kind === kind));
  const color = {
    field: 'kind',
    type: 'nominal',
    scale: { domain: shown, range: shown.map((kind) => COLOURS[look.theme][kinds.indexOf(kind)]) },
    legend: {
      columns: whole < BESIDE ? 1 : 2,
      labelLimit: whole,
      symbolType: 'circle',
      symbolStrokeWidth: 6,
      symbolSize: 36,
    },
  };
  const tooltip = [{ field: 'name' }, { field: 'text', title: heading }];
  const below = rows.filter(({ from }) => from > 0).map(({ from, place }) => ({ none: 0, from, place }));
  const layer = [
    {
      data: { values: below },
      mark: { type: 'rule', strokeWidth: 5, color: inks(look).line },
      encoding: { x: x('none'), x2: { field: 'from' }, y: ROW_Y },
    },
    {
      data: { values: rows },
      mark: { type: 'rule', strokeWidth: 15 },
      encoding: { x: x('from'), x2: { field: 'to' }, y: ROW_Y, color, tooltip },
    },
    ...intervalLayers(rows, x, { look }),
    ...layers,
    textsBehind(rows, { look, width }),
  ].filter(({ data }) => data.values.length > 0);
  return framed([{ width, height, title: panelTitle(heading, unit, width), layer }], {
    look,
    arrange: 'vconcat',
    title,
  });
}
