-- Prints requests and their answers: status, path and body, separated by tabs.
with answer (status, year, orders, total) as (
  select o_orderstatus, date_part('year', o_orderdate), count(*), sum(o_totalprice)
  from orders
  group by o_orderstatus, date_part('year', o_orderdate)
)
select 200, '/analytics', '[' || coalesce(string_agg(
    format('{"status":%s,"year":%s,"orders":%s,"total":%s}', to_json(status::text), year, orders, to_json(total::text)),
    ',' order by status, year), '') || ']'
from answer;
