import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsApi } from '../lib/documents.js';

const api = documentsApi();
const ask = (...request) => api.ask(...request);
const { collectionOf, refused } = api;

test('a value too large for an index is the request’s fault', async () => {
  await ask('POST', '/collections/narrow/indexes/text');
  const noise = Array.from({ length: 4000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20000))).join('');
  refused(await ask('POST', '/collections/narrow', { text: noise }), 400, 'UNFIT_VALUE');
});

for (const [what, body] of [
  ['nothing', ''],
  ['half an object', '{"a":'],
  ['a list', '[]'],
  ['a list of one object', '[{}]'],
  ['a number', '1'],
  ['null', 'null'],
  ['a NUL character', '{"a": "\\u0000"}'],
  ['half a character', '{"a": "\\ud800"}'],
  ['a number out of range', '{"a": 1e1000000}'],
  ['what is nested too deep', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
]) {
  test(`a body of ${what} is refused`, async () => {
    refused(await ask('POST', '/collections/bodies', body), 400);
    const [id] = await collectionOf('bodies', [{}]);
    refused(await ask('PUT', `/collections/bodies/documents/${id}`, body), 400);
    refused(await ask('PATCH', `/collections/bodies/documents/${id}`, body), 400);
    refused(
      await ask(
        'POST',
        '/collections/bodies/batch',
        `{"documents": [{}, ${body === '{"a":' ? body : `{"b": ${body}`}]}`,
      ),
      400,
    );
  });
}

test('a body above the limit is refused with 413', async () => {
  refused(await ask('POST', '/collections/bodies', { text: 'x'.repeat(4 * 1024 * 1024) }), 413);
});

const ATTEMPTS = [
  `x'; drop table collections.test; --`,
  `x"; drop table collections.test; --`,
  `x' or '1'='1`,
  `test" where true; --`,
  `age')) = '1' or true; --`,
  '$1',
  '%s',
  `\\'; select pg_sleep(10); --`,
  '{"$gt": ""}',
  `E'\\047`,
  'test.age',
  '../../pg_catalog/pg_class',
  '-1 union select rolname from pg_roles',
  'ｔｅｓｔ',
  'a\u0000b',
  'x'.repeat(64),
];

test('injected text is refused or is data, in collection, field, value, cursor, id and body', async () => {
  const tables = () => api.sql(`select count(*)::int from pg_class where relnamespace = 'collections'::regnamespace`);
  const [id] = await collectionOf('data', [{ a: 1 }]);
  const before = await tables();
  for (const attempt of ATTEMPTS) {
    const word = encodeURIComponent(attempt);
    for (const [method, path, body] of [
      ['POST', `/collections/${word}`, {}],
      ['GET', `/collections/${word}/find`],
      ['GET', `/collections/${word}/find_with_stream`],
      ['GET', `/collections/${word}/documents/1`],
      ['POST', `/collections/${word}/batch`, { documents: [{}] }],
      ['POST', `/collections/${word}/indexes/age`],
      ['POST', `/collections/data/indexes/${word}`],
      ['GET', `/collections/data/find?${word}=1`],
      ['GET', `/collections/data/find_with_stream?${word}=1`],
      ['GET', `/collections/data/find?limit=${word}`],
      ['GET', `/collections/data/find?offset=${word}`],
      ['GET', `/collections/data/find?after=${word}`],
      ['GET', `/collections/data/find?before=${Buffer.from(`id:${attempt}`).toString('base64url')}`],
    ]) {
      refused(await ask(method, path, body), 400);
    }
    refused(await ask('GET', `/collections/data/documents/${word}`), 404);
    const answer = await ask('GET', `/collections/data/find?a=${word}`);
    if (attempt.includes('\0')) refused(answer, 400);
    else assert.deepEqual(answer.json.documents, [], attempt);
    if (attempt.includes('\0')) continue;
    const kept = await ask('PATCH', `/collections/data/documents/${id}`, { [attempt]: attempt });
    assert.equal(kept.json[attempt], attempt);
  }
  assert.deepEqual(await tables(), before);
  assert.equal((await ask('GET', '/collections/test/find?limit=1000')).json.total, 100);
});

test('collections may be named like anything in PostgreSQL', async () => {
  const names = [
    'pg_class',
    'select',
    'test_pkey',
    'test_id_seq',
    'Test',
    'a'.repeat(63),
    `${'a'.repeat(62)}b`,
    '_',
    'public',
  ];
  for (const name of names) {
    assert.equal((await ask('POST', `/collections/${name}/indexes/name`)).status, 201, name);
    const [id] = await collectionOf(name, [{ name }]);
    assert.deepEqual((await ask('GET', `/collections/${name}/find?name=${name}`)).json.documents, [{ _id: id, name }]);
  }
});

test('a new collection that many write to at once is made once', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask('POST', '/collections/rush', { n })));
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal((await ask('GET', '/collections/rush/find?limit=1000')).json.total, 40);
});

test('indexes that many ask for at once are made once', async () => {
  await collectionOf('indexed_by_many', [{ a: 1, b: 2 }]);
  const fields = Array.from({ length: 12 }, (_, n) => (n % 2 ? 'a' : 'b'));
  const answers = await Promise.all(
    fields.map((field) => ask('POST', `/collections/indexed_by_many/indexes/${field}`)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal((await ask('GET', '/collections/indexed_by_many/indexes')).json.index_count, 3);
});

test('more kinds of statements than are kept prepared', async () => {
  for (let n = 0; n < 250; n += 1) assert.equal((await ask('GET', `/collections/test/find?field${n}=1`)).status, 200);
});
