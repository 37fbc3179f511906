import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sql from '../../apps/documents/sql.js';
import { documentsApi } from '../lib/documents.js';

const api = documentsApi();
const ask = (...request) => api.ask(...request);
const { collectionOf, refused } = api;

test('find: pages forwards and backwards meet every document once', async () => {
  const ids = await collectionOf(
    'pages',
    Array.from({ length: 25 }, (_, n) => ({ n })),
  );
  const walk = async (parameter, cursorKey, more, first) => {
    const seen = [];
    for (let at = first; ; ) {
      const { status, json } = await ask('GET', `/collections/pages/find?limit=10&${at}`);
      assert.equal(status, 200);
      const page = json.documents.map(({ _id }) => _id);
      seen.push(...(parameter === 'before' ? page.toReversed() : page));
      if (!json[more]) return seen;
      at = `${parameter}=${json[cursorKey]}`;
    }
  };
  assert.deepEqual(await walk('after', 'next_cursor', 'has_next', ''), ids);
  const last = await ask('GET', '/collections/pages/find?limit=5&offset=20');
  assert.equal(last.json.has_next, false);
  const earlier = await walk('before', 'prev_cursor', 'has_prev', `before=${last.json.prev_cursor}`);
  assert.deepEqual(earlier, ids.slice(0, 20).toReversed());
});

test('find: 50 unless told otherwise, and the total when one page holds everything', async () => {
  assert.equal((await ask('GET', '/collections/indexed/find')).json.documents.length, 50);
  const all = await ask('GET', '/collections/indexed/find?limit=1000');
  assert.deepEqual([all.json.documents.length, all.json.total, all.json.has_next], [1000, 1000, false]);
  const none = await ask('GET', '/collections/indexed/find?age=1000');
  assert.deepEqual(none.json, { has_next: false, has_prev: false, total: 0, documents: [] });
});

test('find: filters by number and by text, both must hold', async () => {
  await collectionOf('filtered', [
    { a: 1, b: 'x' },
    { a: '1', b: 'x' },
    { a: 1, b: 'y' },
    { a: 1.0, b: '1x' },
    { a: null },
  ]);
  const countFound = async (query) => (await ask('GET', `/collections/filtered/find?${query}`)).json.documents.length;
  assert.equal(await countFound('a=1'), 3);
  assert.equal(await countFound('a=1.0'), 3);
  assert.equal(await countFound('a=1&b=x'), 1);
  assert.equal(await countFound('b=1x'), 1);
  assert.equal(await countFound('b='), 0);
  assert.equal(await countFound('c=1'), 0);
});

for (const query of [
  'limit=0',
  'limit=1001',
  'limit=x',
  'limit=1.5',
  'limit=',
  'limit=1&limit=2',
  'offset=-1',
  'offset=x',
  'after=x',
  'before=',
  'after=aWQ6MQ&offset=1',
  'a=1&a=2',
  '_id=1',
]) {
  test(`find?${query} is refused`, async () => refused(await ask('GET', `/collections/indexed/find?${query}`), 400));
}

test('what reads an unknown collection is answered 404', async () => {
  for (const path of ['find', 'find?age=1', 'find_with_stream', 'find_with_stream?age=1', 'documents/1', 'indexes']) {
    refused(await ask('GET', `/collections/nowhere/${path}`), 404);
  }
});

test('find_with_stream: a JSON array of all, or of what the filters let through', async () => {
  const all = await ask('GET', '/collections/thousand/find_with_stream');
  assert.equal(all.status, 200);
  assert.equal(all.headers['content-length'], undefined);
  assert.equal(new Set(all.json.map(({ _id }) => _id)).size, 1000);
  const one = await ask('GET', '/collections/indexed/find_with_stream?age=20');
  const paged = await ask('GET', '/collections/indexed/find?age=20&limit=1000');
  assert.deepEqual(one.json.map(({ _id }) => _id).sort(), paged.json.documents.map(({ _id }) => _id).sort());
  assert.equal((await ask('GET', '/collections/indexed/find_with_stream?age=1000')).text, '[]');
});

for (const count of [0, 1, 15, 16, 17, 400]) {
  test(`find_with_stream of ${count} documents`, async () => {
    const name = `stream_of_${count}`;
    await collectionOf(name, [{}]);
    await api.sql(`insert into collections.${name} (doc) select '{"a": 1}' from generate_series(1, $1)`, [count]);
    assert.equal((await ask('GET', `/collections/${name}/find_with_stream?a=1`)).json.length, count);
  });
}

test('indexes: made once, listed, and the collection with them', async () => {
  for (let round = 0; round < 2; round += 1) {
    const { status, json } = await ask('POST', '/collections/with_index/indexes/age');
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ['success', 'message', 'collection', 'field']);
    assert.deepEqual([json.success, json.collection, json.field], [true, 'with_index', 'age']);
  }
  const { status, json } = await ask('GET', '/collections/with_index/indexes');
  assert.equal(status, 200);
  assert.deepEqual(json, { success: true, collection: 'with_index', indexes: ['_id', 'age'], index_count: 2 });
});

test('an equality filter uses the index on its field; its twin without one is read whole', async () => {
  const plan = async (collection) =>
    (await api.sql(`explain ${sql.find(collection, ['age'], undefined, 1001)}`, ['50'])).flat().join('\n');
  assert.match(await plan('indexed'), /Index Scan (using|on) "indexed\.age"/);
  assert.match(await plan('unindexed'), /Seq Scan on unindexed/);
});

test('twins hold the same documents', async () => {
  const [a, b] = await Promise.all(
    ['indexed', 'unindexed'].map((name) => ask('GET', `/collections/${name}/find?limit=1000`)),
  );
  assert.equal(a.text, b.text);
});
