/**
 * The SQL that targets ask, the one source of it: every target and every pgbench script carries these very texts.
 * Casts pin the types, so that every driver hands over the same values: whole numbers, and the total as exact text.
 */

/** $1 text; one row: value text. */
export const echo = 'select $1::text as value';

/** TPC-H orders by status and year of the order: rows of status text, year int, orders int, total text (two decimals). */
export const analytics = `select o_orderstatus as status, extract(year from o_orderdate)::int as year,
  count(*)::int as orders, sum(o_totalprice)::text as total
from orders group by 1, 2 order by 1, 2`;

/** The same rows, read from the materialised view of the same question (apps/rollup/prepare.sql). */
export const rollup = 'select status, year, orders, total from analytics_rollup order by status, year';

/** The cheapest question that proves the database answers. */
export const ping = 'select 1';
