#!/usr/bin/env bats
# Several generators of one load: how it is shared, that no value and no stream of random numbers comes twice, that all begin together, and that what they
# measured adds up to what one would have.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/stub
  start_stub 3114
}

teardown_file() {
  load ../lib/stub
  stop_stub
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/stub
  load ../lib/ab
}

# planned CELL_JSON [ARGS_JSON]: the cell as planned on four cores.
planned() {
  jq -n -L scripts/jq --argjson cell "$1" --argjson args "${2:-[]}" 'include "cells";
    {block: 3, database: "none", scale: null, target: "external", variant: "base", workload: "echo", tool: "k6", model: "closed", level: 10, duration_s: 3, warmup_s: 1} + $cell
    | finished($args; 4)'
}

@test "a load is shared: k6 by its segments, wrk and pgbench by connections, which add up to the level" {
  planned '{"generators": 3}' >"$BATS_TEST_TMPDIR/k6"
  jq -e '.argvs | length == 3 and all(.[]; index("vus=10")) and map(.[index("--execution-segment") + 1]) == ["0:1/3", "1/3:2/3", "2/3:1"]
    and all(.[]; .[index("--execution-segment-sequence") + 1] == "0,1/3,2/3,1")' "$BATS_TEST_TMPDIR/k6"
  jq -e '[.argvs[][] | select(startswith("generator="))] == ["generator=1/3", "generator=2/3", "generator=3/3"]' "$BATS_TEST_TMPDIR/k6"
  jq -e '[.argvs[][] | select(startswith("hdr="))] | unique | length == 3 and all(endswith(",begin={begin}"))' "$BATS_TEST_TMPDIR/k6"
  jq -e '.argv == .argvs[0]' "$BATS_TEST_TMPDIR/k6"
  planned '{"tool": "wrk", "generators": 3}' >"$BATS_TEST_TMPDIR/wrk"
  jq -e '[.argvs[][] | capture("^-c(?<n>[0-9]+)$").n | tonumber] == [4, 3, 3]' "$BATS_TEST_TMPDIR/wrk"
  jq -e '[.argvs[][] | select(startswith("connections="))] == ["connections=4", "connections=3", "connections=3"]' "$BATS_TEST_TMPDIR/wrk"
  planned '{"tool": "pgbench", "workload": "tpcb", "generators": 3}' >"$BATS_TEST_TMPDIR/pgbench"
  jq -e '[.argvs[] | .[index("-c") + 1] | tonumber] == [4, 3, 3]' "$BATS_TEST_TMPDIR/pgbench"
  jq -e '[.argvs[][] | select(startswith("--random-seed="))] | unique | length == 3' "$BATS_TEST_TMPDIR/pgbench"
  jq -e '[.argvs[][] | select(startswith("--log-prefix="))] | unique | length == 3' "$BATS_TEST_TMPDIR/pgbench"
}

@test "each generator has cores of its own where there are as many" {
  slices() { jq -n -r -L scripts/jq --arg cores "$1" --argjson of "$2" 'include "generators"; [range(1; $of + 1) as $n | $cores | slice($n; $of)] | join(" ")'; }
  [ "$(slices 2-7 3)" = "2,3 4,5 6,7" ]
  [ "$(slices 0,2,4 2)" = "0 2,4" ]
  [ "$(slices 0,1 3)" = "  " ]
  [ "$(slices '' 2)" = " " ]
}

@test "of ten readings of a clock the quickest counts, and half of the time that it took is its error" {
  [ "$(printf '%s\n' '1 1000000 1300500 1001000' '1 2000000 2350000 2100000' '3 1000000 999000 1000200' | jq -R -n -c -L scripts/jq 'include "generators"; clock_offsets(3)')" = \
    '[{"offset_ms":300,"error_ms":0.5},null,{"offset_ms":-1.1,"error_ms":0.1}]' ]
}

# generate COUNT SCRIPT [OPTION...]: as many k6 processes side by side, which agree to begin; their files are $BATS_TEST_TMPDIR/N.ndjson. {n} in an
# option is the number of each.
generate() {
  local of=$1 script=$2 begin number
  local -a pids=()
  shift 2
  begin=$(($(date +%s%3N) + 2500 + 500 * of))
  for ((number = 1; number <= of; number++)); do
    bin/k6 run --quiet --no-usage-report --address '' --summary-mode=disabled --no-thresholds \
      --execution-segment "$((number - 1))/$of:$number/$of" --execution-segment-sequence "0,$(seq -s, -f "%.0f/$of" "$of")" \
      -e BASE_URL="${TARGET:-$STUB/good}" -e "generator=$number/$of" -e "begin=$begin" --out "hdr=$BATS_TEST_TMPDIR/$number.ndjson,begin=$begin" "${@//\{n\}/$number}" "$script" 3>&- &
    pids+=("$!")
  done
  for number in "${pids[@]}"; do wait "$number"; done
}

@test "no value is sent twice, and all begin at the agreed instant" {
  local known requests
  known=$(stub_stat echoed)
  generate 3 k6/echo.js -e vus=7 -e duration=1s
  jq -e -s 'map(select(.type == "total")) | length == 3 and all(.began_after_ms >= 0 and .began_after_ms < 100) and (map(.anchor) | unique | length) == 1
    and (map(.users) | add) == 7' "$BATS_TEST_TMPDIR"/[0-9].ndjson
  requests=$(jq -s 'map(select(.type == "total").requests) | add' "$BATS_TEST_TMPDIR"/[0-9].ndjson)
  [ "$requests" -gt 100 ]
  [ $(($(stub_stat echoed) - known)) -eq $((requests + 1)) ] # and that of setup()
}

@test "no two users of all generators draw the same numbers" {
  cat >"$BATS_TEST_TMPDIR/draw.js" <<END
import { randomOfVU } from '$PWD/k6/lib/collections.js';
const random = randomOfVU();
export const options = { scenarios: { default: { executor: 'per-vu-iterations', vus: 8, iterations: 1 } } };
export default () => console.log([random(), random(), random()].join());
END
  for number in 1 2; do
    bin/k6 run --quiet --no-usage-report --address '' -e generator=$number/2 "$BATS_TEST_TMPDIR/draw.js" 2>&1 | grep -oE '0\.[0-9]+,[0-9.e-]+,[0-9.e-]+'
  done >"$BATS_TEST_TMPDIR/drawn"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/drawn")" -eq 16 ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/drawn" | wc -l)" -eq 16 ]
}

@test "merged percentiles are those of all raw samples pooled, within a bin" {
  generate 4 k6/hello.js -e vus=8 -e duration=3s --out "json=$BATS_TEST_TMPDIR/{n}.json"
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[1-4].ndjson >"$BATS_TEST_TMPDIR/merged"
  node tests/generators/referee.js "$BATS_TEST_TMPDIR/merged" "$BATS_TEST_TMPDIR"/[1-4].json
}

@test "the open model: all arrivals are due once, whoever serves them, and are counted from when they were due" {
  generate 3 k6/hello.js -e rate=100 -e duration=3s
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[1-3].ndjson >"$BATS_TEST_TMPDIR/merged"
  jq -e -s 'map(select(.type == "second")) | (map(.due) | add) == 300 and (map(.arrivals) | add | . >= 300 and . <= 303) and (.[1].due | . >= 95 and . <= 105)
    and all(.[]; .dispatch_lag == null or .dispatch_lag.max_us < 300000)' "$BATS_TEST_TMPDIR/merged"
  # of 100 users two generators have 33, and one 34; k6 may begin one more as the time ends
  jq -e -s 'map(select(.type == "total"))[0] | .generators | all(.complete) and (map(.requests) | sort | .[:2] == [99, 99] and (.[2] | . == 102 or . == 103))' "$BATS_TEST_TMPDIR/merged"
  for number in 1 2 3; do
    jq -e -s 'map(select(.type == "second")) | (map(.arrivals) | add) - (map(.due) | add) | . == 0 or . == 1' "$BATS_TEST_TMPDIR/$number.ndjson"
  done
}

@test "a file without an end, or with a damaged line, is told; what it has is added" {
  generate 2 k6/hello.js -e vus=4 -e duration=2s
  local whole
  whole=$(node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[12].ndjson | jq -s 'last.requests')
  sed -i '$d' "$BATS_TEST_TMPDIR/2.ndjson"
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[12].ndjson |
    jq -e -s --argjson whole "$whole" 'last | (.generators | map(.complete)) == [true, false] and (.requests - $whole | fabs) <= 1'
  sed -i '2s/.....$//' "$BATS_TEST_TMPDIR/1.ndjson"
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[12].ndjson | jq -e -s 'last | (.generators | map(.bad_lines)) == [1, 0]'
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR/2.ndjson" "$BATS_TEST_TMPDIR/2.ndjson" | jq -e -s 'last.generators[1].complete == false'
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR/1.ndjson" "$BATS_TEST_TMPDIR/none.ndjson" | jq -e -s 'last.generators[1] | .complete == false and .requests == 0'
}

@test "a quantity that is always 0 is merged, too" {
  cat >"$BATS_TEST_TMPDIR/zero.js" <<END
import { Trend } from 'k6/metrics';
import hello from '$PWD/k6/hello.js';
export { options, setup } from '$PWD/k6/hello.js';
const rows = new Trend('rows');
export default (data) => { hello(data); rows.add(0); };
END
  generate 2 "$BATS_TEST_TMPDIR/zero.js" -e vus=4 -e duration=1s
  node scripts/generators/merge.js "$BATS_TEST_TMPDIR"/[12].ndjson |
    jq -e -s '(last.generators | all(.complete)) and ([.[] | .trends.rows // empty] | length > 0 and all(.count > 0 and .counts == [[0, .count]] and .sum_milli == 0))'
}

@test "of a sample of pgbench's transactions a log that is missing or cut is told, and whose it is" {
  local argv='["pgbench", "--sampling-rate=0.1"]' log
  for number in 1 2; do
    printf 'number of transactions actually processed: 10000\ntps = 100.0 (without initial connection time)\n' >"$BATS_TEST_TMPDIR/stdout.$number.log"
    awk -v n=1000 'BEGIN { for (i = 0; i < n; i++) printf "0 %d 9000 0 17952172%02d %d\n", i, i / 10, i % 10 * 100000 }' >"$BATS_TEST_TMPDIR/raw.pgbench-$number.1"
  done
  jq -n --argjson argv "$argv" '{id: "x", tool: "pgbench", level: 2, generators: 2, duration_s: 100, warmup_s: 1, warmup_argv: ["pgbench"], $argv, model: "closed"}' >"$BATS_TEST_TMPDIR/cell"
  whole() {
    awk -f scripts/awk/pgbench.awk "$BATS_TEST_TMPDIR"/stdout.[12].log "$BATS_TEST_TMPDIR"/raw.pgbench-* |
      jq -n -R -c -L scripts/jq --slurpfile cell "$BATS_TEST_TMPDIR/cell" --slurpfile status <(echo '{}') -f scripts/jq/summary-pgbench.jq | jq -c '[.complete, (.generators[] | .complete)]'
  }
  [ "$(whole)" = '[true,true,true]' ]
  log=$(head -n 700 "$BATS_TEST_TMPDIR/raw.pgbench-2.1") && echo "$log" >"$BATS_TEST_TMPDIR/raw.pgbench-2.1"
  [ "$(whole)" = '[false,true,false]' ]
  rm "$BATS_TEST_TMPDIR/raw.pgbench-2.1"
  [ "$(whole)" = '[false,true,false]' ]
}

# trial CELL_JSON: a trial against the stub, as the driver makes it; its folder is $cell.
trial() {
  cell=$BATS_TEST_TMPDIR/cell
  ab_trial good "$cell" "$1"
  node tests/lib/conforms.js summary "$cell/summary.json"
  node tests/lib/conforms.js status "$cell/status.json"
  jq -e '.generators | length == 2 and all(.exit_code == 0 and (.clock | .before.error_ms < 20 and (.before.offset_ms | fabs) < 20 and .after != null))' "$cell/status.json"
}

@test "a trial of two k6 processes: one summary, in which both are" {
  trial '{"tool": "k6", "generators": 2, "level": 5, "duration_s": 2}'
  jq -e '.complete and .users.count == 5 and .window.seconds == 2 and (.generators | length == 2 and all(.complete and .began_after_ms < 100))' "$cell/summary.json"
  jq -e '(.requests - ([.generators[].requests] | add) | fabs) < 0.01 and (.in_flight_mean | . > 4.5 and . < 5.1)' "$cell/summary.json"
  jq -e '.wall_s > 2.9 and .wall_s < 8' "$cell/status.json"
  [ -s "$cell/raw.k6.ndjson" ]
}

@test "a trial of two wrk processes: rates and latencies of both, the correction taken from each" {
  trial '{"tool": "wrk", "generators": 2, "level": 5, "duration_s": 2}'
  jq -e '.complete and (.generators | map(.number) == [1, 2] and all(.complete)) and .correction.fault == null and .latency_us.kind == "wrk"' "$cell/summary.json"
  jq -e '.requests == ([.generators[].requests] | add) and .latency_us.count == .requests and (.throughput_rps * .window.seconds - .requests | fabs) < 1' "$cell/summary.json"
  jq -e 'all(.generators[]; .began_after_ms >= 0 and .began_after_ms < 100)' "$cell/status.json"
  [ "$(jq -s 'map(.generator) | sort == [1, 2]' "$cell"/raw.wrk.[12].json)" = true ]
}

@test "what is wrong with a number of generators is a line" {
  local run=$BATS_TEST_TMPDIR
  jq -n '{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, url: null, dsn: false, allow_writes: false, stack: "local"}' >"$run/options.json"
  refused() {
    run scripts/stages/plan.sh "$run"
    echo "$output"
    [[ $status -eq 64 && ${#lines[@]} -eq 1 && $output == *"$1"* ]]
  }
  with() { jq -n --argjson cells "$1" '{name: "tiny", why: "test", blocks: 1, seed: 1, duration_s: 2, warmup_s: 1, cells: [{databases: ["tpch"], targets: ["pooled"], workloads: ["echo"], tools: ["k6"], levels: [4]} + $cells]}' >"$run/experiment.json"; }
  with '{"generators": 5}' && refused '.levels[0] is 4: must not be below the 5 generators'
  with '{"generators": 0}' && refused '.generators is 0: must be a whole number from 1'
  with '{"generators": 2, "tools": ["ab"]}' && refused 'must be without ab'
  with '{"generators": 2, "variants": [{"name": "out", "args": ["-e", "out={cell}/x.ndjson"]}]}' && refused 'without {cell}'
  with '{"tools": ["pgbench"], "targets": ["postgres"], "workloads": ["tpcb"], "generators": 2, "variants": [{"name": "rated", "args": ["-R", "10"]}]}' && refused 'without a rate'
  with '{"generators": 2, "variants": [{"name": "rated", "args": ["--rps", "10"]}]}' && refused 'without a rate'
  with '{"tools": ["pgbench"], "targets": ["postgres"], "workloads": ["tpcb"], "generators": 2, "variants": [{"name": "rated", "args": ["--rat=10"]}]}' && refused 'without a rate'
  with '{"tools": ["pgbench"], "targets": ["postgres"], "workloads": ["tpcb"], "generators": 2, "variants": [{"name": "seeded", "args": ["--random-seed=5"]}]}' && refused 'without a seed'
  with '{}'
  jq '.generators = {number: 5}' "$run/options.json" >"$run/new" && mv "$run/new" "$run/options.json"
  refused '--generators 5: level 4 has fewer users than that'
  for wrong in 0 1001 -1 two ''; do
    run ./run-all-tests.sh quick --generators "$wrong" --dry-run
    [ "$status" -eq 64 ]
  done
}

@test "by several and by one generator a load is calibrated apart" {
  local run=$BATS_TEST_TMPDIR
  jq -n '{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, url: null, dsn: false, allow_writes: false, stack: "local"}' >"$run/options.json"
  cp scripts/declared/experiments/generators.json "$run/experiment.json"
  jq '.cells[].workloads = ["echo"] | .questions = []' "$run/experiment.json" >"$run/new" && mv "$run/new" "$run/experiment.json"
  scripts/stages/plan.sh "$run"
  [ "$(jq -c '[.groups[] | select(.block == 1 and .target == "null") | .cells[] | [.variant, .generators]] | sort' "$run/plan.json")" = '[["base",null],["base-by-2",2]]' ]
}
