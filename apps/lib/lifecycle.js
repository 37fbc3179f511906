import { Fault } from './fault.js';

/** Longer than any pause of a load tool: a connection that is about to be used again is never being closed. */
export const KEEP_ALIVE_MS = 75_000;

// The stack waits 10 s before it kills.
const CLOSE_LIMIT_MS = 8_000;

/**
 * Listens by start({host, port, backlog}), which resolves when connections are accepted (fastify's listen does; for a
 * server of node: once(server.listen(options), 'listening')). Throws a Fault (2) when the address cannot be had.
 */
export async function listen(start, { HOST, PORT }) {
  try {
    await start({ host: HOST, port: PORT, backlog: 1024 });
  } catch (error) {
    const taken = 'is taken: stop what listens there, or set PORT to another';
    throw new Fault(2, `${HOST}:${PORT} ${error.code === 'EADDRINUSE' ? taken : `cannot be used: ${error.message}`}`);
  }
}

/**
 * Call before closing an http server: a connection whose request was in flight is closed as soon as it falls idle, not
 * after its keep-alive time (close() alone closes those that are idle when it is called).
 */
export function closeWhenIdle(server) {
  const timer = setInterval(() => server.closeIdleConnections(), 20);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** At the first SIGTERM or SIGINT calls close() and exits: 0 when it is done, 1 when it fails or takes too long. */
export function closeOnSignal(close) {
  const stop = async () => {
    setTimeout(() => quit(`not closed after ${CLOSE_LIMIT_MS / 1000} s: work was still in flight`), CLOSE_LIMIT_MS);
    try {
      await close();
    } catch (error) {
      quit(`closing failed: ${error.message}`);
    }
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function quit(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
