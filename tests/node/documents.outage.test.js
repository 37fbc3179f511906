import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { documentsApi } from '../lib/documents.js';
import { eventually } from '../lib/process.js';

const api = documentsApi();
const ask = (...request) => api.ask(...request);

const PAD = 50_000;
const COUNT = 1000;

/** Starts reading the stream of a collection of 50 MB -> the response, paused after its first bytes. */
async function slowReader(url) {
  const request = http.get(`${url}/collections/large/find_with_stream`, { agent: false });
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  await once(response, 'readable');
  return response;
}

/** Resolves to {bytes, complete} when the response has ended or was cut. */
async function drained(response) {
  let bytes = 0;
  response.on('data', (piece) => {
    bytes += piece.length;
  });
  await new Promise((resolve) => response.on('close', resolve));
  return { bytes, complete: response.complete };
}

const connectionsInUse = async () => {
  const { json } = await ask('GET', '/stats');
  return json.pool.total - json.pool.idle;
};

test('a reader decides how fast a stream runs, and may go away', async () => {
  await ask('POST', '/collections/large', {});
  await api.sql(
    `insert into collections.large (doc) select jsonb_build_object('pad', repeat('x', $1)) from generate_series(1, $2)`,
    [PAD, COUNT],
  );
  const { url } = api;
  const whole = await drained(await slowReader(url));
  assert.ok(whole.complete && whole.bytes > PAD * COUNT);
  const leaver = await slowReader(url);
  assert.equal(await connectionsInUse(), 1);
  leaver.destroy();
  await eventually(async () => (await connectionsInUse()) === 0);
  const idler = await slowReader(url);
  await eventually(async () => (await connectionsInUse()) === 0); // cut off after STREAM_STALL_S, here 1 s
  assert.equal((await drained(idler)).complete, false);
  assert.equal((await ask('GET', '/health')).status, 200);
});

test('without the database every route is 503, a running stream is cut, and all heals by itself', async () => {
  const routes = [
    ['GET', '/health'],
    ['GET', '/healthz'],
    ['POST', '/collections/test', {}],
    ['POST', '/collections/test/batch', { documents: [{}] }],
    ['PATCH', '/collections/test/batch', { operations: [{ id: '1', updates: {} }] }],
    ['GET', '/collections/test/documents/1'],
    ['PATCH', '/collections/test/documents/1', {}],
    ['PUT', '/collections/test/documents/1', {}],
    ['DELETE', '/collections/test/documents/2'],
    ['GET', '/collections/test/find'],
    ['GET', '/collections/test/find_with_stream'],
    ['GET', '/collections/test/indexes'],
    ['POST', '/collections/test/indexes/name'],
  ];
  const statuses = async () => Promise.all(routes.map(async (route) => (await ask(...route)).status));
  const running = await slowReader(api.url);
  await api.database.down();
  assert.equal((await drained(running)).complete, false);
  for (const status of await statuses()) assert.equal(status, 503);
  await api.database.up();
  for (const status of await statuses()) assert.ok(status < 300, String(status));
});
