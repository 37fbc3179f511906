import pg from 'pg';
import { database, integer } from './environment.js';

/** The variables of a target that speaks to PostgreSQL. */
export const environment = database;

/** The variable of a target that keeps connections: how many. */
export const poolSize = { POOL_SIZE: integer(1, 1000, 10) };

// Waiting for a connection, or for a place in the pool, ends after the time that load tools give a whole request.
const CONNECT_TIMEOUT_MS = 60_000;

/** Opens size connections at once by open() -> {opened: those that came, failure: what kept one from coming, or undefined}. */
export async function openAll(size, open) {
  const outcomes = await Promise.allSettled(Array.from({ length: size }, open));
  return {
    opened: outcomes.filter(({ status }) => status === 'fulfilled').map(({ value }) => value),
    failure: outcomes.find(({ status }) => status === 'rejected')?.reason,
  };
}

/** Options for pg.Client and pg.Pool from the validated environment; `name` shows in pg_stat_activity. */
export function connectionOptions(config) {
  return {
    host: config.PGHOST,
    port: config.PGPORT,
    user: config.PGUSER,
    password: config.PGPASSWORD,
    database: config.PGDATABASE,
    application_name: config.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  };
}

/**
 * A pool of config.POOL_SIZE connections that are opened now and kept: no request pays for a connection, none churns.
 * Throws what kept it from connecting. A connection that breaks while idle is dropped and replaced by the next request.
 * Pool: pg's own, or the one of another client with the same interface.
 */
export async function openPool(config, Pool = pg.Pool) {
  const size = config.POOL_SIZE;
  const pool = new Pool({ ...connectionOptions(config), max: size, min: size, idleTimeoutMillis: 0 });
  pool.on('error', (error) => console.error(`${config.name}: an idle connection was lost: ${error.message}`));
  const { opened, failure } = await openAll(size, () => pool.connect());
  for (const client of opened) client.release();
  if (failure === undefined) return pool;
  await pool.end();
  throw failure;
}

/** {total, idle, waiting} of a pool: connections open, connections unused, requests that wait for one. */
export const poolStats = (pool) => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
