#!/usr/bin/env bats
# The private cluster and the TPC-H dataset, for real, at scale 0.01.
# Servers are started with 3>&-: bats waits for whoever holds its descriptor 3.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/postgres.bash
  private_postgres
  scripts/database.sh up tpch --scale 0.01 3>&-
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/postgres.bash
}

teardown_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  scripts/database.sh down
  rm -rf "$PGLAB_DATA"
}

server_pid() { scripts/database.sh status | jq .pid; }

# up_fails_with TEXT...: `up` exits 2, its error is one line, and every text is in it.
up_fails_with() {
  run scripts/database.sh up tpch --scale 0.01 3>&-
  [ "$status" -eq 2 ]
  [ "$(grep -c error: <<<"$output")" -eq 1 ]
  local text
  for text in "$@"; do
    [[ ${lines[-1]} == *"$text"* ]]
  done
}

@test "a loaded database is what status and check say it is" {
  [ "$(scripts/database.sh status | jq -c '[.running, .profile, .scale, .database]')" = '[true,"tpch",0.01,"tpch_sf0_01"]' ]
  scripts/database.sh check
}

@test "tables have their keys, statistics, and are all-visible" {
  [ "$(as_admin "select count(*) from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace")" = 8 ]
  [ "$(as_admin "select count(*) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace")" = 8 ]
  [ "$(as_admin "select count(*) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and (relallvisible < relpages or reltuples < 1)")" = 0 ]
}

@test "up loads nothing when the data is there, from a stopped server too" {
  local before
  before=$(as_admin "select oid from pg_database where datname = current_database()")
  scripts/database.sh down
  [ "$(scripts/database.sh status | jq .running)" = false ]
  run scripts/database.sh up tpch --scale 0.01 3>&-
  [ "$status" -eq 0 ]
  [[ $output != *loading* ]]
  [ "$(as_admin "select oid from pg_database where datname = current_database()")" = "$before" ]
}

@test "up leaves a server alone that has the profile's settings, and restarts one that has others" {
  local before other
  before=$(server_pid)
  scripts/database.sh up tpch --scale 0.01 3>&-
  [ "$(server_pid)" = "$before" ]
  other=$(free_port)
  PG_PORT=$other scripts/database.sh up tpch --scale 0.01 3>&-
  [ "$(server_pid)" != "$before" ]
  [ "$(scripts/database.sh status | jq .port)" = "$other" ]
  scripts/database.sh up tpch --scale 0.01 3>&-
}

@test "role app reads the dataset and creates schemas, and nothing more; the wrong password opens nothing" {
  [ "$(as_app 'select count(*) from orders')" = 15000 ]
  as_app 'create schema trial; create table trial.t (i int); drop schema trial cascade'
  run as_app 'delete from orders'
  [ "$status" -ne 0 ]
  run as_app 'create table public.trial (i int)'
  [ "$status" -ne 0 ]
  eval "$(scripts/database.sh env app)"
  PGPASSWORD=wrong run psql -c 'select 1'
  [[ $output == *"password authentication failed"* ]]
  [ "$(stat -c %a "$PGLAB_DATA/credentials.env")" = 600 ]
}

@test "with tpch-trust role app needs no password, others do; the data is the same, not loaded again" {
  run scripts/database.sh up tpch-trust --scale 0.01 3>&-
  [ "$status" -eq 0 ]
  [[ $output != *loading* ]]
  (eval "$(scripts/database.sh env app)" && PGPASSWORD=wrong psql -Xqc 'select 1')
  for role in admin monitor; do
    run bash -c "eval \"\$(scripts/database.sh env $role)\" && PGPASSWORD=wrong psql -Xqc 'select 1'"
    [ "$status" -ne 0 ]
  done
  scripts/database.sh up tpch --scale 0.01 3>&-
  run bash -c "eval \"\$(scripts/database.sh env app)\" && PGPASSWORD=wrong psql -Xqc 'select 1'"
  [ "$status" -ne 0 ]
}

@test "rows that are missing are found" {
  as_admin 'create table kept as select * from nation where n_nationkey = 3; alter table customer disable trigger all; alter table supplier disable trigger all;
    alter table nation disable trigger all; delete from nation where n_nationkey = 3'
  run scripts/database.sh check
  as_admin 'insert into nation select * from kept; drop table kept; alter table nation enable trigger all'
  [ "$status" -eq 2 ]
  [[ $output == *"nation holds 24 rows, not 25"* ]]
  scripts/database.sh check
}

@test "a load that is interrupted leaves no server, and is done again from the start" {
  as_admin 'comment on database tpch_sf0_01 is null'
  scripts/database.sh up tpch --scale 0.01 2>"$BATS_TEST_TMPDIR/log" 3>&- &
  local up=$!
  until_true grep -q loading "$BATS_TEST_TMPDIR/log"
  sleep 1 # into the load, whichever step that is
  kill -TERM "$up"
  wait "$up" || [ "$?" -eq 143 ]
  grep -q 'nothing half-loaded will be used' "$BATS_TEST_TMPDIR/log"
  [ "$(scripts/database.sh status | jq .running)" = false ]
  [ -z "$(ls -d "$PGLAB_DATA"/spool.* 2>/dev/null)" ]
  run scripts/database.sh up tpch --scale 0.01 3>&-
  [ "$status" -eq 0 ]
  [[ $output == *"loaded and verified"* ]]
  scripts/database.sh check
}

@test "a port that is taken is named, with the way out" {
  scripts/database.sh down
  node -e 'require("net").createServer().listen(process.env.PG_PORT, "127.0.0.1", () => console.log("up"))' >"$BATS_TEST_TMPDIR/log" 3>&- &
  local listener=$!
  until_true grep -q up "$BATS_TEST_TMPDIR/log"
  up_fails_with "port $PG_PORT is taken" PG_PORT
  kill "$listener"
  wait "$listener" || [ "$?" -eq 143 ]
  scripts/database.sh up tpch --scale 0.01 3>&-
}

@test "a stale pid file, its pid taken over by another program, does not keep the server down" {
  scripts/database.sh down
  local -a as_server=()
  if [ "$(id -u)" -eq 0 ]; then
    as_server=(setpriv --reuid "$(stat -c %U "$PGLAB_DATA/tpch-single")" --clear-groups --)
  fi
  "${as_server[@]}" sleep 60 3>&- &
  local stranger=$!
  printf '%s\n%s\n' "$stranger" "$PGLAB_DATA/tpch-single/data" >"$PGLAB_DATA/tpch-single/data/postmaster.pid"
  [ "$(scripts/database.sh status | jq .running)" = false ]
  scripts/database.sh down
  kill -0 "$stranger"
  scripts/database.sh up tpch --scale 0.01 3>&-
  kill -0 "$stranger"
  kill "$stranger"
}

@test "another cluster on the machine is not touched" {
  local first=$PGLAB_DATA second
  second=$(PGLAB_DATA='' private_postgres && echo "$PGLAB_DATA")
  PGLAB_DATA=$second PG_PORT=$(free_port) scripts/database.sh up tpch --scale 0.01 3>&-
  local pid
  pid=$(server_pid)
  PGLAB_DATA=$second scripts/database.sh down
  [ "$(server_pid)" = "$pid" ]
  [ "$PGLAB_DATA" = "$first" ]
  [ "$(as_app 'select 1')" = 1 ]
  rm -rf "$second"
}

@test "a data folder that cannot be written is named" {
  PGLAB_DATA=/dev/null/data up_fails_with /dev/null/data PGLAB_DATA
}

@test "a folder with somebody else's files is left alone" {
  local theirs=$PGLAB_DATA/theirs
  mkdir -p "$theirs/tpch-single"
  echo thesis >"$theirs/tpch-single/thesis.txt"
  PGLAB_DATA=$theirs run scripts/database.sh up tpch --scale 0.01
  [ "$status" -eq 2 ]
  [[ $output == *"which is not ours"* ]]
  [ "$(<"$theirs/tpch-single/thesis.txt")" = thesis ]
}

@test "a cluster that another user has made is left alone, and one line says so" {
  [ "$(id -u)" -eq 0 ] || skip "only root can give a folder away"
  local theirs=$PGLAB_DATA/theirs
  mkdir -p "$theirs/tpch-single/data"
  chown daemon "$theirs/tpch-single/data"
  PGLAB_DATA=$theirs up_fails_with "cannot be written by" "run as the user who made it"
}

@test "works in a clone below a folder that only root may enter" {
  [ "$(id -u)" -eq 0 ] || skip "only root can have this"
  local clone port data
  clone=$(mktemp -d)/clone # mktemp -d makes a folder for its owner only
  mkdir -p "$clone/bin" "$clone/docker"
  cp -R scripts "$clone/scripts"
  cp bin/tpchgen-cli "$clone/bin/"
  cp docker/.env "$clone/docker/"
  port=$(free_port)
  (
    cd "$clone"
    unset PGLAB_DATA
    PG_PORT=$port scripts/database.sh up tpch --scale 0.01 3>&-
    PG_PORT=$port scripts/database.sh check
    PG_PORT=$port scripts/database.sh status >"$BATS_TEST_TMPDIR/status"
    PG_PORT=$port scripts/database.sh down
  )
  data=$(jq -r .data_directory "$BATS_TEST_TMPDIR/status")
  [[ $data == /var/tmp/pglab-*/tpch-single/data ]]
  rm -rf "${data%/tpch-single/data}" "${clone%/clone}"
}

@test "bad arguments: exit 64, one line" {
  local arguments
  for arguments in "" "up" "up nonesuch" "up tpch --scale 0" "up tpch --scale -1" "up tpch --scale 1.0" "up tpch --scale 0.012" "up tpch --scale abc" "up tpch --size 1" "env nobody"; do
    # shellcheck disable=SC2086 # one word each
    run scripts/database.sh $arguments
    [ "$status" -eq 64 ]
    [ "${#lines[@]}" -eq 1 ]
  done
}

@test "a setting's value is quoted for postgresql.conf, and a later one wins" {
  echo "{\"settings\": {\"a\": \"it's\", \"b\": 1}}" >"$BATS_TEST_TMPDIR/profile.json"
  run bash -c 'set -Eeuo pipefail; source scripts/lib/common.bash; source scripts/lib/postgres.bash
    PG_PROFILE=$1; pg_settings "{\"b\": \"2\"}" 13 5432 1' bash "$BATS_TEST_TMPDIR/profile.json"
  [ "$status" -eq 0 ]
  [ "$(grep -E "^[ab] " <<<"$output")" = "a = 'it''s'"$'\n'"b = '2'" ]
  [[ $output != *compute_query_id* ]] # PostgreSQL 13 has no such setting
}

@test "counters: one object, and a difference that counts exactly what app asked" {
  local before after i
  before=$(scripts/probes/counters.sh)
  [ "$(jq -c '[.denied, (.database | has("sessions")), (.wal.bytes > 0), (.postmaster_started | test("^20.*Z$"))]' <<<"$before")" = '[null,true,true,true]' ]
  for i in {1..7}; do as_app "select count(*) - $i from region"; done
  after=$(scripts/probes/counters.sh --wait-idle 5)
  [ "$(jq -n --argjson a "$after" --argjson b "$before" '$a.statements_total.calls - $b.statements_total.calls')" = 7 ]
  [ "$(jq -n --argjson a "$after" --argjson b "$before" '$a.database.sessions - $b.database.sessions >= 7')" = true ]
}

@test "counters: of all roles, the same statement of two roles is two" {
  local before after
  of_all() { (eval "$(scripts/database.sh env admin)" && COUNTED_ROLE='*' scripts/probes/counters.sh); }
  as_admin 'select pg_stat_statements_reset()' # readings list fifty, and the tests above asked for more
  as_admin 'select 1 as same'
  as_app 'select 1 as same; select 1 as same'
  before=$(of_all)
  as_app 'select 1 as same'
  after=$(of_all)
  [ "$(jq '[.statements[] | select(.query | contains("as same"))] | length' <<<"$after")" = 2 ]
  run jq -n -c -L scripts/jq --argjson before "$before" --argjson after "$after" \
    'include "counters"; {$before, at_end: $after, $after, verified: null, expects: null, requests: 1} | database_counts | [.reason, .statements.calls]'
  [ "$output" = '[null,1]' ]
}

@test "counters: of the sessions of a trial, the laboratory's own are taken off exactly" {
  local before at_end after
  sleep 1 # psql does not wait until its session has ended, and is counted
  before=$(scripts/probes/counters.sh --wait-idle 5)
  at_end=$(scripts/probes/counters.sh)
  for _ in {1..3}; do as_app "select count(*) from region"; done
  sleep 1
  after=$(scripts/probes/counters.sh --wait-idle 5)
  run jq -n -L scripts/jq --argjson before "$before" --argjson at_end "$at_end" --argjson after "$after" \
    'include "counters"; {$before, $at_end, $after, verified: null, expects: null} | database_counts.sessions'
  [ "$output" = 3 ]
}

sleeping() { [ "$(as_admin "select count(*) from pg_stat_activity where query = 'select pg_sleep(60)'")" = 1 ]; }

@test "counters: waiting for idle sessions is bounded and says what it waited for" {
  as_app 'select pg_sleep(60)' &
  local sleeper=$!
  until_true sleeping
  run scripts/probes/counters.sh --wait-idle 1
  [ "$status" -eq 0 ]
  [[ $output == *"1 are not"* ]]
  as_admin "select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)'"
  run ! wait "$sleeper"
}

@test "what a target leaves behind for others: settings of its role, tables in place of those of public, sessions at work" {
  eval "$(scripts/database.sh env app)"
  altered() { psql -XqAt -v ON_ERROR_STOP=1 -f scripts/sql/altered.sql; }
  [ -z "$(altered)" ]
  as_app 'alter role current_user set work_mem = 65536; create schema pglab_app; create table pglab_app.orders as select * from public.orders limit 5'
  run altered
  [ "${lines[0]}" = "has settings of its own (work_mem=65536); alter role pglab_app reset all removes them" ]
  [ "${lines[1]}" = "sees orders in place of public.orders; drop it" ]
  as_app 'alter role current_user reset all; drop schema pglab_app cascade'
  [ -z "$(altered)" ]
  as_app 'select pg_sleep(60)' &
  local sleeper=$!
  until_true sleeping
  [ "$(psql -XqAt -v ON_ERROR_STOP=1 -f scripts/sql/end-sessions.sql)" = 1 ]
  run ! wait "$sleeper"
  [ "$(psql -XqAt -v ON_ERROR_STOP=1 -f scripts/sql/end-sessions.sql)" = 0 ]
}

@test "counters: rows that were only asked for are none that were written" {
  rows() { scripts/probes/counters.sh --wait-idle 5 | jq -c '.statements_total | [.rows, .rows_written]'; }
  before=$(rows)
  as_app 'create schema written; create table written.t (i int); select generate_series(1, 70); insert into written.t select generate_series(1, 30); drop schema written cascade'
  [ "$(jq -c --argjson before "$before" '[.[0] - $before[0], .[1] - $before[1]]' <<<"$(rows)")" = "[100,30]" ]
}

@test "counters: what a role may not see is null, with the reason" {
  as_admin "create role stranger login password 'stranger'"
  eval "$(scripts/database.sh env app)"
  run env PGUSER=stranger PGPASSWORD=stranger scripts/probes/counters.sh
  as_admin 'drop role stranger'
  [ "$status" -eq 0 ]
  [ "$(jq -c '[.statements, .denied.statements]' <<<"$output")" = '[null,"role stranger is not in pg_monitor"]' ]
}
