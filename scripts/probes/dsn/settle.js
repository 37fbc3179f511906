import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { variables } from '../../../apps/lib/drivers.js';
import { Fault } from '../../../apps/lib/fault.js';
import { fileOf } from '../../../apps/lib/tls.js';
import { findPassword } from './passfile.js';

const OLDEST = 130000;
const READ_ONLY = '-c default_transaction_read_only=on';

// What choosing a server took, and has served its turn when there is one.
const CHOICE = /^(target_session_attrs|load_balance_hosts|passfile)$/;
// How a broken connection is found out, and a name for where there is none: no session is weaker without.
const UNIMPORTANT = /^(keepalives|tcp_user_timeout|fallback_application_name)/;

/**
 * parameters: see withDefaults; endpoint: what psql printed of the connection that libpq made by them, see scripts/sql/endpoint.sql;
 * read_only: whether sessions are to be -> {variables: {PGHOST, ...}, connection: see environment.json, notes: lines to print}.
 * Every tool and target is given the one server, and TLS as it was used, so that none makes another choice. Throws a Fault.
 */
export function settle({ parameters, endpoint, read_only: readOnly }) {
  const { host, port, user, database, version, version_num: number } = JSON.parse(endpoint.trim().split('\n').at(-1));
  if (number < OLDEST) throw new Fault(2, `--dsn: the server is PostgreSQL ${version}; 13 or newer is needed`);
  const tls = tlsIn(endpoint);
  const sslmode = parameters.sslmode || (parameters.sslrootcert === 'system' ? 'verify-full' : 'prefer');
  const { kept, notes } = handedOver(parameters, tls !== null);
  const settled = {
    ...kept,
    host,
    hostaddr: addressOf({ host, port }, parameters),
    port,
    user,
    password:
      parameters.password ||
      findPassword({ host: parameters.host && host, port, user, database }, parameters.passfile || undefined),
    dbname: database,
    gssencmode: parameters.gssencmode || 'disable',
    ...(tls
      ? { sslmode: sslmode.startsWith('verify') ? sslmode : 'require', ...filesOf(parameters) }
      : { sslmode: 'disable' }),
  };
  if (readOnly) {
    if (/default[-_]transaction[-_]read[-_]only/i.test(kept.options))
      notes.push(
        'default_transaction_read_only in options is overruled: sessions are read-only without --allow-writes',
      );
    // the last one holds; a backslash at the end would take its first space for part of a value
    settled.options = `${(kept.options ?? '').replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')} ${READ_ONLY}`.trim();
  }
  const given = Object.entries(settled).filter(([, value]) => value);
  return {
    variables: Object.fromEntries(given.map(([keyword, value]) => [variables[keyword], value])),
    connection: {
      host,
      port: Number(port),
      user,
      database,
      sslmode,
      tls: tls && { ...tls, verified: verified(settled) },
    },
    notes,
  };
}

/** The TLS of libpq's connection in the text of \conninfo, a sentence or (psql 18) a table: {version, cipher}; null when there was none. */
function tlsIn(endpoint) {
  const version = /(?:protocol: |SSL Protocol\|)([^,|)\n]+)/.exec(endpoint);
  const cipher = /(?:cipher: |SSL Cipher\|)([^,|)\n]+)/.exec(endpoint);
  return version && cipher && { version: version[1], cipher: cipher[1] };
}

/** What is said of a parameter that is needed and cannot be handed over. */
export const notHandedOver = (keyword) =>
  `--dsn: ${keyword} cannot be handed to tools and targets: libpq has no variable for it`;

/** The parameters that are handed over as they are, and what is to be said of those that are not. */
function handedOver(parameters, withTls) {
  const unknown = Object.keys(parameters).filter((keyword) => variables[keyword] === undefined);
  const important = unknown.find((keyword) => !UNIMPORTANT.test(keyword));
  if (important) throw new Fault(64, notHandedOver(important));
  const kept = Object.entries(parameters).filter(
    ([keyword]) => variables[keyword] && !CHOICE.test(keyword) && (withTls || !keyword.startsWith('ssl')),
  );
  const notes = unknown.length > 0 ? [`${unknown.join(', ')}: left out, for libpq has no variable for it`] : [];
  return { kept: Object.fromEntries(kept), notes };
}

/** The one of hostaddr's addresses that goes with the server; undefined when none was given. */
function addressOf({ host, port }, parameters) {
  if (!parameters.hostaddr || !parameters.host) return undefined;
  const [hosts, ports] = [parameters.host.split(','), (parameters.port || '5432').split(',')];
  const fits = (_, i) => hosts[i] === host && ((ports.length > 1 ? ports[i] : ports[0]) || '5432') === port;
  const addresses = [...new Set(parameters.hostaddr.split(',').filter(fits))];
  if (addresses.length > 1)
    throw new Fault(64, `--dsn: hostaddr has ${addresses.length} addresses for ${host}:${port}; name one`);
  return addresses[0];
}

/** The files of TLS by their full paths, libpq's own in ~/.postgresql among them. */
function filesOf(parameters) {
  const file = (keyword) => {
    const name = fileOf(variables[keyword], { [variables[keyword]]: parameters[keyword] });
    if (name === undefined || name === 'system') return name;
    if (!existsSync(name)) throw new Fault(64, `--dsn: ${keyword}=${name}: there is no such file`);
    return resolve(name);
  };
  const sslrootcert = file('sslrootcert');
  const sslcert = parameters.sslcertmode === 'disable' ? undefined : file('sslcert');
  const sslkey = sslcert && file('sslkey');
  return {
    sslrootcert,
    sslcrl: sslrootcert && file('sslcrl'),
    sslcert,
    sslkey,
    sslkey_format: sslkey && formatOf(sslkey),
  };
}

const formatOf = (file) => /^-----BEGIN (.*)-----$/m.exec(readFileSync(file, 'latin1'))?.[1] ?? 'DER';

function verified({ sslmode, sslrootcert }) {
  if (sslmode === 'verify-full') return 'chain and name';
  return sslrootcert ? 'chain' : 'no';
}
