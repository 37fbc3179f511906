import { environment as database, openAll, poolSize } from '../lib/database.js';
import * as queries from '../lib/queries.js';
import { Connection } from './connection.js';

export const environment = { ...database, ...poolSize };

/**
 * Connections that take requests in turn, each at once and by a statement prepared under its name, where a pool keeps a
 * connection from its next request until it has answered the last. waiting: requests behind another on their connection.
 */
export async function connect(config) {
  const connections = Array.from({ length: config.POOL_SIZE }, () => new Connection(config));
  const close = () => Promise.all(connections.map((connection) => connection.close()));
  const { failure } = await openAll(connections.length, (_, i) => connections[i].open());
  if (failure !== undefined) {
    await close();
    throw failure;
  }

  let turn = 0;
  function query(statement) {
    turn = (turn + 1) % connections.length;
    return connections[turn].query(statement);
  }

  const count = (holds) => connections.filter(holds).length;
  const behind = (sum, { unanswered }) => sum + Math.max(0, unanswered - 1);
  return {
    echo: async (value) => (await query({ name: 'echo', text: queries.echo, values: [value] })).rows[0].value,
    analytics: async () => (await query({ name: 'analytics', text: queries.analytics })).rows,
    ping: () => query(queries.ping),
    stats: () => ({
      pool: {
        total: count(({ isOpen }) => isOpen),
        idle: count(({ isOpen, unanswered }) => isOpen && unanswered === 0),
        waiting: connections.reduce(behind, 0),
      },
    }),
    close,
  };
}
