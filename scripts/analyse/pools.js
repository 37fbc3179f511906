/** Which pool a cell had: its variant's POOL_SIZE, as the plan has it. */

/**
 * @param {{groups: object[]}} plan
 * @returns {(cell: {target, variant}) => number|null} null: the variant sets none, and the target has its own
 */
export function poolSizes({ groups }) {
  const sizes = new Map(groups.map(({ target, variant }) => [`${target} ${variant.name}`, variant.env?.POOL_SIZE]));
  return ({ target, variant }) => Number(sizes.get(`${target} ${variant}`) ?? 0) || null;
}
