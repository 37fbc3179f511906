/** Axes, computed here rather than by the drawing library so that labels can be placed at the ends of lines. */

const WIDE = 20;
const DECADES = 2.5; // beyond so many, ticks within a decade would crowd
const LABEL_GAP = 8;

const isDecade = (tick) => Number(`1e${Math.round(Math.log10(tick))}`) === tick;

/** 1, 2, 5, 10, ... from the last at or below one value to the first at or above the other. */
function logTicks(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)) + 1; power += 1) {
    for (const step of [1, 2, 5]) ticks.push(Number((step * 10 ** power).toPrecision(1)));
  }
  const first = ticks.findLastIndex((tick) => tick <= low);
  const last = ticks.findIndex((tick) => tick >= high);
  const kept = ticks.slice(first, last + 1);
  const isEnd = (i) => i === 0 || i === kept.length - 1;
  return Math.log10(high / low) > DECADES
    ? kept.filter((tick, i) => isEnd(i) || (isDecade(tick) && !isEnd(i - 1) && !isEnd(i + 1)))
    : kept;
}

/** Steps of 1, 2, 2.5 or 5 times a power of ten, some five of them up to a value, from the last at or below another on. */
function linearTicks(high, low = 0) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((size) => size * power >= rough) * power;
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(6)),
  );
}

/**
 * An axis for values of 0 or more: logarithmic where they span more than a factor of 20, else linear from 0. It goes from tick to tick, so that
 * every value lies between two numbers that it shows.
 * @returns {{type: 'log'|'linear', domain: [number, number], values: number[]}}
 */
export function valueScale(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low > 0 && high / low > WIDE ? logScale(low, high) : scaleOf('linear', linearTicks(high > 0 ? high : 1));
}

/** As valueScale, and logarithmic whatever the values span. */
export const logScale = (low, high) => scaleOf('log', logTicks(low, high));

const NARROW = 5; // up to such a factor, 1, 2 and 5 are too few ticks

/** As logScale, with ticks that are equally far apart where the values are near to one another. */
export function narrowScale(low, high) {
  const ticks = low < high && high / low < NARROW ? linearTicks(high, low) : [];
  return ticks[0] > 0 ? scaleOf('log', ticks) : logScale(low, high);
}

const scaleOf = (type, ticks) => ({ type, domain: [ticks[0], ticks.at(-1)], values: ticks });

/**
 * The axis of a scale, whole; each label at its tick.
 * @param {object} scale see valueScale @param {object} axis its values, and how it writes them @returns {(field: string) => object} x or y, by field
 */
export const valueAxis = (scale, axis) => (field) => ({
  field,
  type: 'quantitative',
  title: null,
  scale: { type: scale.type, domain: scale.domain, nice: false },
  axis: { ...axis, labelOverlap: false, labelFlush: false },
});

/** Where a value lies on a scale, in pixels from the top. */
export function pixelOf({ type, domain: [low, high] }, height, value) {
  const share = type === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return height * (1 - share);
}

/**
 * Those of an axis's ticks whose labels keep apart; the first and the last always.
 * @param {number[]} ticks ascending @param {object} scale see valueScale @param {number} length of the axis in pixels
 * @param {(tick: number) => number} sizeOf its label along the axis, in pixels
 */
export function spaced(ticks, scale, length, sizeOf) {
  const apart = (a, b) =>
    Math.abs(pixelOf(scale, length, a) - pixelOf(scale, length, b)) >= (sizeOf(a) + sizeOf(b)) / 2 + LABEL_GAP;
  const last = ticks.at(-1);
  const kept = [];
  for (const tick of ticks.slice(0, -1))
    if (kept.length === 0 || (apart(kept.at(-1), tick) && apart(tick, last))) kept.push(tick);
  return [...kept, last];
}

/**
 * Moves labels apart so that none covers another, each as near to where it was as the others allow, all within the panel.
 * @param {number[]} centres in pixels
 * @param {number} gap least distance between centres, also twice the distance kept from the panel's edges
 * @returns {number[]} in the order given
 */
export function spreadLabels(centres, gap, height) {
  const order = centres.map((centre, i) => ({ centre, i })).sort((a, b) => a.centre - b.centre);
  const centreOf = ({ sum, size }) => {
    const half = (size * gap) / 2;
    return Math.max(half, Math.min(height - half, sum / size));
  };
  const clusters = [];
  for (const { centre } of order) {
    let last = { sum: centre, size: 1 };
    while (
      clusters.length > 0 &&
      centreOf(last) - centreOf(clusters.at(-1)) < ((last.size + clusters.at(-1).size) / 2) * gap
    ) {
      const before = clusters.pop();
      last = { sum: before.sum + last.sum, size: before.size + last.size };
    }
    clusters.push(last);
  }
  const spread = clusters.flatMap((cluster) =>
    Array.from({ length: cluster.size }, (_, i) => centreOf(cluster) + (i - (cluster.size - 1) / 2) * gap),
  );
  const moved = [];
  order.forEach(({ i }, rank) => {
    moved[i] = spread[rank];
  });
  return moved;
}
