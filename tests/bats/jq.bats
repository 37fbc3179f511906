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
      adapt "$tool" "$folder" "$raw" | jq '. + {spot_checks: null, resources: null, database: null}' >"$BATS_TEST_TMPDIR/$count.json"
    done
  done
  [ "$count" -ge 20 ]
  node tests/lib/conforms.js summary "$BATS_TEST_TMPDIR"/*.json
}

@test "adapters: requests are successes and errors, and only successes are throughput" {
  for folder in $(fixtures); do
    echo "$folder"
    jq -e '(.requests - .successes - .errors.total | fabs) < 0.002 and (.errors.total - (.errors.by_class | add // 0) | fabs) < 1e-9
      and (.throughput_rps == null or ((.throughput_rps - .successes / .window.seconds) | fabs) < 1e-9)' "$folder/summary.json"
  done
}

# Values around each step from 2,048 to 2^30, where bins become wider, and some between.
values() { jq -n '[range(11; 31) as $n | pow(2; $n) | (. - 1, ., . + 1, 1.1 * ., 1.7 * .) | floor] | sort | reverse'; }

@test "HdrHistogram's bins are the same in k6's output, in awk and in jq, and the analysis adds them as they are" {
  local repo=$PWD
  cd "$BATS_TEST_TMPDIR"
  values >values.json
  jq -c -L "$repo/scripts/jq" 'include "histogram"; sort | map([., 1]) | binned' values.json >jq.json
  cat >bins.js <<'END'
import { Trend } from 'k6/metrics';
const values = JSON.parse(open('./values.json'));
const took = new Trend('took', true);
export const options = { iterations: 1, systemTags: ['status', 'expected_response', 'scenario', 'vu'] };
export default () => values.forEach((value) => took.add(value / 1000));
END
  "${K6:-$repo/bin/k6}" run --quiet --no-usage-report --address '' --summary-mode=disabled --out hdr=raw.k6.ndjson bins.js
  diff jq.json <(jq -c 'select(.trends).trends.took.counts' raw.k6.ndjson)
  jq -r 'to_entries[] | "0 \(.key + 1) \(.value) 0 1795217200 0"' values.json >raw.pgbench.1 # the longest first, and all end at once
  diff jq.json <(awk -f "$repo/scripts/awk/pgbench.awk" raw.pgbench.1 |
    jq -cs -L "$repo/scripts/jq" 'include "histogram"; map(.metrics.latency.counts // empty) | merge_counts')
  diff jq.json <(node --input-type=module -e "
    import { readFileSync } from 'node:fs';
    import { MergedHistogram } from '$repo/scripts/analyse/histogram.js';
    const merged = new MergedHistogram();
    merged.add(JSON.parse(readFileSync('jq.json', 'utf8')));
    console.log(JSON.stringify(merged.counts()));")
}

@test "histogram.jq and scripts/analyse/histogram.js find the same percentiles" {
  for folder in $(fixtures); do
    jq -c '.latency_us // empty | .histogram.counts | [., 0], [., 1], [., 100]' "$folder/summary.json" # counts, and how many lie beyond
  done >"$BATS_TEST_TMPDIR/counts.ndjson"
  echo '[[],0] [[],3]' | jq -c . >>"$BATS_TEST_TMPDIR/counts.ndjson"
  diff <(jq -c -L scripts/jq 'include "histogram"; . as [$counts, $beyond] | $counts
      | [percentile(0.001, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1; total_count + $beyond)]' "$BATS_TEST_TMPDIR/counts.ndjson") \
    <(node --input-type=module -e "
      import { readFileSync } from 'node:fs';
      import { countOf, percentiles } from '$PWD/scripts/analyse/histogram.js';
      for (const line of readFileSync('$BATS_TEST_TMPDIR/counts.ndjson', 'utf8').trim().split('\n')) {
        const [counts, beyond] = JSON.parse(line);
        console.log(JSON.stringify(percentiles(counts, [0.001, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1], countOf(counts) + beyond)));
      }")
  grep -q null <(jq -c -L scripts/jq 'include "histogram"; . as [$counts, $beyond] | $counts | percentile(0.99; total_count + $beyond)' "$BATS_TEST_TMPDIR/counts.ndjson")
}

@test "k6: the window opens when the lead-in is over and every user has had an answer" {
  opened() { # ANSWERED_BY_S USERS_ANSWERED: [seconds of lead-in and window, whether the window's requests are those of its lines]
    jq -cR --argjson by "$1" --argjson answered "$2" 'fromjson | if .type == "total" then .answered_by_s = $by | .users_answered = $answered else . end' \
      "$CLOSED/raw.k6.ndjson" >"$BATS_TEST_TMPDIR/raw"
    adapt k6 "$CLOSED" "$BATS_TEST_TMPDIR/raw" |
      jq -c --slurpfile lines "$BATS_TEST_TMPDIR/raw" '.lead_in.seconds as $from
        | [$from, .window.seconds, (.requests - ([$lines[] | select(.type == "second" and .t >= $from and .t < 4).requests] | add) | fabs < 0.01), (.timeline | map(.t_s))]'
  }
  [ "$(opened 0.25 4)" = '[1,3,true,[0,1,2]]' ]
  [ "$(opened 2.25 4)" = '[3,1,true,[0]]' ]
  [ "$(opened 4.25 4)" = '[1,3,true,[0,1,2]]' ] # never, which a check finds
  [ "$(opened 0.25 3)" = '[1,3,true,[0,1,2]]' ]
}

@test "k6: in waves of 30 answers a trial has four requests a second, late lines or not, and a shorter window" {
  jq -e '.lead_in.seconds == 8 and .window.seconds == 6 and (.throughput_rps - 4 | fabs) < 0.02 and .in_flight_mean == 30 and .requests_total == 60' \
    tests/fixtures/k6-1.8.1/waves/summary.json
  [ "$(jq -s 'map(select(.t == 10)) | length' tests/fixtures/k6-1.8.1/waves/raw.k6.ndjson)" -gt 1 ]
}

@test "k6: a truncated last line is counted, and the rest is read" {
  head -c -40 "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/cut.json"
  jq -e --slurpfile whole "$CLOSED/summary.json" '
    .complete == false and .bad_lines == 1 and .missing_requests == null and .in_flight_mean == null and .requests_total == null
    and .requests == $whole[0].requests and .latency_us == $whole[0].latency_us' "$BATS_TEST_TMPDIR/cut.json"
}

@test "k6: a line that is lost or unreadable shows, also one that hardly holds anything" {
  sed 3d "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/lost.json"
  jq -e '.complete == false and .bad_lines == 0 and .missing_requests > 0' "$BATS_TEST_TMPDIR/lost.json"
  sed '3s/^{"type"/{"ty/' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/bad.json"
  jq -e '.complete == false and .bad_lines == 1' "$BATS_TEST_TMPDIR/bad.json"
  sed -E '3s/("latency":\{"count":)([0-9]+)/\19\2/' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/digit.json"
  jq -e '.complete == false and .bad_lines == 1' "$BATS_TEST_TMPDIR/digit.json"
  grep -vm 1 '"requests":0,' tests/fixtures/k6-1.8.1/waves/raw.k6.ndjson | adapt k6 tests/fixtures/k6-1.8.1/waves - >"$BATS_TEST_TMPDIR/empty.json"
  jq -e '.complete == false' "$BATS_TEST_TMPDIR/empty.json"
}

@test "k6: a clock that was set shows in impossible seconds, which are in no figure" {
  for t in -3600 7200; do
    sed "4s/\"t\":2,/\"t\":$t,/" "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/jump.json"
    jq -e --slurpfile whole "$CLOSED/summary.json" '
      .impossible_seconds == 1 and (.timeline | map(.t_s)) == [0, 2]
      and (.requests - ($whole[0] | .requests - .timeline[1].requests) | fabs) < 0.01' "$BATS_TEST_TMPDIR/jump.json"
  done
}

@test "k6: a raw file of before is refused with one line" {
  run adapt k6 "$CLOSED" - <<<'{"type":"meta","version":1,"unit":"us","digits":3,"k6":"v1.8.1"}'
  [ "$status" -eq 3 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"version 1"*"can no longer be collected"* ]]
}

@test "k6: a histogram whose values are not of the sum that it says is damaged" {
  jq -c 'if .latency and .t == 2 then .latency.counts |= map([.[0] / 2, .[1]]) else . end' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/halved.json"
  jq -e '.complete == false and .bad_lines == 1' "$BATS_TEST_TMPDIR/halved.json"
}

@test "k6: of the lead-in counts what may have lived on into the window, and no more" {
  # the window opens at second 8; began in second 2, it ended by 8 s at the latest, or not
  longest() { jq -n -L scripts/jq 'include "summary"; [{t: 2, longest_us: '"$1"'}, {t: 7, longest_us: null}] | outlasting(8)'; }
  [ "$(longest 5000000)" = null ]
  [ "$(longest 5000001)" = 5000001 ]
}

@test "k6: a killed run has no total, no number in flight, and is not complete" {
  jq -e '.complete == false and .in_flight_mean == null and .window.start == null and .requests > 0 and .status.exit_code == 137' \
    tests/fixtures/k6-1.8.1/killed/summary.json
}

@test "k6: a target that never answers leaves no answers, and requests that were given up" {
  jq -e '.complete and .throughput_rps == 0 and .latency_us == null and .interrupted_iterations == 2 and .users.answered == 0
    and .requests_total == 2 and (.errors.by_class | keys) == ["unanswered"]' tests/fixtures/k6-1.8.1/hang/summary.json
}

@test "k6: in the open model latency counts from the schedule, of each arrival that was due" {
  jq -e '.latency_us.kind == "open-from-schedule" and .latency_from_send_us.kind == "open" and .latency_us.count == 120
    and .latency_us.mean > .latency_from_send_us.mean and .latency_us.mean < .latency_from_send_us.mean + .dispatch_lag_us.mean + 1000' \
    tests/fixtures/k6-1.8.1/open/summary.json
}

@test "k6: arrivals that were never sent, or never answered, lie beyond the percentiles that they reach" {
  local open=tests/fixtures/k6-1.8.1/open
  beyond() { # FILTER of the line of second 2: what becomes of the latency
    jq -cR "fromjson | if .type == \"second\" and .t == 2 then $1 else . end" "$open/raw.k6.ndjson" | adapt k6 "$open" - | jq -c "$2"
  }
  [ "$(beyond '.arrivals = 33' '[.dropped_iterations, .latency_us.beyond.count, .latency_us.p90 != null, .latency_us.p95]')" = '[7,7,true,null]' ]
  [ "$(beyond '.arrivals = 33' '.latency_us.beyond.more_than_us == .latency_us.max')" = true ]
  [ "$(beyond '.unanswered = {count: 2, least_us: 61000000, most_us: 62000000}' '[.latency_us.beyond, .latency_us.p95 != null, .latency_us.p99]')" = \
    '[{"count":2,"more_than_us":61000000,"longest_us":62000000},true,null]' ]
  # one that failed at once ranks above every answer all the same, and does not hide how long others were waited for
  [ "$(beyond '.unanswered = {count: 2, least_us: 200, most_us: 62000000}' '.latency_us | [.beyond.more_than_us == .max, .beyond.longest_us]')" = '[true,62000000]' ]
  [ "$(beyond '.unanswered = {count: 2, least_us: 61000000}' '.latency_us.beyond.longest_us')" = 61000000 ] # a raw file of before
  [ "$(beyond '.arrivals = 33' '.latency_us.beyond.longest_us')" = null ]
}

@test "k6: a Trend of the workload is an operation" {
  sed '3s/"latency":/"trends":{"crud_insert":{"count":1,"sum_us":5,"min_us":5,"max_us":5,"counts":[[5,1]]}},"latency":/' "$CLOSED/raw.k6.ndjson" | adapt k6 "$CLOSED" - >"$BATS_TEST_TMPDIR/trend.json"
  jq -e '(.operations | keys) == ["crud_insert"] and .operations.crud_insert.kind == "closed" and .operations.crud_insert.count == 1' "$BATS_TEST_TMPDIR/trend.json"
}

@test "wrk: statuses above 399 and late answers are errors, never throughput" {
  jq -e '.errors.by_class.status > 1000 and .successes == 1' tests/fixtures/wrk-4.1.0/missing/summary.json
  jq -e '.errors.by_class == {timeout: 8} and .throughput_rps == null and .latency_us == null' tests/fixtures/wrk-4.1.0/late/summary.json
  jq -e '.errors.by_class | .status_4xx > 0 and .status_5xx > 0 and .transport > 0' tests/fixtures/wrk-4.1.0/statuses/summary.json
}

@test "wrk: what it cannot tell is null" {
  jq -e '[.timeline, .in_flight_mean, .connect_us, .dropped_iterations, .latency_from_send_us, .lead_in, .users, .connections, .checked] | all(. == null)' tests/fixtures/wrk-4.1.0/plain/summary.json
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
