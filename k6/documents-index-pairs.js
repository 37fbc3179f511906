// The same question to an indexed and to an unindexed twin of the same documents: all, at most 1,000, of one age. Only pairs of
// equal answers are timed. The trends speedup_* hold unindexed / indexed of each pair, by how many documents were found.
import { check } from 'k6';
import { Trend } from 'k6/metrics';
import { agesOf, countIn, idsIn, operationOn, randomOfVU, refuseEmpty } from './lib/collections.js';
import { OLDEST, YOUNGEST } from './lib/documents.js';
import { fetchOnce, took } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { between } from './lib/random.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({
  vus: 15,
  thresholds: { http_req_duration: ['p(95)<200'], http_req_failed: ['rate<0.1'] },
});

const LIMIT = 1000;
const random = randomOfVU();
const ask = Object.fromEntries(
  ['indexed', 'unindexed'].map((twin) => [twin, operationOn(twin, twin, { keep: true, sample: 0, trend: undefined })]),
);
const latency = { indexed: new Trend('indexed', true), unindexed: new Trend('unindexed', true) };
const speedups = [LIMIT, 100, 10, 1, 0].map((from) => [from, new Trend(`speedup_from_${from}`)]);

export const setup = prepared(() => {
  const [{ documents }] = ['indexed', 'unindexed'].map((twin) => {
    const body = fetchOnce(`/collections/${twin}/find?limit=${LIMIT}`);
    if (countIn(body) === 0) refuseEmpty(twin);
    return JSON.parse(body);
  });
  return agesOf(documents);
});

export default scheduled((ages) => {
  const age = between(random, YOUNGEST, OLDEST);
  const order = random() < 0.5 ? ['indexed', 'unindexed'] : ['unindexed', 'indexed'];
  const answers = {};
  for (const twin of order) {
    answers[twin] = ask[twin](`/find?limit=${LIMIT}&age=${age}`, () => true);
    if (answers[twin]?.status !== 200) return;
  }
  const { indexed, unindexed } = answers;
  const [withIndex, without] = [indexed, unindexed].map(({ body }) => idsIn(body).sort().join());
  const right = withIndex === without && (withIndex !== '' || !ages.includes(age));
  check(right, { 'index: both found the same': (same) => same });
  if (!right) return;
  for (const twin of order) latency[twin].add(took(answers[twin]));
  const count = countIn(indexed.body);
  const [, speedup] = speedups.find(([from]) => count >= from);
  speedup.add(took(unindexed) / took(indexed));
});
