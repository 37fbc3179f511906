// Six operations in random order, two thirds of them reads, on a collection of 100,000 documents with an index on age.
import {
  areAllOf,
  countIn,
  inserter,
  isDocument,
  loadedIds,
  operationOn,
  pathOf,
  pickId,
  randomOfVU,
} from './lib/collections.js';
import { YOUNGEST } from './lib/documents.js';
import { loadOptions } from './lib/options.js';
import { between, pick } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({ vus: 20 });

const COLLECTION = 'indexed';
const PAGE = 20;
const random = randomOfVU();
const insert = inserter(COLLECTION);
const update = operationOn(COLLECTION, 'update', { method: 'PATCH' });
const get = operationOn(COLLECTION, 'get');
const query = operationOn(COLLECTION, 'query');
const page = operationOn(COLLECTION, 'page');
const stream = operationOn(COLLECTION, 'stream');

const operations = [
  () => insert(random),
  (id) => update(pathOf(id), isDocument(id), JSON.stringify({ score: between(random, 0, 100) })),
  (id) => get(pathOf(id), isDocument(id)),
  (_id, ages) => {
    const age = between(random, YOUNGEST, YOUNGEST + 40);
    query(`/find?limit=10&age=${age}`, areAllOf(age, ages.includes(age)));
  },
  () => page(`/find?limit=${PAGE}`, (body) => countIn(body) === PAGE),
  (_id, ages) => {
    const age = between(random, YOUNGEST + 40, YOUNGEST + 60);
    stream(`/find_with_stream?age=${age}`, areAllOf(age, ages.includes(age)));
  },
];

export const setup = prepared(() => loadedIds(COLLECTION));

export default scheduled((ids) => pick(random, operations)(pickId(random, ids), ids.ages));
