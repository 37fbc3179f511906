\set value random(1, 1000000000)
select :value::text as value;
