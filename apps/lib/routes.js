/** Longest value that /echo takes, in UTF-16 units. */
export const ECHO_LIMIT = 200;

const string = { type: 'string' };
const integer = { type: 'integer' };

// Keys are written in this order, so the same answer has the same bytes in every target.
const echoed = { type: 'object', properties: { value: string } };
const analytics = {
  type: 'array',
  items: { type: 'object', properties: { status: string, year: integer, orders: integer, total: string } },
};

/**
 * The routes that targets share, as a Fastify plugin; options: {db}. A route whose question the db does not answer is absent.
 *   GET /              Hello World!                        no database
 *   GET /echo/:value   {"value":"..."}                     1 to ECHO_LIMIT characters, none of them NUL; else 400
 *   GET /analytics     [{"status","year","orders","total"}] ordered by status and year
 */
export default async function routes(app, { db }) {
  app.get('/', (_request, reply) => reply.type('text/plain; charset=utf-8').send('Hello World!'));
  if (db.echo) {
    app.get('/echo/:value', { schema: { response: { 200: echoed } } }, async (request) => {
      const { value } = request.params;
      refuseUnfit(value);
      return { value: await db.echo(value) };
    });
  }
  if (db.analytics) app.get('/analytics', { schema: { response: { 200: analytics } } }, () => db.analytics());
}

function refuseUnfit(value) {
  if (value.length >= 1 && value.length <= ECHO_LIMIT && !value.includes('\0')) return;
  const message = `value must have 1 to ${ECHO_LIMIT} characters, none of them NUL`;
  throw Object.assign(new Error(message), { statusCode: 400, code: 'BAD_VALUE' });
}
