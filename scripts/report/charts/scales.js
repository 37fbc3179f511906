/** Axes, computed here rather than by the drawing library so that labels can be placed at the ends of lines. */

const WIDE = 20;
const STEPS = [1, 2, 5];

/** 1, 2, 5, 10, ... between two bounds; whole decades alone where that would be too many. */
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades > 2.5 ? [1] : STEPS;
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(1)));
  }
  return ticks.filter((tick) => tick >= low && tick <= high);
}

/**
 * A vertical axis for positive values: logarithmic where they span more than a factor of 20, else linear from 0.
 * @returns {{type: 'log'|'linear', domain: [number, number], values?: number[]}}
 */
export function valueScale(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low > 0 && high / low > WIDE) {
    const domain = [low / 1.3, high * 1.3];
    return { type: 'log', domain, values: logTicks(...domain) };
  }
  return { type: 'linear', domain: [0, high * 1.08] };
}

/** Steps of 1, 2, 2.5 or 5 times a power of ten, some five of them up to a value. */
function linearTicks(high) {
  const rough = high / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((size) => size * power >= rough) * power;
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

/** As valueScale, but from tick to tick: every value lies between two numbers that the axis shows. @returns as valueScale, always with values */
export function niceScale(values) {
  const high = Math.max(...values);
  const low = Math.min(...values);
  if (low > 0 && high / low > WIDE) {
    const ticks = logTicks(10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high)));
    const first = ticks.findLastIndex((tick) => tick <= low);
    const last = ticks.findIndex((tick) => tick >= high);
    const kept = ticks.slice(first, last + 1);
    return { type: 'log', domain: [kept[0], kept.at(-1)], values: kept };
  }
  const ticks = linearTicks(high || 1);
  return { type: 'linear', domain: [0, ticks.at(-1)], values: ticks };
}

/** Where a value lies on a scale, in pixels from the top. */
export function pixelOf({ type, domain: [low, high] }, height, value) {
  const share = type === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return height * (1 - share);
}

/**
 * Moves labels apart so that none covers another, each as near to its place as the others allow, all within the panel.
 * @param {number[]} places centres in pixels
 * @param {number} gap least distance between centres, also twice the distance kept from the panel's edges
 * @returns {number[]} in the order given
 */
export function spreadLabels(places, gap, height) {
  const order = places.map((place, i) => ({ place, i })).sort((a, b) => a.place - b.place);
  const centreOf = ({ sum, size }) => {
    const half = (size * gap) / 2;
    return Math.max(half, Math.min(height - half, sum / size));
  };
  const groups = [];
  for (const { place } of order) {
    let last = { sum: place, size: 1 };
    while (
      groups.length > 0 &&
      centreOf(last) - centreOf(groups.at(-1)) < ((last.size + groups.at(-1).size) / 2) * gap
    ) {
      const before = groups.pop();
      last = { sum: before.sum + last.sum, size: before.size + last.size };
    }
    groups.push(last);
  }
  const spread = groups.flatMap((group) =>
    Array.from({ length: group.size }, (_, i) => centreOf(group) + (i - (group.size - 1) / 2) * gap),
  );
  const moved = [];
  order.forEach(({ i }, rank) => {
    moved[i] = spread[rank];
  });
  return moved;
}
