// The open model: which arrival of the schedule an iteration serves.
import exec from 'k6/execution';
import { settings } from './options.js';

/**
 * Wraps an iteration; in the closed model it is returned as it is. In the open model every sample of an iteration carries, as
 * metadata `arrival`, the iteration's number and the scenario's progress when it began: from these the output `hdr`
 * (k6/build/hdr/schedule.go) counts latency from when the arrival was due. k6's own metrics count from the send.
 */
export function scheduled(iteration) {
  if (!settings.rate) return iteration;
  let scenario; // these objects are views: made once, they always tell of the iteration under way
  let metadata;
  return (data) => {
    scenario ??= exec.scenario;
    metadata ??= exec.vu.metrics.metadata;
    metadata.arrival = `${scenario.iterationInTest} ${scenario.progress}`;
    iteration(data);
  };
}
