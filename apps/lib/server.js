import fastify from 'fastify';
import { answerClientError, errorBody, malformedUrl, notFound, statusOf, urlTooLong } from './errors.js';
import { closeWhenIdle, KEEP_ALIVE_MS } from './lifecycle.js';
import { commonRoutes, PARAMETER_LIMIT, sharedRoutes } from './routes.js';

/**
 * The HTTP server of a target, not yet listening: its routes, and those that every target has (commonRoutes).
 * Every error is JSON: {"error","message","code"}. Closing it lets requests in flight finish, then closes the db.
 * name: the target's; db: what its connect() gave; readProcess: see process-stats.js; routes: a plugin in place of the shared ones;
 * shared(read): for one process of several, gives a function that reads all of them as read() reads this one.
 * express.js has the same for Express.
 */
export function buildServer({ name, db, readProcess, routes, shared = (read) => read }) {
  const answerError = (error, _request, reply) => {
    const status = statusOf(error);
    reply.code(status).send(errorBody(status, error));
  };
  const answerBadPath = (error, request, reply) =>
    answerError(error.statusCode === 414 ? urlTooLong() : malformedUrl(request.url), request, reply);
  const app = fastify({
    logger: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    clientErrorHandler: answerClientError,
    frameworkErrors: answerBadPath, // a path that does not decode, a parameter beyond maxParamLength
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => answerError(notFound(request), request, reply));
  const readStats = shared(() => ({ ...readProcess(), ...db.stats() }));
  for (const route of commonRoutes({ name, db, readStats })) serve(app, route);
  if (routes) app.register(routes, { db });
  else {
    app.removeAllContentTypeParsers(); // no route takes a body
    for (const route of sharedRoutes(db)) serve(app, route);
  }
  app.addHook('preClose', async () => closeWhenIdle(app.server));
  app.addHook('onClose', () => db.close());
  return app;
}

function serve(app, { path, type, schema, answer }) {
  const options = schema ? { schema: { response: { 200: schema } } } : {};
  if (!type) app.get(path, options, ({ params }) => answer(params));
  else app.get(path, options, ({ params }, reply) => reply.type(type).send(answer(params)));
}
