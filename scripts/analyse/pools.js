/** The pool size of a cell: its variant's POOL_SIZE in the plan. */

/**
 * @param {{groups: object[]}} plan
 * @returns {(cell: {target, variant}) => number|null} null: the variant sets none, so the target uses its default
 */
export function poolSizes({ groups }) {
  const sizes = new Map(groups.map(({ target, variant }) => [`${target} ${variant.name}`, variant.env?.POOL_SIZE]));
  return ({ target, variant }) => Number(sizes.get(`${target} ${variant}`) ?? 0) || null;
}
