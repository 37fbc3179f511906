import { environment as database, openPool, poolSize, poolStats } from '../lib/database.js';
import { choice } from '../lib/environment.js';
import * as queries from '../lib/queries.js';

export const environment = { ...database, ...poolSize, STATEMENTS: choice(['named', 'unnamed'], 'named') };

/**
 * A pool of connections. Each prepares a statement once and runs it by name; with STATEMENTS=unnamed every request has its
 * statement parsed and planned anew, by the same protocol. analytics: the SQL to ask at /analytics; Pool: see openPool.
 */
export async function connect(config, { analytics = queries.analytics, Pool } = {}) {
  const statement = (name, text) =>
    config.STATEMENTS === 'unnamed' ? { text, queryMode: 'extended' } : { name, text };
  const echo = statement('echo', queries.echo);
  const totals = statement('analytics', analytics);
  const pool = await openPool(config, Pool);
  return {
    echo: async (value) => (await pool.query({ ...echo, values: [value] })).rows[0].value,
    analytics: async () => (await pool.query(totals)).rows,
    ping: () => pool.query(queries.ping),
    stats: () => ({ pool: poolStats(pool) }),
    close: () => pool.end(),
  };
}
