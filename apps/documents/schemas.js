/** JSON schemas of the routes: what is checked of a request, and what /openapi.json says. */

const NAME = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';
const BATCH_LIMIT = 1000;

const name = (description) => ({ type: 'string', pattern: NAME, description });
const collection = name('letters, digits and _, 63 at most, no digit first');
const id = { type: 'string', minLength: 1, description: "a document's _id" };
const string = { type: 'string' };
const boolean = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const cursor = { type: 'string', description: 'opaque: as an earlier page gave it' };

const object = (properties, optional = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
});
const list = (items) => ({ type: 'array', items });
const batchOf = (items) => ({ type: 'array', items, minItems: 1, maxItems: BATCH_LIMIT });

const fields = { type: 'object', additionalProperties: true };
const document = { ...object({ _id: string }), additionalProperties: true };
const documents = list(document);
const error = object({ error: string, message: string, code: string });

/** {status: schema} of an answer and of the errors that it may be instead. */
function answers(status, description, schema, errors = []) {
  const refusals = Object.fromEntries([...errors, 503].map((code) => [code, { description: MEANING[code], ...error }]));
  return { [status]: { description, ...(schema ?? { type: 'null' }) }, ...refusals };
}

const MEANING = {
  400: 'the request is not as it must be',
  404: 'there is no such collection or document',
  413: 'the body is too large',
  503: 'the database is away',
};

const BODY = [400, 413];

export const health = {
  summary: 'Whether the database answers',
  response: answers(200, 'it does', object({ status: string, message: string })),
};

const ofCollection = object({ collection });
const ofDocument = object({ collection, id });

const success = { success: boolean, message: string };

export const insert = {
  summary: 'Stores a document; the collection is made when it is not there',
  params: ofCollection,
  body: fields,
  response: answers(201, 'as stored', document, BODY),
};

export const insertBatch = {
  summary: 'Stores documents by one statement, in the order given',
  params: ofCollection,
  body: object({ documents: batchOf(fields) }),
  response: answers(
    201,
    'as stored',
    object({ ...success, inserted_count: count, collection: string, documents }),
    BODY,
  ),
};

export const mergeBatch = {
  summary: 'Merges fields into documents by one statement: into all, or when one is not there into none',
  params: ofCollection,
  body: object({ operations: batchOf(object({ id: string, updates: fields })) }),
  response: answers(
    200,
    'as they are now',
    object({ ...success, updated_count: count, failed_count: count, collection: string, documents }),
    [...BODY, 404],
  ),
};

export const get = {
  summary: 'A document',
  params: ofDocument,
  response: answers(200, 'the document', document, [400, 404]),
};

export const merge = {
  summary: 'Sets the fields given; the others stay',
  params: ofDocument,
  body: fields,
  response: answers(200, 'as it is now', document, [...BODY, 404]),
};

export const replace = { ...merge, summary: 'Puts another document in its place' };

export const remove = {
  summary: 'Deletes a document',
  params: ofDocument,
  response: answers(204, 'it is gone', undefined, [400, 404]),
};

const filters = { type: 'object', propertyNames: { pattern: NAME }, additionalProperties: string };

export const find = {
  summary: 'A page of documents, ascending by _id',
  description: 'Every other parameter is an equality filter, field=value; a value that looks like a number is one.',
  params: ofCollection,
  querystring: {
    ...filters,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
      offset: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 },
      after: cursor,
      before: cursor,
    },
  },
  response: answers(
    200,
    'the page',
    object(
      { documents, has_next: boolean, has_prev: boolean, next_cursor: cursor, prev_cursor: cursor, total: count },
      ['next_cursor', 'prev_cursor', 'total'],
    ),
    [400, 404],
  ),
};

export const findAll = {
  summary: 'All documents, streamed, in no particular order',
  description: 'Every parameter is an equality filter, as in find.',
  params: ofCollection,
  querystring: filters,
  response: answers(200, 'the documents', documents, [400, 404]),
};

export const indexes = {
  summary: 'The indexed fields',
  params: ofCollection,
  response: answers(
    200,
    'the fields',
    object({ success: boolean, collection: string, indexes: list(string), index_count: count }),
    [400, 404],
  ),
};

export const createIndex = {
  summary: 'Indexes a field, so that filters on it are quick; the collection is made when it is not there',
  params: object({ collection, field: name('a field of the documents') }),
  response: answers(201, 'it is indexed', object({ ...success, collection: string, field: string }), [400]),
};
