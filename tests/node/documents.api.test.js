import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsApi } from '../lib/documents.js';

const api = documentsApi();
const ask = (...request) => api.ask(...request);
const { collectionOf, refused } = api;

test('GET /health', async () => {
  const { status, json } = await ask('GET', '/health');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), ['status', 'message']);
});

test('a document: insert, get, merge, replace, delete', async () => {
  const inserted = await ask('POST', '/collections/people', { name: 'Ada', age: 36 });
  assert.equal(inserted.status, 201);
  const { _id } = inserted.json;
  assert.equal(typeof _id, 'string');
  assert.deepEqual(inserted.json, { _id, name: 'Ada', age: 36 });
  const path = `/collections/people/documents/${_id}`;
  assert.deepEqual((await ask('GET', path)).json, { _id, name: 'Ada', age: 36 });
  const merged = await ask('PATCH', path, { age: 37, city: 'London' });
  assert.deepEqual([merged.status, merged.json], [200, { _id, name: 'Ada', age: 37, city: 'London' }]);
  const replaced = await ask('PUT', path, { _id, name: 'Grace' });
  assert.deepEqual([replaced.status, replaced.json], [200, { _id, name: 'Grace' }]);
  assert.deepEqual((await ask('GET', path)).json, { _id, name: 'Grace' });
  const deleted = await ask('DELETE', path);
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
  for (const [method, body] of [['GET'], ['PATCH', {}], ['PUT', {}], ['DELETE']])
    refused(await ask(method, path, body), 404, 'UNKNOWN_DOCUMENT');
});

test('numbers keep their digits, and text its characters', async () => {
  const body =
    '{"big": 12345678901234567890.1234567890, "text": "Zürich 漢 🐘 \\"\\\\ \\u2028", "__proto__": {"x": 1}, "constructor": 1}';
  const { status, text } = await ask('POST', '/collections/exact', body);
  assert.equal(status, 201);
  assert.match(text, /12345678901234567890\.1234567890/);
  assert.equal(JSON.parse(text).text, 'Zürich 漢 🐘 "\\ \u2028');
  assert.ok(Object.hasOwn(JSON.parse(text), '__proto__'));
});

test('an empty document', async () => {
  const { json } = await ask('POST', '/collections/exact', {});
  assert.deepEqual(Object.keys(json), ['_id']);
});

test('ids are the database’s to give', async () => {
  const [id] = await collectionOf('own_ids', [{}]);
  const path = `/collections/own_ids/documents/${id}`;
  refused(await ask('POST', '/collections/own_ids', { _id: '7' }), 400, 'BAD_ID');
  refused(await ask('POST', '/collections/own_ids/batch', { documents: [{}, { _id: '7' }] }), 400, 'BAD_ID');
  refused(await ask('PUT', path, { _id: '7' }), 400, 'BAD_ID');
  refused(await ask('PATCH', path, { _id: 7 }), 400, 'BAD_ID');
  refused(
    await ask('PATCH', '/collections/own_ids/batch', { operations: [{ id, updates: { _id: '7' } }] }),
    400,
    'BAD_ID',
  );
  assert.deepEqual((await ask('PATCH', path, { _id: id, x: 1 })).json, { _id: id, x: 1 });
});

test('batch insert: all of them, in the order given, by one statement', async () => {
  const documents = Array.from({ length: 1000 }, (_, n) => ({ n }));
  const { status, json } = await ask('POST', '/collections/batches/batch', { documents });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(json), ['success', 'message', 'inserted_count', 'collection', 'documents']);
  assert.deepEqual([json.success, json.inserted_count, json.collection], [true, 1000, 'batches']);
  assert.deepEqual(
    json.documents.map(({ n }) => n),
    documents.map(({ n }) => n),
  );
});

for (const [what, body] of [
  ['no documents', { documents: [] }],
  ['too many', { documents: Array.from({ length: 1001 }, () => ({})) }],
  ['no list', { documents: {} }],
  ['another key', { docs: [{}] }],
  ['what is no object', { documents: [{}, 1] }],
  ['null', { documents: [null] }],
]) {
  test(`batch insert of ${what} is refused`, async () =>
    refused(await ask('POST', '/collections/batches/batch', body), 400));
}

test('batch update: merged, in the order given', async () => {
  const ids = await collectionOf('merges', [{ a: 1 }, { a: 2 }, { a: 3 }]);
  const operations = [ids[2], ids[0]].map((id) => ({ id, updates: { b: id } }));
  const { status, json } = await ask('PATCH', '/collections/merges/batch', { operations });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(json), [
    'success',
    'message',
    'updated_count',
    'failed_count',
    'collection',
    'documents',
  ]);
  assert.deepEqual([json.success, json.updated_count, json.failed_count, json.collection], [true, 2, 0, 'merges']);
  assert.deepEqual(json.documents, [
    { _id: ids[2], a: 3, b: ids[2] },
    { _id: ids[0], a: 1, b: ids[0] },
  ]);
});

test('batch update: all or nothing', async () => {
  const [id] = await collectionOf('all_or_nothing', [{ a: 1 }]);
  for (const missing of ['999999', 'x', '', '-1']) {
    const operations = [id, missing].map((each) => ({ id: each, updates: { a: 2 } }));
    const answer = await ask('PATCH', '/collections/all_or_nothing/batch', { operations });
    refused(answer, 400, 'UNKNOWN_DOCUMENT');
    assert.ok(answer.json.message.endsWith(missing));
  }
  assert.deepEqual((await ask('GET', `/collections/all_or_nothing/documents/${id}`)).json, { _id: id, a: 1 });
  const twice = [id, id].map((each) => ({ id: each, updates: {} }));
  refused(await ask('PATCH', '/collections/all_or_nothing/batch', { operations: twice }), 400, 'REPEATED_ID');
  refused(
    await ask('PATCH', '/collections/nowhere/batch', { operations: [{ id, updates: {} }] }),
    404,
    'UNKNOWN_COLLECTION',
  );
});

test('batch updates of the same documents at once lose nothing and never deadlock', async () => {
  const ids = await collectionOf(
    'contended',
    Array.from({ length: 20 }, () => ({})),
  );
  const update = (key, order) =>
    ask('PATCH', '/collections/contended/batch', { operations: order.map((id) => ({ id, updates: { [key]: 1 } })) });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => update(`k${n}`, n % 2 ? ids : ids.toReversed())),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const { json } = await ask('GET', '/collections/contended/find');
  for (const document of json.documents) assert.equal(Object.keys(document).length, 41);
});

test('/openapi.json describes every route', async () => {
  const { status, json } = await ask('GET', '/openapi.json');
  assert.equal(status, 200);
  const routes = Object.entries(json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const own = routes.filter((route) => !/healthz|stats/.test(route)).sort();
  assert.deepEqual(own, [
    'delete /collections/{collection}/documents/{id}',
    'get /collections/{collection}/documents/{id}',
    'get /collections/{collection}/find',
    'get /collections/{collection}/find_with_stream',
    'get /collections/{collection}/indexes',
    'get /health',
    'patch /collections/{collection}/batch',
    'patch /collections/{collection}/documents/{id}',
    'post /collections/{collection}',
    'post /collections/{collection}/batch',
    'post /collections/{collection}/indexes/{field}',
    'put /collections/{collection}/documents/{id}',
  ]);
});
