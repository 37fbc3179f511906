// A k6 script of somebody's own under the load that the settings say: -e script=FILE, and -e exec=NAME of its function where that is not the default. A rate
// is one of its iterations; its checks say which answers are right. It asks at __ENV.BASE_URL. Its own scenarios, users and thresholds do not count here.
import { check } from 'k6';
import { loadOptions } from '../lib/options.js';
import { prepared, scheduled } from '../lib/schedule.js';

export { handleSummary } from '../lib/summary.js';

const script = require(__ENV.script);

/** What says how much load there is, and what becomes of it. */
const OURS = [
  'scenarios',
  'paused',
  'rps',
  'minIterationDuration',
  'vus',
  'duration',
  'iterations',
  'stages',
  'thresholds',
  'executionSegment',
  'executionSegmentSequence',
  'ext',
  'cloud',
];
const own = Object.fromEntries(Object.entries(script.options ?? {}).filter(([name]) => !OURS.includes(name)));

export const options = { ...own, ...loadOptions(), discardResponseBodies: own.discardResponseBodies ?? false };

export const setup = prepared(() => script.setup?.());

export const teardown = (data) => script.teardown?.(data);

const iteration = script[__ENV.exec ?? 'default'];
if (iteration?.constructor.name === 'AsyncFunction')
  throw new Error('an async function is not measured: let it be an ordinary one');

/** What throws ends its iteration, and k6 counts nothing: so the answer that it threw at counts as wrong. */
export default scheduled((data) => {
  try {
    iteration(data);
  } catch (error) {
    check(null, { 'the iteration throws nothing': () => false });
    throw error;
  }
});
