// The load models that the settings ask for, as k6's options.
import exec from 'k6/execution';
import { isRamp, isStepped, settings, wholeTime } from './settings.js';

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
