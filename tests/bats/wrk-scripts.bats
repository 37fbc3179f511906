#!/usr/bin/env bats
# The wrk scripts against a stub target: what they send, what they write, and what they say of bad input.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/stub
  start_stub 3111
}

teardown_file() {
  load ../lib/stub
  stop_stub
}

setup() {
  load ../lib/stub
  raw=$BATS_TEST_TMPDIR/raw.json
}

# wrk_run WORKLOAD URL [OPTION...]: one second of wrk whose report goes to $raw.
wrk_run() {
  local workload=$1 url=$2
  shift 2
  WRK_OUT=$raw wrk -t2 -c4 -d1s --timeout 30s --latency "$@" -s "wrk/$workload.lua" "$url" connections=4
}

@test "every workload writes its report, in which the figures are wrk's own" {
  for workload in hello echo analytics; do
    wrk_run "$workload" "$STUB" >"$BATS_TEST_TMPDIR/stdout"
    jq -e '.version == 2 and .connections == 4 and .requests > 100 and .statuses == null and .duration_us >= 1e6 and .bytes > .requests' "$raw"
    jq -e '.errors == {connect: 0, read: 0, write: 0, status: 0, timeout: 0}' "$raw"
    jq -e '.counts == (.counts | sort) and (.counts | map(.[1]) | add) >= .requests' "$raw"
    jq -e '.latency_us | .min <= .mean and .mean <= .max and .stdev >= 0' "$raw"
    grep -q "^  $(jq .requests "$raw") requests in" "$BATS_TEST_TMPDIR/stdout"
  done
}

@test "without a path in the URL the workload's own route is asked for" {
  for workload in hello echo analytics; do
    wrk_run "$workload" "$STUB" >/dev/null
    jq -e '.errors.status == 0' "$raw"
  done
}

@test "a path in the URL is honoured" {
  for workload in hello echo analytics; do
    wrk_run "$workload" "$STUB/no/such/route" >/dev/null
    jq -e '.requests > 0 and .errors.status == .requests' "$raw"
  done
  wrk_run analytics "$STUB/slow/analytics" -d2s --timeout 5s >/dev/null
  jq -e '.requests == 4 and .latency_us.min > 1490000' "$raw"
}

@test "prefix= goes before each path" {
  WRK_OUT=$raw wrk -t2 -c4 -d2s --timeout 5s --latency -s wrk/analytics.lua "$STUB" connections=4 prefix=/slow >/dev/null
  jq -e '.connections == 4 and .errors.status == 0 and .latency_us.min > 1400000' "$raw"
  WRK_OUT=$raw wrk -t2 -c4 -d1s --latency -s wrk/echo.lua "$STUB" connections=4 prefix=/no/such/route >/dev/null
  jq -e '.requests > 0 and .errors.status == .requests' "$raw"
}

@test "echo sends a thousand values in turn, others on each thread" {
  before=$(stub_stat echoed)
  wrk_run echo "$STUB" -d5s >/dev/null
  after=$(stub_stat echoed)
  [ $((after - before)) -eq 2000 ]
}

@test "no request is formatted before the load: threads that start early would have counted by then" {
  cat >"$BATS_TEST_TMPDIR/lazy.lua" <<'END'
local workload, threads = dofile('wrk/lib/workload.lua'), {}
made = 0
workload.rotating(1000, function(thread, i)
  made = made + 1
  return '/echo/' .. i
end)
local started, number = init, setup
function init(args)
  started(args)
  before = made
end
function setup(thread)
  number(thread)
  threads[#threads + 1] = thread
end
function done()
  for _, thread in ipairs(threads) do print('formatted', thread:get('before'), thread:get('made')) end
end
END
  run wrk -t2 -c4 -d2s -s "$BATS_TEST_TMPDIR/lazy.lua" "$STUB"
  [ "$(grep -c $'^formatted\t0\t1000$' <<<"$output")" -eq 2 ]
}

@test "WRK_CLOSE=1 opens a connection per request" {
  before=$(stub_stat connections)
  WRK_CLOSE=1 wrk_run hello "$STUB" >/dev/null
  [ $(($(stub_stat connections) - before)) -ge "$(jq .requests "$raw")" ]
}

@test "WRK_STATUSES=1 counts each status" {
  WRK_STATUSES=1 wrk_run hello "$STUB/mixed/" -d2s >/dev/null
  jq -e '(.statuses | keys) == ["200", "404", "500"] and (.statuses | add) == .requests
    and .statuses["404"] + .statuses["500"] == .errors.status and .errors.read > 0' "$raw"
}

@test "late answers are timeouts, and no latencies" {
  wrk_run hello "$STUB/slow/" -d4s --timeout 1s >/dev/null
  jq -e '.errors.timeout == .requests and .requests > 0 and .latency_us == null and .counts == []' "$raw"
}

@test "latencies are written to the microsecond" {
  wrk_run hello "$STUB/slow/" -d2s >/dev/null
  jq -e '.counts | length > 0 and all(.[]; .[0] > 1048576 and .[0] < 2097152) and any(.[]; .[0] % 1024 != 512)' "$raw"
}

@test "the histogram is the same, asked for value by value or read where wrk keeps it" {
  cat >"$BATS_TEST_TMPDIR/compare.lua" <<END
local workload = dofile('wrk/lib/workload.lua')
local histogram = dofile('wrk/lib/histogram.lua')
workload.constant('/')
function done(summary, latency)
  local read, asked, total = histogram.read(latency), histogram.ask(latency), 0
  assert(#read == #asked and #read > 0)
  for i = 1, #read do
    assert(read[i][1] == asked[i][1] and read[i][2] == asked[i][2])
    total = total + read[i][2]
  end
  assert(total >= summary.requests)
  print('alike: ' .. #read)
end
END
  run wrk -t2 -c8 -d1s -s "$BATS_TEST_TMPDIR/compare.lua" "$STUB/"
  [[ ${lines[-1]} == "alike: "* ]]
}

@test "the counters before a trial are read when the warm-up's requests have ended in the database, too" {
  local cell=$BATS_TEST_TMPDIR/cell
  mkdir -p "$cell" "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/stack/watch"
  printf '#!/bin/sh\necho "$@" >>%q\necho "{}"\n' "$BATS_TEST_TMPDIR/asked" >"$BATS_TEST_TMPDIR/bin/psql"
  chmod +x "$BATS_TEST_TMPDIR/bin/psql"
  jq -n '{id: "x", target: "external", workload: "hello", tool: "wrk", level: 1, duration_s: 1, warmup_s: 1, timeout_s: 10, spot_argv: null,
    warmup_argv: ["true"], argv: ["true"]}' >"$cell/cell.json"
  echo '{"layout": "shared", "roles": {}}' >"$BATS_TEST_TMPDIR/stack/topology.json"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH PGHOST=here PGUSER=me PGDATABASE=theirs PGLAB_DATA=$BATS_TEST_TMPDIR STACK=external EXTERNAL_URL=$STUB BASE_URL=$STUB \
    scripts/stages/run-cell.sh "$cell"
  [ "$(grep -o 'wait.sql\|counters.sql' "$BATS_TEST_TMPDIR/asked" | paste -sd ' ' -)" = "wait.sql counters.sql counters.sql wait.sql counters.sql" ]
}

@test "without WRK_OUT a few lines say how many answers were right" {
  run wrk -t1 -c2 -d1s -s wrk/hello.lua "$STUB/missing/"
  [ "$status" -eq 0 ]
  [[ $output == *"successes  "*": 1 of "* ]]
  [[ $output == *"p(99.9)="* ]]
}

@test "the scripts run from any folder" {
  cd "$BATS_TEST_TMPDIR"
  WRK_OUT=$raw wrk -t1 -c1 -d1s -s "$BATS_TEST_DIRNAME/../../wrk/echo.lua" "$STUB" >/dev/null
  jq -e '.requests > 0' "$raw"
}

@test "no target, or a report that cannot be written: one clear line" {
  run wrk_run hello http://127.0.0.1:3119
  [ "$status" -ne 0 ]
  [ "$output" = "unable to connect to 127.0.0.1:3119 Connection refused" ]
  WRK_OUT=/no/such/folder/raw.json run wrk -t1 -c1 -d1s -s wrk/hello.lua "$STUB"
  [ "$status" -eq 2 ]
  [[ $output == *"WRK_OUT: /no/such/folder/raw.json: No such file or directory"* ]]
}
