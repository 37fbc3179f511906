import pg from 'pg';
import { Fault } from '../lib/fault.js';
import { connect as connectPooled, environment } from '../pooled/db.js';

export { environment };

/** As pooled, but node-postgres speaks to the server through libpq, the C client, by its add-on pg-native. */
export async function connect(config) {
  const { Pool: NativePool } = loaded();
  // A request sent just as the server drops the connection would wait for ever, and keep its place in the pool: the add-on
  // does not hear of that error. After as long as waiting for a connection may take, it is given up and replaced.
  class Pool extends NativePool {
    constructor(options) {
      super({ ...options, query_timeout: options.connectionTimeoutMillis });
    }
  }
  return connectPooled(config, { Pool });
}

function loaded() {
  try {
    return pg.native;
  } catch (error) {
    const [reason] = error.message.split('\n');
    throw new Fault(2, `pg-native cannot be loaded (${reason}): scripts/setup.sh builds it, or says what that takes`);
  }
}
