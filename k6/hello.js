// GET / : what the target's HTTP server alone costs, without a database.
import { fetchOnce, operation } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions();

const hello = operation('hello');

export const setup = prepared(() => fetchOnce('/'));

export default scheduled((answer) => {
  hello('/', answer);
});
