#!/usr/bin/env bats
# The jq programs: golden folders tests/jq/<case>/{in.json,test.jq,out.json}, and the adapters on what the real tools wrote:
# tests/fixtures/<tool>-<version>/<case>/{cell.json,status.json,raw.*} and the summary.json that must come of them.

setup() { cd "$BATS_TEST_DIRNAME/../.." || return 1; }

# adapt TOOL FOLDER RAW: what the tool's adapter makes of a raw file, with the cell and status of a fixture.
adapt() {
  jq -n -R -L scripts/jq --slurpfile cell "$2/cell.json" --slurpfile status "$2/status.json" -f "scripts/jq/summary-$1.jq" "$3"
}

# fixtures: prints the folders that hold an adapter's input.
fixtures() { dirname tests/fixtures/*/*/cell.json; }

# tool_of FOLDER: the tool whose output it holds.
tool_of() { jq -r .tool "$1/cell.json"; }

readonly CLOSED=tests/fixtures/k6-1.8.1/closed

@test "golden folders" {
  for folder in tests/jq/*/; do
    echo "$folder"
    diff <(jq -S . "$folder/out.json") <(jq -S -L scripts/jq -f "$folder/test.jq" "$folder/in.json")
  done
}

@test "adapters: the summary of each captured raw file is as it was" {
  for folder in $(fixtures); do
    echo "$folder"
    tool=$(tool_of "$folder")
    diff <(jq -S . "$folder/summary.json") <(adapt "$tool" "$folder" "$folder/raw.$tool"* | jq -S .)
  done
}

@test "adapters: every summary has the shape of the schema, also of an empty file" {
  count=0
  for folder in $(fixtures); do
    tool=$(tool_of "$folder")
    for raw in "$folder/raw.$tool"* /dev/null; do
      count=$((count + 1))
      adapt "$tool" "$folder" "$raw" | jq '. + {resources: null, database: null}' >"$BATS_TEST_TMPDIR/$count.json"
    done
  done
  [ "$count" -ge 20 ]
  node tests/lib/conforms.js summary "$BATS_TEST_TMPDIR"/*.json
}

@test "adapters: requests are successes and errors, and only successes are throughput" {
  for folder in $(fixtures); do
    echo "$folder"
    jq -e '.requests == .successes + .errors.total and .errors.total == (.errors.by_class | add // 0)
      and (.throughput_rps == null or ((.throughput_rps - .successes / .window.seconds) | fabs) < 1e-9)' "$folder/summary.json"
  done
}

@test "histogram.jq and scripts/analyse/histogram.js find the same percentiles" {
  for folder in $(fixtures); do
    jq -c '.latency_us // empty | .histogram.counts' "$folder/summary.json"
  done >"$BATS_TEST_TMPDIR/counts.ndjson"
  [ -s "$BATS_TEST_TMPDIR/counts.ndjson" ]
  diff <(jq -c -L scripts/jq 'include "histogram"; [percentile(0.001, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1)]' "$BATS_TEST_TMPDIR/counts.ndjson") \
    <(node --input-type=module -e "
      import { readFileSync } from 'node:fs';
      import { percentiles } from '$PWD/scripts/analyse/histogram.js';
      for (const line of readFileSync('$BATS_TEST_TMPDIR/counts.ndjson', 'utf8').trim().split('\n'))
        console.log(JSON.stringify(percentiles(JSON.parse(line), [0.001, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1])));")
}

@test "k6: the window is duration_s seconds; what ended later is left out" {
  mkdir "$BATS_TEST_TMPDIR/short"
  cp "$CLOSED/status.json" "$BATS_TEST_TMPDIR/short"
  jq '.duration_s = 2' "$CLOSED/cell.json" >"$BATS_TEST_TMPDIR/short/cell.json"
  adapt k6 "$BATS_TEST_TMPDIR/short" "$CLOSED/raw.k6.ndjson" >"$BATS_TEST_TMPDIR/short.json"
  jq -e --slurpfile whole "$CLOSED/summary.json" '
    .requests == ($whole[0].timeline[:2] | map(.requests) | add) and .latency_us.count == .requests
    and (.timeline | length) == 2 and .complete and .throughput_rps == .successes / 2' "$BATS_TEST_TMPDIR/short.json"
}

@test "k6: a truncated last line is counted, and the rest is read" {
  head -c -40 "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/cut.json"
  jq -e --slurpfile whole "$CLOSED/summary.json" '
    .complete == false and .bad_lines == 1 and .missing_requests == null and .in_flight_mean == null
    and .requests == $whole[0].requests and .latency_us == $whole[0].latency_us' "$BATS_TEST_TMPDIR/cut.json"
}

@test "k6: a line that is lost or unreadable shows" {
  sed 3d "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - |
    jq -e '.complete == false and .bad_lines == 0 and .missing_requests > 0'
  sed '3s/^{"type"/{"ty/' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - |
    jq -e '.complete == false and .bad_lines == 1'
}

@test "k6: two lines for one second are one second" {
  sed '3{p; s/.*/{"type":"second","t":1,"requests":2,"errors":{"status_5xx":1},"iterations":2,"dropped_iterations":3,"metrics":{"http_req_duration":{"count":2,"sum_us":30,"min_us":10,"max_us":20,"counts":[[10,1],[20,1]]}}}/}' \
    "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/twice.json"
  jq -e --slurpfile once "$CLOSED/summary.json" '
    (.timeline | length) == 3 and .requests == $once[0].requests + 2 and .errors.by_class == {status_5xx: 1}
    and .dropped_iterations == 3 and .latency_us.min == 10 and .latency_us.count == $once[0].latency_us.count + 2' "$BATS_TEST_TMPDIR/twice.json"
}

@test "k6: a clock that was set shows in impossible seconds, which are in the timeline and in no other figure" {
  for t in -3600 7200; do
    sed "4s/\"t\":2,/\"t\":$t,/" "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/jump.json"
    jq -e --argjson t "$t" --slurpfile whole "$CLOSED/summary.json" '
      .impossible_seconds == 1 and (.timeline | map(.t_s) | sort) == ([0, 1, $t] | sort)
      and .requests == ($whole[0].timeline[:2] | map(.requests) | add)' "$BATS_TEST_TMPDIR/jump.json"
  done
}

@test "k6: a killed run has no total, no number in flight, and is not complete" {
  jq -e '.complete == false and .in_flight_mean == null and .window.start == null and .requests > 0 and .status.exit_code == 137' \
    tests/fixtures/k6-1.8.1/killed/summary.json
}

@test "k6: a target that never answers leaves no requests and the iterations that were cut short" {
  jq -e '.complete and .requests == 0 and .throughput_rps == 0 and .latency_us == null and .interrupted_iterations == 2' \
    tests/fixtures/k6-1.8.1/hang/summary.json
}

@test "k6: the open model has latencies from the schedule, which are the longer ones" {
  jq -e '.latency_us.kind == "open" and .latency_from_schedule_us.kind == "open-from-schedule"
    and .latency_from_schedule_us.count == .latency_us.count and .latency_from_schedule_us.mean > .latency_us.mean' \
    tests/fixtures/k6-1.8.1/open/summary.json
}

@test "k6: a Trend of the workload is an operation" {
  sed '3s/"http_req_waiting"/"crud_insert"/' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - |
    jq -e '(.operations | keys) == ["crud_insert"] and .operations.crud_insert.kind == "closed" and .operations.crud_insert.count > 0'
}

@test "wrk: statuses above 399 and late answers are errors, never throughput" {
  jq -e '.errors.by_class.status > 1000 and .successes == 1' tests/fixtures/wrk-4.1.0/missing/summary.json
  jq -e '.errors.by_class == {timeout: 8} and .throughput_rps == null and .latency_us == null' tests/fixtures/wrk-4.1.0/late/summary.json
  jq -e '.errors.by_class | .status_4xx > 0 and .status_5xx > 0 and .transport > 0' tests/fixtures/wrk-4.1.0/statuses/summary.json
}

@test "wrk: what it cannot tell is null" {
  jq -e '[.timeline, .in_flight_mean, .connect_us, .dropped_iterations, .latency_from_schedule_us] | all(. == null)' tests/fixtures/wrk-4.1.0/plain/summary.json
}

# stalled: a server that stopped for 0.3 s in each second; wrk had added 792 samples to 1,944
@test "wrk: its correction is undone to the unit" {
  jq -e '.latency_us.kind == "wrk" and .latency_us.count == .requests and .correction.fault == null and .correction.added_samples > 0.2 * .requests' \
    tests/fixtures/wrk-4.1.0/stalled/summary.json
  jq -e '.latency_us.kind == "wrk-corrected" and .correction == null' tests/fixtures/wrk-4.1.0/plain/summary.json
}

@test "wrk: another interval than wrk's leaves counts that cannot be, and says so" {
  for change in '.connections = 3' '.connections = 5' '.duration_us *= 1.02' '.requests += 1' '.counts[9][1] += 1'; do
    jq "$change" tests/fixtures/wrk-4.1.0/stalled/raw.wrk.json | adapt wrk tests/fixtures/wrk-4.1.0/stalled - >"$BATS_TEST_TMPDIR/wrong.json"
    jq -e '.correction.fault != null and .latency_us == null' "$BATS_TEST_TMPDIR/wrong.json"
  done
}

@test "wrk: fewer than 20 answers for each connection are no rate" {
  jq '.requests = 79' tests/fixtures/wrk-4.1.0/stalled/raw.wrk.json | adapt wrk tests/fixtures/wrk-4.1.0/stalled - | jq -e '.throughput_rps == null and .successes == 79'
  jq '.requests = 80' tests/fixtures/wrk-4.1.0/stalled/raw.wrk.json | adapt wrk tests/fixtures/wrk-4.1.0/stalled - | jq -e '.throughput_rps > 39'
}

@test "wrk: a raw file that is cut off or missing is not complete" {
  head -c 100 tests/fixtures/wrk-4.1.0/plain/raw.wrk.json | adapt wrk tests/fixtures/wrk-4.1.0/plain - |
    jq -e '.complete == false and .requests == 0 and .latency_us == null'
  adapt wrk tests/fixtures/wrk-4.1.0/plain /dev/null | jq -e '.complete == false and .requests == 0'
}
