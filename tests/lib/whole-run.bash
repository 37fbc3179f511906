# shellcheck shell=bash
# For tests that run whole experiments.

# whole_run EXPERIMENT [OPTION]...: runs it; its folder is WHOLE_RUN.
whole_run() {
  local code=0
  ./run-all-tests.sh "$@" 3>&- || code=$?
  WHOLE_RUN=$(newest_run "$(basename "$1" .json)")
  ended_well "$code" "$WHOLE_RUN"
}

# ended_well CODE RUN: trials may be invalid only where the processor was taken away.
ended_well() { (($1 == 0)) || { (($1 == 1)) && only_robbed "$2"; }; }

# refused_with EXIT_CODE TEXT: what was `run` ended so, with one line of error, which says TEXT.
# shellcheck disable=SC2154 # bats sets them
refused_with() {
  echo "$output"
  [ "$status" -eq "$1" ]
  [ "$(grep -c '^error: ' <<<"$output")" -eq 1 ]
  [[ $output == *"$2"* ]]
}

# newest_run NAME: prints the latest run of an experiment.
newest_run() { find "${PGLAB_RESULTS:-results/runs}" -maxdepth 1 -name "*-$1" | sort | tail -n 1; }

# only_robbed RUN: there are invalid trials, and each of them says who took its processor: a hypervisor, or another program, which can be the
# test beside this one. The latter excuses only what too little processor time does by itself. Otherwise their reasons are printed.
only_robbed() {
  jq -e '
    def robbed: map(.check) as $checks
      | any($checks[]; . == "processor_taken")
        or (any($checks[]; . == "other_programs")
          and all(.[] | select(.verdict == "invalid"); .check | IN("samples", "littles_law", "latency_law", "frozen")));
    [.cells[] as $cell | $cell.trials[] | select(.verdict == "invalid") | { cell: $cell.id, reasons }]
    | if length > 0 and all(.reasons | robbed) then true
      else (.[] | "invalid: \(.cell): \(.reasons | tojson)"), false end' -r "$1/results.json"
}
