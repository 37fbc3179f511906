import { environment as database, openPool, poolStats } from '../lib/database.js';
import { integer } from '../lib/environment.js';
import * as queries from '../lib/queries.js';

export const environment = { ...database, POOL_SIZE: integer(1, 1000, 10) };

/** A pool of connections; each prepares a statement once and runs it by name. analytics: the SQL to ask at /analytics. */
export async function connect(config, { analytics } = queries) {
  const pool = await openPool(config);
  return {
    echo: async (value) => (await pool.query({ name: 'echo', text: queries.echo, values: [value] })).rows[0].value,
    analytics: async () => (await pool.query({ name: 'analytics', text: analytics })).rows,
    ping: () => pool.query(queries.ping),
    stats: () => ({ pool: poolStats(pool) }),
    close: () => pool.end(),
  };
}
