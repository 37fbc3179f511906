import { readFileSync } from 'node:fs';
import { Fault } from './fault.js';

// drivers.json: libpq's variables by their keyword, and for each driver the values of each that it honours, as a pattern ("" is any,
// null is none). `common` holds for every driver that does not say otherwise; libpq itself honours everything.
const {
  variables: VARIABLES,
  common,
  drivers,
} = JSON.parse(readFileSync(new URL('drivers.json', import.meta.url), 'utf8'));

/** libpq's variables, by the keyword that a connection string has for each: {sslmode: 'PGSSLMODE', ...}. */
export const variables = VARIABLES;

/** The first variable of libpq in env that the driver cannot honour, as "sslmode=allow (PGSSLMODE)"; undefined when there is none. */
export function notHonoured(driver, env) {
  if (drivers[driver] === undefined) throw new Error(`apps/lib/drivers.json knows no driver ${driver}`);
  if (drivers[driver] === null) return undefined;
  const honoured = { ...common, ...drivers[driver] };
  const refused = ([keyword, variable]) => {
    const pattern = honoured[keyword] ?? null;
    return Boolean(env[variable]) && (pattern === null || !new RegExp(pattern).test(env[variable]));
  };
  const [keyword, variable] = Object.entries(variables).find(refused) ?? [];
  return keyword && `${keyword}=${env[variable]} (${variable})`;
}

/** Throws a Fault (64) when a variable of libpq in env is one that the driver would leave out. */
export function requireHonoured(driver, env = process.env) {
  const refused = notHonoured(driver, env);
  if (refused !== undefined) throw new Fault(64, `${driver} cannot honour ${refused}`);
}

/** The driver that a target.json names: node-postgres unless it says otherwise, null for a target that has no database of ours. */
export const driverOf = ({ driver = 'node-postgres', answers }) => (answers === 'shape' ? null : driver);
