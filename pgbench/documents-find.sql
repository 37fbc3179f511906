-- The documents target's page of 50 documents (apps/documents/sql.js), as wrk/documents-find.lua asks for it.
select id, doc from collections."test" order by id limit 51;
