import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { TargetStats } from '../../scripts/probes/sampler/target-stats.js';

const stats = { event_loop_utilization: 0.5, interval_s: 1, pool: { total: 10, idle: 9, waiting: 0 } };
const answers = {
  '/stats': (response) => response.end(JSON.stringify(stats)),
  '/error': (response) => response.writeHead(500).end(JSON.stringify(stats)),
  '/text': (response) => response.end('Hello World!'),
  '/list': (response) => response.end('[1]'),
  '/null': (response) => response.end('null'),
  '/endless': (response) => response.end(JSON.stringify({ long: 'x'.repeat(1 << 20) })),
  '/cut': (response) => response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  '/silent': () => {},
};
const server = createServer((request, response) => answers[request.url](response));
let connections = 0;
server.on('connection', () => connections++);

before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => {
  server.close();
  server.closeAllConnections();
});

function open(t, path) {
  const reader = new TargetStats(`http://127.0.0.1:${server.address().port}${path}`);
  t.after(() => reader.close());
  return reader;
}

test('gives what the target says, over one connection', async (t) => {
  const reader = open(t, '/stats');
  const already = connections;
  for (let i = 0; i < 3; i++) assert.deepEqual(await reader.read(), stats);
  assert.equal(connections - already, 1);
});

for (const path of ['/error', '/text', '/list', '/null', '/endless', '/cut']) {
  test(`${path} is null`, async (t) => assert.equal(await open(t, path).read(), null));
}

test('a target that is silent is null after a second, and does not stand in the way of the next answer', {
  timeout: 5000,
}, async (t) => {
  const reader = open(t, '/silent');
  const asked = performance.now();
  assert.equal(await reader.read(), null);
  assert.ok(performance.now() - asked < 2000);
  reader.url = reader.url.replace('/silent', '/stats');
  assert.deepEqual(await reader.read(), stats);
});

test('no address, a wrong one, and nobody there are null', async () => {
  for (const url of [undefined, 'not an address', 'http://127.0.0.1:1/stats']) {
    assert.equal(await new TargetStats(url).read(), null);
  }
});
