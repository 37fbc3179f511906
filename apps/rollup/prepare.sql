-- The materialised view of the analytics query (apps/lib/queries.js), made or brought up to date. Run it as the role that
-- the target connects as. It lies in a schema named after that role, which needs CREATE on the database and nothing else.
set client_min_messages = warning;
create schema if not exists authorization current_user;

create materialized view if not exists analytics_rollup as
select o_orderstatus as status, extract(year from o_orderdate)::int as year,
  count(*)::int as orders, sum(o_totalprice)::text as total
from orders group by 1, 2 order by 1, 2
with no data;

refresh materialized view analytics_rollup;
analyze analytics_rollup;
