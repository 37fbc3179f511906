#!/usr/bin/env bats
# The open model at a share of the peak: the peak is searched for by probes between the two phases.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  export STACK=local PGLAB_RESULTS=$BATS_TEST_TMPDIR/runs
  EXPERIMENT=$BATS_TEST_TMPDIR/half.json
  jq -n '{name: "half", why: "Is half of the peak sent as planned?", blocks: 1, seed: 1, duration_s: 2, warmup_s: 1, calibration_s: 1, scale: 0.01, cells: [
    {databases: ["tpch"], targets: ["pooled"], workloads: ["hello"], tools: ["k6"], levels: [4]},
    {databases: ["tpch"], targets: ["pooled"], workloads: ["hello"], tools: ["k6"], model: "open", levels: ["50%"]}]}' >"$EXPERIMENT"
}

@test "a peak is found between the phases, its half is measured, and --resume makes only the probe that is missing" {
  local run made last code
  whole_run "$EXPERIMENT"
  run=$WHOLE_RUN
  made=$(find "$run/probes/cells" -name status.json | wc -l)
  [ "$made" -ge 3 ] && [ "$made" -le 28 ] # on a busy machine four tries of each rate
  jq -e --argjson made "$made" '.peaks | length == 1 and (.[0] | .probes == $made and .rate_rps < .failed_rps and .failed_rps <= 1.1 * .rate_rps)' "$run/results.json"
  # a rate that failed was probed again
  jq -se --slurpfile results "$run/results.json" '(map(select(.level == $results[0].peaks[0].failed_rps)) | length >= 2)
    and (group_by(.level) | all(map(.block) | sort == [range(length)]))' "$run"/probes/cells/*/*/cell.json
  jq -se 'any(.[]; .activity != null) and all(.[].host; .cores == (.cpu.steal_by_core_s | length))' "$run"/cells/01/*open*/sampler.ndjson
  jq -e '[.groups[].cells[] | {share, level}] | length == 1 and .[0].share == "50%" and .[0].level > 100' "$run/plan-open.json"
  jq -e '[.cells[] | select(.model == "open") | .trials[].reasons | map(.check) | select(contains(["processor_taken"]) | not)[] | select(IN("dropped", "offered"))] == []' "$run/results.json"
  jq -e 'all(.cells[]; .trials | length == 1)' "$run/results.json"
  # a kill in the middle of the search: the last probe was planned and never made
  last=$(find "$run/probes/cells" -mindepth 2 -maxdepth 2 | sort | tail -n 1)
  rm -r "$last"
  rm "$run/plan-open.json"
  rm -r "$run"/cells/01/*open*
  touch "$run/probes/first"
  code=0
  ./run-all-tests.sh --resume "$run" 3>&- || code=$?
  ended_well "$code" "$run"
  [ -e "$last/status.json" ]
  # the others were not made again, whatever the one that was missing says this time
  [ "$(find "$run/probes/cells" -name status.json ! -newer "$run/probes/first" | wc -l)" -eq $((made - 1)) ]
  jq -e '[.cells[] | select(.model == "open") | .trials | length] == [1]' "$run/results.json"
}
