import pg from 'pg';
import { database } from './environment.js';

/** The variables of a target that speaks to PostgreSQL. */
export const environment = database;

// Waiting for a connection, or for a place in the pool, ends after the time that load tools give a whole request.
const CONNECT_TIMEOUT_MS = 60_000;

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
 */
export async function openPool(config) {
  const size = config.POOL_SIZE;
  const pool = new pg.Pool({ ...connectionOptions(config), max: size, min: size, idleTimeoutMillis: 0 });
  pool.on('error', (error) => console.error(`${config.name}: an idle connection was lost: ${error.message}`));
  const opened = await Promise.allSettled(Array.from({ length: size }, () => pool.connect()));
  for (const { value } of opened) value?.release();
  const failed = opened.find(({ status }) => status === 'rejected');
  if (failed === undefined) return pool;
  await pool.end();
  throw failed.reason;
}

/** {total, idle, waiting} of a pool: connections open, connections unused, requests that wait for one. */
export const poolStats = (pool) => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount });
