// Insert, get, update, find and delete of a document, one after the other: what an application does all day.
import { areAllOf, inserter, isDocument, operationOn, pathOf, randomOfVU } from './lib/collections.js';
import { YOUNGEST } from './lib/documents.js';
import { fetchOnce } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { between } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({
  vus: 10,
  thresholds: { http_req_duration: ['p(95)<100'], http_req_failed: ['rate<0.1'] },
});

const COLLECTION = 'test';
const random = randomOfVU();
const insert = inserter(COLLECTION);
const get = operationOn(COLLECTION, 'get');
const update = operationOn(COLLECTION, 'update', { method: 'PATCH' });
const find = operationOn(COLLECTION, 'find');
const remove = operationOn(COLLECTION, 'delete', { method: 'DELETE', status: 204 });

export const setup = prepared(() => {
  fetchOnce(`/collections/${COLLECTION}/find?limit=1`);
});

export default scheduled(() => {
  const id = insert(random);
  if (id === undefined) return;
  const age = between(random, YOUNGEST, YOUNGEST + 20);
  get(pathOf(id), isDocument(id));
  const isUpdated = (body) => isDocument(id)(body) && JSON.parse(body).age === age;
  const updated = update(pathOf(id), isUpdated, JSON.stringify({ age }));
  find(`/find?limit=10&age=${age}`, areAllOf(age, updated?.status === 200));
  remove(pathOf(id), (body) => !body);
});
