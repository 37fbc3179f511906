/** An axis of ratios: logarithmic, around 1. */
import { spaced, valueAxis } from './scales.js';

const TICKS = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.67, 0.8, 0.9, 0.95, 0.98, 0.99],
  ...[1, 1.01, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 5, 10, 20, 50, 100],
];

/** From tick to tick around 1, which is always written. @param {number[]} values @param {number} width in pixels @returns {(field: string) => object} */
export function ratioAxis(values, width) {
  const drawn = [1, ...values.filter((value) => value > 0 && Number.isFinite(value))];
  const [least, most] = [Math.min(...drawn), Math.max(...drawn)];
  const low = TICKS.findLast((tick) => tick <= least) ?? 10 ** Math.floor(Math.log10(least));
  const high = TICKS.find((tick) => tick >= most) ?? 10 ** Math.ceil(Math.log10(most));
  const scale = { type: 'log', domain: [low, high] };
  const room = (ticks) => (ticks.length > 1 ? spaced(ticks, scale, width, () => 30) : ticks);
  const ticks = [low, ...TICKS.filter((tick) => tick > low && tick < high), high];
  const kept = [...room(ticks.filter((tick) => tick <= 1)), ...room(ticks.filter((tick) => tick >= 1))];
  return valueAxis(scale, { values: [...new Set(kept)], format: '.3~r' });
}
