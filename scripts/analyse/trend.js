/** Robust trend of a short series: how far it drifts, and how sure that is. */
import jstat from 'jstat';
import { mean, median, sum, variance } from './numbers.js';

const EXACT_UP_TO = 10;

/** Theil-Sen slope (Sen 1968): the median of all pairwise slopes, per step. */
function theilSenSlope(series) {
  const slopes = [];
  for (let i = 0; i < series.length; i += 1) {
    for (let j = i + 1; j < series.length; j += 1) slopes.push((series[j] - series[i]) / (j - i));
  }
  return median(slopes);
}

/** P(|S| >= s) for n values in random order: inversions counted by their generating function (Kendall 1938). */
function exactP(s, n) {
  let ways = [1];
  for (let k = 2; k <= n; k += 1) {
    const next = new Array(ways.length + k - 1).fill(0);
    ways.forEach((count, at) => {
      for (let step = 0; step < k; step += 1) next[at + step] += count / k;
    });
    ways = next;
  }
  const pairs = (n * (n - 1)) / 2;
  return sum(ways.filter((_, inversions) => Math.abs(pairs - 2 * inversions) >= s));
}

/** Lag-1 autocorrelation of what is left when the trend is taken out, at least 0. */
function autocorrelation(series, slope) {
  const left = series.map((value, i) => value - slope * i);
  const centre = mean(left);
  const squares = sum(left.map((value) => (value - centre) ** 2));
  if (squares === 0) return 0;
  return Math.max(0, sum(left.slice(1).map((value, i) => (value - centre) * (left[i] - centre))) / squares);
}

/**
 * Mann-Kendall trend test (Mann 1945, Kendall 1975). Neighbouring seconds resemble each other, which makes chance runs look like
 * trends: above 10 values the variance is widened by (1 + r) / (1 - r), r the lag-1 autocorrelation after detrending
 * (as Yue and Wang 2004). Up to 10 values the exact permutation distribution is used, which cannot be corrected this way.
 * @param {number[]} series equally spaced
 * @returns {{slope: number, change: number, p: number}} slope per step; change over the whole series relative to its median
 */
export function trend(series) {
  const n = series.length;
  const slope = theilSenSlope(series);
  const centre = median(series);
  const change = centre === 0 ? 0 : (slope * (n - 1)) / centre;
  let s = 0;
  for (let i = 0; i < n; i += 1) for (let j = i + 1; j < n; j += 1) s += Math.sign(series[j] - series[i]);
  if (n <= EXACT_UP_TO) return { slope, change, p: exactP(Math.abs(s), n) };
  const r = Math.min(0.9, autocorrelation(series, slope));
  const spread = Math.sqrt((((n * (n - 1) * (2 * n + 5)) / 18) * (1 + r)) / (1 - r));
  const z = Math.max(0, Math.abs(s) - 1) / spread;
  return { slope, change, p: 2 * (1 - jstat.normal.cdf(z, 0, 1)) };
}

/**
 * The clearest step: of all splits that leave two values on either side, that with the smallest p of Student's t with pooled variance,
 * times the number of splits (Bonferroni).
 * @param {number[]} series four values or more
 * @returns {{change: number, from: number, to: number, p: number}} from, to: the mean before it and after; change: the later over the earlier, less 1
 */
export function step(series) {
  let clearest = { change: 0, from: 0, to: 0, p: 1 };
  for (let at = 2; at <= series.length - 2; at += 1) {
    const parts = [series.slice(0, at), series.slice(at)];
    const [before, after] = parts.map(mean);
    const squares = sum(parts.map((part) => (part.length - 1) * variance(part)));
    const error = Math.sqrt((squares / (series.length - 2)) * (1 / at + 1 / (series.length - at)));
    if (before === after || before <= 0) continue;
    const p = error === 0 ? 0 : 2 * (1 - jstat.studentt.cdf(Math.abs(after - before) / error, series.length - 2));
    if (p < clearest.p) clearest = { change: after / before - 1, from: before, to: after, p };
  }
  return { ...clearest, p: Math.min(1, clearest.p * (series.length - 3)) };
}
