import postgres from 'postgres';
import { connectionOptions, environment as database, openAll, poolSize } from '../lib/database.js';
import * as queries from '../lib/queries.js';

export const environment = { ...database, ...poolSize };

// After an attempt to connect that failed the next one waits as long. Its own default grows to 20 s, which would show as
// a database that is still away.
const RETRY_S = 0.1;

// It would wait for ever for a connection that was lost with requests under way. When this begins, nothing is under way.
const CLOSE_S = 1;

/**
 * postgres.js with its own pool and its prepared statements. An idle connection is taken first; when none is idle, a
 * request is sent on a busy one behind those that it has yet to answer. It does not tell of its pool.
 */
export async function connect(config) {
  const { host, port, user, password, database: name, options, ...server } = connectionOptions(config);
  const sql = postgres({
    // as lists, for a text is cut at its colons, which an IPv6 address has; a folder is that of a unix socket
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host: [host], port: [port] }),
    user,
    password,
    database: name,
    ssl: server.ssl,
    sslnegotiation: server.sslnegotiation,
    connection: { application_name: server.application_name, ...(options && { options }) },
    max: config.POOL_SIZE,
    connect_timeout: server.connectTimeoutMillis / 1000,
    idle_timeout: null,
    max_lifetime: null,
    backoff: RETRY_S,
    fetch_types: false,
  });
  const { failure } = await openAll(config.POOL_SIZE, () => sql.unsafe(queries.ping)); // none is idle yet: each opens one
  if (failure !== undefined) {
    await sql.end({ timeout: 0 });
    throw failure;
  }

  const prepared = { prepare: true, simple: false };
  return {
    echo: async (value) => (await sql.unsafe(queries.echo, [value], prepared))[0].value,
    analytics: () => sql.unsafe(queries.analytics, [], prepared),
    ping: () => sql.unsafe(queries.ping),
    stats: () => ({ pool: { total: null, idle: null, waiting: null } }),
    close: () => sql.end({ timeout: CLOSE_S }),
  };
}
