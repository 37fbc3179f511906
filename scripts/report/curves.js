/** Throughput by users, target by target, and the straight lines that are often quoted instead. */
import { curveAlt, curveTitle } from '../analyse/phrases.js';
import { factor, levelNoun } from '../analyse/words.js';
import { folded, heading, image, paragraph, table } from './blocks.js';
import { curveChart } from './charts/curve.js';
import { PAPER } from './charts/style.js';
import { NOTHING, rate, ratio } from './format.js';
import { palette } from './palette.js';

/** Its name among the charts. */
export const curveKey = ({ database, workload, tool, pool_size }) =>
  `curve.${database}.${workload}.${tool}.${pool_size === null ? 'own' : `pool-${pool_size}`}`;

const nounOf = ({ tool }) => levelNoun({ tool, model: 'closed' });

/** @returns {{spec: object, alt: string}} Vega-Lite specification @param {object} [look] see style.js */
export function curvePicture(curve, cells, look = PAPER) {
  const names = curve.series.map(({ name }) => name);
  const paper = look.width === null;
  const title = { text: curveTitle(curve), subtitle: 'dots are trials' };
  return {
    spec: curveChart(curve, cells, { colours: palette(names, look.theme), look, ...(paper ? { title } : {}) }),
    alt: curveAlt(curve),
  };
}

/** @param {object} curve @param {{file, alt}} [chart] @returns {object[]} blocks */
export function curveBlocks(curve, chart) {
  return [
    heading(2, curveTitle(curve)),
    paragraph(
      `Means of the trials with 95 % Student-t intervals. A straight line through all trials is shown because such lines are often quoted: R² is the share of the variance that it explains. The ratio of two slopes says nothing about any particular number of ${nounOf(curve)}.`,
    ),
    image(chart),
    points(curve),
    lines(curve),
    pairs(curve),
  ];
}

function points(curve) {
  const levels = [...new Set(curve.series.flatMap((series) => series.points.map(({ level }) => level)))].sort(
    (a, b) => a - b,
  );
  const rows = curve.series.map(({ name, points: measured }) => {
    const at = new Map(measured.map((point) => [point.level, point]));
    return [name, ...levels.map((level) => meanText(at.get(level)))];
  });
  const header = [
    'target',
    ...levels.map((level) => `>${level} ${levelNoun({ tool: curve.tool, model: 'closed' }, level)}`),
  ];
  return table('Mean answers per second with 95 % intervals', header, rows);
}

function meanText(point) {
  if (!point) return NOTHING;
  return point.low_rps === null
    ? rate(point.mean_rps)
    : `${rate(point.mean_rps)} [${rate(Math.max(0, point.low_rps))}–${rate(point.high_rps)}]`;
}

function lines(curve) {
  const rows = curve.series
    .filter(({ line }) => line !== null)
    .map(({ name, line, points: measured }) => [
      name,
      rate(line.intercept_rps),
      Number(line.slope_rps_per_user.toPrecision(3)),
      line.r2,
      worstMiss(line, measured),
    ]);
  const user = levelNoun({ tool: curve.tool, model: 'closed' }, 1);
  const header = ['target', '>answers/s at 0', `>added per ${user}`, '>R²', 'worst miss'];
  return table('Straight lines through all trials', header, rows);
}

/** Where a line is furthest from what was measured, by their ratio. */
function worstMiss({ intercept_rps, slope_rps_per_user }, measured) {
  const missed = measured.map(({ level, mean_rps }) => ({
    level,
    mean_rps,
    line_rps: Math.max(0, intercept_rps + slope_rps_per_user * level),
  }));
  const miss = ({ line_rps, mean_rps }) => Math.abs(line_rps - mean_rps) / mean_rps;
  const { level, mean_rps, line_rps } = missed.reduce((a, b) => (miss(b) > miss(a) ? b : a));
  return `at ${level}: ${rate(line_rps)}, measured ${rate(mean_rps)}`;
}

/** The ratio of two slopes, beside what was measured at each level. */
function pairs(curve) {
  const rows = curve.pairs.flatMap(({ numerator, denominator, slope_ratio, at }) =>
    at.map(({ level, throughput }) => [
      `${numerator} / ${denominator}`,
      level,
      ratio(throughput),
      slope_ratio === null ? NOTHING : `${factor(slope_ratio)}×`,
    ]),
  );
  const header = ['ratio', `>${nounOf(curve)}`, '>answers/s, block by block', '>ratio of slopes'];
  return folded(
    `Ratios at each number of ${nounOf(curve)}, beside the ratio of slopes (${rows.length})`,
    table('Ratios by level, beside the ratio of slopes', header, rows),
  );
}
