// GET /echo/:value : the cheapest question that a database can be asked. No value is ever sent twice, so none can be cached.
import { fetchOnce, operation } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';
import { userNumber } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions();

const echo = operation('echo');

export const setup = prepared(() => {
  fetchOnce('/echo/setup');
  return Date.now().toString(36);
});

let asked = 0; // of this VU; k6's own __ITER counts an iteration once, in which the lead-out asks more often

export default scheduled((run) => {
  asked += 1;
  const value = `${run}-${userNumber()}-${asked}`;
  echo(`/echo/${value}`, `{"value":"${value}"}`);
});
