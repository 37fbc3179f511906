// GET /echo/:value : the cheapest question that a database can be asked. No value is ever sent twice, so none can be cached.
import { fetchOnce, operation } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions();

const echo = operation('echo');

export function setup() {
  fetchOnce('/echo/setup');
  return Date.now().toString(36);
}

export default scheduled((run) => {
  const value = `${run}-${__VU}-${__ITER}`;
  echo(`/echo/${value}`, `{"value":"${value}"}`);
});
