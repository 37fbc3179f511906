# shellcheck shell=bash
# Searches by probes: short trials whose results decide what is probed next. They are in run folders of their own, below the run's.

# probe_until_found RUN SEARCH: has the probes made that SEARCH asks for, a script for node, until it asks for none. It is given the run, and prints {folder, probes,
# told}: where the next probes belong, what they are as plan.json names open cells, and what a person is told. Leaves what it printed last in FOUND.
probe_until_found() {
  local folder
  while FOUND=$(node "$2" "$1") && [[ $(jq '.probes | length' <<<"$FOUND") != 0 ]]; do
    folder=$(jq -r .folder <<<"$FOUND")
    mkdir -p "$folder"
    cp "$1"/{experiment,environment,provenance}.json "$folder"
    log "$(jq -r .told <<<"$FOUND")"
    _with_round "$folder" | write_atomic "$folder/plan.json"
    _make_probes "$1" "$folder"
  done
  [[ -n $FOUND ]] || exit "$EXIT_FAILED"
}

# finish_probes RUN FOLDER...: makes those that are planned and were not made, as the run was interrupted: such a probe says nothing.
finish_probes() {
  local folder
  for folder in "${@:2}"; do
    [[ ! -e $folder/plan.json ]] || _make_probes "$1" "$folder"
  done
}

# _make_probes RUN FOLDER: those of the folder's plan; other runs that are on the machine meanwhile are noted of the run.
_make_probes() {
  PROGRESS_ROUND=true scripts/stages/measure.sh "$2"
  scripts/stages/environment.sh --beside "$1"
}

# _with_round FOLDER: prints the folder's plan with the probes of FOUND added to it.
_with_round() {
  local plan=$1/plan.json
  [[ -e $plan ]] || plan=/dev/null
  jq --slurpfile plan "$plan" --argjson cores "$(getconf _NPROCESSORS_ONLN)" -L scripts/jq -f scripts/jq/plan-probes.jq <<<"$FOUND"
}
