# shellcheck shell=bash
# For tests that run whole experiments.

# whole_run EXPERIMENT [OPTION]...: runs it; its folder is WHOLE_RUN.
whole_run() {
  local code=0
  ./run-all-tests.sh "$@" 3>&- || code=$?
  WHOLE_RUN=$(newest_run "$(basename "$1" .json)")
  ended_well "$code" "$WHOLE_RUN"
}

# ended_well CODE RUN: trials may be invalid only where the machine was taken away.
ended_well() { (($1 == 0)) || { (($1 == 1)) && only_robbed "$2"; }; }

# newest_run NAME: prints the latest run of an experiment.
newest_run() { find "${PGLAB_RESULTS:-results/runs}" -maxdepth 1 -name "*-$1" | sort | tail -n 1; }

# only_robbed RUN: there are invalid trials, and from each of them a hypervisor took the processor, which it says: that is the machine's doing, not
# the pipeline's.
only_robbed() {
  jq -e '[.cells[].trials[] | select(.verdict == "invalid")] | length > 0 and all(any(.reasons[]; .check == "processor_taken"))' \
    "$1/results.json" >/dev/null
}
