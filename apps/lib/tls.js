import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { Fault } from './fault.js';

// Where libpq looks for what no variable names.
const DEFAULT_FILES = {
  PGSSLROOTCERT: 'root.crt',
  PGSSLCRL: 'root.crl',
  PGSSLCERT: 'postgresql.crt',
  PGSSLKEY: 'postgresql.key',
};

/** The file that a variable names, or libpq's own in ~/.postgresql where there is one; undefined when there is none. */
export function fileOf(variable, env) {
  if (env[variable]) return env[variable];
  const file = join(homedir(), '.postgresql', DEFAULT_FILES[variable]);
  return existsSync(file) ? file : undefined;
}

/**
 * What libpq's variables ask of TLS -> options of tls.connect, the same for every driver in Node; false: no TLS.
 * As in libpq, sslmode require verifies the server's certificate where there is a root certificate, and a unix socket has no TLS.
 * The server's name is checked against PGHOST, also where PGHOSTADDR says where to connect. Throws a Fault (64) on a bad file.
 */
export function tlsOptions(config) {
  const { PGSSLMODE: mode, PGHOST: host } = config;
  if (!mode || mode === 'disable' || host.startsWith('/')) return false;
  const ca = read('PGSSLROOTCERT', config);
  if (ca === undefined && mode.startsWith('verify'))
    throw new Fault(64, `PGSSLMODE is ${mode}: that takes a root certificate, PGSSLROOTCERT or ~/.postgresql/root.crt`);
  return {
    ca,
    crl: ca && read('PGSSLCRL', config),
    cert: read('PGSSLCERT', config),
    key: read('PGSSLKEY', config),
    rejectUnauthorized: ca !== undefined,
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-full' ? tls.checkServerIdentity(host, certificate) : undefined,
    ...(isIP(host) === 0 && { servername: host }),
    ...(config.PGSSLMINPROTOCOLVERSION && { minVersion: config.PGSSLMINPROTOCOLVERSION }),
    ...(config.PGSSLMAXPROTOCOLVERSION && { maxVersion: config.PGSSLMAXPROTOCOLVERSION }),
  };
}

function read(variable, config) {
  const file = fileOf(variable, config);
  try {
    return file && readFileSync(file);
  } catch (error) {
    throw new Fault(64, `${variable} is ${JSON.stringify(file)}: ${error.message}`);
  }
}
