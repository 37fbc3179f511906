/** How numbers and names are written. Shared by analysis, report and charts. */
import { TOOLS } from './tools.js';

/** 'users' of k6, 'HTTP connections' of wrk and ab, 'clients' of pgbench; 'requests/s' in the open model. */
export function levelNoun({ tool, model }, count = 2) {
  if (model === 'open') return 'requests/s';
  const user = TOOLS[tool]?.user ?? 'user';
  return count === 1 ? user : `${user}s`;
}

/** Where cells meet: at a level, or at a share of each one's own peak. @param {object} cell of results.json */
export const levelOf = ({ share, level }) => share ?? level;

/** A factor to three significant digits: 41.3, 1.04, 0.0312, 1,230. */
export function factor(value) {
  const text = Number(value.toPrecision(3));
  return Math.abs(text) >= 1000 ? text.toLocaleString('en-US') : String(text);
}

/** As factor; but close to 1 with as many digits as show on which side of it the bound lies: 1.0004. */
export function bound(value) {
  let digits = 3;
  while (value !== 1 && Number(value.toPrecision(digits)) === 1) digits += 1;
  return digits === 3 ? factor(value) : String(Number(value.toPrecision(digits)));
}

/** What calibration is, and what a headroom that is too low says, as every sentence about them begins. */
export const AGAINST_NULL = 'against a responder that does nothing';
export const MAY_BE_LIMIT = 'the load generator may be the limit';

/** The same comparison the other way round. */
export function inverted({ ratio, low, high, ...rest }) {
  return { ...rest, ratio: 1 / ratio, low: high === null ? null : 1 / high, high: low === null ? null : 1 / low };
}

/** The order of names: 'pool-2' before 'pool-10'. */
export const byName = new Intl.Collator('en', { numeric: true }).compare;

/** 'cube', or 'cube (pool-2)' for a variant that is not base. */
export function seriesName({ target, variant }) {
  return variant === 'base' ? target : `${target} (${variant})`;
}

/** 3 -> '3 trials', 1 -> '1 trial' */
export function plural(count, noun) {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

const LIMIT_TEXT = { none: 'no limit found', unsettled: 'not settled' };

/** What limited a cell, as tables show it. @param {string|null|undefined} is see bottleneck */
export function limitText(is) {
  return LIMIT_TEXT[is] ?? is ?? '–';
}

/** Text in lines of at most `width` characters, broken between words, but not before a %; further lines are indented. */
export function wrapped(text, width, indent = '') {
  const lines = [''];
  for (const word of text.split(/ (?!%)/)) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > width) lines.push(indent + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
