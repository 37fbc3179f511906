/** Two runs, cell by cell: the ratio of each figure with its interval, throughput beside p95. */
import { plural } from '../../analyse/words.js';
import { framed, inks, PAPER, panelTitle } from './style.js';

const MOST_ROWS = 40;
const ROW = 22;
const PANEL = 220;
const NAME = 420;
const WORSE = '#c4500a';

/** Where numbers stand on the axis: near 1, or by decades where ratios are farther apart than `WIDE`. */
const CLOSE = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 2];
const DECADES = Array.from({ length: 19 }, (_, i) => [1, 2, 5].map((step) => Number(`${step}e${i - 9}`))).flat();
const WIDE = 2;

const PANELS = [
  { metric: 'throughput', heading: 'Throughput' },
  { metric: 'p95', heading: '95th percentile of latency' },
];

/**
 * @param {object[]} cells see compareRuns: those that changed most are drawn @param {object} [look] see style.js
 * @returns {{spec: object, alt: string}|null} Vega-Lite specification; null where no cell has an interval
 */
export function comparisonChart(cells, look = PAPER) {
  const withInterval = (figure) => (figure?.low ?? null) !== null;
  const change = (cell) => Math.max(...PANELS.map(({ metric }) => Math.abs(Math.log(cell[metric]?.ratio ?? 1))));
  const judged = cells.filter((cell) => PANELS.some(({ metric }) => withInterval(cell[metric])));
  if (judged.length === 0) return null;
  const rows = judged.toSorted((a, b) => change(b) - change(a)).slice(0, MOST_ROWS);
  const names = rows.map(({ id }) => id);
  const panels = PANELS.map((panel, i) => {
    const values = rows
      .filter((cell) => withInterval(cell[panel.metric]))
      .map((cell) => ({ name: cell.id, ...cell[panel.metric] }));
    return values.length === 0 ? null : panelOf(values, panel, { names, look, named: i === 0 });
  }).filter(Boolean);
  const differ = rows.filter((cell) => PANELS.some(({ metric }) => cell[metric]?.differs)).length;
  const alt = `Dot plot: the second run over the first, with intervals, for ${plural(rows.length, 'cell')}; in ${differ} an interval excludes 1.`;
  const left = judged.length - rows.length;
  const title = {
    text: 'The second run over the first',
    subtitle: `1: no change; lines: 95 % intervals${left > 0 ? `; the ${rows.length} cells that changed most, of ${judged.length}` : ''}`,
  };
  return { spec: framed(panels, { look, arrange: 'hconcat', title }), alt };
}

function panelOf(values, { heading }, { names, look, named }) {
  const { ink, pale } = inks(look);
  const bounds = values.flatMap(({ ratio, low, high }) => [ratio, low, high, 1]);
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  const ticks = high / low > WIDE ? DECADES : CLOSE;
  const domain = [ticks.findLast((tick) => tick <= low), ticks.find((tick) => tick >= high)];
  const x = (field) => ({
    field,
    type: 'quantitative',
    title: null,
    scale: { type: 'log', domain, nice: false },
    axis: { values: ticks, format: '~r', labelOverlap: true },
  });
  const axis = named ? { ticks: false, domain: false, labelLimit: NAME, title: null } : null;
  const y = { field: 'name', type: 'nominal', sort: names, scale: { domain: names }, axis };
  const color = { condition: { test: 'datum.regression', value: WORSE }, value: ink };
  return {
    width: PANEL,
    height: names.length * ROW,
    title: panelTitle(heading, 'second / first (log scale)'),
    layer: [
      {
        data: { values: [{ one: 1 }] },
        mark: { type: 'rule', strokeDash: [4, 3], color: pale },
        encoding: { x: x('one') },
      },
      {
        data: { values },
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { x: x('low'), x2: { field: 'high' }, y, color },
      },
      {
        data: { values },
        mark: { type: 'point', filled: true, size: 60, opacity: 1 },
        encoding: { x: x('ratio'), y, color },
      },
    ],
  };
}
