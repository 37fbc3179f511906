import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { variables } from '../../../apps/lib/drivers.js';
import { Fault } from '../../../apps/lib/fault.js';

// Settings of a session that libpq takes from variables alone; as options, which a later one overrules, as these do.
const SETTINGS = { PGDATESTYLE: 'datestyle', PGTZ: 'timezone', PGGEQO: 'geqo' };

/**
 * What a connection string leaves open, as libpq fills it in: from the section of its service, then from variables.
 * systemFolder: where the system's pg_service.conf lies, if that is known. Throws a Fault (64).
 */
export function withDefaults(given, env, systemFolder) {
  const service = given.service ?? env.PGSERVICE;
  const {
    service: _,
    servicefile: __,
    ...parameters
  } = {
    ...ofEnvironment(env),
    ...(service && ofService(service, given.servicefile ?? env.PGSERVICEFILE, systemFolder)),
    ...given,
  };
  const settings = Object.entries(SETTINGS)
    .filter(([variable]) => env[variable] && env[variable].toLowerCase() !== 'default')
    .map(([variable, name]) => `-c ${name}=${env[variable].replace(/[\s\\]/g, '\\$&')}`);
  if (settings.length > 0) parameters.options = [parameters.options ?? [], settings].flat().join(' ');
  return parameters;
}

function ofEnvironment(env) {
  const set = Object.entries(variables).filter(([, variable]) => env[variable] !== undefined);
  const parameters = Object.fromEntries(set.map(([keyword, variable]) => [keyword, env[variable]]));
  if (env.PGREQUIRESSL?.startsWith('1')) parameters.sslmode ??= 'require';
  return parameters;
}

/** The section of that name: of the user's file, or else of the system's. */
function ofService(name, file, systemFolder) {
  const files = [
    file ?? join(homedir(), '.pg_service.conf'),
    ...(systemFolder ? [join(systemFolder, 'pg_service.conf')] : []),
  ];
  for (const one of files.filter(existsSync)) {
    const section = sectionOf(name, one);
    if (section !== undefined) return section;
  }
  throw new Fault(64, `--dsn: there is no service ${name} in ${files.join(' or ')}`);
}

function sectionOf(name, file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const start = lines.indexOf(`[${name}]`);
  if (start < 0) return undefined;
  const parameters = {};
  for (const [i, line] of lines.slice(start + 1).entries()) {
    if (line.startsWith('[')) break;
    if (line === '' || line.startsWith('#')) continue;
    const [, keyword, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (keyword === undefined || keyword === 'service' || line.startsWith('ldap'))
      throw new Fault(64, `--dsn: ${file}, line ${start + 2 + i}: not keyword=value, or a service, or LDAP`);
    parameters[keyword] ??= value;
  }
  return parameters;
}
