#!/usr/bin/env bash
# Summary: runs an experiment: measures its targets at its levels, and leaves a report in results/runs/.
# Usage: ./run-all-tests.sh [EXPERIMENT] [options]     a name that --list shows, or a file; baseline unless given
#        ./run-all-tests.sh SUITE [options]            several experiments, one after the other; full answers every question
#        ./run-all-tests.sh --resume RUN               continues an interrupted run (a folder, or its name)
#        ./run-all-tests.sh --from STAGE RUN           regenerates a run's derived files; STAGE: measure, collect, analyse, report
#
# What to run (these narrow an experiment, they never widen it; a suite leaves out experiments in which nothing is left):
#   --targets A,B      only these targets
#   --workloads A,B    only these workloads
#   --levels N,M       only these levels: users or connections; requests per second in the open model
#   --blocks N         fewer repetitions of the whole
#   --duration S       no cell is measured for longer than S seconds
#   --objective 'O'    the limits that a capacity has to hold, such as 'p95<50ms, errors<0.1%'; the experiment's own unless given
#   --think 5s         how many users are served, too, each of whom pauses so long on average between an answer and the next request (of a script: between iterations)
# How and where:
#   --generators N     N processes of k6, wrk or pgbench share each load that does not say itself how many; auto: as many as raise the ceiling
#   --scale F          TPC-H scale factor, 1 = 6,001,215 line items; the experiment's own unless given
#   --stack NAME       where things run: local, or another of scripts/stacks/; by default docker if an engine runs, else local
#   --context NAME     with kubernetes: another context of kubectl than the current one
#   --registry PREFIX  with kubernetes: where nodes pull our images from; without it they have them
#   --node-selector S  with kubernetes: ROLE=LABEL=VALUE,...: pods of that role are on nodes with that label alone
#   --storage-class S  with kubernetes: of the database's volume; the cluster's default unless given
#   --operator NAME    with kubernetes: cloudnative-pg has its operator, which must be there, run the database
#   --url URL          with external: the address of a server that is already there
#   --script FILE.js   with --url: a k6 script of your own, which asks at __ENV.BASE_URL; --scenario NAME says which of several
#   --pid PID          with --url: the server's process here, whose processor and memory are watched; --container NAME of one in a container
#   --i-own HOST       with --url: that a host which is neither this machine nor private may be loaded
#   --dsn DSN          with --url: its database, whose counters are read; else our targets, here or with --stack kubernetes there, on your database, read-only: postgresql://..., 'keyword=value ...' or service=name, as psql takes it
#   --allow-writes     with --dsn: targets may create objects there (rollup and Cube need to)
#   --wait             when another run uses the same ports or data, wait for its end; without it: exit 2 at once
#   --gate             exit 1 also when an objective is missed
#   --dry-run          prints the cells and the estimated time; runs and installs nothing
#   --list             prints the experiments and the suites
#   --help             prints this
#
# Exit: 0 no invalid trial; 1 some trial invalid, or no rate known to be sustained (or an objective missed, with --gate); 2 the harness failed; 64 usage;
# 130 interrupted, 143 ended by SIGTERM; of a suite the worst of its experiments. Whatever was measured stays, and --resume goes on from there.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$(readlink -f "$0")")/scripts/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/options.bash
source "$REPO_ROOT/scripts/lib/options.bash"
# shellcheck source=scripts/lib/prepare.bash
source "$REPO_ROOT/scripts/lib/prepare.bash"
# shellcheck source=scripts/lib/suite.bash
source "$REPO_ROOT/scripts/lib/suite.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

export HELP_OF=./run-all-tests.sh # whichever of its scripts refuses an argument
SCRATCH='' REPLAY=''
VERDICT=''

# stage SCRIPT ARG...: runs one stage. Returns its exit code.
stage() { guarded "$REPO_ROOT/$1" "${@:2}"; }

# verdict CODE: exits with what is to be said of what was measured; a program that fails where none was expected to, such as kubectl, may have the same status.
verdict() { VERDICT=$1 && exit "$1"; }

# The one trap: has what was started stopped; says how to go on; keeps the exit status.
on_exit() {
  local code=$?
  trap '' INT TERM
  lock_release || code=$EXIT_FAILED
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  [[ -z $REPLAY ]] || rm -f "$REPLAY"
  ((code != EXIT_INVALID)) || [[ $VERDICT == "$code" ]] || code=$EXIT_FAILED
  ((code <= EXIT_FAILED || code == EXIT_USAGE || code >= 128)) || code=$EXIT_FAILED # of a program that failed where none was expected to
  ((code <= EXIT_INVALID || code == EXIT_USAGE)) || [[ ! -e $RUN/plan.json && ! -e $RUN/suite.json ]] ||
    log "$(measured_text)"
  trap - INT TERM EXIT
  [[ -z $SIGNAL ]] || kill -s "$SIGNAL" $$
  exit "$code"
}

# measured_text: prints where the trials are that were measured, if any, and how to go on.
measured_text() {
  local folder resume
  folder=$(printf %q "$RUN")
  resume="./run-all-tests.sh --resume $folder${EXTERNAL_DSN+ --dsn ...}"
  if ! compgen -G "$RUN/cells/*/*/status.json" >/dev/null && ! compgen -G "$RUN/*/cells/*/*/status.json" >/dev/null; then
    echo "nothing was measured; start again where the experiment or a target has to be corrected, else go on with: $resume"
  elif watched_lives; then
    echo "what was measured is in $RUN; go on with: $resume"
  elif [[ $FROM == measure ]]; then
    echo "what was measured is in $RUN; for its report: ./run-all-tests.sh --from collect $folder"
  else
    echo "what was measured is in $RUN"
  fi
}

# old_run: the folder of an earlier run, or of a suite's, is whole.
old_run() {
  local file
  local -a files=(experiment options plan)
  [[ $FROM == measure && ! -e $RUN/environment.json ]] || files+=(environment)
  [[ ! -e $RUN/plan-open.json ]] || files+=(plan-open)
  [[ ! -e $RUN/suite.json ]] || files=(suite)
  for file in "$RUN"/{probes,capacity/*}/plan.json; do
    file=${file#"$RUN/"}
    [[ ! -e $RUN/$file ]] || files+=("${file%.json}")
  done
  PGLAB_RESULTS=$(cd "$RUN/.." && pwd)
  export PGLAB_RESULTS
  [[ -d $RUN/cells || -e $RUN/${files[0]}.json || -e $RUN/plan.json ]] || usage_error "$RUN is not the folder of a run"
  for file in "${files[@]}"; do
    is_json "$RUN/$file.json" || die "$EXIT_FAILED" "$RUN is damaged: $file.json is missing or is not JSON; its cells/ are untouched"
  done
}

# Making files again takes what reads them; nothing is installed for it.
need_analysis() {
  require_cmd jq
  if have node || ! in_containers "$(json_get "$RUN/options.json" .stack)"; then require_node; fi
}

# lock_mode: prints how lock_acquire is called: what measures nothing needs no ports, and an experiment of a suite has that suite's.
lock_mode() {
  if [[ -n ${PGLAB_LOCK:-} ]] || $DRY_RUN || [[ $FROM != measure ]]; then echo share; elif $WAIT; then echo wait; else echo refuse; fi
}

# note_run: what others are told who want the same ports or data.
note_run() {
  local -a plans=("$RUN/plan.json")
  [[ ! -e $RUN/suite.json ]] || plans=("$RUN"/*/plan.json)
  lock_note what "run $(basename "$RUN")"
  [[ -n $LOCK_RUN ]] || lock_note run "$(cd "$RUN" && pwd -P)"
  lock_note estimate_s "$(jq -s 'map(.estimate_s) | add' "${plans[@]}")"
}

# Phase 2, the open model at shares of each target's peak, is planned once, after phase 1.
measure_run() {
  ! jq -e '.generators | .at_most and (.sized | not)' "$RUN/options.json" >/dev/null || stage scripts/stages/size-generators.sh "$RUN"
  stage scripts/stages/environment.sh "$RUN"
  stage scripts/stages/measure.sh "$RUN" plan.json
  stage scripts/stages/find-capacities.sh "$RUN"
  [[ -e $RUN/plan-open.json ]] || stage scripts/stages/plan-open.sh "$RUN"
  stage scripts/stages/measure.sh "$RUN" plan-open.json
  ! survival_is_due || stage scripts/drills/survival.sh --run "$RUN" || verdict "$?"
}

# survival_is_due: only our own server is killed, and what it loses says nothing of somebody else's.
survival_is_due() {
  [[ $(jq .survival "$RUN/experiment.json") == true && ! -e $RUN/survival.json ]] || return 1
  [[ $STACK != external && -z ${EXTERNAL_DSN+given} ]] || { log "left out: killing the server under load, which is for our own database" && return 1; }
  ! in_cluster "$STACK" || { log "left out: killing the server under load, which is for one on this machine" && return 1; }
}

# keep_kubeconfig: the files that KUBECONFIG names are found from the repository's folder, too.
keep_kubeconfig() {
  local file kept=''
  local -a files
  IFS=: read -r -a files <<<"${KUBECONFIG:-}"
  for file in "${files[@]}"; do
    kept+=${file:+$(absolute "$file"):}
  done
  [[ -z $kept ]] || KUBECONFIG=${kept%:}
}

main() {
  parse_options "$@"
  export EXTERNAL_URL=${OPTION[url]:-} EXTERNAL_SCRIPT=${OPTION[script]:-}
  SIGNAL=''
  keep_kubeconfig
  cd "$REPO_ROOT"
  forget_by_hand
  [[ -z $RUN ]] || old_run
  export LOCK_RUN=''
  [[ -z $RUN ]] || LOCK_RUN=$(cd "$RUN" && pwd -P)
  STACK=$(chosen_stack)
  export STACK
  lock_acquire "run $(basename "${RUN:-$EXPERIMENT}" .json)" "$(lock_mode)"
  trap on_exit EXIT
  trap 'SIGNAL=INT; exit 130' INT
  trap 'SIGNAL=TERM; exit 143' TERM
  if [[ $FROM == measure ]]; then get_ready; else need_analysis; fi
  note_run
  [[ ! -e $RUN/suite.json ]] || run_suite
  use_options "$RUN"
  [[ $FROM != measure ]] || lock_note stack "$STACK"
  # where there is no Node.js, the docker stack brings its own
  if [[ $FROM == measure ]] || ! have node; then stack_load "$STACK"; fi
  [[ $FROM != measure ]] || measure_run
  [[ $FROM != collect ]] || stage scripts/stages/collect.sh "$RUN"
  [[ $FROM == report ]] || stage scripts/stages/analyse.sh "$RUN"
  stage scripts/stages/report.sh "$RUN"
  stage scripts/stages/print.sh "$RUN"
  outcome
}

# Exit 1 when a trial is invalid or missing, when a target is not known to sustain any rate, or, under --gate, an objective was missed.
outcome() {
  local invalid not_run missed unsustained
  invalid=$(jq '[.cells[].trials[] | select(.verdict == "invalid")] | length' "$RUN/results.json")
  not_run=$(jq .verdicts.not_run "$RUN/results.json")
  missed=$(jq '[.objectives // [] | .[] | select(.met == false)] | length' "$RUN/results.json")
  unsustained=$(jq '(.unsustained // []) + [.capacities // [] | .[] | select(.answer.kind | IN("none", "unknown"))] | unique_by([.target, .variant]) | length' "$RUN/results.json")
  ((unsustained == 0)) || warn "$unsustained target(s) are not known to sustain any load: the report says which"
  ((invalid == 0)) || warn "$invalid invalid trial(s): the report says which and why"
  ((not_run == 0)) || warn "$not_run planned trial(s) were not run: the report says which"
  ((missed == 0)) || log "$missed objective(s) missed"
  ((invalid + not_run + unsustained == 0)) || verdict "$EXIT_INVALID"
  ((missed == 0)) || ! $GATE || verdict "$EXIT_INVALID"
}

main "$@"
