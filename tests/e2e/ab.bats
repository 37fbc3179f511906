#!/usr/bin/env bats
# ApacheBench for real: its smoke experiment. Servers are started with 3>&-: bats waits for whoever holds its descriptor 3.

load ../lib/own-server.bash

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/whole-run.bash
}

@test "smoke-ab: every cell is measured, schema and sense hold; of fixed numbers the database counts every request, and no other" {
  whole_run smoke-ab
  node tests/e2e/check-run.js "$WHOLE_RUN" 11
  jq -es 'map(select(.cell.requests and .cell.workload != "hello")) | length == 2
    and all(.[]; .requests == .cell.requests and .database.statements.calls == .requests + .spot_checks.asked and .printed.keep_alive_requests == .requests)' \
    "$WHOLE_RUN"/cells/*/tpch*/summary.json
  jq -e '[.cells[] | select(.requests) | .requests] | sort == [1000, 12000, 30000, 30000]' "$WHOLE_RUN/results.json"
  run grep 'opened late' "$WHOLE_RUN/report.md" # what ends by its number opened no window late
  [ "$status" -eq 1 ]
}
