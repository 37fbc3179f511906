// Whole streams, read to the end and counted: a collection of a thousand documents, and those of one age out of many.
// The trends stream and filtered are total times; stream_first_byte and filtered_first_byte how long the first byte took.
import { Trend } from 'k6/metrics';
import { countIn, operationOn, randomOfVU, refuseEmpty } from './lib/collections.js';
import { YOUNGEST } from './lib/documents.js';
import { fetchOnce } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { between } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({
  vus: 8,
  thresholds: { http_req_duration: ['p(95)<500'], http_req_failed: ['rate<0.1'] },
});

// Ages of which there are some hundreds, down to one hundred, among 100,000 documents.
const AGES = [20, 25, 30, 35].map((years) => YOUNGEST + years);

const kinds = [
  { name: 'stream', collection: 'thousand', queries: [''] },
  { name: 'filtered', collection: 'indexed', queries: AGES.map((age) => `?age=${age}`) },
].map((kind) => ({
  ...kind,
  send: operationOn(kind.collection, kind.name, { keep: true, sample: 1 }),
  firstByte: new Trend(`${kind.name}_first_byte`, true),
}));

const random = randomOfVU();

/** -> {name: [how many documents each query finds]} */
export const setup = prepared(() => {
  const counted = kinds.map(({ name, collection, queries }) => [
    name,
    queries.map((query) => countIn(fetchOnce(`/collections/${collection}/find_with_stream${query}`))),
  ]);
  for (const { name, collection } of kinds)
    if (Object.fromEntries(counted)[name].every((count) => count === 0)) refuseEmpty(collection);
  return Object.fromEntries(counted);
});

export default scheduled((counts) => {
  const { name, queries, send, firstByte } = kinds[between(random, 0, 1)];
  const chosen = between(random, 0, queries.length - 1);
  const response = send(
    `/find_with_stream${queries[chosen]}`,
    (body) => body.endsWith(']') && countIn(body) === counts[name][chosen],
  );
  if (response?.status === 200) firstByte.add(response.timings.waiting);
});
