import pg from 'pg';
import { requireChannelBinding } from './channel-binding.js';
import { database, integer } from './environment.js';
import { tlsOptions } from './tls.js';

/** The variables of a target that speaks to PostgreSQL. */
export const environment = database;

/** The variable of a target that keeps connections: how many. */
export const poolSize = { POOL_SIZE: integer(1, 1000, 10) };

// Waiting for a connection, or for a place in the pool, ends after the time that load tools give a whole request.
const WAIT_TIMEOUT_MS = 60_000;

/** Opens size connections at once by open() -> {opened: those that came, failure: what kept one from coming, or undefined}. */
export async function openAll(size, open) {
  const outcomes = await Promise.allSettled(Array.from({ length: size }, open));
  return {
    opened: outcomes.filter(({ status }) => status === 'fulfilled').map(({ value }) => value),
    failure: outcomes.find(({ status }) => status === 'rejected')?.reason,
  };
}

/**
 * Options for Client and pg.Pool from the validated environment; `name` shows in pg_stat_activity unless PGAPPNAME is set.
 * connectTimeoutMillis is the time for one attempt to connect, which libpq calls connect_timeout.
 */
export function connectionOptions(config) {
  return {
    host: config.PGHOSTADDR || config.PGHOST,
    port: config.PGPORT,
    user: config.PGUSER,
    password: config.PGPASSWORD,
    database: config.PGDATABASE,
    options: config.PGOPTIONS || undefined,
    application_name: config.PGAPPNAME || config.name,
    ssl: tlsOptions(config),
    sslnegotiation: config.PGSSLNEGOTIATION || undefined,
    enableChannelBinding: ['prefer', 'require'].includes(config.PGCHANNELBINDING),
    requireChannelBinding: config.PGCHANNELBINDING === 'require',
    connectionTimeoutMillis: WAIT_TIMEOUT_MS,
    connectTimeoutMillis: config.PGCONNECT_TIMEOUT ? config.PGCONNECT_TIMEOUT * 1000 : WAIT_TIMEOUT_MS,
  };
}

/** node-postgres's client, by connectionOptions. */
export class Client extends pg.Client {
  constructor(options) {
    // a pool has the password of its options hidden from copying
    super({ ...options, password: options.password, connectionTimeoutMillis: options.connectTimeoutMillis });
    if (options.requireChannelBinding) requireChannelBinding(this);
  }
}

/**
 * A pool of config.POOL_SIZE connections that are opened now and kept: no request pays for a connection, none churns.
 * Throws what kept it from connecting. A connection that breaks while idle is dropped and replaced by the next request.
 * Pool: pg's own, or the one of another client with the same interface.
 */
export async function openPool(config, Pool = pg.Pool) {
  const size = config.POOL_SIZE;
  const pool = new Pool({ Client, ...connectionOptions(config), max: size, min: size, idleTimeoutMillis: 0 });
  pool.on('error', (error) => console.error(`${config.name}: an idle connection was lost: ${error.message}`));
  const { opened, failure } = await openAll(size, () => pool.connect());
  for (const client of opened) client.release();
  if (failure === undefined) return pool;
  await pool.end();
  throw failure;
}

/** {total, idle, waiting} of a pool: connections open, connections unused, requests that wait for one. */
export const poolStats = (pool) => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
