// What the scripts of the documents API share: its requests, and what is loaded already.
import exec from 'k6/execution';
import { person } from './documents.js';
import { fetchOnce, operation } from './http.js';
import { between, seeded, streamSeed } from './random.js';
import { userNumber, whole } from './settings.js';

const JSON_BODY = { 'Content-Type': 'application/json' };
const PAGE = 1000;

/** -> the random numbers of this VU: the same in each run of a seed (`-e seed=`), and no other VU's. */
export const randomOfVU = () => seeded(streamSeed(whole('seed') ?? 1, userNumber()));

/** -> a new document of the suite, as JSON. */
export const newDocument = (random) => JSON.stringify(person(random));

/** -> the first `_id` in a body; undefined when there is none. */
const idIn = (body) => /"_id":\s*"([^"]+)"/.exec(body)?.[1];

/** -> every `_id` in a body, in order. */
export const idsIn = (body) => Array.from(body.matchAll(/"_id":\s*"([^"]+)"/g), ([, id]) => id);

/** -> how many documents are in a body. */
export const countIn = (body) => body.split('"_id":').length - 1;

/** One request of the API to `collection`, named `name` and with a trend of that name; see operation(). */
export function operationOn(collection, name, options = {}) {
  const headers = options.method === undefined ? {} : JSON_BODY;
  const send = operation(name, { headers, trend: name, ...options });
  return (path, expected, body) => send(`/collections/${collection}${path}`, expected, body);
}

/** -> insert(random): stores a new document and gives its id, or undefined when it was not stored. */
export function inserter(collection) {
  const insert = operationOn(collection, 'insert', { method: 'POST', status: 201, keep: true });
  return (random) => {
    const response = insert('', (body) => idIn(body) !== undefined, newDocument(random));
    return response?.status === 201 ? idIn(response.body) : undefined;
  };
}

/** -> the path of a document. */
export const pathOf = (id) => `/documents/${encodeURIComponent(id)}`;

/** -> whether a body is the document `id`. */
export const isDocument = (id) => (body) => idIn(body) === id;

/** -> whether a body holds documents of an age and no others, as a page or as an array; and one at least where it must be `notEmpty`. */
export const areAllOf = (age, notEmpty) => (body) => {
  const answer = JSON.parse(body);
  const documents = answer.documents ?? answer;
  return (documents.length > 0 || !notEmpty) && documents.every((document) => document.age === age);
};

/** -> the ages of documents: while none of these is deleted or ages, each is found. */
export const agesOf = (documents) => [...new Set(documents.map(({ age }) => age))];

/**
 * For setup(): ids in a collection, the first `most` of them, all as wide as the widest and in one text: each VU gets a copy of what
 * setup() gives, and a text costs it far less than a list; and the ages of these documents. Ends the run with one line when there are none.
 */
export function loadedIds(collection, most = 5000) {
  const ids = [];
  const ages = [];
  let after = '';
  do {
    const page = JSON.parse(fetchOnce(`/collections/${collection}/find?limit=${PAGE}${after}`));
    ids.push(...page.documents.map(({ _id }) => _id));
    ages.push(...agesOf(page.documents));
    after = page.has_next && page.next_cursor ? `&after=${encodeURIComponent(page.next_cursor)}` : '';
  } while (after && ids.length < most);
  if (ids.length === 0) refuseEmpty(collection);
  const width = Math.max(...ids.map((id) => id.length));
  return { count: ids.length, width, text: ids.map((id) => id.padEnd(width)).join(''), ages: [...new Set(ages)] };
}

/** -> one of the ids that loadedIds() gave. */
export function pickId(random, { count, width, text }) {
  const at = between(random, 0, count - 1) * width;
  return text.slice(at, at + width).trimEnd();
}

/** Ends the run with the line that says how the collection is filled. */
export function refuseEmpty(collection) {
  exec.test.abort(
    `collection ${collection} is empty: node scripts/datasets/documents-http.js URL gives a server the documents.`,
  );
}
