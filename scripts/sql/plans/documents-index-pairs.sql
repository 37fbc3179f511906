-- Prints how the database answers the questions of workload index, on both twins, for an age of which there are few documents and
-- for the commonest: [{"collection", "age", "documents", "plan": [lines]}].
create function pg_temp.plan_of(query text) returns json language plpgsql as $$
declare
  line text;
  lines text[];
begin
  for line in execute 'explain (analyze, timing off, summary off) ' || query loop
    lines := lines || line;
  end loop;
  return to_json(lines);
end $$;

with counted as (
  select doc->'age' as age, count(*) as documents from collections.unindexed group by 1
), chosen as (
  (select * from counted where documents <= 100 order by documents desc, age limit 1)
  union all
  (select * from counted order by documents desc, age limit 1)
)
select json_agg(json_build_object('collection', collection, 'age', age, 'documents', documents, 'plan', pg_temp.plan_of(
  format('select id, doc from collections.%I where (doc->''age'') = %L order by id limit 1001', collection, age))))
from chosen, (values ('indexed'), ('unindexed')) as twin (collection);
