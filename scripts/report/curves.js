/** Throughput against users, target by target, and what a straight line would have said. */
import { factor, levelNoun } from '../analyse/words.js';
import { folded, heading, image, paragraph, table } from './blocks.js';
import { curveChart } from './charts/curve.js';
import { PAPER } from './charts/style.js';
import { NOTHING, rate, ratio } from './format.js';
import { palette } from './palette.js';

/** Its name among the charts. */
export const curveKey = ({ database, workload, tool, pool_size }) =>
  `curve.${database}.${workload}.${tool}.${pool_size === null ? 'own' : `pool-${pool_size}`}`;

const poolText = (size) => {
  if (size === null) return 'connections as each target has them';
  return size === 1 ? 'one database connection' : `${size} database connections`;
};

const nounOf = ({ tool }) => levelNoun({ tool, model: 'closed' });

export const curveTitle = (curve) =>
  `Throughput against ${nounOf(curve)}: ${curve.workload}, ${curve.tool}, ${curve.database}, ${poolText(curve.pool_size)}`;

/** @returns {{spec: object, alt: string}} Vega-Lite specification @param {object} [look] see style.js */
export function curvePicture(curve, cells, look = PAPER) {
  const names = curve.series.map(({ name }) => name);
  const paper = look.width === null;
  const title = { text: curveTitle(curve), subtitle: 'dots are trials' };
  return {
    spec: curveChart(curve, cells, { colours: palette(names, look.theme), look, ...(paper ? { title } : {}) }),
    alt: `${curveTitle(curve)}. Two charts of the same trials, curves and straight lines, for ${names.join(', ')}.`,
  };
}

/** @param {object} curve @param {{file, alt}} [chart] @returns {object[]} blocks */
export function curveBlocks(curve, chart) {
  return [
    heading(2, curveTitle(curve)),
    paragraph(
      `Means over trials with their 95 % Student-t interval. A straight line through all trials stands beside the curves because such lines are quoted: R² is the share of the spread that the line explains, and the ratio of two slopes says nothing about any number of ${nounOf(curve)} in particular.`,
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
  const rows = curve.series.map(({ name, points: some }) => {
    const at = new Map(some.map((point) => [point.level, point]));
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
    .map(({ name, line, points: some }) => [
      name,
      rate(line.intercept_rps),
      Number(line.slope_rps_per_user.toPrecision(3)),
      line.r2,
      worstMiss(line, some),
    ]);
  const user = levelNoun({ tool: curve.tool, model: 'closed' }, 1);
  const header = ['target', '>answers/s at 0', `>more per ${user}`, '>R²', 'its worst miss'];
  return table('Straight lines through all trials', header, rows);
}

/** Where a line is furthest from what was measured, by their ratio. */
function worstMiss({ intercept_rps, slope_rps_per_user }, some) {
  const missed = some.map(({ level, mean_rps }) => ({
    level,
    mean_rps,
    said: Math.max(0, intercept_rps + slope_rps_per_user * level),
  }));
  const miss = ({ said, mean_rps }) => Math.abs(said - mean_rps) / mean_rps;
  const { level, mean_rps, said } = missed.reduce((a, b) => (miss(b) > miss(a) ? b : a));
  return `at ${level}: ${rate(said)}, measured ${rate(mean_rps)}`;
}

/** What two slopes say, beside what was measured at each level. */
function pairs(curve) {
  const rows = curve.pairs.flatMap(({ numerator, denominator, slope_ratio, at }) =>
    at.map(({ level, throughput }) => [
      `${numerator} / ${denominator}`,
      level,
      ratio(throughput),
      slope_ratio === null ? NOTHING : `${factor(slope_ratio)}×`,
    ]),
  );
  const header = ['ratio', `>${nounOf(curve)}`, '>answers/s, paired by block', '>ratio of slopes'];
  return folded(
    `Ratios at each number of ${nounOf(curve)}, beside the ratio of slopes (${rows.length})`,
    table('Ratios by level, beside the ratio of slopes', header, rows),
  );
}
