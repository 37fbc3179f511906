-- The server's own counters, as one JSON object. Counters only grow; a reader takes the difference of two.
-- psql variable app: the role whose statements are counted (targets, Cube and pgbench are this role), * for all roles.
-- What this server's version does not have is null. What the asking role may not see is null too, with the reason in "denied".
-- PostgreSQL 13 to 18. Run with psql -qAt.
select /* pglab */ current_setting('server_version_num')::int >= 140000 as has_wal, current_setting('server_version_num')::int >= 160000 as has_io,
  current_setting('server_version_num')::int >= 170000 as has_checkpointer,
  not exists (select from pg_extension where extname = 'pg_stat_statements') as lacks_extension,
  current_setting('pg_stat_statements.max', true) is null as lacks_library,
  not pg_has_role('pg_read_all_stats', 'usage') as lacks_role, to_regclass('pg_stat_statements_info') is not null as has_evictions
\gset
select /* pglab */ case
    when :'lacks_extension' then 'create extension pg_stat_statements is wanted in this database'
    when :'lacks_library' then 'pg_stat_statements is wanted in shared_preload_libraries'
    when :'lacks_role' then 'role ' || current_user || ' is not in pg_monitor'
  end as denied, (:'lacks_extension' or :'lacks_library' or :'lacks_role') as is_denied
\gset

\if :is_denied
  select /* pglab */ 'null' as statements, 'null' as statements_total, jsonb_build_object('statements', :'denied')::text as denied \gset
\else
  select /* pglab */ 'null' as denied \gset
  with /* pglab */ of_app as (
    select userid, queryid, min(query) as query, sum(calls) as calls, sum(rows) as rows, sum(shared_blks_hit) as shared_blks_hit,
      sum(shared_blks_read) as shared_blks_read, sum(shared_blks_dirtied) as shared_blks_dirtied, sum(wal_bytes) as wal_bytes,
      sum(total_exec_time) as total_exec_time
    from pg_stat_statements s
    where (:'app' = '*' or s.userid = (select oid from pg_roles where rolname = :'app'))
      and s.dbid = (select oid from pg_database where datname = current_database())
      and (:'app' not in ('*', current_user) or coalesce(s.query, '') not like '%/* pglab */%') -- this reading and the sampler's, where role app asks them itself
    group by userid, queryid -- clients' and functions' are counted apart
  ), top as (
    select * from of_app order by calls desc, queryid limit 50
  )
  select
    (select coalesce(jsonb_agg(jsonb_build_object('query_id', queryid::text, 'user', pg_get_userbyid(userid), 'calls', calls, 'rows', rows,
        'shared_blks_hit', shared_blks_hit, 'shared_blks_read', shared_blks_read, 'shared_blks_dirtied', shared_blks_dirtied,
        'wal_bytes', wal_bytes, 'total_exec_time_ms', total_exec_time, 'query', left(query, 200))), '[]') from top) as statements,
    (select jsonb_build_object('calls', coalesce(sum(calls), 0), 'rows', coalesce(sum(rows), 0),
        'rows_written', coalesce(sum(rows) filter (where query ~* '\m(insert|update|delete|merge|copy)\M'
          or query = '<insufficient privilege>'), 0),
        'shared_blks_hit', coalesce(sum(shared_blks_hit), 0), 'shared_blks_read', coalesce(sum(shared_blks_read), 0),
        'shared_blks_dirtied', coalesce(sum(shared_blks_dirtied), 0), 'wal_bytes', coalesce(sum(wal_bytes), 0),
        'total_exec_time_ms', coalesce(sum(total_exec_time), 0)) from of_app) as statements_total
  \gset
\endif

-- Statements that pg_stat_statements forgot because it was full; statements_total lacks them.
\if :has_evictions
  select /* pglab */ dealloc::text as evictions from pg_stat_statements_info \gset
\else
  select /* pglab */ 'null' as evictions \gset
\endif

\if :has_wal
  select /* pglab */ wal_records::text as wal_records from pg_stat_wal \gset
\else
  select /* pglab */ 'null' as wal_records \gset
\endif

\if :has_checkpointer
  select /* pglab */ jsonb_build_object('checkpoints_timed', num_timed, 'checkpoints_req', num_requested, 'buffers_checkpoint', buffers_written)::text
    as checkpoints from pg_stat_checkpointer \gset
\else
  select /* pglab */ jsonb_build_object('checkpoints_timed', checkpoints_timed, 'checkpoints_req', checkpoints_req,
    'buffers_checkpoint', buffers_checkpoint)::text as checkpoints from pg_stat_bgwriter \gset
\endif

\if :has_io
  select /* pglab */ coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(i) - 'stats_reset')), '[]')::text as io
  from pg_stat_io i where coalesce(reads, 0) + coalesce(writes, 0) + coalesce(extends, 0) + coalesce(hits, 0) > 0 \gset
\else
  select /* pglab */ 'null' as io \gset
\endif

with /* pglab */ d as (select to_jsonb(s) as j from pg_stat_database s where datname = current_database()),
  b as (select to_jsonb(s) as j from pg_stat_bgwriter s),
  -- On a standby nothing is written; what it has replayed is counted instead.
  w as (select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as lsn)
select jsonb_build_object(
  'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'statements', :'statements'::jsonb,
  'statements_total', :'statements_total'::jsonb,
  'statements_evicted', :evictions,
  'database', jsonb_build_object(
    'sessions', d.j -> 'sessions', 'sessions_abandoned', d.j -> 'sessions_abandoned', 'sessions_fatal', d.j -> 'sessions_fatal',
    'sessions_killed', d.j -> 'sessions_killed', 'session_time_ms', d.j -> 'session_time', 'active_time_ms', d.j -> 'active_time',
    'xact_commit', d.j -> 'xact_commit', 'xact_rollback', d.j -> 'xact_rollback', 'deadlocks', d.j -> 'deadlocks',
    'temp_files', d.j -> 'temp_files', 'temp_bytes', d.j -> 'temp_bytes', 'blks_read', d.j -> 'blks_read', 'blks_hit', d.j -> 'blks_hit',
    'tup_returned', d.j -> 'tup_returned', 'tup_fetched', d.j -> 'tup_fetched', 'tup_inserted', d.j -> 'tup_inserted',
    'tup_updated', d.j -> 'tup_updated', 'tup_deleted', d.j -> 'tup_deleted',
    'autovacuums', (select coalesce(sum(autovacuum_count + autoanalyze_count), 0) from pg_stat_user_tables), 'size_bytes', pg_database_size(current_database())),
  'bgwriter', :'checkpoints'::jsonb || jsonb_build_object('buffers_clean', b.j -> 'buffers_clean', 'maxwritten_clean', b.j -> 'maxwritten_clean',
    'buffers_alloc', b.j -> 'buffers_alloc', 'buffers_backend', b.j -> 'buffers_backend'),
  'io', :'io'::jsonb,
  'wal', jsonb_build_object('bytes', pg_wal_lsn_diff(w.lsn, '0/0'), 'records', :wal_records, 'lsn', w.lsn),
  'postmaster_started', to_char(pg_postmaster_start_time() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'denied', :'denied'::jsonb)
from d, b, w;
