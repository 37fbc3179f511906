#!/usr/bin/env bash
# Summary: the survival test: which acknowledged documents are gone after PostgreSQL was killed under load?
# Usage: scripts/drills/survival.sh [--rounds N] [--seconds S] [--lose cache] [--run RUN] [PROFILE...]
#
#   PROFILE        database profiles; durable, async-commit, unlogged and no-fsync unless given
#   --rounds N     how many times each is killed, in turn; 3 unless given
#   --seconds S    how long documents are written before, 2 unless given
#   --lose cache   of profiles on JuiceFS: kills JuiceFS as well, and removes what its cache has not uploaded; "--lose nothing" kills it alone
#   --run RUN      writes RUN/survival.json, and RUN/survival-PROFILE-N.log of a server that does not start again; else the JSON goes to stdout
#
# A round: a fresh copy of the dataset and a fresh target; 16 connections store documents and remember what was answered with 201;
# SIGKILL to the postmaster and all its children, by pid; a restart, with recovery; then each remembered id is looked for.
# `lost` is how many are gone, `loaded_lost` how many of the documents are that the collection held before. Where fsync is off both
# are null and nothing is killed: the kernel keeps what was written when processes die, only a power failure would tell. A server whose
# files are damaged, so that it does not start again after its cache was lost, has lost all: what of it a restore could save is not looked for.
# Runs on the local stack. Exit 0 whatever was lost, 1 when it was the durable profile's, 2 when a round could not be run.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

CONNECTIONS=16
WRITER='' SCRATCH=''

on_exit() {
  local code=$?
  # the drill ends for a reason of its own, to which the end of its writer adds nothing; one that has ended by itself takes no signal
  if [[ -n $WRITER ]] && kill "$WRITER" 2>/dev/null; then
    wait "$WRITER" || log "stopped the writer"
  fi
  [[ -z $SCRATCH ]] || { STACK=local "$REPO_ROOT/scripts/stack.sh" down && rm -rf "$SCRATCH"; }
  lock_release
  exit "$code"
}

# kill_server: the postmaster and its children at once, so that none can clean up after another.
kill_server() {
  local postmaster
  local -a pids
  postmaster=$(pg_current_pid)
  lines_of pids process_children "$postmaster"
  pids=("$postmaster" "${pids[@]}")
  kill -KILL "${pids[@]}"
  wait_until 10 "the server's processes to end" all_gone "${pids[@]}" || die "$EXIT_FAILED" "the server was not killed"
}

has_begun() { grep -q writing "$SCRATCH/writer.log"; }

# round PROFILE NUMBER: prints its JSON.
round() {
  local profile=$1 number=$2 before counts database
  if [[ $(jq -r '.settings.fsync // "on"' "$REPO_ROOT/scripts/declared/databases/$profile.json") == off ]]; then
    jq -n --arg profile "$profile" --argjson round "$number" '{$profile, $round, acknowledged: null, lost: null, loaded: null, loaded_lost: null,
      why: "fsync is off: the kernel keeps what was written when processes die, only a power failure would show a loss"}'
    return
  fi
  STACK=local "$REPO_ROOT/scripts/stack.sh" up documents "$profile"
  database=$(pg_current .database)
  before=$(pg_sql "$database" -c 'select count(*) from collections.test')
  : >"$SCRATCH/writer.log"
  node "$REPO_ROOT/scripts/drills/survival-writer.js" "http://127.0.0.1:${TARGET_PORT:-3000}" "$CONNECTIONS" >"$SCRATCH/ids" 2>"$SCRATCH/writer.log" &
  WRITER=$!
  wait_until 10 "the first document" has_begun || die "$EXIT_FAILED" "nothing was stored: $(tail -n 1 "$SCRATCH/writer.log")"
  sleep "$SECONDS_OF_LOAD" # how long it is under load, not a wait for something
  kill_server
  if [[ -n $LOSE ]]; then
    juicefs_kill
    [[ $LOSE == nothing ]] || juicefs_lose_cache
  fi
  wait "$WRITER" || die "$EXIT_FAILED" "the writer failed: $(tail -n 1 "$SCRATCH/writer.log")"
  WRITER=''
  pg_use "$profile"
  if [[ -z $LOSE ]]; then
    pg_start '{}'
    counts=$(count_lost "$database" "$before")
  else
    counts=$( (pg_start '{}' && count_lost "$database" "$before") 2>"$SCRATCH/start") || counts=$(all_lost "$profile" "$number" "$before")
    [[ -n $counts ]] || exit "$EXIT_FAILED"
  fi
  jq -n --arg profile "$profile" --argjson round "$number" --argjson counts "$counts" '{$profile, $round} + $counts'
}

# all_lost PROFILE NUMBER LOADED: the counts of a server that finds its files damaged, and why. Whatever else is wrong ends the drill, as does damage
# where nothing was lost.
all_lost() {
  local log=$PG_DATA.log free_kb
  [[ $LOSE == cache ]] || die "$EXIT_FAILED" "the server cannot be asked what it lost, though its cache was kept: $(tail -n 1 "$SCRATCH/start")"
  free_kb=$(df -Pk "$PG_ROOT" | awk 'NR == 2 { print $4 }')
  ((free_kb >= 65536)) || die "$EXIT_FAILED" "the disk of $PG_ROOT is full: what was lost cannot be told"
  if grep -qsE 'Permission denied|No space left|Cannot allocate|Too many open files' "$log" "$SCRATCH/start" ||
    ! grep -qsE '(PANIC|FATAL|ERROR): .*(control file|checkpoint|could not (open|read|access|locate)|invalid|missing chunk|unexpected data|does not exist)' \
      "$log" "$SCRATCH/start"; then
    die "$EXIT_FAILED" "the server does not answer: $(tail -n 1 "$SCRATCH/start")"
  fi
  [[ -z $RUN ]] || cp "$log" "$RUN/survival-$1-$2.log"
  jq -n --argjson loaded "$3" --argjson acknowledged "$(wc -l <"$SCRATCH/ids")" --arg why "$(tail -n 1 "$SCRATCH/start")" \
    '{$acknowledged, lost: $acknowledged, $loaded, loaded_lost: $loaded, $why}'
  pg_stop_all ""
  rm -rf "$PG_CLUSTER" # of no use to the next round
}

# count_lost DATABASE LOADED
count_lost() {
  {
    echo 'create temp table acknowledged (id bigint); copy acknowledged from stdin;'
    cat "$SCRATCH/ids"
    cat <<SQL
\\.
select json_build_object('acknowledged', count(*), 'lost', count(*) - count(test.id), 'loaded', $2,
  'loaded_lost', $2 - (select count(*) from collections.test where id <= $2))
from acknowledged left join collections.test using (id);
SQL
  } | pg_sql "$1"
}

main() {
  help_if_asked "$@"
  local rounds=3 profile number results
  local -a profiles=()
  SECONDS_OF_LOAD=2 LOSE='' RUN=''
  while (($# > 0)); do
    case $1 in
      --rounds | --seconds | --lose | --run) (($# > 1)) || usage_error "$1 needs a value" ;;&
      --rounds) rounds=$2 && shift 2 ;;
      --seconds) SECONDS_OF_LOAD=$2 && shift 2 ;;
      --lose) LOSE=$2 && shift 2 ;;
      --run) RUN=$2 && shift 2 ;;
      -*) usage_error "unknown option $1" ;;
      *) profiles+=("$1") && shift ;;
    esac
  done
  ((${#profiles[@]} > 0)) || profiles=(durable async-commit unlogged no-fsync)
  [[ $rounds =~ ^[1-9][0-9]{0,3}$ ]] || usage_error "--rounds takes a whole number from 1, not $rounds"
  [[ $SECONDS_OF_LOAD =~ ^[1-9][0-9]{0,3}$ ]] || usage_error "--seconds takes whole seconds from 1, not $SECONDS_OF_LOAD"
  [[ -z $RUN || (-d $RUN && -w $RUN) ]] || usage_error "--run $RUN: there is no such folder that can be written"
  [[ $LOSE == @(|cache|nothing) ]] || usage_error "--lose takes cache or nothing"
  for profile in "${profiles[@]}"; do
    [[ -f $REPO_ROOT/scripts/declared/databases/$profile.json ]] || usage_error "no such database profile: $profile; there are scripts/declared/databases/*.json"
    [[ $(json_get "$REPO_ROOT/scripts/declared/databases/$profile.json" .dataset) == documents ]] || usage_error "$profile holds no documents, which are what is looked for"
    [[ -z $LOSE || $(jq -r .storage "$REPO_ROOT/scripts/declared/databases/$profile.json") == juicefs ]] || usage_error "--lose: $profile is not on JuiceFS"
  done
  [[ ${STACK:-} != kubernetes ]] || usage_error "STACK is kubernetes: what is killed is a server of this machine"
  pg_locate
  lock_acquire scripts/drills/survival.sh join
  trap on_exit EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  SCRATCH=$(mktemp -d)
  for ((number = 1; number <= rounds; number++)); do
    for profile in "${profiles[@]}"; do
      round "$profile" "$number" >>"$SCRATCH/rounds"
      jq -r -s 'last | "\(.profile), round \(.round): " + (if .lost == null then .why else "\(.lost) of \(.acknowledged) acknowledged documents lost, \(.loaded_lost) of \(.loaded) loaded ones" + if .why then " (\(.why))" else "" end end)' \
        "$SCRATCH/rounds" >&2
    done
  done
  results=$(jq -s . "$SCRATCH/rounds")
  if [[ -n $RUN ]]; then write_atomic "$RUN/survival.json" <<<"$results"; else printf '%s\n' "$results"; fi
  jq -e 'all(.[]; .profile != "durable" or .lost == 0)' <<<"$results" >/dev/null || die "$EXIT_INVALID" "the durable profile lost documents"
}

main "$@"
