#!/usr/bin/env bash
# Summary: runs an experiment: sweeps its targets and levels, and leaves a report in results/runs/.
# Usage: ./run-all-tests.sh [EXPERIMENT] [options]     EXPERIMENT: a name that --list shows, or a file; baseline unless given
#        ./run-all-tests.sh --resume RUN               goes on with an interrupted run
#        ./run-all-tests.sh --from STAGE RUN           makes a run's later files again; STAGE: measure, collect, analyse, report
#
# What to run (these narrow the experiment, they never widen it):
#   --targets A,B      only these targets
#   --workloads A,B    only these workloads
#   --levels N,M       only these levels: users or connections; requests per second in the open model
#   --blocks N         fewer repetitions of the whole
#   --duration S       no cell is measured for longer than S seconds
# How and where:
#   --scale F          TPC-H scale factor, 1 = 6,001,215 line items; the experiment's own unless given
#   --stack NAME       local, docker or external; unless given docker where it can be had, else local
#   --url URL          with external: the address of a server that is already there
#   --dsn DSN          our targets on your database (postgresql://...), read-only
#   --allow-writes     with --dsn: targets may create objects there (rollup and Cube need to)
#   --gate             exit 1 also when an objective is missed
#   --dry-run          prints the cells and the estimated time, runs nothing
#   --list             prints the experiments
#   --help             prints this
#
# Exit: 0 no invalid trial; 1 some trial invalid (or an objective missed, with --gate); 2 the harness failed; 64 usage;
# 130 interrupted. Whatever was measured stays, and --resume goes on from there.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/scripts/lib/common.bash"
# shellcheck source=scripts/lib/options.bash
source "$REPO_ROOT/scripts/lib/options.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

STAGE_PID='' SCRATCH=''

# stage SCRIPT ARG...: runs one stage in a process group of its own, so that the trap can stop all of it.
stage() {
  set -m
  "$REPO_ROOT/$1" "${@:2}" &
  STAGE_PID=$!
  set +m
  wait "$STAGE_PID"
  STAGE_PID=''
}

# The one trap: stops what was started, by pid; says how to go on; keeps the exit status.
on_exit() {
  local code=$?
  trap '' INT TERM
  # a stage that has just ended by itself takes no signal, and needs none
  [[ -z $STAGE_PID ]] || ! kill -TERM -- "-$STAGE_PID" 2>/dev/null || wait_until 15 "the stage to stop" stage_stopped || kill -KILL -- "-$STAGE_PID"
  ! declare -F stack_stop >/dev/null || stack_stop || code=$EXIT_FAILED
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  ((code <= EXIT_INVALID)) || [[ ! -e $RUN/plan.json ]] || log "what was measured is in $RUN; go on with: ./run-all-tests.sh --resume $RUN"
  trap - INT TERM EXIT
  [[ -z ${SIGNAL:-} ]] || kill -s "$SIGNAL" $$
  exit "$code"
}

stage_stopped() { ! kill -0 -- "-$STAGE_PID" 2>/dev/null; }

# Plans in a scratch folder, so that a fault leaves nothing behind; the run's folder is made when there is something to run.
new_run() {
  local file=$EXPERIMENT
  [[ $file == *.json ]] || file=$REPO_ROOT/scripts/declared/experiments/$EXPERIMENT.json
  [[ -r $file ]] || usage_error "no such experiment: $EXPERIMENT; ./run-all-tests.sh --list names them"
  jq empty "$file" || usage_error "$file is not JSON"
  SCRATCH=$(mktemp -d)
  write_atomic "$SCRATCH/experiment.json" <"$file"
  jq -L scripts/jq --slurpfile experiment "$file" --arg stack "$STACK" --argjson memory "$(memory_bytes)" 'include "scale";
    .duration_s as $seconds | .scale //= ($experiment[0] | dataset_scale($memory; $seconds)) | .stack = $stack | .dsn |= (. != null)' <<<"$OPTIONS" |
    write_atomic "$SCRATCH/options.json"
  stage scripts/stages/plan.sh "$SCRATCH"
  jq -r '.skipped | to_entries[] | "skipped: target \(.key): \(.value)"' "$SCRATCH/plan.json" >&2
  if $DRY_RUN; then
    jq -r -f scripts/jq/dry-run.jq "$SCRATCH/plan.json"
    exit 0
  fi
  RUN=${PGLAB_RESULTS:-results/runs}/$(TZ=UTC printf '%(%Y%m%dT%H%M%SZ)T' -1)-$(basename "$EXPERIMENT" .json)
  { mkdir -p "$RUN" && cp "$SCRATCH"/*.json "$RUN"; } || die "$EXIT_FAILED" "$RUN cannot be written: is the disk full, or the folder read-only?"
}

old_run() {
  local file
  [[ -d $RUN ]] || usage_error "no such run: $RUN"
  RUN=${RUN%/}
  PGLAB_RESULTS=$(cd "$RUN/.." && pwd)
  export PGLAB_RESULTS
  for file in experiment options plan; do
    jq -e . "$RUN/$file.json" >/dev/null 2>&1 || die "$EXIT_FAILED" "$RUN is damaged: $file.json is missing or is not JSON; its cells/ are untouched"
  done
}

# Prints the stack of this run: an old run's own, the one asked for, or the one that suits.
chosen_stack() {
  local stack
  if [[ -n $RUN ]]; then
    stack=$(json_get "$RUN/options.json" .stack)
  else
    stack=$(jq -r '.stack // (if .url or .dsn then "external" else empty end)' <<<"$OPTIONS")
  fi
  if [[ -n $stack ]]; then printf '%s\n' "$stack"; else default_stack; fi
}

# Phase 2, the open model at shares of the measured peak, is planned once, from phase 1.
measure_run() {
  stage scripts/stages/environment.sh "$RUN"
  stage scripts/stages/measure.sh "$RUN" plan.json
  [[ -e $RUN/plan-open.json ]] || stage scripts/stages/plan-open.sh "$RUN"
  stage scripts/stages/measure.sh "$RUN" plan-open.json
  [[ $(jq .survival "$RUN/experiment.json") != true || -e $RUN/survival.json ]] || stage scripts/drills/survival.sh --run "$RUN"
}

main() {
  have jq || "$REPO_ROOT/scripts/setup.sh" jq # the options are kept as JSON
  parse_options "$@"
  EXTERNAL_DSN=$(jq -r '.dsn // empty' <<<"$OPTIONS") # it may hold a password: it is not kept in the run
  export EXTERNAL_DSN
  cd "$REPO_ROOT"
  trap on_exit EXIT
  trap 'SIGNAL=INT; exit 130' INT
  trap 'SIGNAL=TERM; exit 143' TERM
  [[ -z $RUN ]] || old_run
  STACK=$(chosen_stack)
  [[ $STACK == docker ]] || stage scripts/setup.sh --for "${RUN:-$EXPERIMENT}${RUN:+/plan.json}" --stack "$STACK" # what the docker stack needs is in its images
  [[ -n $RUN ]] || new_run
  SCALE=$(jq .scale "$RUN/options.json")
  EXTERNAL_URL=$(jq -r '.url // empty' "$RUN/options.json")
  ALLOW_WRITES=$(jq .allow_writes "$RUN/options.json")
  export SCALE EXTERNAL_URL ALLOW_WRITES
  stack_load "$(jq -r .stack "$RUN/options.json")"
  [[ $FROM != measure ]] || measure_run
  [[ $FROM != collect ]] || stage scripts/stages/collect.sh "$RUN"
  [[ $FROM == report ]] || stage scripts/stages/analyse.sh "$RUN"
  stage scripts/stages/report.sh "$RUN"
  stage scripts/stages/summary.sh "$RUN"
  outcome
}

# Exit 1 when a trial is invalid or, under --gate, an objective was missed.
outcome() {
  local invalid missed
  invalid=$(jq '[.cells[].trials[] | select(.verdict == "invalid")] | length' "$RUN/results.json")
  missed=$(jq '[.objectives // [] | .[] | select(.met == false)] | length' "$RUN/results.json")
  ((invalid == 0)) || warn "$invalid invalid trial(s): the report says which and why"
  ((missed == 0)) || log "$missed objective(s) missed"
  ((invalid == 0)) || exit "$EXIT_INVALID"
  ((missed == 0)) || ! $GATE || exit "$EXIT_INVALID"
}

main "$@"
