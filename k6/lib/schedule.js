// Latency in the open model, counted from when a request was due rather than from when it was sent.
import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { settings } from './options.js';

/**
 * Wraps an iteration; in the closed model it is returned as it is. In the open model two Trends are recorded:
 * `dispatch_lag`, from the scheduled start to the actual one, and `latency_from_schedule`, from the scheduled start to the
 * end of the iteration. Iteration i is due i / rate seconds after the scenario's start. k6 does not number the
 * iterations it drops, so after a drop the later ones are taken for older than they are: both are then upper bounds.
 *
 * The scenario's progress, a fraction of its duration, is the one fine clock that k6 counts from the schedule's own zero
 * (startTime has whole milliseconds), but it stands still at 1; the run's clock measures the iteration itself.
 */
export function scheduled(iteration) {
  if (!settings.rate) return iteration;
  const interval = 1000 / settings.rate;
  const dispatchLag = new Trend('dispatch_lag', true);
  const latency = new Trend('latency_from_schedule', true);

  return (data) => {
    const begun = exec.instance.currentTestRunDuration;
    const due = exec.scenario.iterationInTest * interval;
    const lag = Math.max(0, exec.scenario.progress * settings.duration.ms - due);
    iteration(data);
    dispatchLag.add(lag);
    latency.add(lag + exec.instance.currentTestRunDuration - begun);
  };
}
