/** Figures as a report shows them. `–` is not measured, or too few samples. */
import { groupBy } from '../analyse/numbers.js';
import { bound, factor } from '../analyse/words.js';

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

/** From here on a ratio is easier to read as a part: 1/1,160. */
const PART_BELOW = 0.1;

const times = (text, value) => (value < PART_BELOW ? `1/${factor(1 / value)}` : text);

/** A ratio with its interval; `~` in front where the interval includes 1; without an interval the bare factor. `*` behind what was asked. */
export function ratio(result, asked = false) {
  if (!result) return NOTHING;
  const text = times(`${factor(result.ratio)}×`, result.ratio);
  if (result.low === null)
    return `${text} (no interval${result.n < result.of ? `: ${result.n} of ${result.of} blocks` : ''})`;
  const interval = [result.low, result.high].map((value) => times(bound(value), value));
  return `${result.differs ? '' : '~ '}${text} [${interval.join(', ')}]${asked ? ' *' : ''}`;
}

/** Bytes in binary units: '23.5 GiB'. */
export function bytes(value) {
  if (!value) return NOTHING;
  const power = Math.min(4, Math.floor(Math.log2(value) / 10));
  return `${Number((value / 1024 ** power).toPrecision(3))} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
}

/** A Markdown table. @param {string[]} header a leading '>' aligns the column to the right @param {(string|number)[][]} rows */
export function table(header, rows) {
  const cleaned = (cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cleaned).join(' | ')} |`;
  const rule = header.map((name) => (name.startsWith('>') ? '--:' : ':--'));
  return [line(header.map((name) => name.replace(/^>/, ''))), line(rule), ...rows.map(line)].join('\n');
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
