/** One row per trial, for spreadsheets and data frames. Empty: not measured. */
const CELL_COLUMNS = [
  'database',
  'scale',
  'target',
  'variant',
  'workload',
  'tool',
  'model',
  'level',
  'generators',
  'duration_s',
];
const TRIAL_COLUMNS = [
  'block',
  'verdict',
  'started_at',
  'wall_s',
  'window_s',
  'throughput_rps',
  'requests',
  'successes',
  'errors',
  'p50_us',
  'p90_us',
  'p95_us',
  'p99_us',
  'in_flight_mean',
  'headroom',
  'statements_per_request',
  'sessions_per_request',
  'bottleneck',
];

/** A field as RFC 4180 has it. */
function field(value) {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV. @param {(string|number|null|undefined)[]} fields */
export const row = (fields) => `${fields.map(field).join(',')}\n`;

/** @param results results.json @returns {string} CSV with a header */
export function csv({ cells }) {
  const trials = cells.flatMap((cell) => cell.trials.map((trial) => ({ cell, trial })));
  const rows = trials.map(({ cell, trial }) => [
    trial.id,
    ...CELL_COLUMNS.map((key) => cell[key]),
    cell.latency_us?.kind,
    ...TRIAL_COLUMNS.map((key) => trial[key]),
    trial.reasons.map((reason) => `${reason.check}: ${reason.text}`).join('; '),
    trial.not_measured.join(' '),
  ]);
  const header = ['trial', ...CELL_COLUMNS, 'latency_kind', ...TRIAL_COLUMNS, 'reasons', 'not_measured'];
  return [header, ...rows].map(row).join('');
}
