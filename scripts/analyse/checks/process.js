/** Did everything start, and keep running? From status.json. */
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent } from './outcome.js';

export const checks = { exit_status: exitStatus, processes, warm_up: warmUp };

export const about = {
  exit_status: { readsStatusAlone: true },
  processes: { finds: 'a process that ended', readsStatusAlone: true },
  warm_up: { finds: 'a lead-in that failed', readsStatusAlone: true },
};

function exitStatus({ status }) {
  if (missing(status)) return NOT_MEASURED;
  if (status.timed_out) return invalid(true, false, 'the tool was stopped at its time limit');
  if (missing(status.exit_code)) return NOT_MEASURED;
  if (status.exit_code === 0) return PASS;
  const killed = status.exit_code === 137 ? ': it was killed, as the kernel does when memory is short' : '';
  return invalid(status.exit_code, 0, `the tool ended with exit status ${status.exit_code}${killed}`);
}

/** The warm-up is a process of its own, or the tool's lead-in. */
function warmUp({ cell, status, summary, limit }) {
  if (cell.warmup_s === 0) return NOT_APPLICABLE;
  if (cell.warmup_argv === null) return leadIn(summary?.lead_in, limit);
  if (missing(status)) return NOT_MEASURED;
  if (missing(status.warmup)) return invalid(null, 0, `the planned warm-up of ${cell.warmup_s} s did not run`);
  if (status.warmup.exit_code === 0) return PASS;
  return invalid(status.warmup.exit_code, 0, `the warm-up ended with exit status ${status.warmup.exit_code}`);
}

function leadIn(lead_in, limit) {
  if (missing(lead_in)) return NOT_MEASURED;
  const share = lead_in.requests === 0 ? 0 : lead_in.errors / lead_in.requests;
  const allowed = limit('lead_in_error_share');
  if (share <= allowed) return PASS;
  return invalid(
    share,
    allowed,
    `${percent(share)} of the requests before the measured window failed: the window began cold`,
  );
}

/** Target and Cube, with the processes that they started, alive before and after; the database not restarted in between. */
function processes({ status }) {
  if (missing(status?.processes)) return NOT_MEASURED;
  const { postgres, ...others } = status.processes;
  for (const [role, process] of Object.entries(others)) {
    if (missing(process)) continue;
    if (process.alive_before === false) return invalid(role, 'alive', `${role} was not running when the trial began`);
    if (process.alive_after === false) return invalid(role, 'alive', `${role} died during the trial`);
    if (process.children_lost > 0) {
      const text = `${plural(process.children_lost, 'worker')} of ${role} died during the trial`;
      return invalid(process.children_lost, 0, text);
    }
  }
  if (missing(postgres)) return Object.values(others).some((process) => !missing(process)) ? PASS : NOT_MEASURED;
  const [before, after] = [postgres.postmaster_started_before, postgres.postmaster_started_after];
  if (postgres.alive_before === false)
    return invalid('postgres', 'alive', 'the database was not running when the trial began');
  if (postgres.alive_after === false) return invalid('postgres', 'alive', 'the database died during the trial');
  if (missing(before)) return NOT_MEASURED;
  if (missing(after)) return invalid(null, before, 'the database died during the trial');
  return before === after ? PASS : invalid(after, before, 'the database restarted during the trial');
}
