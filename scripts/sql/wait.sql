-- Waits until no session of role :app (* for all, whose sessions may stay) runs a statement or, where :gone is true, until it has none: for :wait_s seconds at most. Then says
-- so, and lets what follows go on all the same. The sampler's session does not count, nor does this one. Run with psql -qAt.
\set ON_ERROR_STOP off
select /* pglab */ set_config('pglab.app', :'app', false) as app, set_config('pglab.gone', :'gone', false) as gone,
  set_config('pglab.wait_s', :'wait_s', false) as wait_s
\gset waited_
do /* pglab */ $$
declare
  deadline timestamptz := clock_timestamp() + current_setting('pglab.wait_s')::int * interval '1 second';
  busy int;
begin
  loop
    select /* pglab */ count(*) into busy from pg_stat_activity
    where (usename = current_setting('pglab.app')
        or current_setting('pglab.app') = '*' and datname = current_database() and not current_setting('pglab.gone')::boolean) and pid <> pg_backend_pid() and application_name <> 'pglab-sampler'
      and (current_setting('pglab.gone')::boolean or state <> 'idle');
    exit when busy = 0 or clock_timestamp() > deadline;
    perform /* pglab */ pg_sleep(0.1);
    perform /* pglab */ pg_stat_clear_snapshot();
  end loop;
  if busy > 0 then
    raise warning 'waited % s for the sessions of % to %: % are not', current_setting('pglab.wait_s'), current_setting('pglab.app'),
      case when current_setting('pglab.gone')::boolean then 'have ended' else 'be idle' end, busy;
  end if;
end $$;
\set ON_ERROR_STOP on
