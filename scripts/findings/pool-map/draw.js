/** Heat maps of pool size by users. */

import { rate } from '../../analyse/format.js';
import { levelNoun } from '../../analyse/words.js';
import { mixed, readable } from '../../report/charts/colour.js';
import { METRICS, P95_MEANING } from '../../report/charts/metrics.js';
import { framed, inks, PAPER, panelSize, panelTitle } from '../../report/charts/style.js';
import { alt, title } from './tell.js';

const ROW = 46;
const LEAST_RANGE = 2; // figures that hardly differ get colours that hardly differ

/** From the least to the most. */
const RAMPS = {
  light: { throughput: ['#eaf3f9', '#005b90'], p95: ['#fdf0e6', '#a8430a'] },
  dark: { throughput: ['#14293a', '#6cc0f5'], p95: ['#332014', '#ffa264'] },
};

const PANELS = {
  throughput: {
    heading: 'Throughput',
    unit: 'answers per second',
    of: ({ throughput_rps }) => throughput_rps,
    text: rate,
  },
  p95: {
    heading: METRICS.p95.heading,
    unit: `ms; ${P95_MEANING}`,
    of: ({ p95_us }) => p95_us && p95_us / 1000,
    text: (ms) => String(Number(ms.toPrecision(3))),
  },
};

/**
 * Throughput, and p95 where any cell has one; both on logarithmic scales.
 * @param {object} map see find.js @param {object} [look] see style.js @returns {{spec: object, alt: string}} Vega-Lite specification
 */
export function picture(map, _cells, look = PAPER) {
  const panels = Object.keys(PANELS).filter((metric) => map.cells.some((cell) => PANELS[metric].of(cell) > 0));
  const size = panelSize(look, [], panels.length);
  const paper = {
    text: title(map),
    subtitle: 'median throughput of the trials; p95 over all their answers; logarithmic colour scales',
  };
  const spec = framed(
    panels.map((metric) => heatPanel(map, metric, { look, noun: levelNoun(map), width: size.width })),
    { look, arrange: size.arrange, ...(look.width === null ? { title: paper } : {}) },
  );
  return { spec, alt: alt(map) };
}

/** What each pool served each number of users, with its colours. */
function squares(map, metric, look) {
  const { of, text } = PANELS[metric];
  const { ground, ink } = inks(look);
  const numbers = map.cells.map(of).filter((value) => value > 0);
  const high = Math.max(...numbers);
  const low = Math.min(...numbers, high / LEAST_RANGE);
  const shown = map.smallest.filter(({ not_told_apart: smaller }) => !smaller?.length); // where smaller ones may do as well, none is framed
  const enough = new Map(shown.map(({ level, pool_size }) => [level, pool_size]));
  const coloured = (value) => {
    if (!(value > 0)) return { fill: ground, ink };
    const fill = mixed(RAMPS[look.theme][metric], Math.log(value / low) / Math.log(high / low));
    return { fill, ink: readable(fill) };
  };
  return map.cells.map((cell) => {
    const value = of(cell);
    return {
      pool: cell.pool_size,
      users: cell.level,
      value: value > 0 ? value : null,
      text: value > 0 ? text(value) : '–',
      ...coloured(value),
      enough: enough.get(cell.level) === cell.pool_size,
    };
  });
}

function heatPanel(map, metric, { look, noun, width }) {
  const { heading, unit } = PANELS[metric];
  const { ground, ink } = inks(look);
  const values = squares(map, metric, look);
  const levels = new Set(values.map(({ users }) => users)).size;
  return {
    width,
    height: levels * ROW,
    title: panelTitle(
      heading,
      `${unit}; framed: the smallest pool, where smaller ones were shown to serve less`,
      width,
    ),
    data: { values },
    encoding: {
      x: {
        field: 'pool',
        type: 'ordinal',
        title: 'connections in the pool',
        axis: { labelAngle: 0, domain: false, ticks: false },
      },
      y: { field: 'users', type: 'ordinal', title: noun, axis: { domain: false, ticks: false } },
    },
    layer: [
      {
        transform: [{ filter: 'datum.value !== null' }],
        mark: { type: 'rect', stroke: ground, strokeWidth: 2 },
        encoding: {
          color: { field: 'fill', type: 'nominal', scale: null },
          tooltip: [
            { field: 'users', title: noun },
            { field: 'pool', title: 'pool' },
            { field: 'text', title: heading },
          ],
        },
      },
      {
        transform: [{ filter: 'datum.enough' }],
        mark: { type: 'rect', fill: null, stroke: ink, strokeWidth: 2.5 },
      },
      {
        mark: { type: 'text', fontSize: 13 },
        encoding: {
          text: { field: 'text' },
          color: { field: 'ink', type: 'nominal', scale: null },
        },
      },
    ],
  };
}
