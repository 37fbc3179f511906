#!/usr/bin/env bats
# The line that a person sees while cells run, on a terminal and elsewhere, with a Node.js that gives the verdict that the test wants.

# shellcheck disable=SC2030,SC2031,SC2034,SC2317 # what a test sets is its own, and what it defines is called by progress.bash
setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source scripts/lib/common.bash
  source scripts/lib/progress.bash
  RUN=$BATS_TEST_TMPDIR
  jq -n '{groups: [{cells: [range(3) | {id: "cell-\(.)", duration_s: 8, warmup_s: 0}]}]}' >"$RUN/plan.json"
  VERDICTS=(valid)
}

node() {
  cat >"$RUN/judged"
  printf '%s\t01/cell\toutcome: exit 1\n' "${VERDICTS[@]}"
}

# trial CELL [ERRORS]: what it left.
trial() {
  mkdir -p "$RUN/cells/01/$1"
  echo '{"duration_s": 8, "warmup_s": 0}' >"$RUN/cells/01/$1/cell.json"
  echo '{}' >"$RUN/cells/01/$1/status.json"
  jq -n --argjson errors "${2:-0}" '{throughput_rps: 1234.56, successes: 9000, latency_us: {count: 9000, p95: 3210},
    cell: {target: "raw", model: "closed", level: 4}, errors: {total: $errors}, status: {exit_code: 0}}' >"$RUN/cells/01/$1/summary.json"
}

# ends CELL
ends() {
  trial "$1"
  progress_end "$RUN/cells/01/$1"
}

whole_run() {
  progress_begin "$RUN/plan.json"
  progress_start cell-0
  ends cell-0
  progress_start cell-1
  ends cell-1
  PROGRESS_JUDGED=$((PROGRESS_JUDGED - 60000000)) # a minute has passed
  VERDICTS=(suspect valid)
  progress_start cell-2
  ends cell-2
  VERDICTS=(invalid)
  progress_finish
}

@test "elsewhere than on a terminal: at most a line a minute, with progress, estimate, suspects, the last trial and the one that runs" {
  run whole_run
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 4 ]
  [ "${lines[0]}" = "[1/3] 32 s left, 0 suspect; now cell-0" ]
  [[ ${lines[1]} =~ ^"[3/3] "[0-9]+" s left, 1 suspect; last raw at 4: 1,235 answers/s, p95 3.21 ms, valid; now cell-2"$ ]]
  [ "${lines[2]}" = "invalid: 01/cell: outcome: exit 1" ]
  [ "${lines[3]}" = "[3/3] done, 1 suspect, 1 invalid; last raw at 4: 1,235 answers/s, p95 3.21 ms, invalid" ]
}

@test "on a terminal one line, no wider than it, that each cell overwrites" {
  progress_overwrites() { true; }
  progress_columns() { echo 40; }
  run whole_run
  [ "$status" -eq 0 ]
  [ "${#lines[@]}" -eq 2 ]
  mapfile -t -d $'\r' parts <<<"${lines[0]}"
  [ "${#parts[@]}" -eq 4 ]
  [ "${parts[0]}" = "[1/3] 32 s left, 0 suspect; now cell-0" ]
  [[ ${parts[1]} == $'\e[K[2/3] '*" left, 0 suspect …" && ${#parts[1]} -le 42 ]]
  [[ ${parts[2]} == $'\e[K[3/3] '*" left, 1 suspect …" ]]
  [[ ${parts[3]} == $'\e[Kinvalid: 01/cell: outcome: exit 1'* ]]
}

@test "a run that goes on counts the verdicts of what was done before" {
  trial cell-0
  trial cell-1
  VERDICTS=(suspect invalid)
  progress_begin "$RUN/plan.json"
  progress_skip '{"duration_s": 8, "warmup_s": 0}' "$RUN/cells/01/cell-0"
  progress_skip '{"duration_s": 8, "warmup_s": 0}' "$RUN/cells/01/cell-1"
  run progress_start cell-2
  [ "$(<"$RUN/judged")" = "$RUN/cells/01/cell-0"$'\n'"$RUN/cells/01/cell-1" ]
  [ "$output" = "[3/3] 10 s left, 1 suspect, 1 invalid; now cell-2" ]
}

@test "where Node.js cannot tell, the trials are counted as not judged, and the run goes on" {
  node() { return 1; }
  progress_begin "$RUN/plan.json"
  ends cell-0
  PROGRESS_DONE=1
  run progress_finish
  [ "$status" -eq 0 ]
  [ "$output" = "[1/3] done, 0 suspect, 1 not judged; last raw at 4: 1,235 answers/s, p95 3.21 ms" ]
}

@test "users who think are called so, and their p95 takes no more answers for being many" {
  trial cell-0
  run jq -r '.cell += {level: 800, think_s: 1} | '"$(<scripts/jq/progress.jq)" "$RUN/cells/01/cell-0/summary.json"
  [ "$output" = "raw at 800 users: 1,235 answers/s, p95 3.21 ms" ]
}

@test "of a round of probes each tells what it was, and nothing else" {
  export PROGRESS_ROUND=true
  run whole_run
  [ "${#lines[@]}" -eq 3 ]
  [ "${lines[2]}" = "  raw at 4: 1,235 answers/s, p95 3.21 ms" ]
}
