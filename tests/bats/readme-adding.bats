#!/usr/bin/env bats
# docs/adding.md, followed to the letter in a copy of the repository: its files, its commands, a real database.

load ../lib/copy.bash
load ../lib/stub.bash
load ../lib/whole-run.bash

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/postgres.bash
  private_postgres
  export REPOSITORY=$PWD COPY=$BATS_FILE_TMPDIR/copy STACK=local SCALE=0.01
  export BASE_URL=http://127.0.0.1:$TARGET_PORT # the page's reader has the default port free
  copy_repository "$COPY"
}

teardown_file() {
  cd "$COPY" || return
  scripts/stack.sh down
  rm -rf "$PGLAB_DATA"
}

setup() {
  cd "$COPY" || return
  source tests/lib/postgres.bash
}

# followed PAGE: writes the files that it names into the copy and prints what it says, as JSON.
followed() { node "$REPOSITORY/tests/lib/readme-files.js" "$1" "$COPY"; }

# unfollowed: takes the files away again.
unfollowed() {
  local path
  jq -r '.files[].path' "$BATS_TEST_TMPDIR/said.json" | while read -r path; do rm "$path"; done
}

# line_count PATTERN: how many lines the files have whose paths match.
line_count() { jq --arg pattern "$1" '[.files[] | select(.path | test($pattern)) | .lines] | add' "$BATS_TEST_TMPDIR/said.json"; }

@test "a target and a workload take under 30 lines each, and every command of the page works" {
  followed docs/adding.md >"$BATS_TEST_TMPDIR/said.json"
  local target workload command
  target=$(line_count '^apps/[^/]+/(db\.js|target\.json)$') workload=$(line_count '^(k6|wrk|pgbench|scripts/sql/verify)/')
  echo "target: $target lines, workload: $workload lines"
  [ "$target" -gt 0 ]
  [ "$target" -lt 30 ]
  [ "$workload" -gt 0 ]
  [ "$workload" -lt 30 ]
  [ "$(jq '.commands | length' "$BATS_TEST_TMPDIR/said.json")" -ge 4 ]
  while IFS= read -r command <&4; do
    echo "+ $command"
    eval "$command" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- 4>&- || { cat "$BATS_TEST_TMPDIR/output" && false; }
    cat "$BATS_TEST_TMPDIR/output" >>"$BATS_TEST_TMPDIR/all"
  done 4< <(jq -r '.commands[]' "$BATS_TEST_TMPDIR/said.json")
  grep -q '^up and verified: ' "$BATS_TEST_TMPDIR/all"
  grep -q '✓ long-echo: body' "$BATS_TEST_TMPDIR/all"
  grep -q '  tpch@0\.01\.unnamed\.base\.long-echo\.k6\.closed-0016 ' "$BATS_TEST_TMPDIR/all"
  unfollowed
}

@test "the workload's files alone have it calibrated, and measured on somebody else's server" {
  followed docs/adding.md >"$BATS_TEST_TMPDIR/said.json"
  start_stub "$(free_port)"
  PGLAB_RESULTS=$BATS_TEST_TMPDIR/results run ./run-all-tests.sh long-echo --url "$STUB" --workloads long-echo \
    --levels 1 --blocks 1 --duration 1 3>&-
  stop_stub
  echo "$output"
  ended_well "$status" "$(PGLAB_RESULTS=$BATS_TEST_TMPDIR/results newest_run long-echo)"
  [ "$(jq -c '[.cell.target, .successes > 0]' "$BATS_TEST_TMPDIR"/results/*/cells/*/*.long-echo.k6.*/summary.json | sort | tr '\n' ' ')" = '["external",true] ["null",true] ' ]
  unfollowed
}

@test "without its example the workload is skipped there, and a line says so" {
  followed docs/adding.md >"$BATS_TEST_TMPDIR/said.json"
  mv scripts/sql/verify/long-echo.json "$BATS_TEST_TMPDIR"
  run ./run-all-tests.sh long-echo --url http://127.0.0.1:9 --dry-run 3>&-
  [ "$status" -eq 0 ]
  [[ $output == *"skipped: workload long-echo: there is no scripts/sql/verify/long-echo.json"* ]]
  run ./run-all-tests.sh long-echo --url http://127.0.0.1:9 --workloads long-echo --dry-run 3>&-
  [ "$status" -eq 64 ]
  [[ $output == *"nothing left to measure; workload long-echo: there is no scripts/sql/verify/long-echo.json"* ]]
  mv "$BATS_TEST_TMPDIR/long-echo.json" scripts/sql/verify
  unfollowed
}

@test "a wrong word on the page is found out" {
  sed 's/rows\[0\]\.value,$/rows[0].values,/' docs/adding.md >"$BATS_TEST_TMPDIR/adding.md"
  grep -q 'rows\[0\]\.values,$' "$BATS_TEST_TMPDIR/adding.md"
  followed "$BATS_TEST_TMPDIR/adding.md" >"$BATS_TEST_TMPDIR/said.json"
  run scripts/stack.sh up unnamed 3>&-
  [ "$status" -eq 2 ]
  [[ $output == *"unnamed's answer to /echo/"* ]]
  unfollowed
}
