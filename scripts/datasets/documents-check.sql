-- Prints a line for each thing that is not as it should be. Variables: test, twins: how many documents these collections have.
select format('%s has %s documents, not %s', name, found, expected)
from (values
  ('test', (select count(*) from collections.test), :test),
  ('indexed', (select count(*) from collections.indexed), :twins),
  ('unindexed', (select count(*) from collections.unindexed), :twins),
  ('thousand', (select count(*) from collections.thousand), 1000)
) as counted (name, found, expected)
where found <> expected;

select format('%s documents differ between the twins', count(*))
from collections.indexed full join collections.unindexed using (id)
where indexed.doc is distinct from unindexed.doc
having count(*) > 0;

select 'indexed has no index on age'
where not exists (select from pg_index where indrelid = 'collections.indexed'::regclass and pg_get_indexdef(indexrelid) like '%''age''%');
