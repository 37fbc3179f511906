import pg from 'pg';
import { variables } from '../lib/drivers.js';
import { Fault } from '../lib/fault.js';
import { connect as connectPooled, environment } from '../pooled/db.js';

export { environment };

/** As pooled, but node-postgres speaks to the server through libpq, the C client, by its add-on pg-native. */
export async function connect(config) {
  const { Pool: NativePool } = loaded();
  // A request sent just as the server drops the connection would wait for ever, and keep its place in the pool: the add-on
  // does not hear of that error. After as long as waiting for a connection may take, it is given up and replaced.
  class Pool extends NativePool {
    constructor({ Client: _, ...options }) {
      super({
        ...options,
        query_timeout: options.connectionTimeoutMillis,
        nativeConnectionString: conninfo(config, options),
      });
    }
  }
  return connectPooled({ ...config, PGSSLMODE: '' }, { Pool }); // TLS is libpq's part
}

/** libpq's own connection string, for what the add-on would make of the options lacks some of them. */
function conninfo(config, { application_name, connectTimeoutMillis }) {
  const given = Object.entries(variables).map(([keyword, variable]) => [keyword, config[variable]]);
  const parameters = { ...Object.fromEntries(given), application_name, connect_timeout: connectTimeoutMillis / 1000 };
  const quoted = (value) => `'${String(value).replace(/[\\']/g, '\\$&')}'`;
  return Object.entries(parameters)
    .filter(([, value]) => value)
    .map(([keyword, value]) => `${keyword}=${quoted(value)}`)
    .join(' ');
}

function loaded() {
  try {
    return pg.native;
  } catch (error) {
    const [reason] = error.message.split('\n');
    throw new Fault(2, `pg-native cannot be loaded (${reason}): scripts/setup.sh builds it, or says what that takes`);
  }
}
