-- The documents target's insert (apps/documents/sql.js): each client stores one document over and over. The variable is set in the
-- client's first transaction, which client_id, no longer needed then, tells from the others. Wants -M prepared or extended.
\if :client_id >= 0
select '{"name": "Ada Lovelace", "email": "ada.lovelace.' || :client_id || '@example.com", "age": 36, "city": "Lima", "status": "active", "score": 97.5, "tags": ["alpha", "beta"], "subscribed": true, "joined": "2011-08-23"}' as doc \gset
\set client_id -1
\endif
insert into collections."test" (doc) values (:doc) returning id, doc;
