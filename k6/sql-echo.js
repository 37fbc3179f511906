// The question of echo.js, asked by k6 itself: what a target adds to it is the difference.
import { loadOptions } from './lib/options.js';
import { scheduled } from './lib/schedule.js';
import { askOnce, statement } from './lib/sql.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({ thresholds: { http_req_failed: [] } });

const TEXT = 'select $1::text as value';
const echo = statement('echo', TEXT);

export function setup() {
  askOnce(TEXT, 'setup');
  return Date.now().toString(36);
}

export default scheduled((run) => {
  const value = `${run}-${__VU}-${__ITER}`;
  echo((rows) => rows.length === 1 && rows[0].value === value, value);
});
