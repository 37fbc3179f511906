/** Whether an answer is about the load generator as much as about the targets. */
import { ordered } from './effects.js';
import { byBlock } from './figures.js';
import { limitOf } from './limits.js';
import { GENERATOR_MARKS } from './marks.js';
import { listed } from './phrases.js';

/** Whether the load generator was near its ceiling, or out of processor time, in half of a side's trials or more. */
export function isLimited({ cells, trials }) {
  const [cell, ...others] = cells;
  if (others.length === 0 && (cell.headroom ?? Infinity) < limitOf('headroom')) return true;
  const used = [...(trials?.values() ?? byBlock(cell).values())];
  const marked = used.filter(({ reasons }) => reasons.some(({ check }) => GENERATOR_MARKS.has(check)));
  return used.length > 0 && 2 * marked.length >= used.length;
}

/**
 * What a load generator near its ceiling makes of an answer: a difference in throughput may be larger, and all else shows less of the targets; or null.
 * @param {{tool, sides: {name, cells}[], gain: object|null}} facts gain: the difference in throughput, of the first two sides
 */
export function generatorLimit({ tool, sides, gain }) {
  const limited = sides.filter(isLimited);
  if (limited.length === 0) return null;
  const near = `${tool} was near its own limit`;
  if (limited.length === sides.length) return `${near} ${sides.length === 2 ? 'on both sides' : 'with each of them'}`;
  const [fast] = gain ? ordered(...sides.slice(0, 2), gain) : [];
  const isMore = limited.length === 1 && limited[0] === fast;
  const names = isMore && sides.length === 2 ? '' : ` with ${listed(limited.map(({ name }) => name))}`;
  return `${near}${names}${isMore ? ', so it may be more' : ''}`;
}
