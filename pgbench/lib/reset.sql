-- Before each trial on pgbench's tables, as admin: what earlier trials left goes, the tables are in the buffers as far as they
-- fit, and no page is dirty. pgbench's own clean-up is switched off (-n), since it would run inside the warm-up alone.
truncate pgbench_history;
vacuum pgbench_branches, pgbench_tellers, pgbench_accounts;
select sum(pg_prewarm(oid::regclass)) from pg_class
where oid in ('pgbench_accounts'::regclass, 'pgbench_accounts_pkey'::regclass);
checkpoint;
