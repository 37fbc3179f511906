import pg from 'pg';
import { requireChannelBinding } from '../../../apps/lib/channel-binding.js';
import { tlsOptions } from '../../../apps/lib/tls.js';

const TIMEOUT_MS = 900; // below the second that lies between two readings

const QUERY = {
  name: 'activity',
  text: `select /* pglab */ case backend_type when 'client backend' then coalesce(state, 'unknown') || ':' || coalesce(wait_event_type || ':' || wait_event, 'CPU')
else backend_type end as what, count(*)::int as backends
from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and (usename = $1 or $1 = '*' and datname = current_database())
or backend_type = 'autovacuum worker' group by 1`,
};

/**
 * What the client backends of one role, or with * of all in that database, do, by state and wait event: {"active:CPU": 3, "active:Lock:transactionid": 1,
 * "idle:Client:ClientRead": 6}; "CPU" is a backend that waits for nothing. Beside them "autovacuum worker", of all databases.
 *
 * One connection, made when first read. It goes to a database of its own, since pg_stat_database would count its
 * transactions among the target's. A server that is away costs a refused connection every 5 s at most.
 */
export class Activity {
  #client = null;
  #retryAt = 0;
  #reading = null;

  /**
   * role: whose backends; database: where to connect; retryMs: from one try to connect to the next.
   * Host, port, user, password, options and TLS come from PGHOST and its like.
   */
  constructor({ role, database, retryMs = 5000 }) {
    this.role = role;
    this.database = database;
    this.retryMs = retryMs;
  }

  /**
   * Resolves to the counts, or to null within 0.9 s (1.8 s when it has to connect) when the server does not answer.
   * Who asks while an answer is on its way gets that one.
   */
  read() {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read() {
    try {
      const client = await this.#connected();
      if (client === null) return null;
      const { rows } = await client.query({ ...QUERY, values: [this.role] });
      return Object.fromEntries(rows.map(({ what, backends }) => [what, backends]));
    } catch {
      this.#drop(this.#client);
      return null;
    }
  }

  async #connected() {
    if (this.#client !== null || Date.now() < this.#retryAt) return this.#client;
    this.#retryAt = Date.now() + this.retryMs;
    const { PGHOST, PGHOSTADDR, PGCHANNELBINDING } = process.env;
    const client = new pg.Client({
      host: PGHOSTADDR || PGHOST,
      database: this.database,
      ssl: tlsOptions(process.env),
      enableChannelBinding: PGCHANNELBINDING === 'require',
      application_name: 'pglab-sampler',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    if (PGCHANNELBINDING === 'require') requireChannelBinding(client);
    client.on('error', () => this.#drop(client));
    await client.connect();
    this.#client = client;
    return client;
  }

  #drop(client) {
    if (client === null || client !== this.#client) return;
    this.#client = null;
    client.end().catch(() => {});
  }
}
