/**
 * The SQL of the documents API, the one source of it: the target, the dataset and pgbench's scripts carry these texts.
 * A collection is one table, `collections."<name>"` (id, doc). Names are validated before they get here (schemas.js) and
 * quoted here; every value is bound, but for a page's limit (see find).
 */
import { createHash } from 'node:crypto';

const table = (collection) => `collections."${collection}"`;
const field = (name) => `(doc->'${name}')`;

/** The name of what belongs to a collection: it holds a dot, so no collection can have it, and fits PostgreSQL's 63 bytes. */
function nameWithin(collection, part) {
  const name = `${collection}.${part}`;
  return name.length <= 63 ? name : `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

/** No rows. Two that run at once may fail with 23505 or 42P07: then the other has made it. */
export const createCollection = (collection) => `create table if not exists ${table(collection)} (
  id bigint generated always as identity (sequence name collections."${nameWithin(collection, '.seq')}"),
  doc jsonb not null,
  constraint "${nameWithin(collection, '.key')}" primary key (id))`;

/** $1 the document's JSON; one row: id, doc. */
export const insert = (collection) => `insert into ${table(collection)} (doc) values ($1) returning id, doc`;

/** $1 {"documents": [...]}; a row for each: id, doc, in the order given. */
export const insertBatch = (collection) =>
  `insert into ${table(collection)} (doc) select value from jsonb_array_elements($1::jsonb->'documents') returning id, doc`;

/** $1 id; a row, or none: id, doc. */
export const get = (collection) => `select id, doc from ${table(collection)} where id = $1`;

/** $1 id, $2 JSON of the fields to set; a row, or none: id, doc. */
export const merge = (collection) =>
  `update ${table(collection)} set doc = doc || ($2::jsonb - '_id') where id = $1 returning id, doc`;

/** $1 id, $2 the new document's JSON; a row, or none: id, doc. */
export const replace = (collection) =>
  `update ${table(collection)} set doc = $2::jsonb - '_id' where id = $1 returning id, doc`;

/** $1 id; a row, or none: id. */
export const remove = (collection) => `delete from ${table(collection)} where id = $1 returning id`;

/**
 * $1 the ids, none twice, $2 {"operations": [{"id", "updates"}, ...]} in the same order. A row for each operation, in order: id,
 * doc as merged, whether the id is there. All or nothing: rows are locked first, in the order of their ids, so that two batches
 * cannot block each other, and none is updated unless all are there (then every doc is null). The ids come as an array because
 * the planner takes an array for few rows, and looks them up by the key instead of reading the collection.
 */
export const mergeBatch = (collection) => `with operation as materialized (
  select id, ($2::jsonb #> array['operations', (n - 1)::text, 'updates']) - '_id' as updates, n
  from unnest($1::bigint[]) with ordinality as given (id, n)
), found as materialized (
  select id from ${table(collection)} where id in (select id from operation) order by id for update
), merged as (
  update ${table(collection)} as target set doc = doc || updates from operation
  where target.id = operation.id and (select count(*) from found) = (select count(*) from operation)
  returning target.id, doc
)
select operation.id, doc, found.id is not null
from operation left join found using (id) left join merged using (id) order by n`;

/**
 * $1... the values of the equality filters as JSON, in the order of `fields`; then, with `from` ('after', 'before' or
 * 'offset'), the id to start from or how many to skip. Rows: id, doc; ascending by id, and descending from 'before'.
 * `limit`, a whole number, is written out: the planner must know whether a page or the whole collection is wanted.
 */
export function find(collection, fields, from, limit) {
  const start = `$${fields.length + 1}`;
  const conditions = equalities(fields);
  if (from === 'after') conditions.push(`id > ${start}`);
  if (from === 'before') conditions.push(`id < ${start}`);
  const order = from === 'before' ? 'id desc' : 'id';
  const offset = from === 'offset' ? ` offset ${start}` : '';
  return `select id, doc from ${table(collection)}${where(conditions)} order by ${order} limit ${limit}${offset}`;
}

/** $1... the values of the equality filters as JSON, in the order of `fields`. Rows in no particular order: id, doc. */
export const findAll = (collection, fields) => `select id, doc from ${table(collection)}${where(equalities(fields))}`;

const equalities = (fields) => fields.map((name, i) => `${field(name)} = $${i + 1}`);
const where = (conditions) => (conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`);

/** No rows. The id stands beside the value, so that a page in the order of ids is read straight from the index. */
export const createIndex = (collection, name) =>
  `create index if not exists "${nameWithin(collection, name)}" on ${table(collection)} (${field(name)}, id)`;

/** No rows. How often a field's values occur is known to the planner only after this. */
export const analyze = (collection) => `analyze ${table(collection)}`;

/** $1 the collection's name; one row: names of the indexed fields, `_id` first, null when there is no such collection. */
export const indexes = `select array_agg(coalesce(substring(pg_get_indexdef(indexrelid, 1, true) from '''(.*)''::text'), '_id') order by indexrelid)
from pg_index where indrelid = (select oid from pg_class where relname = $1 and relkind = 'r' and relnamespace = 'collections'::regnamespace)`;

/** The cheapest question that proves the database answers. */
export const ping = 'select 1';
