// The question of analytics.js, asked by k6 itself. Each answer must equal setup()'s.
import { loadOptions } from './lib/options.js';
import { prepared, scheduled } from './lib/schedule.js';
import { askOnce, statement } from './lib/sql.js';

export { handleSummary } from './lib/summary.js';
export const options = loadOptions({ thresholds: { http_req_failed: [] } });

const TEXT = `select o_orderstatus as status, extract(year from o_orderdate)::int as year,
  count(*)::int as orders, sum(o_totalprice)::text as total
from orders group by 1, 2 order by 1, 2`;
const analytics = statement('analytics', TEXT, { sample: 1 });

// xk6-sql gives the columns of a row in any order.
const written = (rows) => rows.map((row) => `${row.status} ${row.year} ${row.orders} ${row.total}`).join();

export const setup = prepared(() => written(askOnce(TEXT)));

export default scheduled((answer) => {
  analytics((rows) => written(rows) === answer);
});
