// Which answers have their bodies checked.
import exec from 'k6/execution';
import { streamSeed } from './random.js';
import { settings } from './settings.js';

/** In this many bodies one wrong answer in a hundred is missed in fewer than one trial of a thousand: 0.99 ^ 700. */
const BODIES = 700;
const ofThisGenerator = () => Math.ceil(BODIES / settings.generator.of);

/**
 * -> a function that says of each answer whether to check its body: with `-e sample=` that share of them; without it
 * `share`, and where that would be too few, as many more as make BODIES of an operation in a trial, evenly over its time, or
 * all of them. A share of 0 means none: the script checks for itself.
 */
export function sampler(share) {
  if (settings.sample !== undefined) return () => Math.random() < settings.sample;
  if (share === 0 || share === 1) return () => share === 1;
  if (settings.requests) return () => Math.random() < Math.max(share, BODIES / settings.requests);
  const isDue = settings.rate ? byArrival(settings) : byTime(settings);
  return () => isDue() || Math.random() < share;
}

/** The open model: one in each run of as many arrivals as can be spared, at a place that only chance decides. */
function byArrival({ rate, duration }) {
  const stride = Math.max(1, Math.floor((rate * duration.ms) / 1000 / BODIES));
  let scenario;
  return () => {
    scenario ??= exec.scenario;
    const arrival = scenario.iterationInTest;
    return arrival % stride === streamSeed(BODIES, Math.floor(arrival / stride)) % stride;
  };
}

/**
 * The closed model: each user checks one in each interval that its part of them takes, at a moment that only chance decides, or a
 * fault that recurs could be missed each time. One that is too slow for that checks all.
 */
function byTime({ duration }) {
  let instance;
  let interval;
  let begin; // of the next interval
  let next;
  return () => {
    if (!instance) {
      instance = exec.instance;
      interval = (duration.ms * instance.vusInitialized) / ofThisGenerator();
      begin = instance.currentTestRunDuration;
      next = begin + Math.random() * interval;
    }
    if (instance.currentTestRunDuration < next) return false;
    begin += interval;
    next = begin + Math.random() * interval;
    return true;
  };
}
