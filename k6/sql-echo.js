// The question of echo.js, asked by k6 itself: what a target adds to it is the difference.
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';
import { userNumber } from './lib/settings.js';
import { askOnce, statement } from './lib/sql.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({ thresholds: { http_req_failed: [] } });

const TEXT = 'select $1::text as value';
const echo = statement('echo', TEXT);

export const setup = prepared(() => {
  askOnce(TEXT, 'setup');
  return Date.now().toString(36);
});

let asked = 0; // of this VU; k6's own __ITER counts an iteration once, in which the lead-out asks more often

export default scheduled((run) => {
  asked += 1;
  const value = `${run}-${userNumber()}-${asked}`;
  echo((rows) => rows.length === 1 && rows[0].value === value, value);
});
