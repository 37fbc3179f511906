/** Numbers and names as sentences want them. Shared by headlines, report and charts. */

const USERS = { k6: ['user', 'users'], wrk: ['connection', 'connections'], pgbench: ['client', 'clients'] };

/** 'users' of k6, 'connections' of wrk, 'clients' of pgbench; 'requests/s' in the open model. */
export function levelNoun({ tool, model }, count = 2) {
  if (model === 'open') return 'requests/s';
  return (USERS[tool] ?? ['user', 'users'])[count === 1 ? 0 : 1];
}

/** Where cells meet: at a level, or at a share of each one's own peak. @param {object} cell of results.json */
export const rung = ({ share, level }) => share ?? level;

/** A factor to three significant digits: 41.3, 1.04, 0.0312, 1,230. */
export function factor(value) {
  const text = Number(value.toPrecision(3));
  return Math.abs(text) >= 1000 ? text.toLocaleString('en-US') : String(text);
}

/** '[38.1, 44.8]'. A bound close to 1 has as many digits as set it apart, so that one sees on which side it lies: '[1.0004, 1.1]'. */
export function bounds({ low, high }) {
  return `[${bound(low)}, ${bound(high)}]`;
}

function bound(value) {
  let digits = 3;
  while (value !== 1 && Number(value.toPrecision(digits)) === 1) digits += 1;
  return digits === 3 ? factor(value) : String(Number(value.toPrecision(digits)));
}

/** '41.3× [38.1, 44.8]'; '41.3× (one block: no interval)' where there is none. */
export function withInterval({ ratio, low, high }) {
  return low === null ? `${factor(ratio)}× (one block: no interval)` : `${factor(ratio)}× ${bounds({ low, high })}`;
}

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
