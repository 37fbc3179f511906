/** Figures as a report shows them. `–` is not measured, or too few samples. */
import { groupBy } from './numbers.js';
import { bound, factor, plural } from './words.js';

export const NOTHING = '–';

const UNITS = [
  [1e6, 's'],
  [1e3, 'ms'],
  [1, 'µs'],
];

function unitOf(us) {
  return UNITS.find(([size]) => us >= size) ?? UNITS[2];
}

/** Microseconds to three digits: '171 ms', '1.63 s'. */
export function duration(us) {
  if (us === null || us === undefined) return NOTHING;
  const [size, unit] = unitOf(us);
  return `${Number((us / size).toPrecision(3))} ${unit}`;
}

/** A percentile of a latency of results.json: '171 ms'; '> 60 s' where it lies among the unanswered requests. */
export function percentile(latency, key) {
  const { percentiles, more_than_us } = latency?.beyond ?? {};
  return percentiles?.includes(key) ? `> ${duration(more_than_us)}` : duration(latency?.[key]);
}

/** Requests per second: '1,730', '147.6', '4.59'. */
export function rate(rps) {
  if (rps === null || rps === undefined) return NOTHING;
  if (rps >= 1000) return Math.round(rps).toLocaleString('en-US');
  return String(Number(rps.toFixed(rps >= 100 ? 1 : 2)));
}

/** '147.6 [140.2–151]'; the median alone where there is one trial. */
export function rateSpread(spread) {
  if (!spread) return NOTHING;
  return spread.min === spread.max
    ? rate(spread.median)
    : `${rate(spread.median)} [${rate(spread.min)}–${rate(spread.max)}]`;
}

/** A share as a percentage with two digits; '0' for none. */
export function share(value) {
  if (value === null || value === undefined) return NOTHING;
  return value === 0 ? '0' : `${Number((value * 100).toPrecision(2))} %`;
}

/** Below this a ratio is easier to read as a part: 1/1,160. */
const PART_BELOW = 0.1;

/** '2.05 [1.9, 2.2]', '1/27 [1/30, 1/25]'; without an interval the ratio alone. @param {string} [sign] behind a ratio that is no part */
export function times({ ratio: exact, low = null, high = null }, sign = '') {
  const isPart = exact < PART_BELOW && exact > 0 && low !== 0;
  const text = (value, written) => (isPart ? `1/${factor(1 / value)}` : written(value));
  const head = `${text(exact, factor)}${isPart ? '' : sign}`;
  return low === null ? head : `${head} [${text(low, bound)}, ${text(high, bound)}]`;
}

/** A ratio with its interval; `~` in front where the interval includes 1; without an interval the bare factor. `*` behind what was asked. */
export function ratio(result, asked = false) {
  if (!result) return NOTHING;
  const text = times(result, '×');
  if (result.low === null)
    return `${text} (no interval${result.n < result.of ? `: ${result.n} of ${result.of} blocks` : ''})`;
  return `${result.differs ? '' : '~ '}${text}${asked ? ' *' : ''}`;
}

/** Bytes in binary units: '23.5 GiB'. */
export function bytes(value) {
  if (value === null || value === undefined) return NOTHING;
  const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
  return `${Number((value / 1024 ** power).toPrecision(3))} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
}

/** Verdicts that are not valid, with the checks behind them. */
export function marksText({ trials }) {
  const marked = ['invalid', 'suspect'].flatMap((verdict) => {
    const checks = groupBy(
      trials.flatMap((trial) => trial.reasons.filter((reason) => reason.verdict === verdict)),
      ({ check }) => check,
    );
    return checks.size === 0
      ? []
      : [`${verdict}: ${[...checks].map(([check, same]) => `${check} ${same.length}`).join(', ')}`];
  });
  return marked.join('; ');
}

/** How long trials last: {seconds: [2, 5], requests: ['16,000 requests']}, the latter of trials that end by a number of requests. */
export function lengths(cells) {
  const distinct = (values) => [...new Set(values)].sort((a, b) => a - b);
  return {
    seconds: distinct(cells.filter(({ requests }) => !requests).map(({ duration_s }) => duration_s)),
    requests: distinct(cells.map(({ requests }) => requests).filter(Boolean)).map((count) => plural(count, 'request')),
  };
}
