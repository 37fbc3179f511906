/** Throughput by users, target by target, and the straight lines that are often quoted instead. */

import { NOTHING, rate, ratio } from '../../analyse/format.js';
import { factor, levelNoun, plural } from '../../analyse/words.js';
import { folded, heading, image, paragraph, table } from '../../report/blocks.js';

/** Its name among the charts. */
export const key = ({ database, workload, tool, pool_size }) =>
  `curve.${database}.${workload}.${tool}.${pool_size === null ? 'own' : `pool-${pool_size}`}`;

export const link = ({ workload, tool, pool_size }) =>
  `curves, ${workload}, ${tool}, ${pool_size === null ? 'own connections' : `pool ${pool_size}`}`;

export function title({ workload, tool, database, pool_size }) {
  const connections = pool_size === null ? "each target's own connections" : plural(pool_size, 'database connection');
  return `Throughput by ${levelNoun({ tool })}: ${workload}, ${tool}, ${database}, ${connections}`;
}

export const alt = (curve) =>
  `${title(curve)}. Two charts of the same trials, curves and straight lines, for ${curve.series.map(({ name }) => name).join(', ')}.`;

/** @param {object} curve of results.json @param {{file, alt}} [chart] @returns {object[]} blocks */
export function blocks(curve, chart) {
  return [
    heading(2, title(curve)),
    paragraph(
      `Means of the trials with 95 % Student-t intervals. A straight line through all trials is shown because such lines are often quoted: R² is the share of the variance that it explains; the interval of its slope takes trials as independent. The ratio of two slopes says nothing about any particular number of ${levelNoun(curve)}.`,
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
  const header = ['target', ...levels.map((level) => `>${level} ${levelNoun(curve, level)}`)];
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
      slopeText(line),
      line.r2,
      worstMiss(line, measured),
    ]);
  const header = ['target', '>answers/s at 0', `>added per ${levelNoun(curve, 1)}`, '>R²', 'worst miss'];
  return table('Straight lines through all trials', header, rows);
}

/** '12.3 [10.1, 14.5]'; results of before have no interval. */
function slopeText({ slope_rps_per_user: slope, slope_low: low = null, slope_high: high = null }) {
  const [text, ...bounds] = [slope, low, high].map((value) => value !== null && Number(value.toPrecision(3)));
  return low === null ? String(text) : `${text} [${bounds.join(', ')}]`;
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
  const header = ['ratio', `>${levelNoun(curve)}`, '>answers/s, block by block', '>ratio of slopes'];
  return folded(
    `Ratios at each number of ${levelNoun(curve)}, beside the ratio of slopes (${rows.length})`,
    table('Ratios by level, beside the ratio of slopes', header, rows),
  );
}
