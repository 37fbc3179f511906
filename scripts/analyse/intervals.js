/**
 * Intervals for ratios. Every function works on logarithms: a log-ratio is symmetric, so "twice" and "half" weigh the same.
 */
import jstat from 'jstat';
import { mean, rounded, sum, variance } from './numbers.js';

const { binomial, chisquare, normal, studentt } = jstat;
export const CONFIDENCE = 0.95;
const POWER = 0.8;
const QUANTILES = 500;

/** How likely at least so many of n independent intervals miss the truth, where each does with 5 %. @returns {number} */
export const missedByChance = (misses, n) => (misses === 0 ? 1 : 1 - binomial.cdf(misses - 1, n, 1 - CONFIDENCE));

/** How many standard errors a two-sided interval reaches to either side. */
const quantile = (confidence, degrees) => studentt.inv((1 + confidence) / 2, degrees);

const shifts = new Map();

/**
 * How many standard errors from 0 a true difference lies that a two-sided t test finds with 80 % power: the shift of the noncentral t
 * distribution of which 80 % lies beyond the test's limit. With a known standard deviation that is a normal tail; its mean is taken over
 * the quantiles of the chi-square distribution, which the deviation of few blocks follows.
 */
function powerShift(degrees, confidence) {
  const key = `${degrees} ${confidence}`;
  if (!shifts.has(key)) {
    const limit = quantile(confidence, degrees);
    const deviations = Array.from({ length: QUANTILES }, (_, i) =>
      Math.sqrt(chisquare.inv((i + 0.5) / QUANTILES, degrees) / degrees),
    );
    const power = (shift) => mean(deviations.map((deviation) => normal.cdf(shift - limit * deviation, 0, 1)));
    let [low, high] = [0, 8 * limit];
    while (high - low > 1e-4 * high) {
      const middle = (low + high) / 2;
      if (power(middle) < POWER) low = middle;
      else high = middle;
    }
    shifts.set(key, high);
  }
  return shifts.get(key);
}

function asResult(centre, n, spread, { confidence, within, bias = 0 }) {
  const known = { ratio: rounded(Math.exp(centre)), n, ...(bias > 0 && { bias: rounded(bias) }) };
  if (spread === null) return { ...known, low: null, high: null, differs: null, finds: null, ...equality(null) };
  const { error, degrees } = spread;
  const bounds = (level) => quantile(level, degrees) * error + bias;
  const half = bounds(confidence);
  const [low, high] = [Math.exp(centre - half), Math.exp(centre + half)];
  // two one-sided tests, each at the level that the interval leaves: the interval of twice as much error lies within the margin
  const equal = within && Math.abs(centre) + bounds(2 * confidence - 1) < Math.log(1 + within);
  return {
    ...known,
    low: rounded(low),
    high: rounded(high),
    differs: low > 1 || high < 1,
    finds: rounded(Math.exp(powerShift(Math.max(1, Math.round(degrees)), confidence) * error + bias)),
    ...equality(equal),
  };

  function equality(value) {
    return within === undefined ? {} : { equal: value };
  }
}

/**
 * Geometric mean of paired ratios with a Student-t interval.
 * @param {number[]} logRatios one natural logarithm per block
 * @param {object} [options]
 * @param {number} [options.resolution] variance that one log-ratio has from the steps in which its figures are counted: blocks that happen
 *   to agree to the last request do not make a result certain
 * @param {number} [options.bias] by how much the logarithm may be off the same way in all blocks, in either direction: no number of blocks takes it away, so either end lies farther out by that
 * @param {number} [options.of] blocks that there should be. A target that fails when it is slow leaves the blocks in which it was fast:
 *   where one is missing, nothing is claimed
 * @param {number} [options.confidence] of the interval: 0.95, or 1 - 0.05 / m where m comparisons hold together (Bonferroni)
 * @param {number} [options.within] the margin of equality, a share
 * @returns {{ratio, low, high, n, of, differs, finds, equal?}|null} `differs`: the interval excludes 1;
 *   `bias`: of options, where there is one; `finds`: the true difference, as a factor, that a run with such blocks finds in four cases of five (80 % power; a property of the
 *   design, which says nothing of the ratio that was found: Hoenig and Heisey 2001); `equal`: shown to lie within the margin by two one-sided
 *   tests (Schuirmann 1987). One block has no interval, nor have some of the blocks: all of these are null.
 */
export function pairedRatio(
  logRatios,
  { resolution = 0, bias = 0, of = logRatios.length, confidence = CONFIDENCE, within } = {},
) {
  const n = logRatios.length;
  if (n === 0) return null;
  const centre = mean(logRatios);
  const whole = n > 1 && n >= of;
  const error = whole && Math.sqrt(Math.max(variance(logRatios), resolution) / n);
  const spread = whole ? { error, degrees: n - 1 } : null;
  return { ...asResult(centre, n, spread, { confidence, within, bias }), of };
}

/**
 * Whether ratios are shown to be at least 1 - `within` (share) of what they are compared with: one one-sided t test.
 * @param {number[]} logRatios one per block @param {{within: number, alpha?: number, resolution?: number}} options alpha: error allowed
 * @returns {boolean} false with fewer than two blocks
 */
export function shownWithin(logRatios, { within, alpha = 1 - CONFIDENCE, resolution = 0 }) {
  const n = logRatios.length;
  if (n < 2) return false;
  const error = Math.sqrt(Math.max(variance(logRatios), resolution) / n);
  return mean(logRatios) - studentt.inv(1 - alpha, n - 1) * error > Math.log(1 - within);
}

/** The standard error of a difference of two means, and its degrees of freedom, from the squared standard error and the degrees of each (Welch-Satterthwaite). */
function welch([a, b], [degreesA, degreesB]) {
  const degrees = a + b === 0 ? Math.min(degreesA, degreesB) : (a + b) ** 2 / (a ** 2 / degreesA + b ** 2 / degreesB);
  return { error: Math.sqrt(a + b), degrees };
}

/**
 * Whether two ratios of runs that share no block differ by more than chance explains: Welch's interval of the difference of their logarithms leaves out 0.
 * That their own intervals overlap would be too weak a test (Schenker and Gentleman 2001).
 * @param {object[]} results two, as of pairedRatio, with an interval, each with its `confidence` @param {number} confidence of the difference
 */
export function differ(results, confidence) {
  const halfOf = ({ low, high, bias = 0 }) => Math.log(high / low) / 2 - bias;
  const squares = results.map((result) => (halfOf(result) / quantile(result.confidence, result.n - 1)) ** 2);
  const { error, degrees } = welch(
    squares,
    results.map(({ n }) => n - 1),
  );
  const [one, other] = results.map(({ ratio }) => Math.log(ratio));
  return Math.abs(one - other) > quantile(confidence, degrees) * error + sum(results.map(({ bias = 0 }) => bias));
}

/**
 * Ratio of two unpaired sets, b over a, with Welch's interval on the logarithms (Welch 1947; Welch-Satterthwaite degrees of freedom).
 * @param {number[]} a positive values
 * @param {number[]} b positive values
 * @param {[number, number]} [resolution] as of pairedRatio, of a's and b's logarithms
 * @param {boolean} [whole] whether none is missing; with some missing nothing is claimed @param {number} [confidence]
 * @returns as pairedRatio, without `of`; null when either is empty, no interval when either has a single value
 */
export function unpairedRatio(a, b, resolution = [0, 0], whole = true, confidence = CONFIDENCE) {
  if (a.length === 0 || b.length === 0) return null;
  const [logA, logB] = [a.map(Math.log), b.map(Math.log)];
  const centre = mean(logB) - mean(logA);
  const n = Math.min(a.length, b.length);
  if (n < 2 || !whole) return asResult(centre, n, null, { confidence });
  const va = Math.max(variance(logA), resolution[0]) / a.length;
  const vb = Math.max(variance(logB), resolution[1]) / b.length;
  return asResult(centre, n, welch([va, vb], [a.length - 1, b.length - 1]), { confidence });
}
