// What an iteration knows of the load that it is part of: the arrival that it serves, or whether others still need it.
import { sleep } from 'k6';
import exec from 'k6/execution';
import { seeded, streamSeed } from './random.js';
import { settings, userNumber, wholeTime } from './settings.js';

/** Wraps the setup() of a script: it ends at the instant that several generators have agreed to begin at. */
export const prepared = (setup) => () => {
  const data = setup();
  if (settings.begin) sleep(Math.max(0, settings.begin - Date.now()) / 1000);
  return data;
};

/** Wraps the iteration of a script, which needs to know of nothing but requests. */
export function scheduled(iteration) {
  if (settings.rate) return withArrival(iteration);
  if (settings.think) return withPauses(iteration);
  return settings.leadIn && settings.graceful ? withLeadOut(iteration) : iteration;
}

/**
 * In the open model every sample of an iteration carries, as
 * metadata `arrival`, the iteration's number and the scenario's progress when it began: from these the output `hdr`
 * (k6/build/hdr/schedule.go) counts latency from when the arrival was due. k6's own metrics count from the send.
 */
function withArrival(iteration) {
  let scenario; // these objects are views: made once, they always tell of the iteration under way
  let metadata;
  return (data) => {
    scenario ??= exec.scenario;
    metadata ??= exec.vu.metrics.metadata;
    metadata.arrival = `${scenario.iterationInTest} ${scenario.progress}`;
    iteration(data);
  };
}

/**
 * In the closed model k6 begins nothing when the time is over, and what is under way has the target to itself, more and more:
 * its share of the window would be too large, its latency too short. So a user goes on for as long as the slowest of its own iterations took, within
 * one of k6's, which has `graceful` to end. So does a user who leaves in a ramp. By hand there is no window, and no lead-out.
 */
function withLeadOut(iteration) {
  let over; // when the window is, in ms since the epoch
  let longest = 0;
  return (data) => {
    over ??= exec.scenario.startTime + wholeTime(settings).ms;
    let now = Date.now();
    do {
      const began = now;
      iteration(data);
      now = Date.now();
      longest = Math.max(longest, now - began);
    } while (now >= over && now < over + Math.min(longest, settings.graceful.ms - 2 * longest));
  };
}

/** Of streams of random numbers that scripts draw, that of pauses. */
const PAUSES = 7;
/** So many times the mean is the longest pause (TPC-C 5.11, clause 5.2.5.4, which has the same distribution). */
const LONGEST_PAUSE = 10;
/** Nobody who woke up at the end would still ask: k6 begins iterations until then. */
const PAST_END_MS = 100;

/**
 * A user thinks after each answer, and before the first question, so that users do not come in step: for `think` on average, exponentially
 * distributed, which makes the first moment like any later one. When the load is over nobody thinks on.
 */
function withPauses(iteration) {
  let pause;
  return (data) => {
    pause ??= pauses();
    if (exec.vu.iterationInScenario === 0 && pause()) return;
    try {
      iteration(data);
    } finally {
      pause(); // whoever got no right answer thinks, too
    }
  };
}

/** -> a function that sleeps as this user thinks, and tells whether the load was over meanwhile. */
function pauses() {
  // others in each trial: blocks that shared them would agree for no other reason
  const random = seeded(streamSeed(PAUSES + Math.floor(exec.scenario.startTime), userNumber()));
  const end = exec.scenario.startTime + wholeTime(settings).ms;
  return () => {
    const ms = settings.think.ms * Math.min(-Math.log(1 - random()), LONGEST_PAUSE);
    const isOver = Date.now() + ms >= end;
    sleep((isOver ? Math.max(0, end - Date.now()) + PAST_END_MS : ms) / 1000);
    return isOver;
  };
}
