// GET /analytics : orders by status and year, the aggregate behind a dashboard. Each answer must equal setup()'s, byte for byte.
import { fetchOnce, operation } from './lib/http.js';
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions();

const analytics = operation('analytics', { sample: 1 });

export const setup = prepared(() => fetchOnce('/analytics'));

export default scheduled((answer) => {
  analytics('/analytics', answer);
});
