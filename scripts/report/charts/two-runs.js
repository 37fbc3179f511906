/** Two runs, cell by cell: the ratio of each figure with its interval, throughput beside p95. */
import { plural } from '../../analyse/words.js';
import { METRICS } from './metrics.js';
import { ratioAxis } from './ratios.js';
import { dashed, framed, inks, PAPER, panelTitle } from './style.js';

const MOST_ROWS = 12;
const ROW = 22;
const PANEL = 220;
const NAME = 420;

const PANELS = [
  { metric: 'throughput', heading: 'Throughput' },
  { metric: 'p95', heading: METRICS.p95.heading },
  { metric: 'capacity', heading: 'Capacity' },
];

/**
 * @param {object[]} cells see compareRuns: those that changed most are drawn @param {string[]} runs ids of both @param {number} threshold see compareRuns
 * @param {object} [look] see style.js
 * @returns {{spec: object, alt: string}|null} Vega-Lite specification; null where no cell has an interval
 */
export function twoRunsChart(cells, [before, after], threshold, look = PAPER) {
  const withInterval = (figure) => (figure?.low ?? null) !== null;
  const change = (cell) => Math.max(...PANELS.map(({ metric }) => Math.abs(Math.log(cell[metric]?.ratio ?? 1))));
  const judged = cells.filter((cell) => PANELS.some(({ metric }) => withInterval(cell[metric])));
  if (judged.length === 0) return null;
  const rows = judged.toSorted((a, b) => change(b) - change(a)).slice(0, MOST_ROWS);
  const names = rows.map(({ id }) => id);
  const shown = PANELS.filter(({ metric }) => rows.some((cell) => withInterval(cell[metric])));
  const panels = shown.map((panel, i) => {
    const measured = rows.filter((cell) => withInterval(cell[panel.metric]));
    const values = measured.map((cell) => ({ name: cell.id, ...cell[panel.metric] }));
    return panelOf(values, panel, { names, look, named: i === 0 });
  });
  const differ = rows.filter((cell) => PANELS.some(({ metric }) => cell[metric]?.differs)).length;
  const alt = `Dot plot: the second run over the first, with intervals, for ${plural(rows.length, 'cell')}; in ${differ} an interval excludes 1.`;
  const left = judged.length - rows.length;
  const bare = cells.length - judged.length;
  const notes = [
    `1: no change; bars: 95 % intervals; orange: worse by more than ${Number((100 * threshold).toPrecision(3))} % by a wider one, too, as all share an error`,
    left > 0 && `the ${rows.length} cells that changed most, of ${judged.length}`,
    bare > 0 && `without an interval, so not here: ${plural(bare, 'cell')}`,
  ];
  const title = { text: `${after} over ${before}`, subtitle: notes.filter(Boolean).join('; ') };
  return { spec: framed(panels, { look, arrange: 'hconcat', title }), alt };
}

function panelOf(values, { heading }, { names, look, named }) {
  const { ink, alarm } = inks(look);
  const x = ratioAxis(
    values.flatMap(({ low, high }) => [low, high]),
    PANEL,
  );
  const axis = named ? { ticks: false, domain: false, labelLimit: NAME, title: null } : null;
  const y = { field: 'name', type: 'nominal', sort: names, scale: { domain: names }, axis };
  const color = { condition: { test: 'datum.regression', value: alarm }, value: ink };
  return {
    width: PANEL,
    height: names.length * ROW,
    title: panelTitle(heading, 'second / first (log scale)'),
    layer: [
      dashed([{ one: 1 }], { x: x('one') }, look),
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
