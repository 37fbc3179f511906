# shellcheck shell=bash
# For tests that run whole experiments.

# whole_run NAME: runs the experiment; its folder is WHOLE_RUN. Trials may be invalid only where the machine was taken away.
whole_run() {
  local code=0
  ./run-all-tests.sh "$1" 3>&- || code=$?
  WHOLE_RUN=$(newest_of "${PGLAB_RESULTS:-results/runs}" "$1")
  ((code == 0)) || { ((code == 1)) && only_robbed "$WHOLE_RUN"; }
}

# newest_of FOLDER NAME: prints the latest run of an experiment.
newest_of() { find "$1" -maxdepth 1 -name "*-$2" | sort | tail -n 1; }

# only_robbed RUN: there are invalid trials, and from each of them a hypervisor took the processor, which it says: that is the machine's doing, not
# the pipeline's.
only_robbed() {
  jq -e '[.cells[].trials[] | select(.verdict == "invalid")] | length > 0 and all(any(.reasons[]; .check == "processor_taken"))' \
    "$1/results.json" >/dev/null
}
