// Batch insert, then batch update of the same documents: 10 to 60 at a time, or as many as -e size= says.
import { Trend } from 'k6/metrics';
import { idsIn, newDocument, operationOn, randomOfVU } from './lib/collections.js';
import { fetchOnce } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { between, pick } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';
import { whole } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({
  vus: 5,
  thresholds: { http_req_duration: ['p(95)<200'], http_req_failed: ['rate<0.05'] },
});

const COLLECTION = 'test';
const STOCK = 200; // documents that a VU makes once and puts its batches together from: making each anew would take k6 longer than the target
const random = randomOfVU();
const stock = [];
const size = whole('size');
const rows = new Trend('rows'); // sent in batches that were answered with success: the database's own count is held against it
const insert = operationOn(COLLECTION, 'batch_insert', { method: 'POST', status: 201, keep: true });
const update = operationOn(COLLECTION, 'batch_update', { method: 'PATCH' });

const counts = (key, count) => (body) => new RegExp(`"${key}":\\s*${count}\\b`).test(body);

export const setup = prepared(() => {
  fetchOnce(`/collections/${COLLECTION}/find?limit=1`);
});

export default scheduled(() => {
  while (stock.length < STOCK) stock.push(newDocument(random));
  const count = size ?? between(random, 10, 60);
  const documents = Array.from({ length: count }, () => pick(random, stock));
  const inserted = insert('/batch', counts('inserted_count', count), `{"documents":[${documents.join(',')}]}`);
  if (inserted?.status !== 201) return;
  rows.add(count);
  const operations = idsIn(inserted.body).map((id) => `{"id":"${id}","updates":{"score":${between(random, 0, 100)}}}`);
  const updated = update('/batch', counts('updated_count', count), `{"operations":[${operations.join(',')}]}`);
  if (updated?.status === 200) rows.add(count);
});
