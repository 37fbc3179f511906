/** Names of headers, parameters and keys whose values nobody should read. */
export const SECRET =
  /auth(?!or)|authori[sz]|cookie|token|secret|(?:^|[-_.])key$|(?:api|access|private)[-_]?key|session|passw|pass[-_]?phrase|passcode|(?:^|[-_.])pass\d*$|bearer|^pw$|^pin$|[-_.]pin$|^pin[-_.]|(?:^|[-_.])otp$|pwd|credential|signature|(?:^|[-_.])(?:sig|hmac|assertion)$|samlresponse|jwt|[cx]srf/i;

/** The environment variable that holds such a value. A shell has PWD set, to its folder. @param {string} name of a header, parameter or key */
export const variableOf = (name) =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .replace(/^(OLD)?PWD$/, '$1PASSWORD')
    .replace(/^(?=\d)/, '_');

/** A name as it is meant. @param {string} text of an address or a form */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
