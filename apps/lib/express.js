import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import express from 'express';
import { answerClientError, errorBody, malformedUrl, notFound, statusOf, urlTooLong } from './errors.js';
import { closeWhenIdle, KEEP_ALIVE_MS } from './lifecycle.js';
import { commonRoutes, PARAMETER_LIMIT, sharedRoutes } from './routes.js';

/**
 * As buildServer of server.js, by Express in place of Fastify: the same answers, errors, limits and end, so that what differs between the
 * two is the framework's cost. -> {server, listen(options), close()}. What Express adds unasked, X-Powered-By and an ETag,
 * a hash of each answer, is switched off, and so are its lenient paths (/ECHO/x, /echo/x/).
 * One difference is left: the letters of a route must come as they are, where Fastify also takes them encoded (/%65cho/x).
 */
export function buildExpress({ name, db, readProcess, shared = (read) => read }) {
  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  for (const setting of ['case sensitive routing', 'strict routing']) app.enable(setting);
  const readStats = shared(() => ({ ...readProcess(), ...db.stats() }));
  for (const route of [...commonRoutes({ name, db, readStats }), ...sharedRoutes(db)]) serve(app, route);
  app.use((request) => {
    throw decodes(request.path) ? notFound(request) : malformedUrl(request.url);
  });
  app.use(answerError);

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  server.requestTimeout = 0; // as Fastify's
  server.on('clientError', answerClientError);
  return {
    server,
    listen: (options) => once(server.listen(options), 'listening'),
    close: async () => {
      server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
      closeWhenIdle(server);
      await promisify(server.close).call(server);
      await db.close();
    },
  };
}

function serve(app, { path, type, schema, answer }) {
  const keys = schema && Object.keys((schema.items ?? schema).properties);
  if (type) return app.get(path, (_request, response) => response.type(type).send(answer({})));
  // A parameter, the last part of a path, may be empty, as it may for Fastify.
  const [parameter] = path.match(/(?<=:)\w+$/) ?? [];
  app.get(path.replace(/:\w+$/, '{$&}'), async ({ params }, response) => {
    const given = parameter ? { [parameter]: fit(params[parameter] ?? '') } : {};
    response.type('json').send(JSON.stringify(await answer(given), keys));
  });
}

function fit(value) {
  if (value.length > PARAMETER_LIMIT) throw urlTooLong();
  return value;
}

function decodes(path) {
  try {
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}

/** Express knows the handler of errors by its four parameters. */
function answerError(error, request, response, _next) {
  const known = error instanceof URIError ? malformedUrl(request.url) : error;
  const status = statusOf(known);
  response.status(status).json(errorBody(status, known));
}
