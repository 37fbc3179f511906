// The load model and its settings, read from `-e name=value` and handed to k6 as options.
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
const isStepped = profile === 'overload' || profile === 'gentle';
if (isStepped && __ENV.rate === undefined) refuse('profile', 'it takes -e rate=, too');
const isRamp = profile === 'ramp';
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

function openLoad({ rate, vus, graceful }) {
  const scenario = { executor: 'constant-arrival-rate', rate, duration: wholeTime(settings).text };
  scenario.preAllocatedVUs = vus ?? allocated(rate);
  if (graceful) scenario.gracefulStop = graceful.text;
  return { scenarios: { default: scenario } };
}

const half = (rate) => Math.max(1, Math.round(rate / 2));
const allocated = (rate) => Math.min(Math.max(rate, 50), 1000);

/** k6 begins such a schedule only when all VUs are active, a tenth of a second later than it says (k6/build/hdr/schedule.go), and ends it as if it had not. */
const LATE_MS = 500;

/** Rates one after another, without a way between. */
function stepped(steps, preAllocatedVUs, graceful) {
  const last = steps.length - 1;
  const scenario = {
    executor: 'ramping-arrival-rate',
    startRate: steps[0].rate,
    stages: steps.flatMap(({ rate: target, ms }, i) => [
      { target, duration: '0s' },
      { target, duration: `${i === last ? ms + LATE_MS : ms}ms` },
    ]),
    preAllocatedVUs,
  };
  if (graceful) scenario.gracefulStop = graceful.text;
  return { scenarios: { default: scenario } };
}

/** Half of the rate for a quarter of the duration, one and a half times it for the next, and half of it again: what does overload leave behind? */
function overload({ rate, vus, leadIn, duration, graceful }) {
  const quarter = duration.ms / 4;
  const steps = [
    { rate: half(rate), ms: (leadIn?.ms ?? 0) + quarter },
    { rate: Math.round(1.5 * rate), ms: quarter },
    { rate: half(rate), ms: 2 * quarter },
  ];
  return stepped(steps, vus ?? 1000, graceful);
}

/** Steps in which the rate rises from its half. */
const RISES = 8;

/**
 * Half of the rate for three eighths of the lead-in: users open their connections then, and what is cold gets warm. Then it rises, for a quarter of the lead-in. A target that
 * gets twice as much at once would have a queue, which near the capacity takes longer to go than the window is.
 */
function gentle({ rate, vus, leadIn, graceful }) {
  const eighth = (leadIn?.ms ?? 0) / 8;
  const rising = Array.from({ length: RISES }, (_, i) => ({
    rate: Math.round((rate / 2) * (1 + (i + 1) / (RISES + 1))),
    ms: (2 * eighth) / RISES,
  }));
  const steps = [{ rate: half(rate), ms: 3 * eighth }, ...rising, { rate, ms: wholeTime(settings).ms - 5 * eighth }];
  return stepped(steps, vus ?? allocated(rate), graceful);
}

function closedLoad({ vus, graceful }) {
  const load = { vus, duration: wholeTime(settings).text };
  if (!graceful) return load;
  const scenario = { executor: 'constant-vus', ...load, gracefulStop: graceful.text };
  return { scenarios: { default: scenario } };
}

/** The first user is there at once, the last when the ramp ends, and the first to leave goes a moment after the hold. */
function rampedLoad({ vus, leadIn, duration, graceful }) {
  const stages = [
    { duration: leadIn.text, target: vus },
    { duration: duration.text, target: vus },
    { duration: leadIn.text, target: 0 },
  ];
  const scenario = { executor: 'ramping-vus', startVUs: 1, stages };
  if (graceful) Object.assign(scenario, { gracefulStop: graceful.text, gracefulRampDown: graceful.text });
  return { scenarios: { default: scenario } };
}

/** Whoever is free makes the next. */
function countedLoad({ vus, requests, duration, graceful }) {
  const scenario = { executor: 'shared-iterations', vus, iterations: requests, maxDuration: duration.text };
  if (graceful) scenario.gracefulStop = graceful.text;
  return { scenarios: { default: scenario } };
}

function loadOf({ rate, requests, profile }) {
  if (isStepped) return { overload, gentle }[profile];
  if (rate) return openLoad;
  if (requests) return countedLoad;
  return profile === 'ramp' ? rampedLoad : closedLoad;
}

/**
 * -> k6's options for this run: load model, thresholds, and what every workload shares. Flags given to k6 itself
 * (`--vus`, `--duration`, `--stage`, ...) override it, as with any script. `thresholds` are added to the shared ones;
 * `vus` is how many there are in the closed model unless `-e vus=` says otherwise.
 */
export function loadOptions({ thresholds = {}, vus = 1 } = {}) {
  return {
    ...loadOf(settings)(settings.rate ? settings : { ...settings, vus: settings.vus ?? vus }),
    thresholds: { http_req_failed: ['rate<0.01'], checks: ['rate==1'], ...thresholds },
    summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)'],
    systemTags: ['status', 'group', 'expected_response', 'error_code', 'scenario', 'method', 'name', 'check', 'vu'],
    discardResponseBodies: true,
    noConnectionReuse: !settings.keepalive,
    ...(settings.begin && { setupTimeout: '10m' }), // it waits for the others
  };
}

/** Called from setup(): ends the run when a flag of k6's own has replaced the schedule that `-e rate=`, `-e requests=` or `-e profile=ramp` asked for. */
export function requireSchedule() {
  const { rate, requests, vus } = settings;
  const isAsked = (scenario) => {
    if (rate) return scenario.executor === (isStepped ? 'ramping-arrival-rate' : 'constant-arrival-rate');
    if (requests) return scenario.iterations === requests && scenario.vus === (vus ?? scenario.vus);
    return !isRamp || (scenario.executor === 'ramping-vus' && scenario.startVUs === 1); // --stage leaves it open
  };
  const given = rate ? `-e rate=${rate}` : requests ? `-e requests=${requests}` : '-e profile=ramp';
  if (!Object.values(exec.test.options.scenarios).every(isAsked))
    exec.test.abort(
      `${given} sets the load itself: use -e duration= and -e vus= with it, not --duration, --vus, --stage or --iterations.`,
    );
}
