/** What the database counted while cells ran. */

import { bytes, NOTHING, share } from '../analyse/format.js';
import { seriesName } from '../analyse/words.js';
import { folded, heading, table } from './blocks.js';

/** Statements, sessions, buffer hits and WAL, by cell. */
export function databases({ cells, sessions, capacities = [] }) {
  const rows = cells
    .filter((cell) => cell.database_counts)
    .map(({ database_counts: counts, ...cell }) => {
      const declared = counts.expects?.statements_per_request;
      return [
        cell.database,
        seriesName(cell),
        cell.workload,
        cell.tool,
        cell.level,
        counts.statements_per_request ?? NOTHING,
        declared ? [...new Set(declared)].join(' to ') : NOTHING,
        counts.sessions_per_request ?? NOTHING,
        share(counts.buffer_hit_ratio),
        bytes(counts.wal_bytes),
      ];
    });
  if (rows.length === 0) return [];
  const header = [
    'database',
    'target',
    'workload',
    'tool',
    '>level',
    '>statements per request',
    '>declared',
    '>sessions per request',
    '>buffer hits',
    '>WAL in the trial',
  ];
  return [
    heading(2, 'What the database counted'),
    folded('Medians over trials', table('What the database counted', header, rows)),
    ...sessionsTable(sessions ?? [], capacities.length > 0),
  ];
}

/** Counts that sessions publish only when they end: sums over all the time that each target was up. */
function sessionsTable(sessions, withSearches) {
  if (sessions.length === 0) return [];
  const rows = sessions.map((counts) => [
    counts.database,
    seriesName(counts),
    ...['sessions', 'transactions', 'rollbacks', 'deadlocks'].map(
      (key) => counts[key]?.toLocaleString('en-US') ?? NOTHING,
    ),
    bytes(counts.temp_bytes),
  ]);
  const header = ['database', 'target', '>sessions', '>transactions', '>rolled back', '>deadlocks', '>temporary files'];
  return [
    folded(
      `Totals, including warm-ups and the readings of the counters${withSearches ? ', without searches for capacities' : ''}`,
      table('Sessions and transactions', header, rows),
    ),
  ];
}
