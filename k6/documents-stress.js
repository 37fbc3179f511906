// Four operations in random order, half of them reads, on a collection without an index but its ids'.
import {
  areAllOf,
  inserter,
  isDocument,
  loadedIds,
  operationOn,
  pathOf,
  pickId,
  randomOfVU,
} from './lib/collections.js';
import { OLDEST, YOUNGEST } from './lib/documents.js';
import { loadOptions } from './lib/options.js';
import { between, pick } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({ vus: 20 });

const COLLECTION = 'test';
const random = randomOfVU();
const insert = inserter(COLLECTION);
const get = operationOn(COLLECTION, 'get');
const update = operationOn(COLLECTION, 'update', { method: 'PATCH' });
const find = operationOn(COLLECTION, 'find');

const operations = [
  () => insert(random),
  (id) => update(pathOf(id), isDocument(id), JSON.stringify({ score: between(random, 0, 100) })),
  (id) => get(pathOf(id), isDocument(id)),
  (_id, ages) => {
    const age = between(random, YOUNGEST, OLDEST);
    find(`/find?limit=10&age=${age}`, areAllOf(age, ages.includes(age)));
  },
];

export const setup = prepared(() => loadedIds(COLLECTION));

export default scheduled((ids) => pick(random, operations)(pickId(random, ids), ids.ages));
