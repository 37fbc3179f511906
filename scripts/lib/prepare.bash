# shellcheck shell=bash
# What comes before the first request of a run. All that can be wrong is found out first, what costs least at the very first; only then is
# anything installed. run-all-tests.sh sources this and brings stage, RUN and SCRATCH.

PLANNED=() # folders with experiment.json, options.json and plan.json: one, or of a suite one for each of its experiments

# get_ready: leaves RUN, planned, with all in place that it needs; ends here with --dry-run.
get_ready() {
  local folder
  have jq || get_jq
  SCRATCH=$(mktemp -d) || die "$EXIT_FAILED" "no temporary folder can be made (TMPDIR)" # a fault leaves nothing behind
  if [[ -z $RUN ]]; then
    STAMP=$(TZ=UTC printf '%(%Y%m%dT%H%M%SZ)T' -1)
    plan_all --before-setup
  elif [[ -e $RUN/suite.json ]]; then
    return # each experiment of a suite is a run of its own, and gets ready by itself
  else
    PLANNED=("$RUN")
    [[ ! -x bin/k6 ]] || scripts/probes/own.sh --same "$RUN" # else when it is set up, before anything is measured
    [[ $(jq .dsn "$RUN/options.json") != true || -n ${EXTERNAL_DSN+given} ]] || usage_error "$RUN is on a database of yours: give its address again, with --dsn"
    use_options "$RUN"
    watched_lives || usage_error "process $EXTERNAL_PID, which $RUN watches, has ended: begin a run with --pid of the one that serves now (--from collect $(printf %q "$RUN") makes the report of this one)"
    [[ $(jq .dsn "$RUN/options.json") == true || -z ${EXTERNAL_DSN+given} ]] || usage_error "$RUN is not on a database of yours: drop --dsn"
  fi
  for folder in "${PLANNED[@]}"; do
    STACK=$(json_get "$folder/options.json" .stack) scripts/probes/before.sh --scale "$folder"
  done
  if $DRY_RUN; then
    dry_run
    exit 0
  fi
  first_screen
  for folder in "${PLANNED[@]}"; do
    use_options "$folder"
    if ((${#PLANNED[@]} == 1)); then stage scripts/probes/before.sh "$folder" >&2; else stage scripts/probes/before.sh "$folder" >/dev/null; fi
  done
  set_up "${PLANNED[@]/%//plan.json}"
  [[ -z ${EXTERNAL_DSN+given} ]] || resolve_dsn
  if [[ -n $RUN ]]; then look_again; else make_run; fi
}

# look_again: a script of somebody's own that a run goes on with is still answered as it should be: a token may have expired since.
look_again() {
  local path scenario
  path=$(jq -r '.script.path // empty' "$RUN/options.json")
  [[ -n $path ]] || return 0
  scenario=$(jq -r '.script.scenario // empty' "$RUN/options.json")
  look_at "$path" "$EXTERNAL_URL" "$scenario"
}

# look_at FILE URL SCENARIO: leaves in SEEN what scripts/probes/own.sh prints, and in REPLAY the answers, which the responder repeats. They are in no folder of a run,
# and go with this one: nobody else should read them.
look_at() {
  REPLAY=$(mktemp) || die "$EXIT_FAILED" "no temporary file can be made (TMPDIR)"
  export REPLAY
  lock_note private "$REPLAY"
  SEEN=$(scripts/probes/own.sh "$1" "$2" "$REPLAY" ${3:+"$3"})
}

# look_at_script FOLDER...: has a script of somebody's own run once, and planned with what it showed: what it runs, what it asks, and its thresholds, which are
# the objective unless another is given.
look_at_script() {
  local folder unread
  look_at "${OPTION[script]}" "${OPTION[url]}" "${OPTION[scenario]:-}"
  unread=$(jq -r '.unread // empty' <<<"$SEEN")
  for folder in "$@"; do
    jq --argjson seen "$SEEN" --arg scenario "${OPTION[scenario]:-}" '
      .script += ($seen | {path, sha256, exec, requests, at_once, only, takes}) + if $scenario == "" then {} else {$scenario} end | .objective //= $seen.objective' "$folder/options.json" | write_atomic "$folder/options.json"
    stage scripts/stages/plan.sh "$folder"
    [[ -n ${OPTION[objective]:-} ]] || jq -r --argjson seen "$SEEN" 'select(.searches and $seen.objective) | "the objective is that of the script: \(.objective.text)"' "$folder/plan.json" >&2
    [[ -z $unread || -n ${OPTION[objective]:-} ]] || jq -e '.searches == null' "$folder/plan.json" >/dev/null ||
      usage_error "${OPTION[script]} has a threshold that is no objective: $unread; say with --objective under what its capacity is looked for"
  done
}

# resolve_dsn: has libpq resolve the DSN, once, for all that follows. Which targets can be run depends on what their drivers honour of it.
resolve_dsn() {
  lock_note stack "$STACK"
  stack_load "$STACK"
  unset EXTERNAL_DATABASE
  stack_resolve
}

# get_jq: plans take it. What can be found out without a plan is found out before that.
get_jq() {
  ! $DRY_RUN || require_cmd jq
  local -a files=("${EXPERIMENT:-$RUN/plan.json}")
  [[ ! -e $RUN/suite.json ]] || files=("$RUN"/*/plan.json)
  stage scripts/probes/before.sh
  set_up "${files[@]}"
}

# set_up FILE...: installs and builds what these experiments or plans need. What the docker stack needs is in its images; of the kubernetes stack
# analysis alone is done here. A stage is not in
# the foreground, where sudo may ask for a password, so that is asked for before.
set_up() {
  local file
  local -a what=(--stack "$STACK" ${OPTION[targets]:+--targets "${OPTION[targets]}"})
  ! in_containers "$STACK" || return 0
  ! in_cluster "$STACK" || { stage scripts/setup.sh jq scripts/node_modules && return; }
  for file in "$@"; do
    what+=(--for "$file")
  done
  "$REPO_ROOT/scripts/setup.sh" --ask "${what[@]}"
  stage scripts/setup.sh "${what[@]}"
}

# chosen_stack: prints the one that an old run had, the one asked for, or the one that suits.
chosen_stack() {
  local -a options=("$RUN"/options.json "$RUN"/*/options.json) # a suite's experiments have one each
  [[ -e ${options[0]} ]] || options=("${options[@]:1}")
  if [[ -n $RUN ]] && have jq; then
    json_get "${options[0]}" .stack
  elif [[ -n ${OPTION[url]:-} || (-n ${OPTION[dsn]:-} && ${OPTION[stack]:-} != kubernetes) ]]; then
    echo external
  else
    choose_stack "${OPTION[stack]:-${STACK:-}}"
  fi
}

# use_options FOLDER: hands a planned run's options to the stages.
use_options() {
  STACK=$(json_get "$1/options.json" .stack)
  SCALE=$(jq .scale "$1/options.json")
  EXTERNAL_URL=$(jq -r '.url // empty' "$1/options.json")
  EXTERNAL_SCRIPT=$(jq -r '.script.path // empty' "$1/options.json")
  ALLOW_WRITES=$(jq .allow_writes "$1/options.json")
  EXTERNAL_PID=$(jq -r '.pid // empty' "$1/options.json")
  EXTERNAL_PID_STARTED=$(jq -r '.pid_started // empty' "$1/options.json")
  EXTERNAL_CONTAINER=$(jq -r '.container // empty' "$1/options.json")
  export STACK SCALE EXTERNAL_URL EXTERNAL_SCRIPT ALLOW_WRITES EXTERNAL_PID EXTERNAL_PID_STARTED EXTERNAL_CONTAINER
  _use_cluster "$1"
}

# _use_cluster FOLDER: what stack kubernetes reads, where an option says it, and in which cluster the run began, if it has.
_use_cluster() {
  local assignments
  export KUBE_BEGAN_IN=''
  [[ ! -e $1/environment.json ]] || KUBE_BEGAN_IN=$(jq -r '.cluster.uid // empty' "$1/environment.json")
  assignments=$(jq -r '{KUBE_CONTEXT: .context, KUBE_REGISTRY: .registry, KUBE_NODE_SELECTOR: .node_selector, KUBE_STORAGE_CLASS: .storage_class, KUBE_OPERATOR: .operator} | to_entries[] | select(.value) | "export \(.key)=\(.value | @sh)"' "$1/options.json")
  use_exports "$assignments"
}

# plan_all [OPTION]: plans the experiment, or each one of the suite, in SCRATCH, and sets PLANNED. OPTION is of scripts/stages/plan.sh.
plan_all() {
  local suite names name file folder
  PLANNED=()
  if ! is_suite "$EXPERIMENT"; then
    plan_into "$SCRATCH" "$EXPERIMENT" '' "$@"
    PLANNED=("$SCRATCH")
    return
  fi
  names=$(jq -r '.experiments[]' "$EXPERIMENT") || usage_error "$EXPERIMENT must hold a suite: {\"name\", \"why\", \"experiments\": [...]}"
  suite=$(json_get "$EXPERIMENT" .name)
  for name in $names; do
    file=$(declared_file "$name")
    folder=$SCRATCH/$STAMP-$(basename "$file" .json)
    plan_into "$folder" "$file" "$suite" "$@"
    if jq -e .nothing_left "$folder/plan.json" >/dev/null; then
      log "left out: $(jq -r .nothing_left "$folder/plan.json")"
      rm -r "$folder"
    else
      PLANNED+=("$folder")
    fi
  done
  ((${#PLANNED[@]} > 0)) || usage_error "suite $suite: nothing is left to measure"
}

# plan_into FOLDER FILE SUITE [OPTION]: freezes the experiment in FILE with the options there, and plans it.
plan_into() {
  mkdir -p "$1"
  local fault
  fault=$(jq -es 'length == 1 and (.[0] | type == "object")' "$2" 2>&1 >/dev/null) || usage_error "$2 is not JSON, or not one object${fault:+: ${fault%%$'\n'*}}"
  jq -e --arg file "$(basename "$2" .json)" '.name | type != "string" or . == $file' "$2" >/dev/null ||
    usage_error "$2: .name is $(jq -c .name "$2"): it must be \"$(basename "$2" .json)\", as the file is called"
  write_atomic "$1/experiment.json" <"$2"
  options_json "$3" | jq -L scripts/jq --slurpfile experiment "$2" --arg stack "$STACK" --argjson machine "$(memory_bytes)" \
    --arg limit "$(in_images "$STACK" && pinned POSTGRES_MEMORY)" 'include "scale";
    .duration_s as $seconds | .scale //= ($experiment[0] | dataset_scale(server_bytes($stack; $machine; $limit); $seconds)) | .stack = $stack' |
    write_atomic "$1/options.json"
  stage scripts/stages/plan.sh "${@:4}" "$1"
}

dry_run() {
  print_skipped
  if is_suite "$EXPERIMENT"; then
    jq -rs -L scripts/jq -f scripts/jq/suite.jq "${PLANNED[@]/%//plan.json}"
  else
    jq -r -L scripts/jq --arg generators "${OPTION[generators]:-}" -f scripts/jq/dry-run.jq "$SCRATCH/plan.json"
    [[ -z ${OPTION[script]:-} || -n ${OPTION[objective]:-} ]] || ! jq -e .searches "$SCRATCH/plan.json" >/dev/null ||
      echo "thresholds of ${OPTION[script]##*/} take the place of this objective, if it has any"
  fi
}

# first_screen: what will happen, before it happens.
first_screen() {
  if [[ -n $EXPERIMENT ]] && is_suite "$EXPERIMENT"; then
    jq -r '"\(.name): \(.why)"' "$EXPERIMENT" >&2
    jq -rs -L scripts/jq -f scripts/jq/suite.jq "${PLANNED[@]/%//plan.json}" >&2
  else
    done_trials | jq -r -L scripts/jq --slurpfile plan "${PLANNED[0]}/plan.json" --slurpfile experiment "${PLANNED[0]}/experiment.json" \
      --slurpfile options "${PLANNED[0]}/options.json" -f scripts/jq/first-screen.jq >&2
  fi
}

# done_trials: prints, as a list in JSON, "<block>/<cell>" of those that a run which goes on has.
done_trials() {
  if [[ -d $RUN/cells ]]; then find "$RUN/cells" -mindepth 3 -maxdepth 3 -name status.json; fi | jq -Rn '[inputs | split("/") | .[-3:-1] | join("/")]'
}

print_skipped() { jq -r '.skipped | to_entries[] | "skipped: \(.key): \(.value)"' "${PLANNED[@]/%//plan.json}" | sort -u >&2; }

# new_folder NAME: RUN is a folder that was not there: NAME, or where another run began in the same second, NAME-2 ...
new_folder() {
  local number=1
  RUN=$1
  mkdir -p "${1%/*}" || die "$EXIT_FAILED" "${1%/*} cannot be written"
  until mkdir "$RUN" 2>/dev/null; do
    [[ -e $RUN ]] || die "$EXIT_FAILED" "$RUN cannot be written: is the disk full, or the folder read-only?"
    number=$((number + 1))
    RUN=$1-$number
  done
}

# make_run: plans again, now that every target is there that can be, and makes the folder of the run.
make_run() {
  plan_all
  [[ -z ${OPTION[script]:-} ]] || look_at_script "${PLANNED[@]}"
  print_skipped
  if is_suite "$EXPERIMENT"; then
    jq '{name, why, runs: $ARGS.positional}' "$EXPERIMENT" --args "${PLANNED[@]##*/}" | write_atomic "$SCRATCH/suite.json"
  fi
  new_folder "${PGLAB_RESULTS:-results/runs}/$STAMP-$(basename "$EXPERIMENT" .json)"
  cp -R "$SCRATCH"/. "$RUN" || die "$EXIT_FAILED" "$RUN cannot be written: is the disk full, or the folder read-only?"
}
