import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { analyticsAddress, apiSecret, signToken } from '../../apps/cube/client.js';
import { connect } from '../../apps/cube/db.js';
import { statusOf } from '../../apps/lib/errors.js';

const DATA = [{ 'orders.status': 'F', 'orders.year': 1992, 'orders.count': '3', 'orders.total': '123.40' }];
const ROWS = [{ status: 'F', year: 1992, orders: 3, total: '123.40' }];

/** A Cube that gives these answers in turn, the last one for ever: [status, body]. */
async function fakeCube(t, ...answers) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const [status, body] = answers[Math.min(requests.length, answers.length) - 1];
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return { server, url: `http://127.0.0.1:${server.address().port}`, requests };
}

/** The target's db over that Cube. */
async function dbOver(t, { url }, changes = {}) {
  const db = await connect({ CUBE_URL: url, CUBE_TOKEN: 'token', POOL_SIZE: 2, CUBE_WAIT_S: 0, ...changes });
  t.after(() => db.close());
  return db;
}

const good = [200, JSON.stringify({ data: DATA })];
const wait = [200, JSON.stringify({ error: 'Continue wait' })];

test('rows are those of the other targets', async (t) => {
  const cube = await fakeCube(t, good);
  const db = await dbOver(t, cube);
  assert.deepEqual(await db.analytics(), ROWS);
  const [{ url, headers }] = cube.requests;
  assert.match(url, /^\/cubejs-api\/v1\/load\?query=/);
  assert.equal(headers.authorization, 'token');
  const { total, idle, waiting } = db.stats().pool;
  assert.ok(total >= 1 && total <= 2 && idle <= total && waiting === 0);
});

test('"Continue wait" is waited out', async (t) => {
  const cube = await fakeCube(t, wait, wait, good);
  await dbOver(t, cube, { CUBE_WAIT_S: 30 });
  assert.equal(cube.requests.length, 3);
});

for (const [what, answer, status, code] of [
  ['"Continue wait" without end', wait, 503, 'CONTINUE_WAIT'],
  ['an error', [400, JSON.stringify({ error: 'no such cube' })], 502, 'CUBE_ERROR'],
  ['HTTP 200 that carries an error', [200, JSON.stringify({ error: 'no' })], 502, 'CUBE_ERROR'],
  ['what is not JSON', [200, '<html>'], 502, 'CUBE_ERROR'],
]) {
  test(`${what} is an error: ${status}`, async (t) => {
    const db = await dbOver(t, await fakeCube(t, good, answer));
    const error = await db.analytics().catch((caught) => caught);
    assert.equal(statusOf(error), status);
    assert.equal(error.code, code);
  });
}

test('a Cube that is gone is 503, and one that comes back is asked again', async (t) => {
  const { server, url } = await fakeCube(t, good);
  const { port } = server.address();
  const db = await dbOver(t, { url });
  server.close();
  server.closeAllConnections();
  const error = await db.analytics().catch((caught) => caught);
  assert.equal(statusOf(error), 503);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  assert.deepEqual(await db.analytics(), ROWS);
});

test("an address with a path is Cube Cloud's, without one a server's", () => {
  assert.match(analyticsAddress('http://h:4000').path, /^\/cubejs-api\/v1\/load\?/);
  assert.match(analyticsAddress('https://h/custom/v1').path, /^\/custom\/v1\/load\?/);
});

test('the token is signed with HS256 (RFC 7519)', () => {
  const [head, claims, signature] = signToken('secret').split('.');
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url')), { alg: 'HS256', typ: 'JWT' });
  const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url'));
  assert.ok(exp > iat && Math.abs(iat - Date.now() / 1000) < 60);
  assert.equal(signature, createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'));
});

test('the secret is the one given, or derived from the password of the database, or none', () => {
  assert.equal(apiSecret({ CUBEJS_API_SECRET: 'given', PGPASSWORD: 'p' }), 'given');
  const derived = apiSecret({ CUBEJS_API_SECRET: '', PGPASSWORD: 'p' });
  assert.match(derived, /^[0-9a-f]{64}$/);
  assert.notEqual(derived, apiSecret({ CUBEJS_API_SECRET: '', PGPASSWORD: 'q' }));
  assert.equal(apiSecret({ CUBEJS_API_SECRET: '', PGPASSWORD: '' }), null);
});
