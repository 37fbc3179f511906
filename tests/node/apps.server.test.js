import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../../apps/lib/errors.js';
import { buildExpress } from '../../apps/lib/express.js';
import { watchProcess } from '../../apps/lib/process-stats.js';
import { buildServer } from '../../apps/lib/server.js';

const ROWS = [{ year: 1992, status: 'F', total: '123.40', orders: 3, extra: 'not for clients' }];
const FRAMEWORKS = { fastify: buildServer, express: buildExpress };

/** Serves a db that answers well, but for what `changes` says. -> the server, listening. */
async function serve(build, changes = {}, options = {}) {
  const db = {
    echo: async (value) => value,
    analytics: async () => ROWS,
    ping: async () => {},
    stats: () => ({ pool: { total: 10, idle: 9, waiting: 0 } }),
    close: async () => {},
    ...changes,
  };
  const app = build({ name: 'fake', db, readProcess: watchProcess(), ...options });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

const addressOf = ({ server }) => `http://127.0.0.1:${server.address().port}`;

/** All that a server says to these bytes, until it closes the connection: {statusCode, headers, body, json()}. */
async function exchange({ server }, text) {
  const socket = connect(server.address().port, '127.0.0.1');
  socket.write(text);
  const chunks = await socket.toArray();
  const [head, ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/)).map(([k, v]) => [k.toLowerCase(), v]));
  delete headers.date;
  const answer = { statusCode: Number(status.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
  return { ...answer, json: () => JSON.parse(answer.body) };
}

/** What a server over `changes` answers; every framework is asked, and none may differ in status, headers or body. */
async function raw(text, changes) {
  const answers = {};
  for (const [framework, build] of Object.entries(FRAMEWORKS)) {
    const app = await serve(build, changes);
    answers[framework] = await exchange(app, text);
    await app.close();
  }
  const plain = (answer) => ({ ...answer, json: undefined });
  assert.deepEqual(plain(answers.express), plain(answers.fastify));
  return answers.fastify;
}

const request = (path, method = 'GET', rest = '\r\n') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`;
const ask = (path, changes) => raw(request(path), changes);

const failing = (error) => async () => {
  throw error;
};

/** An error as node-postgres reports what the server said. */
const sqlError = (code) => Object.assign(new Error(`SQLSTATE ${code}`), { severity: 'ERROR', code });

test('hello is 12 bytes of plain text', async () => {
  const answer = await ask('/');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, 'Hello World!');
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
});

for (const value of ['x', 'a/b', '"\\', 'é漢🐘', 'a b%', '\t\u0007\u2028', 'y'.repeat(200)]) {
  test(`echo of ${JSON.stringify(value).slice(0, 20)}`, async () => {
    const answer = await ask(`/echo/${encodeURIComponent(value)}`);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.body, JSON.stringify({ value }));
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  });
}

test('analytics has the keys of the contract, in their order, and no others', async () => {
  const answer = await ask('/analytics');
  assert.equal(answer.body, '[{"status":"F","year":1992,"orders":3,"total":"123.40"}]');
});

for (const [path, status] of [
  ['/nope', 404],
  ['/echo', 404],
  ['/echo/a/b', 404],
  ['/echo/', 400],
  ['/echo/%00', 400],
  ['/echo/a%00b', 400],
  ['/echo/%ff', 400],
  ['/echo/%', 400],
  ['/%ff', 400],
  ['/ECHO/x', 404],
  ['/echo/x/', 404],
  ['//echo/x', 404],
  [`/echo/${'a'.repeat(201)}`, 400],
  [`/echo/${'a'.repeat(5000)}`, 414],
]) {
  test(`${path.slice(0, 20)} is refused with ${status}`, async () => {
    const answer = await ask(path, { echo: failing(new Error('must not be asked')) });
    assert.equal(answer.statusCode, status);
    assert.deepEqual(Object.keys(answer.json()), ['error', 'message', 'code']);
  });
}

for (const [what, method, path, rest] of [
  ['a POST without a body', 'POST', '/', 'Content-Length: 0\r\n\r\n'],
  ['a POST of what is no JSON', 'POST', '/', 'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{'],
  ['a POST of another type', 'POST', '/', 'Content-Type: application/xml\r\nContent-Length: 1\r\n\r\n<'],
  ['DELETE', 'DELETE', '/echo/x'],
  ['OPTIONS', 'OPTIONS', '/'],
  ['OPTIONS *', 'OPTIONS', '*'],
  ['PROPFIND', 'PROPFIND', '/'],
])
  test(`only GET is served: ${what}`, async () => {
    assert.equal((await raw(request(path, method, rest))).statusCode, 404);
  });

for (const path of ['/', '/echo/x', '/analytics', '/healthz', '/echo/'])
  test(`HEAD ${path} has what GET has, but for the body`, async () => {
    const head = await raw(request(path, 'HEAD'));
    const { statusCode, headers } = await ask(path);
    assert.deepEqual({ ...head, json: undefined }, { statusCode, headers, body: '', json: undefined });
  });

for (const [what, text, status] of [
  ['no request', 'nonsense\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a head above the limit', request('/', 'GET', `X: ${'x'.repeat(17_000)}\r\n\r\n`), 431],
  ['HTTP 1.0', 'GET /analytics HTTP/1.0\r\n\r\n', 200],
  ['a whole address', request('http://a/echo/x'), 200],
  ['a query', request('/echo/x?a=%ff'), 200],
])
  test(`${what}: ${status}`, async () => {
    const answer = await raw(text);
    assert.equal(answer.statusCode, status);
    if (answer.headers['content-type']?.startsWith('application/json') && status >= 400)
      assert.deepEqual(Object.keys(answer.json()), ['error', 'message', 'code']);
  });

test('both frameworks wait as long for requests, and keep idle connections as long', async () => {
  const limits = [];
  const headers = [];
  for (const build of Object.values(FRAMEWORKS)) {
    const app = await serve(build);
    const { keepAliveTimeout, requestTimeout, headersTimeout, timeout, maxRequestsPerSocket } = app.server;
    const answer = await fetch(`${addressOf(app)}/echo/x`);
    assert.equal(await answer.text(), '{"value":"x"}');
    headers.push({ ...Object.fromEntries(answer.headers), date: undefined });
    limits.push({ keepAliveTimeout, requestTimeout, headersTimeout, timeout, maxRequestsPerSocket });
    await app.close();
  }
  assert.equal(limits[0].keepAliveTimeout, 75_000);
  assert.deepEqual(limits[1], limits[0]);
  assert.equal(headers[0]['keep-alive'], 'timeout=75');
  assert.deepEqual(headers[1], headers[0]);
});

test('a route that the target does not answer is absent', async () => {
  const answer = await ask('/echo/x', { echo: undefined });
  assert.equal(answer.statusCode, 404);
});

const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
for (const [error, status, code] of [
  [sqlError('53300'), 503, '53300'],
  [sqlError('57P01'), 503, '57P01'],
  [sqlError('57P03'), 503, '57P03'],
  [sqlError('08006'), 503, '08006'],
  [sqlError('28P01'), 503, '28P01'],
  [sqlError('3D000'), 503, '3D000'],
  [sqlError('42P01'), 500, '42P01'],
  [sqlError('22P02'), 500, '22P02'],
  [sqlError('57014'), 500, '57014'],
  [Object.assign(new Error('read ECONNRESET'), { syscall: 'read', code: 'ECONNRESET' }), 503, 'ECONNRESET'],
  [refused, 503, 'ECONNREFUSED'],
  [new Error('Connection terminated unexpectedly'), 503, 'SERVICE_UNAVAILABLE'],
  [new Error('timeout exceeded when trying to connect'), 503, 'SERVICE_UNAVAILABLE'],
  [new Unavailable('still waiting', 'CONTINUE_WAIT'), 503, 'CONTINUE_WAIT'],
  [new TypeError("Cannot read properties of undefined (reading 'connect')"), 500, 'INTERNAL_SERVER_ERROR'],
]) {
  test(`${error.name} ${error.code ?? error.message} becomes ${status}`, async () => {
    const answer = await ask('/analytics', { analytics: failing(error) });
    assert.equal(answer.statusCode, status);
    const body = answer.json();
    assert.deepEqual(Object.keys(body), ['error', 'message', 'code']);
    assert.equal(body.code, code);
    assert.ok(body.message.length > 0);
  });
}

test('healthz follows ping', async () => {
  assert.deepEqual((await ask('/healthz')).json(), { status: 'ok' });
  const away = await ask('/healthz', { ping: failing(sqlError('57P03')) });
  assert.equal(away.statusCode, 503);
});

for (const [framework, build] of Object.entries(FRAMEWORKS)) {
  test(`stats describe the process since the last reading, and the pool (${framework})`, async () => {
    const app = await serve(build);
    const stats = async () => (await exchange(app, request('/stats'))).json();
    await stats();
    const until = performance.now() + 100;
    while (performance.now() < until); // keeps the event loop busy
    await pause(1);
    const busy = await stats();
    assert.equal(busy.target, 'fake');
    assert.deepEqual(busy.pool, { total: 10, idle: 9, waiting: 0 });
    assert.ok(busy.interval_s >= 0.1 && busy.interval_s < 10, `interval_s ${busy.interval_s}`);
    assert.ok(busy.event_loop_utilization > 0.5 && busy.event_loop_utilization <= 1);
    assert.ok(busy.rss_bytes > 1e6 && busy.cpu_user_s > 0 && busy.cpu_system_s >= 0 && busy.uptime_s > 0);
    await pause(300);
    const idle = await stats();
    assert.ok(idle.event_loop_utilization < 0.5, `event_loop_utilization ${idle.event_loop_utilization}`);
    assert.ok(idle.event_loop_delay_max_us >= idle.event_loop_delay_mean_us);
    await app.close();
  });

  test(`closing lets the requests of open connections finish, then closes the db (${framework})`, async () => {
    const events = [];
    const app = await serve(build, {
      analytics: async () => {
        await pause(200);
        events.push('answered');
        return ROWS;
      },
      close: async () => events.push('closed'),
    });
    const address = addressOf(app);
    const socket = connect(app.server.address().port, '127.0.0.1');
    const ask = 'GET /analytics HTTP/1.1\r\nHost: a\r\n\r\n';
    socket.write(ask);
    await once(app.server, 'request');
    const closing = app.close();
    socket.write(ask); // on a connection that is still open
    const answers = Buffer.concat(await socket.toArray()).toString();
    await closing;
    assert.equal(answers.match(/HTTP\/1.1 200 OK/g).length, 2);
    assert.match(answers.slice(answers.lastIndexOf('HTTP/')), /^Connection: close\r$/im);
    assert.deepEqual(events, ['answered', 'answered', 'closed']);
    await assert.rejects(fetch(address));
  });
}

test('a target may bring routes of its own', async () => {
  const routes = async (app, { db }) => app.get('/health', async () => ({ echoed: await db.echo('x') }));
  const app = await serve(buildServer, {}, { routes });
  const status = async (path) => (await exchange(app, request(path))).statusCode;
  assert.deepEqual((await exchange(app, request('/health'))).json(), { echoed: 'x' });
  assert.equal(await status('/healthz'), 200);
  assert.equal(await status('/'), 404);
  await app.close();
});
