select o_orderstatus as status, extract(year from o_orderdate)::int as year,
  count(*)::int as orders, sum(o_totalprice)::text as total
from orders group by 1, 2 order by 1, 2;
