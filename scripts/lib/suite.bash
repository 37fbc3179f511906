# shellcheck shell=bash
# A suite is several experiments in one go: RUN/suite.json names their runs, each a folder in RUN; RUN/finished.ndjson says which are
# finished, and with which exit code. run-all-tests.sh sources this and brings stage.

# run_suite: each experiment by a driver of its own; goes on after one that fails. Exits with the worst of their codes.
run_suite() {
  local run code worst=0 number=0
  local -a runs again=(--resume) flags=()
  lines_of runs jq -r '.runs[]' "$RUN/suite.json"
  [[ $FROM == measure ]] || again=(--from "$FROM")
  ! $GATE || flags+=(--gate)
  [[ -z ${OPTION[dsn]:-} ]] || flags+=(--dsn "${OPTION[dsn]}")
  for run in "${runs[@]}"; do
    number=$((number + 1))
    code=$(exit_code_of "$run")
    if [[ $FROM == measure && -n $code ]]; then
      log "[$number/${#runs[@]}] $run is finished"
    else
      log "[$number/${#runs[@]}] $run"
      code=0
      stage run-all-tests.sh "${again[@]}" "$RUN/$run" "${flags[@]}" || code=$?
      ((code <= EXIT_FAILED)) || exit "$code"
      ((code == EXIT_FAILED)) || [[ $FROM != measure ]] || jq -nc --arg run "$run" --argjson exit_code "$code" '{$run, $exit_code}' >>"$RUN/finished.ndjson"
    fi
    ((code <= worst)) || worst=$code
  done
  verdict "$worst"
}

# exit_code_of RUN: prints it when that run is finished. A line that was cut short says nothing.
exit_code_of() {
  [[ ! -e $RUN/finished.ndjson ]] || jq -rR --arg run "$1" 'fromjson? // empty | select(.run == $run) | .exit_code' "$RUN/finished.ndjson"
}
