import { availableParallelism } from 'node:os';
import { choice } from '../lib/environment.js';
import * as pipelined from '../pipelined/db.js';
import * as pooled from '../pooled/db.js';

const DRIVERS = { pooled, pipelined };

export const environment = {
  ...pooled.environment,
  CONNECTIONS: choice(Object.keys(DRIVERS), 'pooled'),
};

/**
 * The variables of each worker: one for each core that this process may use, but none without a connection of its own. The
 * connections are split, so that all workers together have POOL_SIZE.
 */
export function workers({ POOL_SIZE }, cores = availableParallelism()) {
  const count = Math.min(cores, POOL_SIZE);
  const share = (i) => Math.floor(POOL_SIZE / count) + (i < POOL_SIZE % count ? 1 : 0);
  return Array.from({ length: count }, (_, i) => ({ POOL_SIZE: String(share(i)) }));
}

/** In each worker as the target that CONNECTIONS names: pooled or pipelined. */
export const connect = (config) => DRIVERS[config.CONNECTIONS].connect(config);
