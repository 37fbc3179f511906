/** Did the machine leave the trial its processors? */
import { missing, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

/** Processor time that a hypervisor gave to other machines, or that a container's quota withheld. */
export function processorTaken({ summary, limit }) {
  const { cpu_steal_share: stolen, cpu_throttled_share: throttled } = summary.resources?.host ?? {};
  if (missing(stolen) && missing(throttled)) return NOT_MEASURED;
  const allowed = limit('processor_taken_share');
  if (stolen > allowed)
    return suspect(stolen, allowed, `other virtual machines took ${percent(stolen)} of the processor time`);
  if (throttled > allowed)
    return suspect(
      throttled,
      allowed,
      `the container was stopped for ${percent(throttled)} of the time: its processor quota was used up`,
    );
  return PASS;
}
