/** Did everything start, and keep running? From status.json. */
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS } from './outcome.js';

export function exitStatus({ status }) {
  if (missing(status)) return NOT_MEASURED;
  if (status.timed_out) return invalid(true, false, 'the tool was stopped at its time limit');
  if (missing(status.exit_code)) return NOT_MEASURED;
  if (status.exit_code === 0) return PASS;
  return invalid(status.exit_code, 0, `the tool ended with exit status ${status.exit_code}`);
}

export function warmUp({ cell, status }) {
  if (cell.warmup_s === 0) return NOT_APPLICABLE;
  if (missing(status)) return NOT_MEASURED;
  if (missing(status.warmup)) return invalid(null, 0, `the planned warm-up of ${cell.warmup_s} s did not run`);
  if (status.warmup.exit_code === 0) return PASS;
  return invalid(status.warmup.exit_code, 0, `the warm-up ended with exit status ${status.warmup.exit_code}`);
}

/** Target and Cube alive before and after; the database not restarted in between. */
export function processes({ status }) {
  if (missing(status?.processes)) return NOT_MEASURED;
  const { postgres, ...others } = status.processes;
  for (const [role, process] of Object.entries(others)) {
    if (missing(process)) continue;
    if (process.alive_before === false) return invalid(role, 'alive', `${role} was not running when the trial began`);
    if (process.alive_after === false) return invalid(role, 'alive', `${role} died during the trial`);
  }
  if (missing(postgres)) return Object.values(others).some((process) => !missing(process)) ? PASS : NOT_MEASURED;
  const [before, after] = [postgres.postmaster_started_before, postgres.postmaster_started_after];
  if (missing(before)) return NOT_MEASURED;
  if (missing(after)) return invalid(null, before, 'the database died during the trial');
  return before === after ? PASS : invalid(after, before, 'the database restarted during the trial');
}
