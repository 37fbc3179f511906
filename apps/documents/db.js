import Cursor from 'pg-cursor';
import { environment as database, openPool, poolStats } from '../lib/database.js';
import { integer } from '../lib/environment.js';
import {
  isAlreadyThere,
  isUnknownCollection,
  refusal,
  translated,
  unknownCollection,
  unknownDocument,
} from './errors.js';
import { isId, pageOf } from './paging.js';
import * as sql from './sql.js';
import { openStream } from './stream.js';

export { default as routes } from './routes.js';

/** STREAM_STALL_S: a reader of a stream that takes nothing for so long is cut off, for it holds a connection. */
export const environment = { ...database, POOL_SIZE: integer(1, 1000, 16), STREAM_STALL_S: integer(1, 3600, 60) };

// Values stay the text that the database sent: documents pass through unparsed, so nothing of them is lost or spent.
const AS_TEXT = { getTypeParser: () => String };

// Statements are prepared once per connection and kept there: the common ones, not one per field that was ever asked for.
const PREPARED_AT_MOST = 200;

/** A row [id, doc] as the document's JSON, its `_id` first. */
const documentJson = ([id, doc]) => (doc === '{}' ? `{"_id":"${id}"}` : `{"_id":"${id}", ${doc.slice(1)}`);

/**
 * The documents API on one pool. Documents go in and come out as JSON text. Errors carry the status code that they mean;
 * those of the database itself (it is away, it has no room) are left to apps/lib/errors.js.
 */
export async function connect(config) {
  const pool = await openPool(config);
  const asked = statementsOn(pool);
  const searches = searchesOn(pool, asked, config.STREAM_STALL_S * 1000);
  return {
    ...withTranslatedErrors({ ...documentsBy(asked), ...searches, ...indexesOn(pool, asked) }),
    ping: () => pool.query(sql.ping),
    stats: () => ({ pool: poolStats(pool) }),
    close: () => pool.end(),
  };
}

/** The ways to ask a pool: `ask` and `one` give rows as arrays of text, `make` runs what fails when it is done already. */
function statementsOn(pool) {
  const names = new Map();

  function nameOf(text) {
    if (!names.has(text) && names.size < PREPARED_AT_MOST) names.set(text, `s${names.size}`);
    return names.get(text);
  }

  async function ask(text, values) {
    const { rows } = await pool.query({ name: nameOf(text), text, values, rowMode: 'array', types: AS_TEXT });
    return rows;
  }

  /** Asks, and makes the collection first when it is not there. */
  async function askOrCreate(collection, text, values) {
    try {
      return await ask(text, values);
    } catch (error) {
      if (!isUnknownCollection(error)) throw error;
      await make(sql.createCollection(collection));
      return ask(text, values);
    }
  }

  async function make(text) {
    try {
      await pool.query(text);
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
    }
  }

  /** The one row of the document whose id is the first value. */
  async function one(text, values) {
    if (!isId(values[0])) throw unknownDocument();
    const [row] = await ask(text, values);
    if (row === undefined) throw unknownDocument();
    return row;
  }

  return { ask, askOrCreate, make, one };
}

const documentsBy = ({ ask, askOrCreate, one }) => ({
  insert: async (collection, json) => documentJson((await askOrCreate(collection, sql.insert(collection), [json]))[0]),
  insertBatch: async (collection, json) =>
    (await askOrCreate(collection, sql.insertBatch(collection), [json])).map(documentJson),
  get: async (collection, id) => documentJson(await one(sql.get(collection), [id])),
  merge: async (collection, id, json) => documentJson(await one(sql.merge(collection), [id, json])),
  replace: async (collection, id, json) => documentJson(await one(sql.replace(collection), [id, json])),
  remove: (collection, id) => one(sql.remove(collection), [id]),

  /** json: {operations} on the ids `ids`, none twice. All documents as merged, or a refusal that names those not there. */
  async mergeBatch(collection, ids, json) {
    const malformed = ids.filter((id) => !isId(id));
    const rows = malformed.length > 0 ? [] : await ask(sql.mergeBatch(collection), [ids, json]);
    const missing = malformed.concat(rows.filter(([, , isThere]) => isThere === 'f').map(([id]) => id));
    if (missing.length === 0) return rows.map(documentJson);
    const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
    const which = `${missing.slice(0, 10).join(', ')}${more}`;
    throw refusal(400, 'UNKNOWN_DOCUMENT', `nothing was updated, for there is no document ${which}`);
  },
});

const searchesOn = (pool, { ask }, stallMs) => ({
  /** filters as filtersIn gives them, start as startOf does; {documents, has_next, has_prev, ...} with documents as JSON. */
  async find(collection, { fields, values }, limit, { from, at }) {
    const rows = await ask(sql.find(collection, fields, from, limit + 1), from ? [...values, at] : values);
    const { page, about } = pageOf(rows, limit, from);
    return { documents: page.map(documentJson), ...about };
  },

  /** A readable stream of the JSON array of all documents that the filters let through. */
  async findAll(collection, { fields, values }) {
    const client = await pool.connect();
    const cursor = new Cursor(sql.findAll(collection, fields), values, { rowMode: 'array', types: AS_TEXT });
    return openStream(client, cursor, { write: documentJson, stallMs });
  },
});

const indexesOn = (pool, { make }) => ({
  async indexes(collection) {
    const { rows } = await pool.query({ name: 'indexes', text: sql.indexes, values: [collection] });
    if (rows[0].array_agg === null) throw unknownCollection();
    return rows[0].array_agg;
  },

  async createIndex(collection, field) {
    await make(sql.createCollection(collection));
    await make(sql.createIndex(collection, field));
    await pool.query(sql.analyze(collection));
  },
});

function withTranslatedErrors(methods) {
  const fail = (error) => {
    throw translated(error);
  };
  const translating = ([name, method]) => [name, (...values) => method(...values).catch(fail)];
  return Object.fromEntries(Object.entries(methods).map(translating));
}
