import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { replaying } from '../../apps/null/replay.js';
import { eventually } from '../lib/process.js';

const HELLO = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
let child;
let port;
let base;

before(async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = probe.address().port;
  await new Promise((resolve) => probe.close(resolve));
  base = `http://127.0.0.1:${port}`;
  const cwd = new URL('../../', import.meta.url);
  child = spawn(process.execPath, ['apps/null/server.js'], {
    cwd,
    env: { PATH: process.env.PATH, PORT: String(port) },
  });
  await eventually(async () => (await fetch(`${base}/healthz`).catch(() => null))?.ok);
});

after(async () => {
  child.kill('SIGTERM');
  await once(child, 'close');
});

/** Sends the parts one after the other; resolves to all that came back until the server closed, or `ms` after the bytes `last` were there. */
async function raw(parts, last = '', ms = 300) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  const ended = once(socket, 'end');
  for (const part of parts) {
    socket.write(part);
    await pause(20);
  }
  await Promise.race([ended, eventually(() => received.includes(last)).then(() => pause(ms))]);
  socket.destroy();
  return received;
}

test('hello, analytics and healthz are canned', async () => {
  assert.equal(await (await fetch(`${base}/`)).text(), 'Hello World!');
  const rows = await (await fetch(`${base}/analytics`)).json();
  assert.ok(rows.length > 0);
  for (const row of rows) assert.deepEqual(Object.keys(row), ['status', 'year', 'orders', 'total']);
  assert.deepEqual(await (await fetch(`${base}/healthz?x=1`)).json(), { status: 'ok' });
});

for (const value of ['x', 'a-b_c.d~', 'é漢🐘', '"quoted"', 'a/b']) {
  test(`echo of ${value}`, async () => {
    const answer = await fetch(`${base}/echo/${encodeURIComponent(value)}`);
    assert.equal(await answer.text(), JSON.stringify({ value }));
  });
}

for (const [path, status] of [
  ['/nope', 404],
  ['/echo/', 400],
  ['/echo/%00', 400],
  ['/echo/%ff', 400],
  ['/echo/a/b', 404],
]) {
  test(`${path} is refused with ${status}`, async () => {
    const answer = await fetch(base + path);
    assert.equal(answer.status, status);
    assert.deepEqual(Object.keys(await answer.json()), ['error', 'message', 'code']);
  });
}

test('stats have the keys of a target, and no pool', async () => {
  const stats = await (await fetch(`${base}/stats`)).json();
  assert.equal(stats.target, 'null');
  assert.equal(stats.pool, null);
  assert.ok(stats.rss_bytes > 0 && stats.event_loop_utilization <= 1);
});

test('a request in pieces is answered once it is whole', async () => {
  const received = await raw([HELLO.slice(0, 7), HELLO.slice(7, -2), HELLO.slice(-2)], 'World!');
  assert.equal(received.match(/Hello World!/g).length, 1);
});

test('requests that arrive together are answered in order', async () => {
  const received = await raw([HELLO + HELLO.replace('/', '/echo/2')], '"2"}');
  assert.match(received, /Hello World!HTTP\/1.1 200 OK.*\{"value":"2"\}$/s);
});

test('Connection: close closes, and is told', async () => {
  const started = performance.now();
  const received = await raw(['GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'], 'World!', 5000);
  assert.match(received, /Hello World!$/);
  assert.ok(performance.now() - started < 4000);
  assert.match(received, /\r\nconnection: close\r\n/);
});

test('HTTP/1.0 keeps the connection where the client asks for it, which is told, and closes it otherwise', async () => {
  const old = 'GET / HTTP/1.0\r\nHost: x\r\n\r\n';
  const asking = old.replace('Host', 'Connection: Keep-Alive\r\nHost');
  const kept = await raw([asking, asking], 'World!');
  assert.equal(kept.match(/\r\nconnection: keep-alive\r\n.*?\r\n\r\nHello World!/gs).length, 2);
  const started = performance.now();
  assert.match(await raw([old], 'World!', 5000), /\r\nconnection: close\r\n.*Hello World!$/s);
  assert.ok(performance.now() - started < 4000);
});

for (const [what, bytes] of [
  ['another method', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'],
  ['what is not HTTP', 'hello\r\n\r\n'],
  ['a head without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
]) {
  test(`${what} gets 400 and the connection is closed`, async () => {
    const started = performance.now();
    assert.match(await raw([bytes], 'HTTP/1.1', 5000), /^HTTP\/1.1 400 Bad Request/);
    assert.ok(performance.now() - started < 4000);
  });
}

test('it answers again as somebody’s server did: the very path, one alike but for numbers, or the same method', async (t) => {
  const base64 = (text) => Buffer.from(text).toString('base64');
  const seen = (path, body, status = 200, method = 'GET') => ({
    method,
    path,
    status,
    headers: { 'content-type': 'text/plain' },
    body: base64(body),
  });
  const server = replaying(
    [seen('/orders/1', 'one'), seen('/orders?limit=5', 'list'), seen('/orders', 'made', 201, 'POST')],
    () => ({
      requests: 0,
    }),
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const ask = async (path, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method });
    return [answer.status, await answer.text()];
  };
  assert.deepEqual(await ask('/orders/1'), [200, 'one']);
  assert.deepEqual(await ask('/orders/277'), [200, 'one']);
  assert.deepEqual(await ask('/orders?limit=9'), [200, 'list']);
  assert.deepEqual(await ask('/orders', 'POST'), [201, 'made']);
  assert.deepEqual(await ask('/elsewhere'), [200, 'one']);
  assert.deepEqual(await ask('/stats'), [200, '{"requests":0}']);
});
