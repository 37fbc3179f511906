import { Fault } from './fault.js';

/**
 * A specification is {VARIABLE: parser}. A parser takes the variable's text and returns its value, or throws an Error
 * that says what the value must be. `fallback` is the value when the variable is unset or empty; without one it is required.
 */
function variable(parse, fallback) {
  return { parse, fallback };
}

/** Any text. */
export const text = (fallback) => variable((value) => value, fallback);

/** A whole number from min to max. */
export const integer = (min, max, fallback) =>
  variable((value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  }, fallback);

/** One of these words; `because` ends the sentence that refuses another. */
export const choice = (allowed, fallback, because = '') =>
  variable((value) => {
    if (!allowed.includes(value)) throw new Error(`must be ${allowed.join(' or ')}${because}`);
    return value;
  }, fallback);

/** A TCP port. */
export const port = (fallback) => integer(1, 65535, fallback);

/** An http or https address, without a slash at its end. */
export const address = (fallback) =>
  variable((value) => {
    if (!/^https?:\/\/[^/]/.test(value) || !URL.canParse(value))
      throw new Error('must be http://host:port or https://host');
    return value.replace(/\/+$/, '');
  }, fallback);

/** Where a server listens. */
export const listener = { HOST: text('127.0.0.1'), PORT: port(3000) };

/** How to reach the database, by libpq's own names. PGSSLMODE unset: no TLS, and what libpq prefers for the driver that is libpq. */
export const database = {
  PGHOST: text(),
  PGHOSTADDR: text(''),
  PGPORT: port(5432),
  PGUSER: text(),
  PGPASSWORD: text(''),
  PGDATABASE: text(),
  PGOPTIONS: text(''),
  PGAPPNAME: text(''),
  PGCONNECT_TIMEOUT: integer(0, 86_400, 0),
  PGCHANNELBINDING: text(''),
  PGSSLMODE: text(''),
  PGSSLNEGOTIATION: text(''),
  PGSSLROOTCERT: text(''),
  PGSSLCRL: text(''),
  PGSSLCERT: text(''),
  PGSSLKEY: text(''),
  PGSSLMINPROTOCOLVERSION: text(''),
  PGSSLMAXPROTOCOLVERSION: text(''),
};

/** What a target or a variant may set for Node.js, or for a process beside the target. */
const OF_OTHERS = /^(NODE_|UV_|CUBE)/;

/**
 * Throws a Fault (64) where SETTINGS, what target.json and the variant set, names a variable that the target does not read: it would be measured
 * as if it were set.
 */
export function refuseUnknown(specification, { SETTINGS: names = '' } = process.env) {
  const unknown = names.split(' ').find((name) => name !== '' && !(name in specification) && !OF_OTHERS.test(name));
  if (unknown === undefined) return;
  const known = Object.keys(specification).filter((name) => !(name in database) && !(name in listener));
  throw new Fault(
    64,
    `target.json or the variant sets ${unknown}, which this target does not read; it reads ${known.join(', ') || 'none of its own'}`,
  );
}

/**
 * Reads the variables of a specification from env: {VARIABLE: value}.
 * Throws a Fault (64) that names the first variable at fault; a password's value is never repeated.
 */
export function readEnvironment(specification, env = process.env) {
  const values = {};
  for (const [name, { parse, fallback }] of Object.entries(specification)) {
    const given = env[name];
    if (given === undefined || given === '') {
      if (fallback === undefined)
        throw new Fault(
          64,
          `${name} is not set; for the project's own database, scripts/database.sh env app prints it`,
        );
      values[name] = fallback;
      continue;
    }
    try {
      values[name] = parse(given);
    } catch (error) {
      throw new Fault(64, `${name} is ${JSON.stringify(given)}: ${error.message}`);
    }
  }
  return values;
}
