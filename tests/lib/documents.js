// For tests of the documents API: a private cluster with the dataset at scale 0.01, and the target's server on it.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { connect } from '../../apps/documents/db.js';
import routes from '../../apps/documents/routes.js';
import { openPool } from '../../apps/lib/database.js';
import { buildServer } from '../../apps/lib/server.js';
import { privateDatabase } from './database.js';

/** The target's server, not listening: a Fastify instance. */
async function documentsServer(config) {
  const db = await connect(config);
  return buildServer({ name: 'documents', db, readProcess: () => ({}), routes });
}

/** -> ask(method, path, body?): {status, json, text, headers}; a body that is no string is sent as JSON. */
const client = (app) => async (method, url, body) => {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
  const { statusCode, body: text, headers: answered } = await app.inject({ method, url, payload, headers });
  const isJson = answered['content-type']?.startsWith('application/json');
  return { status: statusCode, json: isJson ? JSON.parse(text) : undefined, text, headers: answered };
};

/**
 * For a whole test file: what is returned can be used inside its tests.
 *   ask(method, path, body?)          -> {status, json, text, headers}
 *   sql(text, values?)                -> rows as arrays, asked as the target's role
 *   collectionOf(name, documents)     inserts them -> their ids
 *   refused(answer, status, code?)    asserts an error of the contract's shape
 *   database                          {config, up(), down()}
 *   url                               where the server listens, too
 */
export function documentsApi() {
  const api = {};
  let app;
  let pool;
  before(async () => {
    const { settings, ...database } = await privateDatabase('documents');
    const config = { ...settings, PGPORT: Number(settings.PGPORT), POOL_SIZE: 4, STREAM_STALL_S: 1, name: 'documents' };
    api.database = { config, ...database };
    app = await documentsServer(api.database.config);
    pool = await openPool({ ...api.database.config, POOL_SIZE: 1 });
    api.ask = client(app);
    api.url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(async () => {
    await pool?.end();
    await app?.close();
    await api.database?.remove();
  });
  api.sql = async (text, values) => (await pool.query({ text, values, rowMode: 'array' })).rows;
  api.collectionOf = async (name, documents) => {
    const { status, json } = await api.ask('POST', `/collections/${name}/batch`, { documents });
    assert.equal(status, 201);
    return json.documents.map(({ _id }) => _id);
  };
  api.refused = ({ status, json }, expected, code) => {
    assert.equal(status, expected, JSON.stringify(json));
    assert.deepEqual(Object.keys(json), ['error', 'message', 'code']);
    if (code) assert.equal(json.code, code);
  };
  return api;
}
