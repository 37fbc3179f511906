/**
 * The outcomes of a check. A check is a function of a trial (see ./index.js) that returns one of:
 * PASS; NOT_APPLICABLE: it makes no sense here; NOT_MEASURED: a figure that it needs is null, which is never a pass;
 * or a reason, made by `invalid` or `suspect`.
 */
export const PASS = 'pass';
export const NOT_APPLICABLE = 'not applicable';
export const NOT_MEASURED = 'not measured';

/** Impossible or broken: shown, never ranked or averaged. */
export function invalid(value, limit, text) {
  return { verdict: 'invalid', value, limit, text };
}

/** Usable with a mark: still compared. */
export function suspect(value, limit, text) {
  return { verdict: 'suspect', value, limit, text };
}

export const missing = (value) => value === null || value === undefined;

/** 0.0123 -> '1.2 %' */
export function percent(share) {
  return `${Number((share * 100).toPrecision(2))} %`;
}
