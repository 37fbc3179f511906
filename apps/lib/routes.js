/** Longest value that /echo takes, in UTF-16 units. */
const ECHO_LIMIT = 200;

/** Longest parameter of a path that is looked at, in UTF-16 units. */
export const PARAMETER_LIMIT = 4096;

const string = { type: 'string' };
const integer = { type: 'integer' };

// Keys are written in this order, so the same answer has the same bytes in every target.
const echoed = { type: 'object', properties: { value: string } };
const analytics = {
  type: 'array',
  items: { type: 'object', properties: { status: string, year: integer, orders: integer, total: string } },
};

/**
 * What every target answers, whatever its own routes: [{path, answer}], as sharedRoutes.
 *   GET /healthz   {"status":"ok"}, or 503 when what it depends on does not answer
 *   GET /stats     {"target","uptime_s", ...readStats()}
 */
export const commonRoutes = ({ name, db, readStats }) => [
  {
    path: '/healthz',
    answer: async () => {
      await db.ping();
      return { status: 'ok' };
    },
  },
  {
    path: '/stats',
    answer: async () => ({ target: name, uptime_s: process.uptime(), ...(await readStats()) }),
  },
];

/**
 * The routes that targets share, for any framework: [{path, answer(params), type?, schema?}], all of them GET. An answer, or what it
 * resolves to, is text of `type`, or else a value for JSON; `schema` says which of its keys are written, and in which order.
 * A route whose question the db does not answer is absent.
 *   GET /              Hello World!                        no database
 *   GET /echo/:value   {"value":"..."}                     1 to ECHO_LIMIT characters, none of them NUL; else 400
 *   GET /analytics     [{"status","year","orders","total"}] ordered by status and year
 */
export function sharedRoutes(db) {
  const routes = [{ path: '/', type: 'text/plain; charset=utf-8', answer: () => 'Hello World!' }];
  if (db.echo)
    routes.push({
      path: '/echo/:value',
      schema: echoed,
      answer: async ({ value }) => {
        refuseUnfit(value);
        return { value: await db.echo(value) };
      },
    });
  if (db.analytics) routes.push({ path: '/analytics', schema: analytics, answer: () => db.analytics() });
  return routes;
}

function refuseUnfit(value) {
  if (value.length >= 1 && value.length <= ECHO_LIMIT && !value.includes('\0')) return;
  const message = `value must have 1 to ${ECHO_LIMIT} characters, none of them NUL`;
  throw Object.assign(new Error(message), { statusCode: 400, code: 'BAD_VALUE' });
}
