import swagger from '@fastify/swagger';
import { refusal } from './errors.js';
import { filtersIn, startOf } from './paging.js';
import * as schemas from './schemas.js';

/** Largest body in bytes: a batch of 1,000 documents of 4 kB. */
const BODY_LIMIT = 4 * 1024 * 1024;

const INFO = {
  title: 'Documents',
  version: '1.0.0',
  description:
    'JSON documents in collections. Text may hold any character but NUL, which PostgreSQL does not store: 400.',
};

const COLLECTION = '/collections/:collection';
const BATCH = `${COLLECTION}/batch`;
const DOCUMENT = `${COLLECTION}/documents/:id`;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The documents API as a Fastify plugin; options: {db}, see db.js. Bodies are parsed to be checked, and passed on as the
 * text that came: numbers keep their digits. Documents in answers are the database's text likewise.
 */
export default async function routes(app, { db }) {
  await app.register(swagger, { openapi: { info: INFO }, transform: describeFilters });
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, parseBody);
  app.decorateRequest('json', '');

  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());

  app.get('/health', { schema: schemas.health }, async () => {
    await db.ping();
    return { status: 'ok', message: 'the database answers' };
  });

  for (const add of [addInserts, addBatchOfMerges, addOneDocument, addSearches, addIndexes]) add(app, db);
}

function addInserts(app, db) {
  app.post(COLLECTION, { schema: schemas.insert }, async ({ params, body, json }, reply) => {
    refuseId(body);
    const document = await db.insert(params.collection, json);
    return reply.code(201).type(JSON_TYPE).send(document);
  });

  app.post(BATCH, { schema: schemas.insertBatch }, async ({ params: { collection }, body, json }, reply) => {
    for (const document of body.documents) refuseId(document);
    const documents = await db.insertBatch(collection, json);
    const count = documents.length;
    const about = { success: true, message: `${count} inserted`, inserted_count: count, collection };
    return reply.code(201).type(JSON_TYPE).send(withDocuments(about, documents));
  });
}

function addBatchOfMerges(app, db) {
  app.patch(BATCH, { schema: schemas.mergeBatch }, async ({ params: { collection }, body, json }, reply) => {
    const ids = body.operations.map(({ id }) => id);
    for (const { id, updates } of body.operations) refuseId(updates, id);
    if (new Set(ids).size < ids.length) throw refusal(400, 'REPEATED_ID', 'an id may stand in one operation only');
    const documents = await db.mergeBatch(collection, ids, json);
    const count = documents.length;
    const about = { success: true, message: `${count} updated`, updated_count: count, failed_count: 0, collection };
    return reply.type(JSON_TYPE).send(withDocuments(about, documents));
  });
}

function addOneDocument(app, db) {
  app.get(DOCUMENT, { schema: schemas.get }, async ({ params }, reply) =>
    reply.type(JSON_TYPE).send(await db.get(params.collection, params.id)),
  );

  app.patch(DOCUMENT, { schema: schemas.merge }, async ({ params, body, json }, reply) => {
    refuseId(body, params.id);
    return reply.type(JSON_TYPE).send(await db.merge(params.collection, params.id, json));
  });

  app.put(DOCUMENT, { schema: schemas.replace }, async ({ params, body, json }, reply) => {
    refuseId(body, params.id);
    return reply.type(JSON_TYPE).send(await db.replace(params.collection, params.id, json));
  });

  app.delete(DOCUMENT, { schema: schemas.remove }, async ({ params }, reply) => {
    await db.remove(params.collection, params.id);
    return reply.code(204).send();
  });
}

function addSearches(app, db) {
  app.get(`${COLLECTION}/find`, { schema: schemas.find }, async ({ params, query }, reply) => {
    const { documents, ...about } = await db.find(params.collection, filtersIn(query), query.limit, startOf(query));
    return reply.type(JSON_TYPE).send(withDocuments(about, documents));
  });

  app.get(`${COLLECTION}/find_with_stream`, { schema: schemas.findAll }, async ({ params, query }, reply) =>
    reply.type(JSON_TYPE).send(await db.findAll(params.collection, filtersIn(query))),
  );
}

function addIndexes(app, db) {
  app.get(`${COLLECTION}/indexes`, { schema: schemas.indexes }, async ({ params: { collection } }) => {
    const indexes = await db.indexes(collection);
    return { success: true, collection, indexes, index_count: indexes.length };
  });

  app.post(`${COLLECTION}/indexes/:field`, { schema: schemas.createIndex }, async ({ params }, reply) => {
    if (params.field === '_id') throw refusal(400, 'BAD_FIELD', '_id is indexed from the beginning');
    await db.createIndex(params.collection, params.field);
    return reply.code(201).send({ success: true, message: `${params.field} is indexed`, ...params });
  });
}

/** Keeps the text in request.json and gives the value; an empty body is none. */
function parseBody(request, text, done) {
  request.json = text;
  try {
    done(null, text === '' ? undefined : JSON.parse(text));
  } catch (error) {
    done(refusal(400, 'MALFORMED_JSON', `the body is not JSON: ${error.message}`));
  }
}

/** Ids are the database's to give; a document that is put back may carry its own. */
function refuseId(fields, own) {
  if (fields._id !== undefined && fields._id !== own) throw refusal(400, 'BAD_ID', '_id cannot be chosen or changed');
}

/** {...about, documents} as JSON text, from documents that are JSON text. */
function withDocuments(about, documents) {
  return `${JSON.stringify(about).slice(0, -1)},"documents":[${documents.join(',')}]}`;
}

/** Adds the equality filters, which are not known by name, to what /openapi.json says of a query string. */
function describeFilters({ schema, url }) {
  if (!schema?.querystring) return { schema, url };
  const filters = { type: 'object', additionalProperties: { type: 'string' }, style: 'form', explode: true };
  const properties = { ...schema.querystring.properties, filters };
  return { schema: { ...schema, querystring: { type: 'object', properties } }, url };
}
