/**
 * Where the share of requests that miss an objective crosses the share that may. The estimator of a capacity.
 *
 * The middle of the last bracket depends on a few probes next to it, each of which is held or failed and nothing more; one that failed by chance keeps
 * the bracket below the capacity for good. The fit uses how far each probe was from the limit, and also the probes outside the bracket.
 *
 * What is fitted is the share of requests beyond the limit. It is a mean over requests, so its expectation is the probability itself, however long the
 * probe, where that of a percentile of few busy periods is not. Its logarithm is a straight line in the rate for M/M/1, P(T > t) = exp(-(mu - lambda) t),
 * and nearly one where waiting times have an exponential tail (J. F. C. Kingman, On queues in heavy traffic, JRSS B 24, 1962). The logit
 * is the same for small shares, and lets overload, where the share ends at 1, weigh little. Requests of a probe depend on one another, so only the
 * form of a binomial is taken and the dispersion is estimated (quasi-likelihood: R. W. M. Wedderburn, Biometrika 61, 1974; P. McCullagh, J. A. Nelder,
 * Generalized Linear Models, 1989, chapter 9). That probes are placed by the outcomes of earlier ones leaves such a fit consistent (C. F. J. Wu,
 * Efficient sequential designs with binary data, JASA 80, 1985, of the logit and for this purpose).
 *
 * Near saturation the share is skewed: most probes have less than its mean, and the logarithm of a mean of few is too low by half its variance, to
 * first order, so the rate would be too high. That is added back (bias of first order: G. M. Cordeiro, P. McCullagh, Bias correction in generalized linear
 * models, JRSS B 53, 1991; here only the term of the logarithm). What is left shrinks with longer probes: tests/bench/capacity.js prints it.
 */
import { groupBy, mean, sum } from '../numbers.js';

/** Probes in the smallest fit, and the slope over its standard error from which it counts. Chosen by simulation, among 5, 7, 8, 11 and 1 to 4. */
const FEWEST = 8;
const SURE = 1;
/** Where shares jump from a quarter of what may miss the objective to twice that, or half of all requests, the target has a cliff, and no line. */
const [FEW, MANY] = [4, 2];
const HALF = 0.5;
const ROUNDS = 60;
const STEP = 2; // of the logit, at most, in a round: the first ones would overshoot
const DONE = 1e-9;
const MOST = 1; // of the variance that is corrected for: beyond it the expansion says little

/**
 * The fit is as local as the noise allows: the probes next to the bracket, and further ones only until the slope is known (as LOESS takes neighbours:
 * Cleveland, JASA 74, 1979), since no curve is straight for long.
 * @param {{rate: number, excess: {share: number, allowed: number}, samples: number}[]} probes undisturbed ones @param {{low: number, high: number}} bracket
 *   requests per second
 * @returns {{rate: number, fitted: number}|null} requests per second, within the rates fitted; fitted: how many probes; null where no line is found
 */
export function crossing(probes, { low, high }) {
  if (isCliff(probes, low, high)) return null;
  const middle = Math.sqrt(low * high);
  const near = [...groupBy(probes, ({ rate }) => rate)].sort(([a], [b]) => distance(a, middle) - distance(b, middle));
  for (let rates = 2; rates <= near.length; rates += 1) {
    const used = near.slice(0, rates).flatMap(([, same]) => same);
    const fit = used.length < FEWEST ? null : fitted(used, middle);
    if (
      fit &&
      fit.slope >= SURE * fit.error &&
      used.some(({ rate }) => rate <= fit.rate) &&
      used.some(({ rate }) => rate >= fit.rate)
    )
      return { rate: fit.rate, fitted: used.length };
  }
  return null;
}

const distance = (rate, from) => Math.abs(Math.log(rate / from));

function isCliff(probes, low, high) {
  const [below, beyond] = [low, high].map((bound) => probes.filter(({ rate }) => rate === bound));
  if (below.length === 0 || beyond.length === 0) return false;
  const allowed = mean([...below, ...beyond].map(({ excess }) => excess.allowed));
  const share = (of) => mean(of.map(({ excess }) => excess.share));
  return share(below) <= allowed / FEW && share(beyond) >= Math.min(HALF, MANY * allowed);
}

const logit = (share) => Math.log(share / (1 - share));

/**
 * logit(share) = logit(allowed) + level + slope * (rate / middle - 1) by Newton's method; probes may have different parts of an objective as their worst,
 * so what is allowed is an offset.
 * @returns {{rate, slope, error}|null} rate: where the share is the one allowed; null without a maximum: shares that are all 0 below and all 1 above
 */
function fitted(probes, middle) {
  const weight = mean(probes.map(({ samples }) => samples));
  const points = probes.map(({ rate, samples, excess: { share, allowed } }) => ({
    x: rate / middle - 1,
    share,
    offset: logit(allowed),
    n: samples / weight,
  }));
  let [level, slope] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { step, covariance } = newton(points, level, slope);
    if (step === null) return null;
    const most = Math.max(...points.map(({ x }) => Math.abs(step[0] + step[1] * x)));
    const scale = Math.min(1, STEP / most);
    level += scale * step[0];
    slope += scale * step[1];
    if (most < DONE)
      return { rate: middle * (1 + root(level, slope, covariance)), slope, error: Math.sqrt(covariance.slope) };
  }
  return null;
}

/** Where the line is 0, with what the logarithm of a mean lacks on average: half its variance there. */
function root(level, slope, covariance) {
  const x = -level / slope;
  const variance = covariance.level + 2 * x * covariance.both + x * x * covariance.slope;
  return x - Math.min(variance, MOST) / 2 / slope;
}

/** One step, and the covariance: that of the binomial times the dispersion (Pearson's statistic over its degrees of freedom). */
function newton(points, level, slope) {
  const terms = points.map(({ x, share, offset, n }) => {
    const expected = 1 / (1 + Math.exp(-(offset + level + slope * x)));
    return { x, w: n * expected * (1 - expected), r: n * (share - expected) };
  });
  const total = (of) => sum(terms.map(of));
  const [w, wx, wxx] = [total((t) => t.w), total((t) => t.w * t.x), total((t) => t.w * t.x * t.x)];
  const [r, rx] = [total((t) => t.r), total((t) => t.r * t.x)];
  const determinant = w * wxx - wx * wx;
  if (!(determinant > 1e-12 * w * wxx)) return { step: null, covariance: null };
  const dispersion = total((t) => (t.r === 0 ? 0 : (t.r * t.r) / t.w)) / (points.length - 2);
  const scale = dispersion / determinant;
  return {
    step: [(wxx * r - wx * rx) / determinant, (w * rx - wx * r) / determinant],
    covariance: { level: scale * wxx, both: -scale * wx, slope: scale * w },
  };
}
