// A k6 script of somebody's own under the load that the settings say: -e script=FILE, and -e exec=NAME of its function where that is not the default. A rate
// is one of its iterations; its checks say which answers are right. It asks at __ENV.BASE_URL. Its own scenarios, users and thresholds do not count here.
import { check } from 'k6';
import exec from 'k6/execution';
import { loadOptions } from '../lib/options.js';
import { prepared, scheduled } from '../lib/schedule.js';
import { everythingBut } from './addresses.js';

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
  'httpDebug', // whole answers would be in the log
];
/** This machine, whose null responder is asked, too; and where the script's server is, unless nobody says (`-e only=`, addresses). */
const LOOPBACK = ['127.0.0.0/8', '::1'];
const only = __ENV.only === undefined ? null : __ENV.only.split(',').filter(Boolean);

/** 'localhost:80' of 'http://localhost/orders'; null with TLS, and of what k6 takes for no host: an IPv6 address, or a name with _. */
function hostOf(url) {
  const [, host, port = 80] =
    /^http:\/\/(?:[^/?#@]*@)?([a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(\d+))?(?=[/?#]|$)/i.exec(url) ?? [];
  return host && !/[.-]{2}/.test(host) ? `${host}:${port}` : null;
}

/** Links in answers to the server itself lead to what is asked in its place, the recorder or the null responder, neither of which has TLS. */
function linksOf({ BASE_URL, EXTERNAL_URL }) {
  const [asked, real] = [BASE_URL, EXTERNAL_URL].map(hostOf);
  return asked === null || real === null || asked === real ? {} : { [real]: asked };
}

const own = Object.fromEntries(Object.entries(script.options ?? {}).filter(([name]) => !OURS.includes(name)));

const load = loadOptions();

export const options = {
  ...own,
  ...load,
  noConnectionReuse: own.noConnectionReuse ?? load.noConnectionReuse,
  hosts: { ...own.hosts, ...linksOf(__ENV) },
  discardResponseBodies: own.discardResponseBodies ?? false,
  ...(only && { blacklistIPs: everythingBut([...LOOPBACK, ...only]) }),
};

export const setup = prepared(() => script.setup?.());

export const teardown = (data) => script.teardown?.(data);

const iteration = script[__ENV.exec ?? 'default'];
if (typeof iteration !== 'function') throw new Error(`has no function ${__ENV.exec ?? 'default'} that it exports`);
const ASYNC = 'an async function is not measured: let it be an ordinary one';
if (iteration.constructor.name === 'AsyncFunction') throw new Error(ASYNC);

/** What throws ends its iteration, and k6 counts nothing: so the answer that it threw at counts as wrong. What a promise rejects nobody would see. */
export default scheduled((data) => {
  try {
    if (typeof iteration(data)?.then === 'function') exec.test.abort(ASYNC);
  } catch (error) {
    check(null, { 'the iteration throws nothing': () => false });
    throw error;
  }
});
