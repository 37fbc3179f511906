#!/usr/bin/env bash
# Summary: executes a plan, group by group: target up, check, verify, each cell and its collection, target down.
# Usage: scripts/stages/measure.sh RUN [PLAN]      (PLAN: plan.json by default, or plan-open.json)
#
# Writes RUN/cells/<block>/<cell-id>/ and RUN/sessions.ndjson. Cells that have a status.json are done and are not run again, so an interrupted run
# goes on where it stopped. STACK and SCALE come from the environment.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/progress.bash
source "$REPO_ROOT/scripts/lib/progress.bash"

declare -A VERIFIED=()

cell_dir() { jq -r --arg run "$RUN" '"\($run)/cells/\(.block | tostring | if length < 2 then "0" + . else . end)/\(.id)"' <<<"$1"; }

# measure_cell CELL_JSON CELL_DIR
measure_cell() {
  local cell=$1 dir=$2 workload
  mkdir -p "$dir"
  jq --slurpfile provenance "$RUN/provenance.json" --slurpfile target "$(target_file "$(jq -r .target <<<"$cell")")" \
    '. + $provenance[0] + {expects: ($target[0].expects[.workload]? // null)}' <<<"$cell" | write_atomic "$dir/cell.json"
  sampler_runs || start_sampler
  progress_start "${dir##*/}"
  workload=$(jq -r .workload <<<"$cell")
  VERIFIED_STATEMENTS=${VERIFIED[$workload]:-null} VERIFIED_ANSWERS=$ANSWERS/$workload "$REPO_ROOT/scripts/stages/run-cell.sh" "$dir"
  "$REPO_ROOT/scripts/stages/collect.sh" "$dir"
  progress_end "$dir"
}

# A cell that has a status.json is done, but for its collection perhaps. The target comes up for the first one that has none,
# and for each where the database profile says "reset": "clone", so that every trial that writes starts from the same state.
measure_group() {
  local group=$1 cells cell dir up=false reset
  reset=$(reset_of "$(jq -r .database <<<"$group")")
  cells=$(jq -c '.cells[]' <<<"$group")
  while IFS= read -r cell <&3; do
    dir=$(cell_dir "$cell")
    if [[ -e $dir/status.json ]]; then
      [[ -e $dir/summary.json ]] || "$REPO_ROOT/scripts/stages/collect.sh" "$dir"
      progress_skip "$cell" "$dir"
      continue
    fi
    if ! $up || ! (stack_check); then
      ! $up || target_down "$group"
      target_up "$group"
      up=true
    fi
    measure_cell "$cell" "$dir"
    if [[ $reset == clone ]] || lost_workers "$dir"; then
      target_down "$group"
      up=false
    fi
  done 3<<<"$cells"
  ! $up || target_down "$group"
  "$REPO_ROOT/scripts/stages/environment.sh" --beside "$RUN"
}

# lost_workers CELL_DIR: whether processes of the target died in the trial: the next is measured on a new one.
lost_workers() { jq -e '[.processes[].children_lost // 0] | add > 0' "$1/status.json" >/dev/null; }

# reset_of DATABASE: prints none or clone. What is not a profile of ours (none, external) is never reset.
reset_of() {
  if is_ours "$1"; then json_get "$REPO_ROOT/scripts/declared/databases/$1.json" .reset; else echo none; fi
}

target_up() {
  local target
  local -a workloads
  target=$(jq -r .target <<<"$1")
  lines_of workloads jq -r '[.cells[] | select(.script | not) | .workload] | unique[]' <<<"$1" # somebody's own script checks its answers itself
  stack_up "$(jq -r .database <<<"$1")" "$target" "$(jq -c .variant <<<"$1")"
  stack_check
  ! is_ours "$(jq -r .database <<<"$1")" || unaltered "$target"
  verify "$target" "${workloads[@]}"
  explain "${workloads[@]}"
  SESSIONS_BEFORE=$(counters "$RUN/counters.log")
}

# A session publishes its part of pg_stat_database when it ends, or seconds late: hence one reading for all the time that a target
# was up, when its sessions are gone.
target_down() {
  local after
  stack_down
  [[ -n ${PGHOST:-} ]] || return 0
  after=$(counters "$RUN/counters.log" --wait-gone 10)
  ! is_ours "$(jq -r .database <<<"$1")" || end_sessions "$(jq -r .target <<<"$1")"
  jq -c --argjson before "$SESSIONS_BEFORE" --argjson after "$after" '
    def session_part: if . then {postmaster_started} + .database else null end;
    {database, target, variant: .variant.name, before: ($before | session_part), after: ($after | session_part)}' <<<"$1" >>"$RUN/sessions.ndjson"
}

# is_ours DATABASE: whether it is a profile, whose role app has no other user.
is_ours() { [[ -e $REPO_ROOT/scripts/declared/databases/$1.json ]]; }

# end_sessions TARGET: what it left running would run in the next target's trials. A database that does not answer, as the counters have said by now,
# has no sessions.
end_sessions() {
  local left code=0
  left=$(psql -XqAt -v ON_ERROR_STOP=1 -f "$REPO_ROOT/scripts/sql/end-sessions.sql") || code=$?
  ((code != 2)) || return 0 # no connection
  ((code == 0)) || die "$EXIT_FAILED" "the sessions that $1 left cannot be ended"
  ((left == 0)) || warn "target $1 left $left of its sessions at work in the database: they were ended"
}

# unaltered TARGET: the role that all targets share is as it was made: what one of them changes would be measured, and verified, in others.
unaltered() {
  local altered
  altered=$(psql -XqAt -v ON_ERROR_STOP=1 -f "$REPO_ROOT/scripts/sql/altered.sql")
  [[ -z $altered ]] || die "$EXIT_FAILED" "before $1 is measured: role $PGUSER ${altered//$'\n'/; and }"
}

# verify TARGET WORKLOAD...: leaves by workload, in VERIFIED the statements that the target ran for it (scripts/jq/counters.jq), in the folder ANSWERS what it
# answered (scripts/probes/verify.sh). What has no SQL of its own also writes, and that is not verified; a target that is the database itself is not asked.
verify() {
  local target=$1 workload before after
  local -a others=()
  VERIFIED=()
  rm -f "$ANSWERS"/*
  before=$(counters "$RUN/counters.log")
  for workload in "${@:2}"; do
    if [[ ! -r $REPO_ROOT/scripts/sql/verify/$workload.sql ]]; then
      others+=("$workload")
      continue
    fi
    stack_verify --print "$target" "$workload" >"$ANSWERS/$workload"
    after=$(counters "$RUN/counters.log")
    VERIFIED[$workload]=$(jq -nc -L "$REPO_ROOT/scripts/jq" --argjson before "$before" --argjson after "$after" \
      'include "counters"; {$before, $after} | statements_verified | if . == {} then null else . end')
    before=$after
  done
  [[ -z ${others[*]:-} ]] || stack_verify "$target" "${others[@]}"
}

# verify_external: somebody else's server is there already, and is asked before anything is measured; one that somebody's own script asks, whether it still listens
# before each probe of a search. One that a probe has overloaded has a minute to recover.
verify_external() {
  local -a workloads
  [[ -n ${EXTERNAL_URL:-} ]] || return 0
  jq -e 'all(.groups[]; .target != "external")' "$PLAN" >/dev/null || watched_lives || die "$EXIT_FAILED" "process $EXTERNAL_PID, which --pid named, has ended: begin a run with --pid of the one that serves now"
  lines_of workloads jq -r '[.groups[] | select(.target == "external") | .cells[] | select(.script | not) | .workload] | unique[]' "$PLAN"
  local -a verify=(env BASE_URL="$EXTERNAL_URL" "$REPO_ROOT/scripts/probes/verify.sh" external "${workloads[@]}")
  if ((${#workloads[@]} == 0)); then
    [[ $RUN != */capacity/* ]] || wait_until 20 "somebody to listen at $EXTERNAL_URL" node "$REPO_ROOT/scripts/probes/answers.js" --connect "$EXTERNAL_URL" ||
      die "$EXIT_FAILED" "nobody listens at $EXTERNAL_URL any more: start it and go on with --resume"
  elif [[ $RUN == */capacity/* ]]; then
    wait_until 60 "right answers of $EXTERNAL_URL" "${verify[@]}" || die "$EXIT_FAILED" "$EXTERNAL_URL gives no right answers any more"
  else
    "${verify[@]}" || die "$EXIT_FAILED" "a server must answer as our own targets do, unless --script FILE.js says what it is asked"
  fi
}

# explain WORKLOAD...: RUN/explain-<workload>.json, once a run, for workloads whose query plans are part of the answer.
explain() {
  local workload sql file plan
  for workload in "$@"; do
    sql=$REPO_ROOT/scripts/sql/plans/$workload.sql file=$RUN/explain-$workload.json
    [[ -n ${PGHOST:-} && -r $sql && ! -s $file ]] || continue
    plan=$(psql -XqAt -v ON_ERROR_STOP=1 -f "$sql") # a file that is there is whole
    write_atomic "$file" <<<"$plan"
  done
}

# The sampler runs beside the whole of it; it looks only while WATCH_FILE names a cell, and ends when its stdin does: with this process at the latest.
start_sampler() {
  local assignments=''
  [[ $(jq '[.groups[].database | select(. != "none")] | length' "$PLAN") == 0 ]] || assignments=$(stack_monitor)
  coproc SAMPLER {
    [[ -z $assignments ]] || use_exports "$assignments"
    stack_sampler >>"$RUN/sampler.log" 2>&1
  }
}

# sampler_runs: status 1, and a line, when it has ended. What it has not seen is null in the trial's summary.
sampler_runs() { [[ -n ${SAMPLER_PID:-} ]] || { warn "the sampler ended too early, see $RUN/sampler.log" && return 1; }; }

stop_sampler() {
  local pid=${SAMPLER_PID:-} pipe=${SAMPLER[1]:-}
  sampler_runs || return 0
  exec {pipe}>&-
  wait "$pid" || warn "the sampler failed: $(tail -n 1 "$RUN/sampler.log")"
}

main() {
  help_if_asked "$@"
  (($# == 1 || $# == 2)) || usage_error "which run?"
  RUN=$(cd "$1" && pwd)
  PLAN=$RUN/${2:-plan.json}
  local groups group
  stack_load "$STACK"
  ANSWERS=$(mktemp -d)
  trap 'rm -r "$ANSWERS"' EXIT
  GENERATORS=$(jq '[.groups[].cells[].generators // 1] | max // 1' "$PLAN") # of which a stack may bring up as many
  export GENERATORS
  verify_external
  "$REPO_ROOT/scripts/probes/own.sh" --same "$RUN"
  progress_begin "$PLAN"
  mkdir -p "${WATCH_FILE%/*}"
  start_sampler
  groups=$(jq -c '.groups[]' "$PLAN")
  while IFS= read -r group <&4; do
    [[ -z $group ]] || measure_group "$group"
  done 4<<<"$groups"
  stop_sampler
  progress_finish
}

main "$@"
