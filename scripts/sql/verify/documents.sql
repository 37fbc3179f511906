-- Prints requests and their answers: status, path and body, separated by tabs. Without a body, any error of that status will do.
create function pg_temp.json_of(id bigint, doc jsonb) returns text language sql
  return '{"_id":"' || id || '", ' || substr(doc::text, 2);
create function pg_temp.cursor_at(id bigint) returns text language sql
  return translate(encode(convert_to('id:' || id, 'UTF8'), 'base64'), '+/=', '-_');

-- documents by id
select 200, '/collections/test/documents/' || id, pg_temp.json_of(id, doc)
from collections.test where id in (1, 2, 50);

-- the first page, and the one after it
with page as (select * from collections.test order by id limit 50)
select 200, '/collections/test/find', format('{"has_next":true,"has_prev":false,"next_cursor":"%s","documents":[%s]}',
  pg_temp.cursor_at(max(id)), string_agg(pg_temp.json_of(id, doc), ',' order by id))
from page;

with page as (select * from collections.test order by id limit 20 offset 10)
select 200, '/collections/test/find?limit=20&after=' || pg_temp.cursor_at(min(id) - 1),
  format('{"has_next":true,"has_prev":true,"next_cursor":"%s","prev_cursor":"%s","documents":[%s]}',
    pg_temp.cursor_at(max(id)), pg_temp.cursor_at(min(id)), string_agg(pg_temp.json_of(id, doc), ',' order by id))
from page;

-- filters on a number, on the indexed collection and on its twin: all of an age of which there are few
with matching as (select *, (doc->>'age')::int as age from collections.unindexed where (doc->>'age')::int between 50 and 97),
page as (
  select age, format('{"has_next":false,"has_prev":false,"total":%s,"documents":[%s]}',
    count(*), string_agg(pg_temp.json_of(id, doc), ',' order by id)) as body
  from matching group by age having count(*) <= 1000 order by age limit 3
)
select 200, format('/collections/%s/find?limit=1000&age=%s', collection, age), body
from page, (values ('indexed'), ('unindexed')) as twin (collection);

select 200, '/collections/indexed/find?age=1000', '{"has_next":false,"has_prev":false,"total":0,"documents":[]}';
select 200, '/collections/thousand/find_with_stream?age=1000', '[]';

select 200, '/collections/indexed/indexes', '{"success":true,"collection":"indexed","indexes":["_id","age"],"index_count":2}';
select 200, '/collections/unindexed/indexes', '{"success":true,"collection":"unindexed","indexes":["_id"],"index_count":1}';

select status, '/collections/' || path, ''
from (values (404, 'test/documents/999999999'), (404, 'nowhere/find'), (404, 'nowhere/find_with_stream'), (400, 'test/find?limit=0'),
  (400, 'test/find?after=x'), (400, 'te%22st/find'), (400, 'test/find?a%27b=1')) as refused (status, path);
