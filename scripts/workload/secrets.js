const SECRET =
  /auth(?!or)|authori[sz]|cookie|token|secret|(?:^|[-_.])key$|(?:api|access|private)[-_]?key|session|sessid|(?:^|[-_.])sid$|passw|pass[-_]?phrase|passcode|(?:^|[-_.])pass\d*$|bearer|^pw$|^pin$|[-_.]pin$|^pin[-_.]|(?:^|[-_.])otp$|pwd|credential|signature|(?:^|[-_.])(?:sig|hmac|assertion)$|samlresponse|jwt|[cx]srf/i;

/** Whether nobody should read the value of a header, parameter or key of this name: 'userPin' is read as 'user_pin', 'user[pin]', too. @param {string} name */
export const isSecret = (name) =>
  SECRET.test(
    name
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
      .replaceAll(/[[\]]+(?=.)/g, '_')
      .replace(/\]$/, ''),
  );

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
