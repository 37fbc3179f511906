import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Activity } from '../../scripts/probes/sampler/activity.js';

// A PostgreSQL server that lets everyone in and answers each statement with the same two rows (protocol 3.0, chapter
// "Message Formats"), counts who comes, and can fall silent or hang up.
const sockets = new Set();
const seen = { connections: 0, startup: '', bound: '' };
let silent = false;

const message = (type, ...parts) => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int16 = (value) => Buffer.from([value >> 8, value & 255]);
const int32 = (value) => Buffer.from([0, 0, value >> 8, value & 255]);
const ready = message('Z', 'I');
const column = (name, type) =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(4), int32(0), int16(0)]);
const row = (...values) =>
  message('D', int16(values.length), ...values.flatMap((value) => [int32(value.length), value]));
const rows = Buffer.concat([
  message('1'),
  message('2'),
  message('T', int16(2), column('what', 25), column('backends', 23)),
  row('active:CPU', '3'),
  row('idle:Client:ClientRead', '7'),
  message('C', 'SELECT 2\0'),
  ready,
]);

const server = createServer((socket) => {
  seen.connections += 1;
  sockets.add(socket);
  socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  socket.once('data', (startup) => {
    seen.startup = startup.toString('latin1');
    socket.write(Buffer.concat([message('R', int32(0)), ready]));
    socket.on('data', (bytes) => {
      seen.bound = bytes.toString('latin1');
      if (!silent && seen.bound.includes('S\0\0\0\x04')) socket.write(rows);
    });
  });
});

before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  Object.assign(process.env, { PGHOST: '127.0.0.1', PGPORT: String(server.address().port), PGUSER: 'watcher' });
});
beforeEach(() => {
  silent = false;
  seen.connections = 0;
});
after(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});

const counts = { 'active:CPU': 3, 'idle:Client:ClientRead': 7 };
const open = () => new Activity({ role: 'pglab_app', database: 'postgres', retryMs: 300 });

test('counts the backends of one role over one connection, to a database of its own', async () => {
  const activity = open();
  assert.deepEqual(await Promise.all([activity.read(), activity.read()]), [counts, counts]);
  assert.deepEqual(await activity.read(), counts);
  assert.equal(seen.connections, 1);
  assert.match(seen.startup, /user\0watcher\0database\0postgres\0/);
  assert.match(seen.bound, /pglab_app/);
});

test('a server that hangs up is null until it answers again', async () => {
  const activity = open();
  assert.deepEqual(await activity.read(), counts);
  await sleep(300);
  for (const socket of sockets) socket.destroy();
  await sleep(50);
  assert.deepEqual(await activity.read(), counts);
  assert.equal(seen.connections, 2);
});

test('a silent server is null after a second, and a new connection is tried only after a while', {
  timeout: 5000,
}, async () => {
  const activity = open();
  await activity.read();
  silent = true;
  const asked = performance.now();
  assert.equal(await activity.read(), null);
  assert.ok(performance.now() - asked < 2000);
  silent = false;
  assert.deepEqual(await activity.read(), counts);
  assert.equal(seen.connections, 2);
});

test('nobody there is null, at once, and is not asked again at once', async () => {
  const port = process.env.PGPORT;
  process.env.PGPORT = '1';
  const activity = open();
  assert.equal(await activity.read(), null);
  process.env.PGPORT = port;
  assert.equal(await activity.read(), null);
  assert.equal(seen.connections, 0);
  await sleep(320);
  assert.deepEqual(await activity.read(), counts);
});
