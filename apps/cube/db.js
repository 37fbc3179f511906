import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { address, integer, port, text } from '../lib/environment.js';
import { Unavailable } from '../lib/errors.js';
import { Fault } from '../lib/fault.js';
import { analyticsAddress, apiSecret, rowsOf, signToken } from './client.js';

/**
 * Unless CUBE_URL and CUBE_TOKEN name another Cube, the project's own is asked, at CUBE_PORT.
 * POOL_SIZE: connections to Cube. CUBE_WAIT_S: how long an answer of "Continue wait" is waited out.
 */
export const environment = {
  CUBE_URL: address(''),
  CUBE_TOKEN: text(''),
  CUBE_PORT: port(4000),
  CUBEJS_API_SECRET: text(''),
  PGPASSWORD: text(''),
  POOL_SIZE: integer(1, 1000, 10),
  CUBE_WAIT_S: integer(0, 600, 10),
};

/** Asks a Cube over its REST API; every question goes to Cube. */
export async function connect(config) {
  const { origin, path } = analyticsAddress(config.CUBE_URL || `http://127.0.0.1:${config.CUBE_PORT}`);
  const pool = new Pool(origin, {
    connections: config.POOL_SIZE,
    headersTimeout: 60_000,
    connect: { timeout: 60_000 },
  });
  const request = { method: 'GET', path, headers: { authorization: tokenOf(config) } };

  async function ask() {
    const { statusCode, body } = await pool.request(request).catch((error) => {
      throw new Unavailable(`Cube at ${origin}: ${error.message || error.code}`, error.code, error);
    });
    const answer = await body.json().catch(() => ({ error: 'the answer is not JSON' }));
    if (statusCode === 200 && answer.data) return rowsOf(answer);
    if (answer.error === 'Continue wait') return null;
    const message = `Cube at ${origin} answers ${statusCode}: ${answer.error ?? 'no data'}`;
    throw Object.assign(new Error(message), { statusCode: 502, code: 'CUBE_ERROR' });
  }

  /** "Continue wait" is no answer: it is asked again until there is one, or the limit is reached. */
  async function analytics() {
    const deadline = performance.now() + config.CUBE_WAIT_S * 1000;
    let rows = await ask();
    while (rows === null && performance.now() < deadline) {
      await pause(100);
      rows = await ask();
    }
    if (rows === null)
      throw new Unavailable(
        `Cube at ${origin} still says "Continue wait" after ${config.CUBE_WAIT_S} s`,
        'CONTINUE_WAIT',
      );
    return rows;
  }

  await analytics();
  return {
    analytics,
    ping: analytics,
    stats: () => ({ pool: { total: pool.stats.connected, idle: pool.stats.free, waiting: pool.stats.queued } }),
    close: () => pool.close(),
  };
}

function tokenOf(config) {
  if (config.CUBE_TOKEN) return config.CUBE_TOKEN;
  if (config.CUBE_URL) throw new Fault(64, 'CUBE_TOKEN is not set: the Cube at CUBE_URL wants a signed token');
  const secret = apiSecret(config);
  if (secret === null)
    throw new Fault(64, 'CUBEJS_API_SECRET is not set: give the Cube server and its API the same one');
  return signToken(secret);
}
