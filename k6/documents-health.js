// GET /health : what the documents API costs while nobody asks for anything, but for whoever looks after it.
import { fetchOnce, operation } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions();

const health = operation('health');

export const setup = prepared(() => {
  fetchOnce('/health');
});

export default scheduled(() => {
  health('/health', (body) => JSON.parse(body).status === 'ok');
});
