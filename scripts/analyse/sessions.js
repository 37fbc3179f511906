/**
 * What pg_stat_database counted while a target was up. Sessions publish their part when they end, so it is whole only once the target
 * is down, and belongs to no single trial: RUN/sessions.ndjson has a line for each time that a target was up (scripts/stages/measure.sh).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from './numbers.js';

const COUNTS = {
  sessions: ['sessions'],
  transactions: ['xact_commit', 'xact_rollback'],
  rollbacks: ['xact_rollback'],
  deadlocks: ['deadlocks'],
  temp_bytes: ['temp_bytes'],
};

/** By how much the named counters grew in total; null when one was not read, or the server restarted in between. */
function grown({ before, after }, names) {
  if (!before || !after || before.postmaster_started !== after.postmaster_started) return null;
  const parts = names.map((name) => after[name] - before[name]);
  return parts.every(Number.isFinite) && names.every((name) => before[name] !== null && after[name] !== null)
    ? parts.reduce((a, b) => a + b)
    : null;
}

const total = (counts) => (counts.includes(null) ? null : counts.reduce((a, b) => a + b, 0));

/**
 * @param {object[]} lines {database, target, variant, before, after}; before and after: columns of pg_stat_database, or null
 * @returns {{database, target, variant, times_up, sessions, transactions, rollbacks, deadlocks, temp_bytes}[]} sums over the times that
 *   the target was up: its warm-ups and the laboratory's own readings (three sessions for each trial) are in them; null: not counted
 */
export function sumSessions(lines) {
  return [...groupBy(lines, ({ database, target, variant }) => `${database} ${target} ${variant}`).values()].map(
    (times) => {
      const { database, target, variant } = times[0];
      const counts = Object.entries(COUNTS).map(([key, names]) => [
        key,
        total(times.map((time) => grown(time, names))),
      ]);
      return { database, target, variant, times_up: times.length, ...Object.fromEntries(counts) };
    },
  );
}

/** One reading; null where a full disk or a kill cut the line short. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The sums of a run; none where no database was watched. @param run see openRun */
export function sessionCounts({ folder }) {
  const file = join(folder, 'sessions.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return sumSessions(lines.map(parsed).filter((reading) => reading !== null));
}
