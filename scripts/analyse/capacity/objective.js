/** Objectives such as 'p95<50ms, errors<0.1%': whether a trial meets them. scripts/jq/objective.jq reads them. */
import { countOf, percentiles, samplesNeeded } from '../histogram.js';

const PERCENTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, 'p99.9': 0.999 };
const ERRORS = 'errors';
const NAMES = [...Object.keys(PERCENTILES), ERRORS];
/** 1 - 0.9 is less than 0.1 in binary. */
const ROUNDING = 1e-9;

const metricOf = (name) => (name === ERRORS ? 'error_share' : `${name.replace('.', '_')}_us`);
const SHARES = new Map(Object.entries(PERCENTILES).map(([name, p]) => [metricOf(name), p]));
const NAME_OF = new Map(NAMES.map((name) => [metricOf(name), name]));

/** How people write a metric: 'p99.9' of 'p99_9_us', 'errors' of 'error_share'. */
export const nameOf = (metric) => NAME_OF.get(metric);

/** The share of requests that may miss a part: one in twenty of p95, the limit itself of errors. */
const allowedOf = ({ metric, limit }) => (SHARES.has(metric) ? 1 - SHARES.get(metric) : limit);

/**
 * Requests that a trial needs to be judged: of a percentile so many that ten may miss it, see samplesNeeded; of errors so many that, where none failed, the
 * share is below the limit with 95 % (the rule of three: Hanley, Lippman-Hand, JAMA 249, 1983). @param {{metric, limit}[]} parts @returns {number}
 */
export const samplesFor = (parts) =>
  Math.max(
    ...parts.map((part) =>
      SHARES.has(part.metric) ? samplesNeeded(SHARES.get(part.metric)) : Math.ceil(3 / part.limit - ROUNDING),
    ),
  );

/**
 * By what share a rate may exceed what a target takes at most, and meet an objective all the same in a probe of so many seconds: then a wait grows by that share
 * of each second, and is as long as the limit only when no more are left than may miss it. Of a percentile p with limit L, in T seconds: L / (p T).
 * @param {{metric, limit}[]} parts @param {number} seconds @returns {number} 0 where nothing is asked of latency
 */
export function unseenShare(parts, seconds) {
  const shares = parts
    .filter(({ metric }) => SHARES.has(metric))
    .map(({ metric, limit }) => limit / 1e6 / (SHARES.get(metric) * seconds));
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/**
 * A probe's figures, as far as an objective asks for them.
 * @param {{metric, limit}[]} parts @param {{latency_us: object|null, requests: number, errors: number}} summary of a probe. Requests without an answer
 *   stand in latency_us.beyond: they are slower than any limit
 * @returns {{samples: number, error_share: number|null, beyond: Object<string, number>}} and each percentile (microseconds; Infinity where it lies among
 *   requests without an answer; null without samples); beyond: by metric, the share of requests that took as long as its limit or longer
 */
export function figuresOf(parts, { latency_us, requests, errors }) {
  const counts = latency_us?.histogram?.counts ?? [];
  const samples = countOf(counts) + (latency_us?.beyond?.count ?? 0);
  const figures = { samples, error_share: requests > 0 ? errors / requests : null, beyond: {} };
  for (const { metric, limit } of parts.filter(({ metric }) => SHARES.has(metric))) {
    const [value] = percentiles(counts, [SHARES.get(metric)], samples);
    figures[metric] = samples === 0 ? null : (value ?? Number.POSITIVE_INFINITY);
    figures.beyond[metric] = samples === 0 ? null : 1 - countOf(counts.filter(([us]) => us < limit)) / samples;
  }
  return figures;
}

/**
 * Whether a probe met an objective. A percentile is below its limit when no more than its share of the requests took as long as the limit: p95, when
 * one in twenty did. With fewer samples than a part needs it has failed where more requests missed it already than may among as many as it needs.
 * @param {{metric, limit}[]} parts @param {object} figures see figuresOf
 * @returns {{outcome: 'holds'|'fails'|'undecided', margin: number|null, excess: {share: number, allowed: number}|null}} undecided: too few samples, or
 *   not measured; margin: the largest figure over its limit, so below 1 where the objective holds, null where none was measured; excess: of the
 *   part that comes closest to its limit or exceeds it most, the share of requests that missed it and that may
 */
export function judge(parts, figures) {
  const judged = parts.map((part) => judgedPart(part, figures));
  const outcome = ['fails', 'undecided'].find((bad) => judged.some((part) => part.outcome === bad)) ?? 'holds';
  const ratios = judged.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
  const measured = judged.filter(({ share }) => share !== null);
  // of parts that are as near, as where nothing missed any, the strictest
  const [worst = null] = measured.toSorted(
    (a, b) => b.share / b.allowed - a.share / a.allowed || a.allowed - b.allowed,
  );
  return {
    outcome,
    margin: ratios.length === 0 ? null : Math.max(...ratios),
    excess: worst && { share: worst.share, allowed: worst.allowed },
  };
}

function judgedPart(part, figures) {
  const { metric, limit } = part;
  const allowed = allowedOf(part);
  const figure = figures[metric] ?? null;
  const share = (SHARES.has(metric) ? figures.beyond[metric] : figures.error_share) ?? null;
  return {
    outcome: partOutcome(part, share, figures.samples),
    ratio: figure === null ? null : figure / limit,
    share,
    allowed,
  };
}

function partOutcome(part, share, samples) {
  if (share === null) return 'undecided';
  const allowed = allowedOf(part);
  const needed = samplesFor([part]);
  if (samples < needed) return share * samples > allowed * needed + ROUNDING ? 'fails' : 'undecided';
  const holds = SHARES.has(part.metric) ? share <= allowed + ROUNDING : share < allowed;
  return holds ? 'holds' : 'fails';
}
