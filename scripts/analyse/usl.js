/**
 * The Universal Scalability Law (Gunther, "Guerrilla Capacity Planning", 2007): X(N) = g N / (1 + a (N - 1) + b N (N - 1)).
 * g: throughput of one user alone; a: share that must queue (contention); b: cost of keeping users consistent with one another (coherence).
 */
import { Matrix, solve } from 'ml-matrix';
import { mean, rounded, sum } from './numbers.js';

const LEVELS_NEEDED = 4;
const TERMS = [() => 1, (n) => n - 1, (n) => n * (n - 1)];
const SUBSETS = [[0, 1, 2], [0, 1], [0, 2], [0]];

/** Throughput that the law predicts at n users. */
export function uslThroughput({ gamma, alpha, beta }, n) {
  return (gamma * n) / (1 + alpha * (n - 1) + beta * n * (n - 1));
}

/**
 * Gunther's own fit: N / X = (1 + a (N - 1) + b N (N - 1)) / g is linear in its three coefficients, so ordinary least squares fits it,
 * with a and b kept at 0 or above (of the fits without the terms that came out negative, the closest).
 * @param {{level: number, throughput_rps: number}[]} points one per level
 * @returns {{gamma, alpha, beta, n_star, peak_rps, r2}|null} n_star: users at the fitted peak, null when b = 0 (no peak);
 *   r2 on throughput, not on N / X, where it would look better than it is; null below four levels or when a throughput is not positive
 */
export function fitUsl(points) {
  if (points.length < LEVELS_NEEDED || points.some((point) => !(point.throughput_rps > 0))) return null;
  const fits = SUBSETS.map((terms) => leastSquares(points, terms)).filter(
    ({ coefficients }) => coefficients[0] > 0 && coefficients.every((value) => value >= 0),
  );
  if (fits.length === 0) return null;
  const [intercept, queueing, coherence] = fits.reduce((a, b) => (b.error < a.error ? b : a)).coefficients;
  return describe({ gamma: 1 / intercept, alpha: queueing / intercept, beta: coherence / intercept }, points);
}

function leastSquares(points, terms) {
  const x = new Matrix(points.map(({ level }) => terms.map((term) => TERMS[term](level))));
  const y = Matrix.columnVector(points.map(({ level, throughput_rps }) => level / throughput_rps));
  const solution = solve(x, y, true);
  const coefficients = [0, 0, 0];
  terms.forEach((term, i) => {
    coefficients[term] = solution.get(i, 0);
  });
  const left = Matrix.sub(y, x.mmul(solution));
  return { coefficients, error: left.dot(left) };
}

function describe(fit, points) {
  const centre = mean(points.map((point) => point.throughput_rps));
  const left = sum(points.map((point) => (point.throughput_rps - uslThroughput(fit, point.level)) ** 2));
  const all = sum(points.map((point) => (point.throughput_rps - centre) ** 2));
  const peak = fit.beta > 0 && fit.alpha < 1 ? Math.max(1, Math.sqrt((1 - fit.alpha) / fit.beta)) : null;
  return {
    gamma: rounded(fit.gamma),
    alpha: rounded(fit.alpha),
    beta: rounded(fit.beta),
    n_star: rounded(peak, 4),
    peak_rps: peak === null ? null : rounded(uslThroughput(fit, peak)),
    r2: all === 0 ? null : rounded(1 - left / all, 4),
  };
}
