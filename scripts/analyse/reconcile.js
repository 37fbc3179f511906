import { rounded } from './numbers.js';

const known = (value) => value ?? null;
/** What the database did in the background: ["checkpoint", "autovacuum"], null where that was not counted. A checkpoint counts when it wrote. */
function maintenanceOf({ bgwriter, autovacuums }) {
  const counts = { checkpoint: bgwriter?.buffers_checkpoint, autovacuum: autovacuums };
  const seen = Object.keys(counts).filter((key) => known(counts[key]) !== null);
  return seen.length === 0 ? null : seen.filter((key) => counts[key] > 0);
}

const per = (count, requests) => (known(count) === null || !requests ? null : rounded(count / requests, 4));

/**
 * The database's own counts of one trial, beside what the target declares. They are of all that the tool asked, the lead-in among it.
 * @param {{database: object|null, requests_total: number}} summary database: {statements: {calls}, sessions, blks_hit,
 *   blks_read, buffer_hit_ratio, wal_bytes, expects}; expects is target.json's, whole or of this workload
 * @returns {object|null} null when the database was not watched
 */
export function reconcile({ database, requests_total: requests }, workload) {
  if (!database) return null;
  const expects = database.expects?.[workload] ?? database.expects ?? null;
  const hits = known(database.blks_hit);
  const blocks = hits === null ? 0 : hits + (database.blks_read ?? 0);
  return {
    statements: known(database.statements?.calls),
    rows: known(database.statements?.rows_written ?? database.statements?.rows), // of before, all were counted alike
    statements_at_end: known(database.statements_at_end),
    unverified_statements: known(database.unverified_statements),
    sessions: known(database.sessions),
    statements_per_request: per(database.statements?.calls, requests),
    sessions_per_request: per(database.sessions, requests),
    wal_bytes: known(database.wal_bytes),
    buffer_hit_ratio: known(database.buffer_hit_ratio) ?? (blocks > 0 ? rounded(hits / blocks, 4) : null),
    blocks_read_per_request: per(database.statements?.shared_blks_read, requests),
    wal_bytes_per_request: per(database.wal_bytes, requests),
    buffers_checkpoint: known(database.bgwriter?.buffers_checkpoint),
    buffers_clean: known(database.bgwriter?.buffers_clean),
    buffers_backend: known(database.bgwriter?.buffers_backend),
    size_bytes: known(database.size_bytes),
    maintenance: maintenanceOf(database),
    expects,
  };
}
