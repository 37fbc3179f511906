/** What the sentence of an answer is made of: the load, the figures, and how the sides are called. */
import { limitOf } from './limits.js';
import { unitIn } from './sides.js';

/** @param {object[]} sides see sideOf, that which a sentence is about first @param {object|null} result of the comparison, where it is one */
export function factsOf({ metric, where, dimension }, sides, result) {
  const [{ cell }] = sides;
  const { level, share, tool, model, objective } = cell;
  return {
    ...{ tool, model, metric, result, objective, within: limitOf('equality') },
    level: where.level === 'peak' ? 'peak' : level,
    share: where.level === 'peak' ? null : share,
    rates: share ? sides.map(({ name, cell: { level: rps } }) => ({ name, rps })) : null,
    unit: unitIn(cell),
    shared: variantOfAll({ dimension }, sides),
  };
}

/** The variant of all sides, where they differ in something else and it is not the base; else null. @param {object[]} sides see sideOf */
export function variantOfAll({ dimension }, sides) {
  const [{ cell }] = sides;
  const shared = dimension === 'target' && sides.every((side) => side.cell.variant === cell.variant);
  return shared && cell.variant !== 'base' ? cell.variant : null;
}

/** How a side is called, the name that tables have behind its first mention; the variant that all have stands in the context. */
export function nameIn(question, names, sides) {
  const { dimension } = question;
  const shared = variantOfAll(question, sides);
  let first = true;
  return ({ name, cell: { target, variant } }) => {
    if (dimension === 'database') return names.database(name);
    if (dimension === 'workload') return { label: `workload ${name}`, note: null };
    if (dimension === 'target') return names.target(name, shared ? 'base' : variant);
    const told = first ? names.target(target, name) : names.variant(name);
    first = false;
    return told;
  };
}
