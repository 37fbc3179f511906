/** Sums over plain arrays of numbers. Empty input gives null: nothing was measured. */

export function sum(values) {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export function mean(values) {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Sample variance (n - 1); null below two values. */
export function variance(values) {
  if (values.length < 2) return null;
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1);
}

/** The middle value, or the mean of the two middle ones. */
export function median(values) {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @returns {{median: number, min: number, max: number}|null} */
export function spread(values) {
  if (values.length === 0) return null;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Rounds to significant digits, to keep noise out of results.json. */
export function rounded(value, digits = 6) {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(digits));
}

/** Groups items by a key; a Map in order of first appearance. */
export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
