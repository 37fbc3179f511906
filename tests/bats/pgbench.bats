#!/usr/bin/env bats
# pgbench's output: blocks as versions 12 to 18 print them (tests/fixtures/pgbench-<version>/*.txt; those of 17 were published with
# an experiment, those of 15 are in cells/, captured, the others written after the documented formats), and whole cells.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  CELLS=tests/fixtures/pgbench-15/cells
}

# printed FILE FILTER: a value of what the block says.
printed() { jq -nRc -L scripts/jq "include \"pgbench\"; [inputs] | printed | $2" "$1"; }

# collected CASE: collects a copy of the captured cell, and prints the folder.
collected() {
  local cell=$BATS_TEST_TMPDIR/$1
  cp -r "$CELLS/$1" "$cell"
  rm "$cell/summary.json"
  tee "$cell/counters-before.json" "$cell/counters-after.json" <<<null >/dev/null
  scripts/stages/collect.sh "$cell"
  printf '%s\n' "$cell"
}

@test "every block gives what it gave" {
  local file
  for file in tests/fixtures/pgbench-*/*.txt; do
    echo "$file"
    diff <(jq -S . "${file%.txt}.json") <(printed "$file" . | jq -S .)
  done
}

@test "the published outputs: transactions, latency, connection time, tps" {
  local f=tests/fixtures/pgbench-17 figures='[.scale, .processed, .latency_average_ms, .initial_connection_ms, .tps, (.statements | length), .aborted]'
  [ "$(printed $f/small.txt "$figures")" = '[32,608475,4.928,156.676,2029.252945,0,false]' ]
  [ "$(printed $f/small-by-statement.txt "$figures")" = '[32,566549,5.292,169.717,1889.533025,11,false]' ]
  [ "$(printed $f/large.txt "$figures")" = '[100,168857,17.985,153.188,556.013962,0,false]' ]
  [ "$(printed $f/large-by-statement.txt "$figures")" = '[100,23035,12.942,198.202,772.652496,11,false]' ]
  [ "$(printed $f/large-aborted.txt "$figures")" = '[100,137267,20.452,173.305,488.95287,11,true]' ]
  [ "$(printed $f/equal-by-statement.txt "$figures")" = '[90,821343,3.651,164.833,2739.2822,11,false]' ]
  [ "$(printed $f/large-aborted.txt '[.aborted_clients, .statements[5].latency_ms, .statements[10]]')" = \
    '[10,8.161,{"latency_ms":4.217,"failures":0,"retries":null,"text":"END;"}]' ]
}

@test "no block, or no transaction: what was not printed is not there" {
  [ "$(printed /dev/null .)" = '{"aborted":false,"aborted_clients":0,"statements":[]}' ]
  [ "$(printed tests/fixtures/pgbench-12/aborted.txt '[.processed, .tps, .aborted, .aborted_clients]')" = '[0,null,true,2]' ]
}

@test "a reading of the counters that was cut short is not measured, and named" {
  local cell
  cell=$(collected plain)
  rm "$cell/summary.json"
  run scripts/stages/collect.sh "$cell" # where there is no database, they say null
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  echo '{"statements": [' >"$cell/counters-after.json"
  echo '{"statements": []}' >"$cell/counters-before.json"
  run scripts/stages/collect.sh "$cell"
  [ "$status" -eq 0 ]
  [[ $output == *"counters-after.json is damaged: what it told is not measured"* ]]
  [ "$(jq -c '[.requests > 0, .database.statements, .database.reason]' "$cell/summary.json")" = '[true,null,"the counters could not be read after the cell"]' ]
}

@test "the summary of each captured cell is as it was, and has the shape of the schema" {
  local case cell
  for case in "$CELLS"/*/; do
    case=$(basename "$case")
    cell=$(collected "$case")
    diff <(jq -S . "$CELLS/$case/summary.json") <(jq -S . "$cell/summary.json")
  done
  node tests/lib/conforms.js summary "$BATS_TEST_TMPDIR"/*/summary.json
}

@test "requests are successes and errors; in the log are as many as pgbench counted" {
  jq -es 'length == 12 and all(.[]; (.requests - .successes - .errors.total | fabs) < 1e-6 and (.missing_requests // 0) == 0)' "$CELLS"/*/summary.json
}

# judged CELL_DIR: prints the verdict of a trial and the names of the checks that gave it
judged() {
  node --input-type=module -e "
    import { readFileSync } from 'node:fs';
    import { describeTrial } from '$PWD/scripts/analyse/trial.js';
    const read = (name) => JSON.parse(readFileSync('$1/' + name, 'utf8'));
    const trial = describeTrial(read('cell.json'), { status: read('status.json'), summary: read('summary.json'), problem: null }, null);
    console.log(trial.verdict, trial.throughput_rps > 0, trial.reasons.map(({ check }) => check).join(' '));"
}

@test "an aborted run keeps its figures, is not complete, and its verdict is invalid" {
  jq -e '.complete == false and .errors.by_class == {aborted: 2} and .throughput_rps > 0 and .status.exit_code == 2' "$CELLS/aborted/summary.json"
  [[ $(judged "$CELLS/aborted") == "invalid true "*exit_status* ]]
}

@test "with --connect the latency holds the connecting, and every client is under way all the time" {
  jq -e '.connect_us.p50 < .latency_us.p50 and .in_flight_mean > 1.9' "$CELLS/reconnect/summary.json"
}

@test "with --rate latency counts from the schedule, and transactions that were skipped lie beyond it" {
  jq -e '.latency_us.kind == "open-from-schedule" and .latency_us.p50 > .latency_from_send_us.p50 and .dispatch_lag_us.count == .requests
    and .dropped_iterations == 112 and .latency_us.beyond.count == 112 and .latency_us.p90 == null' "$CELLS/rate/summary.json"
}

@test "failed transactions are errors and no throughput" {
  jq -e '.requests_total - .successes_total == 1150 and .errors.by_class.failed + .lead_in.errors > 1148
    and (.throughput_rps - .successes / .window.seconds | fabs) < 1e-9' "$CELLS/failures/summary.json"
}

@test "several scripts: each has its latency" {
  jq -e '(.operations | keys) == ["<builtin: select only>", "slow.sql"] and .operations["slow.sql"].min > 20000' "$CELLS/scripts/summary.json"
}

@test "a sample of the log: totals are those that were printed" {
  jq -e '.requests == 275 and .latency_us.count == 136 and (.throughput_rps - .printed.tps | fabs) < 1e-6' "$CELLS/sampled/summary.json"
}

@test "equal capacity reads equal through 1, 10 and 30 places" {
  for places in one ten thirty; do
    jq -e '.throughput_rps > 3.85 and .throughput_rps < 4.05 and (.in_flight_mean - 30 | fabs) < 0.1
      and .lead_in.seconds >= 7 and .lead_in.seconds + .window.seconds == 14 and .users.answered == 30' "$CELLS/$places/summary.json"
  done
}

@test "what began in the window is followed to its end, though the window is over" {
  # they ended 1 to 6 s later
  jq -e '.cell.duration_s == 12 and .latency_us.count == 20 and .latency_us.min > 7.4e6' "$CELLS/ten/summary.json"
}

@test "where pgbench's time was over before the window, the window ends when the first client was idle" {
  jq -e '.cell.duration_s == 2 and .lead_in.seconds == 1 and .window.seconds > 0.9 and .window.seconds < 0.96
    and (.throughput_rps - .successes / .window.seconds | fabs) < 1e-9 and .in_flight_mean > 1.99' "$CELLS/plain/summary.json"
}

@test "a killed pgbench: what it logged is read, and is not complete" {
  local cell
  cell=$(collected plain)
  : >"$cell/stdout.log"
  scripts/stages/collect.sh "$cell"
  jq -e --slurpfile whole "$CELLS/plain/summary.json" \
    '.complete == false and .requests == $whole[0].requests and .printed.processed == null' "$cell/summary.json"
  rm "$cell"/raw.* "$cell/summary.json"
  scripts/stages/collect.sh "$cell"
  jq -e '.complete == false and .requests == 0' "$cell/summary.json"
}

@test "the log's seconds and bins: exact below 2048 us, else within 0.1 %; a transaction across a second is in flight in both, and belongs to where it began" {
  cat >"$BATS_TEST_TMPDIR/raw.pgbench.1" <<'LOG'
0 1 500000 0 1795217200 500000
1 1 2047 0 1795217200 600000
0 2 1000000 0 1795217201 500000
1 2 123456 0 1795217201 700000
0 3 400000 0 1795217201 900000
LOG
  awk -f scripts/awk/pgbench.awk "$BATS_TEST_TMPDIR/raw.pgbench.1" >"$BATS_TEST_TMPDIR/seconds"
  jq -es '.[0] == {anchor_s: 1795217200, anchor_us: 0, clients: 2, answered_by_us: 600000, stopped_us: 1700000, logged: {"1": 5}}
    and [.[1:][] | .t, .requests, .answers] == [0, 2.5, 2, 1, 2, 3]
    and (.[1].in_flight - 1.002047 | fabs) < 1e-9 and (.[2].in_flight - 0.823456 | fabs) < 1e-9
    and (.[1].metrics.latency.counts | any(. == [2047, 1]))
    and (.[1].metrics.latency.count == 3) and (.[2].metrics.latency.counts | map(.[0]) | sort[0] | (. / 123456 - 1 | fabs) < 0.001)' "$BATS_TEST_TMPDIR/seconds"
}
