-- Asks TPC-H Q1 and Q6 with their validation parameters, and prints one line for every row that is not in the published answers
-- for scale factor 1, and for every published row that is missing; nothing when all agree.
-- Source: TPC-H specification 3.0.1, 2.4.1.4 and 2.4.6.4, and the answer set dbgen/answers; averages are published with two decimals.
with answer (returnflag, linestatus, sum_qty, sum_base_price, sum_disc_price, sum_charge, avg_qty, avg_price, avg_disc, count_order) as (
  select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
    round(sum(l_extendedprice * (1 - l_discount)), 2), round(sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), 2),
    round(avg(l_quantity), 2), round(avg(l_extendedprice), 2), round(avg(l_discount), 2), count(*)
  from lineitem
  where l_shipdate <= date '1998-12-01' - interval '90' day
  group by l_returnflag, l_linestatus
), published (returnflag, linestatus, sum_qty, sum_base_price, sum_disc_price, sum_charge, avg_qty, avg_price, avg_disc, count_order) as (
  values
    ('A', 'F', 37734107.00, 56586554400.73, 53758257134.87, 55909065222.83, 25.52, 38273.13, 0.05, 1478493),
    ('N', 'F', 991417.00, 1487504710.38, 1413082168.05, 1469649223.19, 25.52, 38284.47, 0.05, 38854),
    ('N', 'O', 74476040.00, 111701729697.74, 106118230307.61, 110367043872.50, 25.50, 38249.12, 0.05, 2920374),
    ('R', 'F', 37719753.00, 56568041380.90, 53741292684.60, 55889619119.83, 25.51, 38250.85, 0.05, 1478870)
)
select 'Q1: not a published row: ' || row_to_json(a)::text from answer as a
where row(a.*) not in (select * from published)
union all
select 'Q1: published but not found: ' || row_to_json(p)::text from published as p
where row(p.*) not in (select * from answer);

select 'Q6: ' || coalesce(sum(l_extendedprice * l_discount)::text, 'nothing') || ', published: 123141078.23'
from lineitem
where l_shipdate >= date '1994-01-01' and l_shipdate < date '1994-01-01' + interval '1' year
  and l_discount between 0.06 - 0.01 and 0.06 + 0.01 and l_quantity < 24
having round(sum(l_extendedprice * l_discount), 2) is distinct from 123141078.23;
