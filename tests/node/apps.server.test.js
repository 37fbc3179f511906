import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../../apps/lib/errors.js';
import { watchProcess } from '../../apps/lib/process-stats.js';
import { buildServer } from '../../apps/lib/server.js';

const ROWS = [{ year: 1992, status: 'F', total: '123.40', orders: 3, extra: 'not for clients' }];

/** A server over a db that answers well, but for what `changes` says. */
function serverOver(changes = {}, options = {}) {
  const db = {
    echo: async (value) => value,
    analytics: async () => ROWS,
    ping: async () => {},
    stats: () => ({ pool: { total: 10, idle: 9, waiting: 0 } }),
    close: async () => {},
    ...changes,
  };
  return buildServer({ name: 'fake', db, readProcess: watchProcess(), ...options });
}

const failing = (error) => async () => {
  throw error;
};

/** An error as node-postgres reports what the server said. */
const sqlError = (code) => Object.assign(new Error(`SQLSTATE ${code}`), { severity: 'ERROR', code });

test('hello is 12 bytes of plain text', async () => {
  const answer = await serverOver().inject('/');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, 'Hello World!');
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
});

for (const value of ['x', 'a/b', '"\\', 'é漢🐘', 'a b%', '\t\u0007\u2028', 'y'.repeat(200)]) {
  test(`echo of ${JSON.stringify(value).slice(0, 20)}`, async () => {
    const answer = await serverOver().inject(`/echo/${encodeURIComponent(value)}`);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.body, JSON.stringify({ value }));
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  });
}

test('analytics has the keys of the contract, in their order, and no others', async () => {
  const answer = await serverOver().inject('/analytics');
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
  [`/echo/${'a'.repeat(201)}`, 400],
  [`/echo/${'a'.repeat(5000)}`, 414],
]) {
  test(`${path.slice(0, 20)} is refused with ${status}`, async () => {
    const answer = await serverOver({ echo: failing(new Error('must not be asked')) }).inject(path);
    assert.equal(answer.statusCode, status);
    assert.deepEqual(Object.keys(answer.json()), ['error', 'message', 'code']);
  });
}

test('only GET is served', async () => {
  const answer = await serverOver().inject({ method: 'POST', url: '/', payload: {} });
  assert.equal(answer.statusCode, 404);
});

test('a route that the target does not answer is absent', async () => {
  const answer = await serverOver({ echo: undefined }).inject('/echo/x');
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
    const answer = await serverOver({ analytics: failing(error) }).inject('/analytics');
    assert.equal(answer.statusCode, status);
    const body = answer.json();
    assert.deepEqual(Object.keys(body), ['error', 'message', 'code']);
    assert.equal(body.code, code);
    assert.ok(body.message.length > 0);
  });
}

test('healthz follows ping', async () => {
  assert.deepEqual((await serverOver().inject('/healthz')).json(), { status: 'ok' });
  const away = await serverOver({ ping: failing(sqlError('57P03')) }).inject('/healthz');
  assert.equal(away.statusCode, 503);
});

test('stats describe the process since the last reading, and the pool', async () => {
  const app = serverOver();
  await app.inject('/stats');
  const until = performance.now() + 100;
  while (performance.now() < until); // keeps the event loop busy
  await pause(1);
  const busy = (await app.inject('/stats')).json();
  assert.equal(busy.target, 'fake');
  assert.deepEqual(busy.pool, { total: 10, idle: 9, waiting: 0 });
  assert.ok(busy.interval_s >= 0.1 && busy.interval_s < 10, `interval_s ${busy.interval_s}`);
  assert.ok(busy.event_loop_utilization > 0.5 && busy.event_loop_utilization <= 1);
  assert.ok(busy.rss_bytes > 1e6 && busy.cpu_user_s > 0 && busy.cpu_system_s >= 0 && busy.uptime_s > 0);
  await pause(300);
  const idle = (await app.inject('/stats')).json();
  assert.ok(idle.event_loop_utilization < 0.5, `event_loop_utilization ${idle.event_loop_utilization}`);
  assert.ok(idle.event_loop_delay_max_us >= idle.event_loop_delay_mean_us);
});

test('a target may bring routes of its own', async () => {
  const routes = async (app, { db }) => app.get('/health', async () => ({ echoed: await db.echo('x') }));
  const app = serverOver({}, { routes });
  assert.deepEqual((await app.inject('/health')).json(), { echoed: 'x' });
  assert.equal((await app.inject('/healthz')).statusCode, 200);
  assert.equal((await app.inject('/')).statusCode, 404);
});

test('closing lets the request in flight finish, then closes the db', async () => {
  const events = [];
  const app = serverOver({
    analytics: async () => {
      await pause(200);
      events.push('answered');
      return ROWS;
    },
    close: async () => events.push('closed'),
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const flying = fetch(`${address}/analytics`);
  await once(app.server, 'request');
  await app.close();
  assert.equal((await flying).status, 200);
  assert.deepEqual(events, ['answered', 'closed']);
  await assert.rejects(fetch(address));
});
