const SECRET =
  /auth(?!or)|authori[sz]|cookie|token|secret|(?:api|access|private|licen[cs]e)[-_]?key|session|sessid|(?:^|[-_.])sid$|passw|pass[-_]?phrase|passcode|(?:^|[-_.])pass\d*$|bearer|^pw$|^pin$|[-_.]pin$|^pin[-_.]|(?:^|[-_.])otp$|pwd|credential|signature|(?:^|[-_.])(?:sig|hmac|assertion)$|samlresponse|jwt|[cx]srf/i;
/** Of a name as it is written alone: sortKey is no secret. */
const KEY = /(?:^|[-_.])key$/i;

/** 'user_Pin' of 'userPin' and 'user[Pin]'. */
const split = (name) =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replaceAll(/[[\]]+(?=.)/g, '_')
    .replace(/\]$/, '');

/** Whether nobody should read the value of a header, parameter or key of this name. @param {string} name */
export const isSecret = (name) => KEY.test(name) || SECRET.test(name) || SECRET.test(split(name));

/** The environment variable that holds such a value. A shell has PWD set, to its folder. @param {string} name of a header, parameter or key */
export const variableOf = (name) =>
  split(name)
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

/** A path without its parameters, whose values may be secrets. */
export const shownPath = (path) =>
  path.split(/[?;&#]/)[0].replaceAll(/([^=/]+)=[^/]*/g, (all, name) => (isSecret(decoded(name)) ? `${name}=...` : all));
