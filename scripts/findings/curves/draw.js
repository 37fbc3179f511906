/** Throughput by users with every trial: curves in one panel, straight lines through the same trials in the other. */
import { usedTrials } from '../../analyse/usable.js';
import { levelNoun } from '../../analyse/words.js';
import { COUNT_LABEL, endLabels, seriesScales, valueAxis } from '../../report/charts/parts.js';
import { spaced, valueScale } from '../../report/charts/scales.js';
import { framed, inks, PAPER, panelSize, panelTitle } from '../../report/charts/style.js';
import { palette } from '../../report/palette.js';
import { alt, title } from './tell.js';

/** Each point of a LOESS curve is fitted to the trials of about this many levels. */
const LEVELS_AT_ONCE = 3;

/**
 * @param {object} curve see find.js @param {object[]} cells of results.json @param {object} [look] see style.js
 * @returns {{spec: object, alt: string}} Vega-Lite specification with its data inside
 */
export function picture(curve, cells, look = PAPER) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const names = curve.series.map(({ name }) => name);
  const dots = curve.series.flatMap((series) => series.cells.flatMap((id) => dotsOf(series.name, byId.get(id))));
  const size = panelSize(
    look,
    names.map((name) => `${name}, R² 0.00`),
  );
  const scale = valueScale([0, ...dots.map(({ value }) => value), ...curve.series.flatMap(boundsOf)]);
  const levels = [...new Set(dots.map(({ at }) => at))].sort((a, b) => a - b);
  const parts = { curve, dots, size, scale, look };
  const encoding = {
    x: usersAxis(levels, curve, size.width),
    y: valueAxis(scale, COUNT_LABEL),
    ...seriesScales(names, palette(names, look.theme)),
  };
  const panels = [curvePanel(parts, encoding), linePanel(parts, encoding)];
  const paper = { text: title(curve), subtitle: 'dots are trials' };
  const spec = framed(panels, { look, arrange: size.arrange, ...(look.width === null ? { title: paper } : {}) });
  return { spec, alt: alt(curve) };
}

const boundsOf = ({ points }) => points.flatMap(({ mean_rps, high_rps }) => [mean_rps, high_rps ?? mean_rps]);

const dotsOf = (series, cell) =>
  usedTrials(cell).map((trial) => ({ series, at: cell.level, value: trial.throughput_rps, trial: trial.id }));

const usersAxis = (levels, { tool }, width) => ({
  field: 'at',
  type: 'quantitative',
  title: levelNoun({ tool, model: 'closed' }),
  scale: { domain: [0, levels.at(-1)], nice: false },
  axis: {
    values: spaced(
      [0, ...levels],
      { type: 'linear', domain: [0, levels.at(-1)] },
      width,
      (level) => 8 * String(level).length,
    ),
    ...{ grid: false, format: ',d', labelOverlap: false },
  },
});

const trialDots = (dots, { x, y, color }) => ({
  data: { values: dots },
  mark: { type: 'point', filled: true, size: 14, opacity: 0.45 },
  encoding: {
    ...{ x, y, color },
    tooltip: [
      { field: 'series', title: 'target' },
      { field: 'at', title: x.title },
      { field: 'value', title: 'answers/s', format: ',.4~r' },
      { field: 'trial' },
    ],
  },
});

/** Trials, a LOESS curve through them, and the mean of each level with its interval. */
function curvePanel({ curve, dots, size, scale, look }, { x, y, color, shape }) {
  const { width, height } = size;
  const means = curve.series.flatMap(({ name, points }) =>
    points.map(({ level, mean_rps, low_rps, high_rps }) => ({
      series: name,
      at: level,
      value: mean_rps,
      low: Math.max(0, low_rps ?? mean_rps),
      high: high_rps ?? mean_rps,
    })),
  );
  return {
    width,
    height,
    title: panelTitle(
      'Throughput',
      'answers per second; means with 95 % intervals; LOESS curves from four levels on',
      width,
    ),
    layer: [
      trialDots(dots, { x, y, color }),
      ...curve.series.map((series) => throughLevels(series, { dots, means, encoding: { x, y, color } })),
      {
        data: { values: means },
        mark: { type: 'rule', strokeWidth: 1.6, clip: true },
        encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
      },
      {
        data: { values: means },
        mark: { type: 'point', filled: false, fill: inks(look).ground, size: 55, strokeWidth: 1.6, opacity: 1 },
        encoding: { x, y, color, shape },
      },
      endLabels(means, { scale, width, height, color }),
    ],
  };
}

/** LOESS through the trials where there are levels enough to tell a bend, else straight lines through the means. */
function throughLevels({ name, points }, { dots, means, encoding }) {
  const isOwn = ({ series }) => series === name;
  const mark = { type: 'line', strokeWidth: 2.25, clip: true };
  if (points.length <= LEVELS_AT_ONCE) return { data: { values: means.filter(isOwn) }, mark, encoding };
  const loess = { loess: 'value', on: 'at', groupby: ['series'], bandwidth: LEVELS_AT_ONCE / points.length };
  return {
    data: { values: dots.filter(isOwn) },
    transform: [loess],
    mark: { ...mark, interpolate: 'monotone' },
    encoding,
  };
}

/** The same trials, and the regression line of each series from its first to its last level. */
function linePanel({ curve, dots, size: { width, height }, scale }, { x, y, color }) {
  const ends = curve.series
    .filter(({ line }) => line !== null)
    .flatMap(({ name, points, line }) =>
      [points[0].level, points.at(-1).level].map((at) => ({
        series: name,
        text: `${name}, R² ${line.r2.toFixed(2)}`,
        at,
        value: line.intercept_rps + line.slope_rps_per_user * at,
      })),
    );
  return {
    width,
    height,
    title: panelTitle('A straight line, for comparison', 'least squares through the same trials', width),
    layer: [
      trialDots(dots, { x, y, color }),
      {
        data: { values: ends },
        mark: { type: 'line', strokeWidth: 2, strokeDash: [6, 4], clip: true },
        encoding: { x, y, color },
      },
      endLabels(ends, { scale, width, height, color }),
    ],
  };
}
