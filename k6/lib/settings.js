// The settings of a load, read from `-e name=value`.
import exec from 'k6/execution';

const MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Ends k6 with one line and exit code 108; the only way out of init code that prints no stack. */
function refuse(name, need) {
  exec.test.abort(`-e ${name}=${__ENV[name]} is refused: ${need}.`);
}

/** -> the setting as a whole number; undefined when it is not given. */
export function whole(name) {
  if (__ENV[name] === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(__ENV[name])) refuse(name, `it takes a whole number from 1, such as -e ${name}=10`);
  return Number(__ENV[name]);
}

/** -> {text, ms}: the setting as k6 writes durations, and in milliseconds; undefined when neither it nor `fallback` is given. */
function duration(name, fallback) {
  const text = __ENV[name] ?? fallback;
  if (text === undefined) return undefined;
  const parts = /^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text) ? text.match(/[\d.]+[a-z]+/g) : [];
  const ms = parts.reduce((sum, part) => sum + parseFloat(part) * MS[part.replace(/[\d.]+/, '')], 0);
  if (!(ms > 0)) refuse(name, `it takes a time with its unit, such as -e ${name}=5s or 1m30s`);
  return { text, ms };
}

/** -> the setting as a number from 0 to 1; undefined when it is not given. */
function share(name) {
  if (__ENV[name] === undefined) return undefined;
  if (!/^(0?\.\d+|[01])$/.test(__ENV[name])) refuse(name, `it takes a share from 0 to 1, such as -e ${name}=0.1`);
  return Number(__ENV[name]);
}

/** -> {number, of}: which of several load generators this is, such as 2/4; {1, 1} when it is the only one. */
function generator() {
  const text = __ENV.generator ?? '1/1';
  const [, number, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  if (!(Number(number) <= Number(of)))
    refuse('generator', 'it takes a number and how many there are, such as -e generator=2/4');
  return { number: Number(number), of: Number(of) };
}

/** -> an instant in milliseconds since 1970; undefined when it is not given. */
function instant(name) {
  if (__ENV[name] === undefined) return undefined;
  if (!/^\d{13}$/.test(__ENV[name])) refuse(name, 'it takes milliseconds since 1970');
  return Number(__ENV[name]);
}

/** -> the setting, one of `values`; the first when it is not given. */
function choice(name, values) {
  const value = __ENV[name] ?? values[0];
  if (!values.includes(value)) refuse(name, `it takes ${values.join(' or ')}`);
  return value;
}

/** -> the setting as an http address without a slash at its end. */
function url(name, fallback) {
  const value = __ENV[name] || fallback;
  if (!/^https?:\/\/[^\s/]+/.test(value)) refuse(name, `it takes an address such as ${fallback}`);
  return value.replace(/\/+$/, '');
}

/** Whether two words differ in the order of their letters, or in one letter that is other, missing or too many. */
function resemble(one, other) {
  const sorted = (word) => [...word].sort().join('');
  const least = Math.min(one.length, other.length);
  let [front, back] = [0, 0];
  while (front < least && one[front] === other[front]) front += 1;
  while (back < least - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back += 1;
  return sorted(one) === sorted(other) || Math.max(one.length, other.length) - front - back <= 1;
}

/** k6 passes over a misspelt setting in silence, and another load would run. The environment has names of its own, which resemble none of these. */
const NAMES = [
  'BASE_URL',
  'vus',
  'rate',
  'duration',
  'requests',
  'lead_in',
  'profile',
  'ramp',
  'graceful',
  'think',
  'sample',
  'keepalive',
  'prepared',
  'size',
  'seed',
  'generator',
  'begin',
  'script',
  'exec',
  'only',
];
const misspelt = Object.keys(__ENV)
  .filter((name) => /^[a-z_]{3,}$/.test(name) && !NAMES.includes(name))
  .map((name) => [name, NAMES.find((known) => resemble(name, known))])
  .find(([, meant]) => meant !== undefined);
if (misspelt) refuse(misspelt[0], `there is no such setting; ${misspelt[1]} is one`);

/** What other tools call `vus`: k6 would pass over it in silence, and one user would run. */
for (const name of ['vu', 'VUS', 'users', 'concurrency', 'connections'])
  if (__ENV[name] !== undefined && __ENV.vus === undefined)
    refuse(name, 'the number of users is vus, such as -e vus=10');

const DURATIONS = { level: '5s', gentle: '5s', ramp: '30s', overload: '40s', requests: '10m' };

const profile = choice('profile', ['level', 'ramp', 'gentle', 'overload']);
export const isStepped = profile === 'overload' || profile === 'gentle';
if (isStepped && __ENV.rate === undefined) refuse('profile', 'it takes -e rate=, too');
export const isRamp = profile === 'ramp';
for (const name of isRamp ? ['rate', 'lead_in', 'requests'] : ['ramp'])
  if (__ENV[name] !== undefined)
    refuse(name, isRamp ? 'it has no meaning beside -e profile=ramp' : 'it takes -e profile=ramp, too');
for (const name of ['rate', 'requests', 'profile'])
  if (__ENV.think !== undefined && __ENV[name] !== undefined) refuse('think', `it has no meaning beside -e ${name}=`);
for (const name of ['rate', 'lead_in'])
  if (__ENV.requests !== undefined && __ENV[name] !== undefined) refuse(name, 'it has no meaning beside -e requests=');

/**
 * What `-e` may set. `rate` (arrivals per second) selects the open model; then `vus` is the number of VUs allocated
 * beforehand, by default enough for every request to take a second. `lead_in` is how long the load runs before the
 * `duration` that is to be measured; k6 itself does not tell the two apart. `graceful` is how long iterations may take to
 * finish afterwards; k6 can only be told so by a scenario, so closed scripts have one when it is given. `think` is how long a user of the
 * closed model thinks on average between an answer and the next request (./schedule.js). `sample` is the
 * share of answers whose body is checked (./sample.js says which are without it). `profile` ramp has the users come one by one, `ramp` long,
 * stay for the `duration`, and leave as they came; the way up is then the lead-in. `requests` is how many iterations all users make
 * together, within the `duration`, by default as long as k6 allows. `generator` is which of several k6 processes this is that share the load by
 * k6's `--execution-segment`; they all begin at the instant `begin`.
 */
export const settings = {
  profile,
  baseUrl: url('BASE_URL', `http://127.0.0.1:${__ENV.TARGET_PORT || 3000}`),
  vus: whole('vus'),
  rate: whole('rate'),
  requests: whole('requests'),
  duration: duration('duration', DURATIONS[profile !== 'level' ? profile : __ENV.requests ? 'requests' : 'level']),
  leadIn: isRamp ? duration('ramp', '15s') : duration('lead_in'),
  graceful: duration('graceful'),
  think: duration('think'),
  sample: share('sample'),
  keepalive: choice('keepalive', ['on', 'off']) === 'on',
  prepared: choice('prepared', ['on', 'off']),
  generator: generator(),
  begin: instant('begin'),
};

/** -> the number of this VU among those of all generators: of each they begin a million further on, more than one can have. */
export const userNumber = () => (settings.generator.number - 1) * 1_000_000 + __VU;

/** -> {text, ms}: how long the load is whole, and what is measured ends: the lead-in, and the duration. */
export const wholeTime = ({ leadIn, duration }) =>
  leadIn ? { text: `${leadIn.ms + duration.ms}ms`, ms: leadIn.ms + duration.ms } : duration;
