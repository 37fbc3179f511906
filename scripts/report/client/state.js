/** What the reader chose, kept in the address, so that it can be passed on: ?trials.find=raw+echo&trials.sort=-p95&level.tpch.echo.k6=16 */

/** @returns {string|null} */
export const chosen = (name) => new URLSearchParams(location.search).get(name);

/** @param {string} name @param {string|null} value null: as at first, which needs no words */
export function choose(name, value) {
  const all = new URLSearchParams(location.search);
  if (value === null) all.delete(name);
  else all.set(name, value);
  try {
    history.replaceState(null, '', `${location.pathname}${all.size > 0 ? `?${all}` : ''}${location.hash}`);
  } catch {
    // a browser that keeps the address of a file as it is: the choice lasts as long as the page
  }
}

/** A field that keeps what was chosen. @param {HTMLInputElement|HTMLSelectElement} field @returns that */
export function kept(field, name) {
  const first = field.value;
  const known = chosen(name);
  if (known !== null) field.value = known;
  if (field.value === '') field.value = first; // an option that is not there
  field.addEventListener('input', () => choose(name, field.value === first ? null : field.value));
  return field;
}
