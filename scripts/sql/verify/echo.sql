-- Prints requests and their answers: status, path and body, separated by tabs. Without a body, any error of that status in the targets'
-- own form will do; with * any body: a server may refuse what is no URI before the target sees it.
-- Each byte of a value is percent-encoded: the answer must not depend on how a path is written.
with accepted (value) as (
  values ('x'), ('hello world'), ('a/b?c=d&e#f'), ('100 %'), ('quote " and \ backslash'), ($$it's; drop table x; --$$),
    (e'tab\tline\nbell\x07'), ('é ü ß 漢字 🐘'), (e'\u2028 and \x7f'), ('null'), (' '), (repeat('a', 200))
)
select 200, '/echo/' || regexp_replace(encode(convert_to(value, 'UTF8'), 'hex'), '(..)', '%\1', 'g'), '{"value":' || to_json(value) || '}'
from accepted
union all
select 200, '/echo/' || value, '{"value":"' || value || '"}'
from (values ('x'), ('plain-text_1.0~')) as plain (value)
union all
select 400, '/echo/' || path, ''
from (values (''), ('%00'), ('a%00b'), ('%ff'), (repeat('a', 201))) as refused (path)
union all
select 400, '/echo/' || path, '*'
from (values ('%'), ('%zz')) as no_uri (path)
union all
select 404, '/echo/a/b', '';
