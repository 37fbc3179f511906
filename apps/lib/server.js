import fastify from 'fastify';
import { errorBody, statusOf } from './errors.js';
import { closeWhenIdle } from './lifecycle.js';
import sharedRoutes from './routes.js';

// Longer than any pause of a load tool: a connection that is about to be used again is never being closed.
const KEEP_ALIVE_MS = 75_000;

/**
 * The HTTP server of a target, not yet listening: its routes, and those that every target has:
 *   GET /healthz   {"status":"ok"}, or 503 when what it depends on does not answer
 *   GET /stats     {"target","uptime_s", ...readProcess(), "pool":{"total","idle","waiting"}|null}
 * Every error is JSON: {"error","message","code"}. Closing it lets requests in flight finish, then closes the db.
 * name: the target's; db: what its connect() gave; readProcess: see process-stats.js; routes: a plugin in place of the shared ones;
 * shared(read): for one process of several, gives a function that reads all of them as read() reads this one.
 */
export function buildServer({ name, db, readProcess, routes = sharedRoutes, shared = (read) => read }) {
  const answerError = (error, _request, reply) => {
    const status = statusOf(error);
    reply.code(status).send(errorBody(status, error));
  };
  const app = fastify({
    logger: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    frameworkErrors: answerError, // a path that does not decode, a parameter beyond maxParamLength
    routerOptions: { maxParamLength: 4096 },
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    const message = `there is no ${request.method} ${request.url.slice(0, 100)}`;
    reply.code(404).send(errorBody(404, { message }));
  });
  app.get('/healthz', async () => {
    await db.ping();
    return { status: 'ok' };
  });
  const readStats = shared(() => ({ ...readProcess(), ...db.stats() }));
  app.get('/stats', async () => ({ target: name, uptime_s: process.uptime(), ...(await readStats()) }));
  app.register(routes, { db });
  app.addHook('preClose', async () => closeWhenIdle(app.server));
  app.addHook('onClose', () => db.close());
  return app;
}
