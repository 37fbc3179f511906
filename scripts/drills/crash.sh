#!/usr/bin/env bash
# Summary: kills the servers of a replicated cluster under load, and looks for what was acknowledged on the survivor.
# Usage: scripts/drills/crash.sh [RESULT.json]
#
#   CLIENTS=4   connections that write      HOLD_S=2   seconds for which each state is kept
#
# A primary and two standbys; a commit is acknowledged when one standby has it on disk (profile replicated-flush). Under load
# one standby is killed, then the other; both come back; then the primary is killed, the standby that received more of the
# log is promoted, and the other follows it. The cluster is the drill's own and is deleted afterwards; the
# laboratory's is stopped first. Prints a line per step, and the result: JSON as scripts/jq/drill.jq makes it.
# Exit 0 when no acknowledged transaction was lost and writes went on or waited as they should, else 1.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

CLIENTS=${CLIENTS:-4}
HOLD_S=${HOLD_S:-2}
WRITER='' DRILL='' STEPS=''

# Whatever ends the drill, nothing of it stays.
on_exit() {
  # a writer that has ended by itself takes no signal
  if [[ -n $WRITER ]] && kill "$WRITER" 2>/dev/null; then log "stopped the writer"; fi
  if [[ -n $DRILL ]]; then
    pg_stop_all ''
    rm -rf "$DRILL"
  fi
  lock_release
}

# step WHAT: what is the case from here on.
step() {
  STEPS+=$(jq -nc --arg step "$1" --argjson at_us "$(now_us)" '{$step, $at_us}')
  log "$(printf '%5s s  %s' "$(seconds_since "$BEGAN")" "$1")"
}

ask() { pg_sql drill -c "$1"; }

# crash N: kills the server with all its processes, as a power failure would.
crash() {
  local pid children
  pg_server "$1"
  pid=$(pg_pid "$PG_DATA")
  children=$(process_children "$pid")
  # shellcheck disable=SC2086 # pids are words
  kill -KILL "$pid" $children
  wait_until 10 "server $1 to die" gone "$pid"
}

# Gone, and reaped too: a server does not start over the pid of a dead one that is still in the process table.
gone() { ! kill -0 "$1" 2>/dev/null; }

# write NUMBER SECONDS: starts load on the server. pgbench logs what was acknowledged, and writes the log when it ends.
write() {
  (pg_env app drill && exec "$PG_BIN/pgbench" -n -M prepared -c "$CLIENTS" -T "$2" -D "writer=$1" -D n=0 -f "$REPO_ROOT/pgbench/lib/drill.sql" \
    -l --log-prefix="$DRILL/writer$1") >"$DRILL/writer$1.out" 2>&1 &
  WRITER=$!
}

# written NUMBER STATUS: waits for the load to end, with that exit status: 0, or 2 when its server went away.
written() {
  local code=0
  wait "$WRITER" || code=$?
  WRITER=''
  ((code == $2)) || die "$EXIT_FAILED" "the load ended with exit status $code: $(tail -n 1 "$DRILL/writer$1.out")"
}

# States to wait for, asked of the server.
writes() { [[ $(ask "select count(*) > 0 from drill.written where writer = $1") == t ]]; }
all_wait() { [[ $(ask "select count(*) from pg_stat_activity where wait_event = 'SyncRep'") == "$CLIENTS" ]]; }
both_stream() { standby_streams 1 && standby_streams 2; }
cut_off() { [[ -z $(ask 'select 1 from pg_stat_wal_receiver') ]]; }

# until_state SECONDS WHAT COMMAND...: waits, or the drill has failed.
until_state() { wait_until "$@" || die "$EXIT_FAILED" "no drill: $2 did not come about"; }

prepare() {
  pg_locate
  pg_stop_all ''
  DRILL=$PG_ROOT/crash-drill
  rm -rf "$DRILL"
  export PGLAB_DATA=$DRILL
  (umask 022 && mkdir "$DRILL")
  "$REPO_ROOT/scripts/database.sh" up replicated-flush --scale 0.01
  pg_locate
  pg_use replicated-flush 0.01
  pg_create_database drill
  (pg_env app drill && exec "$PG_BIN/psql" -XqAt -v ON_ERROR_STOP=1 -c 'create schema drill' \
    -c 'create table drill.written (writer int, client int, n int, primary key (writer, client, n))')
}

# lose_standbys: one away, both away, both back, under load.
lose_standbys() {
  write 1 600
  until_state 10 "the first write" writes 1
  step "all three run"
  sleep "$HOLD_S"
  crash 2
  step "one standby killed"
  sleep "$HOLD_S"
  crash 1
  pg_server 0
  until_state 10 "every commit waits" all_wait
  step "both standbys killed: all $CLIENTS commits wait"
  sleep "$HOLD_S"
  step "the standbys restarted"
  standby_start 1 "${PG_PORTS[1]}" "${PG_PORTS[0]}"
  standby_start 2 "${PG_PORTS[2]}" "${PG_PORTS[0]}"
  until_state 30 "both standbys stream" both_stream
  step "both standbys back"
  sleep "$HOLD_S"
}

# fail_over: the primary away for good; sets SURVIVOR.
fail_over() {
  local number other follow
  crash 0
  step "the primary killed"
  written 1 2
  local -a received=(0)
  for number in 1 2; do
    pg_server "$number"
    until_state 10 "standby$number is cut off" cut_off
    received+=("$(ask "select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')")")
  done
  SURVIVOR=1 other=2
  ((received[1] >= received[2])) || SURVIVOR=2 other=1
  pg_server "$SURVIVOR"
  as_server "$PG_BIN/pg_ctl" -D "$PG_DATA" -s -w -t 60 promote
  follow="host=127.0.0.1 port=$PG_PORT user=pglab_admin password=$PGLAB_ADMIN_PASSWORD application_name=standby$other"
  pg_server "$other"
  ask "alter system set primary_conninfo = '$follow'"
  ask 'select pg_reload_conf()' >/dev/null
  pg_server "$SURVIVOR"
  step "standby$SURVIVOR promoted, $((received[SURVIVOR] - received[other])) bytes ahead of standby$other"
  write 2 "$HOLD_S"
  written 2 0
  step "the end"
}

# acknowledged NUMBER: prints a line per transaction that this load's log holds: client, microseconds when it was acknowledged.
acknowledged() { awk '{ printf "%d %d%06d\n", $1, $5, $6 }' "$DRILL/writer$1".*[0-9]*; }

# in_survivor CONDITION: of the transactions that client c numbered up to k, those that meet the condition are counted.
in_survivor() {
  local known
  known=$(acknowledged 1 | awk '{ k[$1]++ } END { for (c in k) { printf "%s(%d, %d)", sep, c, k[c]; sep = ", " } }')
  ask "select count(*) from (values $known) as known (c, k) join drill.written w on w.writer = 1 and w.client = c and ($1)"
}

# result: prints it. A client that was cut off had one transaction under way, which nobody promised it: it is in doubt.
result() {
  local total kept
  total=$(acknowledged 1 | wc -l)
  kept=$(in_survivor 'w.n <= k')
  jq -n --slurpfile steps <(printf '%s' "$STEPS") --slurpfile before <(acknowledged 1 | cut -d ' ' -f 2) \
    --slurpfile after <(acknowledged 2 | cut -d ' ' -f 2) --argjson clients "$CLIENTS" --argjson lost "$((total - kept))" \
    --argjson in_doubt_kept "$(in_survivor 'w.n > k')" --arg promoted "standby$SURVIVOR" \
    '{$clients, $steps, acknowledged: [$before, $after], $lost, $in_doubt_kept, $promoted}' | jq -f scripts/jq/drill.jq
}

main() {
  help_if_asked "$@"
  (($# <= 1)) || usage_error "one file for the result"
  [[ $HOLD_S =~ ^[1-9][0-9]*$ && $CLIENTS =~ ^[1-9][0-9]*$ ]] || usage_error "HOLD_S and CLIENTS are whole numbers from 1"
  [[ ${STACK:-} != kubernetes ]] || usage_error "STACK is kubernetes: what is killed are servers of this machine"
  ((${#PG_PORTS[@]} == 3)) || usage_error "STANDBY_PORTS must name two ports"
  local result
  lock_acquire scripts/drills/crash.sh join
  trap on_exit EXIT
  prepare
  BEGAN=$(now_us)
  lose_standbys
  fail_over
  cd "$REPO_ROOT"
  result=$(result)
  printf '%s\n' "$result"
  (($# == 0)) || write_atomic "$1" <<<"$result"
  jq -e '.lost == 0 and [.steps[].acknowledged_per_s > 0] == [true, true, false, true, true, false, true]' <<<"$result" >/dev/null ||
    die "$EXIT_INVALID" "acknowledged transactions were lost, or writes went on or waited where they should not: see above"
}

main "$@"
