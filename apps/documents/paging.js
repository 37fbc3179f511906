import { refusal } from './errors.js';

/** What is no filter in a query string. */
const PAGING = new Set(['limit', 'offset', 'after', 'before']);

const ID = /^[1-9]\d{0,17}$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** True when a document may have this id: what is not of this form is not there. */
export const isId = (text) => ID.test(text);

const encode = (id) => Buffer.from(`id:${id}`).toString('base64url');

function decode(cursor) {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const id = text.slice(3);
  if (!isId(id) || encode(id) !== cursor)
    throw refusal(400, 'BAD_CURSOR', 'after and before take a cursor as an earlier page gave it');
  return id;
}

/**
 * The equality filters in a query string: {fields: names, values: each as JSON}. What looks like a JSON number is one,
 * everything else is a string.
 */
export function filtersIn(query) {
  const fields = [];
  const values = [];
  for (const [name, value] of Object.entries(query)) {
    if (PAGING.has(name)) continue;
    if (name === '_id')
      throw refusal(400, 'BAD_FILTER', '_id is no filter: GET /collections/{collection}/documents/{id}');
    fields.push(name);
    values.push(NUMBER.test(value) ? value : JSON.stringify(value));
  }
  return { fields, values };
}

/** Where a page starts: {from: 'after' | 'before' | 'offset', at: id or number}, or {} at the beginning. */
export function startOf({ offset, after, before }) {
  const given = Object.entries({ offset, after, before }).filter(([, value]) => value !== undefined);
  if (given.length > 1) throw refusal(400, 'BAD_PAGINATION', 'offset, after and before exclude one another');
  if (given.length === 0 || offset === 0) return {};
  const [from, value] = given[0];
  return { from, at: from === 'offset' ? value : decode(value) };
}

/**
 * What a page says of itself, from `rows` [[id, doc], ...], received in the order asked for and one more than `limit` where
 * there are more: the page's rows in ascending order and has_next, has_prev, next_cursor?, prev_cursor?, total?. The side
 * that was come from is taken to be there still; `total` is known, and given, when the one page holds everything.
 */
export function pageOf(rows, limit, from) {
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  if (from === 'before') page.reverse();
  const about =
    from === 'before' ? { has_next: true, has_prev: more } : { has_next: more, has_prev: from !== undefined };
  if (about.has_next && page.length > 0) about.next_cursor = encode(page.at(-1)[0]);
  if (about.has_prev && page.length > 0) about.prev_cursor = encode(page[0][0]);
  if (!about.has_next && !about.has_prev) about.total = page.length;
  return { page, about };
}
