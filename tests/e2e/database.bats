#!/usr/bin/env bats
# The database suite for real: the same SQL by every tool, a replicated cluster, the crash drill, the smoke experiment.
# Servers are started with 3>&-: bats waits for whoever holds its descriptor 3.

load ../lib/own-server.bash

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/whole-run.bash
  source tests/lib/postgres.bash
}

# query_ids EXPRESSION: the ids of what role app has asked in words that match.
query_ids() {
  as_admin "select string_agg(distinct queryid::text, ' ') from pg_stat_statements s join pg_roles r on r.oid = s.userid
    where rolname = 'pglab_app' and query ~ '$1'"
}

# bats test_tags=quick
@test "pgbench, k6 and the targets ask the very same statements" {
  scripts/database.sh up tpch --scale 0.01 3>&-
  local workload expression
  declare -A looked_for=([echo]='::text as value' [analytics]='o_orderstatus')
  for workload in echo analytics; do
    expression=${looked_for[$workload]}
    as_admin 'select pg_stat_statements_reset()'
    (
      eval "$(scripts/database.sh env app)"
      pgbench -n -M prepared -t 3 -f "pgbench/$workload.sql"
      bin/k6 run -q -e vus=1 -e duration=1s "k6/sql-$workload.js"
      node --input-type=module -e "
        import pg from '$PWD/apps/node_modules/pg/lib/index.js';
        import * as queries from '$PWD/apps/lib/queries.js';
        const client = new pg.Client();
        await client.connect();
        await client.query({ text: queries.$workload, values: '$workload' === 'echo' ? ['x'] : [] });
        await client.end();"
    )
    [[ $(query_ids "$expression") =~ ^-?[0-9]+$ ]]
  done
}

# bats test_tags=quick
@test "the targets on the JVM answer as SQL does, shared connection or not" {
  { command -v java && [ -e apps/jvm/target/pglab-jvm.jar ]; } || skip "no JDK or Maven here"
  local target shared
  for target in jdbc adba vertx; do
    for shared in 0 1; do
      SHARED=$shared SCALE=0.01 scripts/stack.sh up "$target" 3>&-
      scripts/stack.sh down
    done
  done
}

# bats test_tags=quick
@test "a replicated cluster: both standbys stream, take what is written, and refuse to write" {
  scripts/database.sh up replicated-apply --scale 0.01 3>&-
  [ "$(as_admin "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'")" = 2 ]
  as_app 'update pgbench_branches set bbalance = 42'
  eval "$(scripts/database.sh env app)"
  local port shown=0
  for port in $STANDBY_PORTS; do
    [ "$(PGPORT=$port psql -XqAtc 'select pg_is_in_recovery()')" = t ]
    [ "$(PGPORT=$port psql -XqAtc 'select bbalance from pgbench_branches')" != 42 ] || shown=$((shown + 1))
  done
  [ "$shown" -ge 1 ] # remote_apply: one of them shows it by the time it is acknowledged
}

standbys() { stat -c '%n %i' "$PGLAB_DATA"/pgbench-replicated/standby*/PG_VERSION; }

@test "another profile of the same cluster needs no new standbys; a stopped one comes back" {
  local before
  before=$(standbys)
  scripts/database.sh up replicated-async --scale 0.01 3>&-
  [ "$(as_admin 'show synchronous_standby_names')" = "" ]
  scripts/database.sh down
  scripts/database.sh up replicated-flush --scale 0.01 3>&-
  [ "$(as_admin "select count(*) from pg_stat_replication where state = 'streaming'")" = 2 ]
  [ "$(standbys)" = "$before" ]
}

@test "a standby that was lost is made anew" {
  scripts/database.sh down
  rm -r "$PGLAB_DATA/pgbench-replicated/standby2"
  scripts/database.sh up replicated-flush --scale 0.01 3>&-
  [ "$(as_admin "select count(*) from pg_stat_replication where state = 'streaming'")" = 2 ]
}

@test "crash drill: nothing that was acknowledged is lost" {
  HOLD_S=1 scripts/drills/crash.sh "$BATS_TEST_TMPDIR/drill.json" 3>&-
  jq -e '.lost == 0 and .acknowledged > 0 and .steps[2].acknowledged_per_s == 0' "$BATS_TEST_TMPDIR/drill.json"
  [ ! -e "$PGLAB_DATA/crash-drill" ]
}

# bats test_tags=quick
@test "smoke-database: every cell is measured, schema and sense hold" {
  whole_run smoke-database
  node tests/e2e/check-run.js "$WHOLE_RUN" 25
  # a cell whose only trial was robbed has no figures
  jq -e '[.cells[] | select(.trials_used == 0 and (.calibration | not))] as $robbed
    | all(.ladders[]; .question as $question
        | (.rungs | length) == 6 - ([$robbed[] | select(.database == "tpch") | .workload | select(IN($question, "sql-\($question)", "hello"))] | length))
    and (($robbed | length) > 0 or (.ladders | map(.question) | sort) == ["analytics", "echo"])
    and ([.cells[] | select(.database == "pgbench-inside" and .trials_used > 0) | .database_counts.buffer_hit_ratio] | min) > 0.999
    and (any($robbed[]; .variant == "by-statement") or any(.cells[]; .statements != null and (.statements | length) == 11))' "$WHOLE_RUN/results.json"
  # two generators of one client each
  jq -e '.cells[] | select(.variant == "shared") | .trials_used == 0 or ((.statements | length) == 11 and (.trials[0].generators | length == 2 and all(.complete and .requests > 0)))' "$WHOLE_RUN/results.json"
}
