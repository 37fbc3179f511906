#!/usr/bin/env bats
# Several experiments in one go: planned together, run one after the other, gone on with where they stopped.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  export STACK=local PGLAB_RESULTS=$BATS_TEST_TMPDIR/runs
  local name
  for name in first second; do
    jq -n --arg name "$name" '{$name, why: "Does it run?", blocks: 1, seed: 1, duration_s: 1, warmup_s: 1, calibration_s: 1, scale: 0.01, cells: [
      {databases: ["tpch"], targets: ["pooled"], workloads: ["hello"], tools: ["wrk"], levels: [1, 2]}]}' >"$BATS_TEST_TMPDIR/$name.json"
  done
  jq '.cells[0].workloads = ["echo"]' "$BATS_TEST_TMPDIR/second.json" >"$BATS_TEST_TMPDIR/other" && mv "$BATS_TEST_TMPDIR/other" "$BATS_TEST_TMPDIR/second.json"
  SUITE=$BATS_TEST_TMPDIR/two.json
  jq -n --arg folder "$BATS_TEST_TMPDIR" '{name: "two", why: "Do both run?", experiments: ["\($folder)/first.json", "\($folder)/second.json"]}' >"$SUITE"
}

# suite ARGUMENT...: a run of the driver
suite() {
  run ./run-all-tests.sh "$@" 3>&-
  echo "$output"
}

the_run() { find "$PGLAB_RESULTS" -maxdepth 1 -name '*-two'; }

@test "--dry-run prints each experiment with its estimate, and the sum; nothing is left behind" {
  suite "$SUITE" --dry-run
  [ "$status" -eq 0 ]
  [ "$(grep -c -E '^  (first|second) +4 trials +22 s$' <<<"$output")" -eq 2 ]
  [[ $output == *"2 experiments, 8 trials, about 44 s once the data is there" ]]
  [ ! -e "$PGLAB_RESULTS" ]
}

@test "options narrow each experiment; one in which nothing is left is left out" {
  suite "$SUITE" --dry-run --workloads echo --levels 2
  [ "$status" -eq 0 ]
  [[ $output == *"left out: experiment first: nothing left to measure"* && $output == *"1 experiment, 2 trials"* ]]
  suite "$SUITE" --dry-run --levels 3
  [ "$status" -eq 64 ]
  [[ $output == *"suite two: nothing is left to measure"* ]]
}

@test "a suite that names no experiment: exit 64 before anything runs" {
  jq '.experiments[1] = "nonsense"' "$SUITE" >"$BATS_TEST_TMPDIR/wrong.json"
  suite "$BATS_TEST_TMPDIR/wrong.json"
  [ "$status" -eq 64 ]
  [[ $output == *"no such experiment: nonsense"* ]]
  [ ! -e "$PGLAB_RESULTS" ]
}

@test "full is planned: every experiment with its estimate, and hours in all" {
  suite full --dry-run --blocks 1
  [ "$status" -eq 0 ]
  for name in $(jq -r '.experiments[]' scripts/declared/suites/full.json); do
    grep -q -E "^  $name +[0-9]+ trials +[0-9.]+ (s|min|hours)$" <<<"$output"
  done
  [[ ${lines[-1]} =~ ^16\ experiments,\ [0-9]+\ trials,\ about\ [0-9.]+\ hours\  ]]
}

first_is_done() { [ -e "$(the_run)/finished.ndjson" ]; }
second_is_under_way() { compgen -G "$(the_run)/*-second/cells/01/*/status.json" >/dev/null; }

@test "interrupted in the second experiment, it goes on there: what is finished is not run again, the exit code is the worst" {
  # A shell without job control starts background jobs deaf to SIGINT, which a person's terminal does not.
  python3 -c 'import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    ./run-all-tests.sh "$SUITE" --levels 1 >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  driver=$!
  for _ in $(seq 1200); do
    ! first_is_done || ! second_is_under_way || break
    sleep 0.1
  done
  kill -INT "$driver"
  code=0
  wait "$driver" || code=$?
  cat "$BATS_TEST_TMPDIR/log"
  [ "$code" -eq 130 ]
  folder=$(the_run)
  grep -q -- "go on with: ./run-all-tests.sh --resume $folder$" "$BATS_TEST_TMPDIR/log"
  [ "$(scripts/stack.sh status)" = "{}" ]
  [ "$(scripts/database.sh status | jq .running)" = false ]
  [ "$(jq -c '[.name, (.runs | length)]' "$folder/suite.json")" = '["two",2]' ]
  before=$(find "$folder"/*-first -type f -exec sha256sum {} + | sort)
  done_before=$(find "$folder"/*-second/cells -name status.json -exec sha256sum {} + | sort)
  [ -n "$done_before" ]
  jq -c '.exit_code = 1' "$folder/finished.ndjson" >"$BATS_TEST_TMPDIR/worse" && cp "$BATS_TEST_TMPDIR/worse" "$folder/finished.ndjson"

  suite --resume "$folder"
  [ "$status" -eq 1 ]
  [[ $output == *"[1/2] "*"-first is finished"* ]]
  [ "$before" = "$(find "$folder"/*-first -type f -exec sha256sum {} + | sort)" ]
  [ "$done_before" = "$(find "$folder"/*-second/cells -name status.json -exec sha256sum {} + | sort | grep -F "$done_before")" ]
  second=$(find "$folder" -maxdepth 1 -name '*-second')
  node tests/e2e/check-run.js "$second" 2
  jq -e 'all(.cells[].trials[]; .verdict != "invalid")' "$second/results.json" || only_robbed "$second"

  suite --resume "$folder"
  [ "$status" -eq 1 ]
  [[ $output == *"[2/2] "*"-second is finished"* ]]
}
