-- Prints one line for every table whose number of rows is not what TPC-H says for scale factor :scale; nothing when all agree.
-- Source: TPC-H specification 3.0.1, 4.2.5.1. lineitem's count has no formula (one to seven per order): it is published for
-- some scales, at others it must lie within 1 % of four per order.
with expected (name, at_least, at_most) as (
  select name, floor(per_scale * :scale), floor(per_scale * :scale)
  from (values ('supplier', 10000), ('customer', 150000), ('part', 200000), ('partsupp', 800000), ('orders', 1500000)) as t (name, per_scale)
  union all
  values ('region', 5, 5), ('nation', 25, 25)
  union all
  select 'lineitem', coalesce(published, 5940000 * :scale), coalesce(published, 6060000 * :scale)
  from (select) as always
  left join (values (0.01, 60175), (0.1, 600572), (1, 6001215), (10, 59986052), (100, 600037902)) as p (scale, published) on scale = :scale
), found (name, rows) as (
  select 'region', count(*) from region
  union all select 'nation', count(*) from nation
  union all select 'supplier', count(*) from supplier
  union all select 'customer', count(*) from customer
  union all select 'part', count(*) from part
  union all select 'partsupp', count(*) from partsupp
  union all select 'orders', count(*) from orders
  union all select 'lineitem', count(*) from lineitem
)
select format('%s holds %s rows, not %s', name, rows, case when at_least = at_most then at_least::text else at_least || ' to ' || at_most end)
from expected join found using (name)
where rows not between at_least and at_most;
