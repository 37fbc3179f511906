/** Windows that opened late. */
import { limitOf } from '../limits.js';
import { usedTrials } from '../usable.js';
import { plural } from '../words.js';
import { rowName } from './rows.js';

/** How many trials were measured for less than planned, and the one that lost the largest share. */
export function shortWindows({ cells }) {
  const short = cells
    .filter(({ requests }) => !requests) // a fixed number may be made sooner
    .flatMap((cell) => usedTrials(cell).map(({ window_s }) => ({ cell, window_s, lost: cell.duration_s - window_s })))
    .filter(({ cell, window_s, lost }) => Number.isFinite(window_s) && !cell.calibration && lost > limitOf('window_s'));
  if (short.length === 0) return false;
  const most = short.reduce((a, b) => (b.lost / b.cell.duration_s > a.lost / a.cell.duration_s ? b : a));
  return `${plural(short.length, 'window')} opened late, as a user waited longer than the lead-in for its first answer: the most was lost where ${most.window_s.toFixed(1)} of ${most.cell.duration_s} s were left (${rowName(most.cell)}). What the target did before is in no figure.`;
}
