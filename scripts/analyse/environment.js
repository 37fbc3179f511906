/** Environments of two runs, side by side. */

/** {a: {b: 1}} -> Map {'a.b' => '1'} */
function flattened(value, path = '', flat = new Map()) {
  if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) flattened(inner, path === '' ? key : `${path}.${key}`, flat);
  } else flat.set(path, JSON.stringify(value));
  return flat;
}

/**
 * Every setting that two environments do not share. What else ran beside is none.
 * @returns {{key: string, a: string, b: string}[]} values as JSON text; `absent` where one has none
 */
export function differences(a, b) {
  const [left, right] = [a, b].map((environment) => flattened({ ...environment, beside: undefined }));
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort();
  return keys
    .filter((key) => left.get(key) !== right.get(key))
    .map((key) => ({ key, a: left.get(key) ?? 'absent', b: right.get(key) ?? 'absent' }));
}
