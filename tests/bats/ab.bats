#!/usr/bin/env bats
# ab (ApacheBench): what it is told to do, trials of it against a stub target, and the adapter on what it wrote (tests/fixtures/ab-2.4.71/cells, of that
# version of Apache's httpd, of which it is a part; it calls itself 2.3).

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/stub
  start_stub 3113
}

teardown_file() {
  load ../lib/stub
  stop_stub
}

setup() {
  load ../lib/stub
  load ../lib/ab
  CELLS=tests/fixtures/ab-2.4.71/cells
  cell=$BATS_TEST_TMPDIR/cell
}

# of FILTER: a value of the trial's summary.
of() { jq -c "$1" "$cell/summary.json"; }

# argv CELL [ARGS]: the words of its argv, warmup_argv, spot_argv and by_hand, a line each.
argv() {
  ab_cell "$cell" "$@"
  jq -r '.argv, .warmup_argv, .spot_argv | join(" ")' "$cell/cell.json"
  jq -r .by_hand "$cell/cell.json"
}

# collected CASE: collects a copy of the captured cell, to $cell.
collected() {
  rm -rf "$cell"
  cp -r "$CELLS/$1" "$cell"
  rm "$cell/summary.json"
  scripts/stages/collect.sh "$cell"
}

@test "argv: a time has a number beside it that ab does not reach; a number has no time" {
  run argv '{"path": "/echo/x"}'
  [ "${lines[0]}" = "ab -k -t 1 -n 200000 -c 4 -q -r -s 30 -e {cell}/raw.ab.percentiles.csv -g {cell}/raw.ab.requests.tsv {origin}{prefix}/echo/x" ]
  [ "${lines[1]}" = "ab -k -t 1 -n 200000 -c 4 -q -r -s 30 {origin}{prefix}/echo/x" ]
  [ "${lines[2]}" = "scripts/probes/spot-checks.sh --path /echo/x {cell}/answers.tsv 1 --http1.0 -H User-Agent: ApacheBench/2.3 -H Accept: */* -H Connection: Keep-Alive" ]
  [[ ${lines[3]} == "ab -k -t 1 -n 200000 -c 4 http"*/echo/x ]]
  run argv '{"requests": 16000, "level": 16, "warmup_s": 2}'
  [[ ${lines[0]} == "ab -k -n 16000 -c 16 -q "* && ${lines[1]} == "ab -k -t 2 -n 400000 -c 16 -q "* && ${lines[3]} == "ab -k -n 16000 -c 16 http"* ]]
}

@test "argv: a variant that closes connections does not ask to keep them, nor do its spot checks" {
  run argv '{}' '["-H", "Connection: close"]'
  [[ ${lines[0]} == "ab -t 1 "*" -H Connection: close {origin}{prefix}/" && ${lines[2]} == *"Accept: */* -H Connection: close" ]]
  [[ ${lines[3]} == "ab -t 1 -n 200000 -c 4 -H 'Connection: close' http"* ]]
}

@test "a number of requests is made to the unit, over connections that are kept" {
  ab_cell "$cell" '{"requests": 500}'
  mapfile -t words < <(jq -r -L scripts/jq --arg cell "$cell" --arg url "$STUB" 'include "filled"; .argv | filled($cell; $url; "")[]' "$cell/cell.json")
  before=$(stub_stat requests) connected=$(stub_stat connections)
  "${words[@]}" >"$BATS_TEST_TMPDIR/stdout"
  [ $(($(stub_stat requests) - before)) -eq 500 ]
  [ $(($(stub_stat connections) - connected)) -le 6 ] # two of them ask for the counters
}

@test "a timed trial: window, answers and latencies agree, and no percentile beyond p99 is told" {
  ab_trial paced "$cell" '{"level": 8}'
  jq -e '.complete and .missing_requests == 0 and .bad_lines == 0 and (.window.seconds - 1 | fabs) < 0.3' "$cell/summary.json"
  jq -e '.requests > 200 and .successes == .requests and .printed.keep_alive_requests == .requests' "$cell/summary.json"
  # by Little's law what ab prints and what the adapter made of its files are one: of 8 connections all wait
  jq -e '.requests / .window.seconds * .latency_us.mean / 8e6 | . > 0.95 and . < 1.02' "$cell/summary.json"
  jq -e '.latency_us | .kind == "ab" and .min >= 19000 and .p50 > 19500 and .p95 != null and .p99_9 == null' "$cell/summary.json"
  jq -e '.status.warmup.exit_code == 0 and .status.warmup.wall_s > 0.9' "$cell/summary.json"
  node tests/lib/conforms.js summary "$cell/summary.json"
}

@test "spot checks run beside it, ask for its path as it does, and know the length of its answers" {
  printf '0.001\t/echo/%%78\t{"value":"x"}\n0.001\t/echo/x\t{"value":"x"}\n' >"$BATS_TEST_TMPDIR/answers.tsv"
  VERIFIED_ANSWERS=$BATS_TEST_TMPDIR/answers.tsv ab_trial "" "$cell" '{"path": "/echo/x"}'
  jq -e '.spot_checks | .asked == 10 and .unanswered == 0 and .wrong == []' "$cell/summary.json"
  jq -e '.bytes_per_answer as $bytes | .spot_checks.lengths | length == 5 and all(. == $bytes)' "$cell/summary.json"
  VERIFIED_ANSWERS=$BATS_TEST_TMPDIR/answers.tsv ab_trial "" "$cell" '{"path": "/echo/x"}' '["-H", "Connection: close"]'
  # of connections that close, ab counts what they had brought when the time ended, too: of four, four answers at most
  jq -e '.requests as $requests | .bytes_per_answer as $bytes
    | .spot_checks.lengths | length == 5 and all(($bytes - .) * $requests / . | . >= 0 and . <= 4)' "$cell/summary.json"
}

@test "the summary of each captured trial is as it was, and has the shape of the schema" {
  local case
  for case in "$CELLS"/*/; do
    case=$(basename "$case")
    collected "$case"
    diff <(jq -S . "$CELLS/$case/summary.json") <(jq -S . "$cell/summary.json")
    cp "$cell/summary.json" "$BATS_TEST_TMPDIR/$case.json"
  done
  node tests/lib/conforms.js summary "$BATS_TEST_TMPDIR"/*.json
  jq -es 'length == 11 and all(.[]; .requests - .successes == .errors.total and .successes >= 0)' "$BATS_TEST_TMPDIR"/*.json
}

@test "failures by kind: each is counted once, and none is throughput" {
  errors() { jq -c .errors.by_class "$CELLS/$1/summary.json"; }
  [ "$(errors missing)" = '{"status":200}' ]
  [ "$(errors length)" = '{"length":4}' ]             # 200, and another body
  [ "$(errors mixed)" = '{"status":40,"length":20}' ] # 404, 500, and connections that are closed instead of an answer
  [ "$(errors broken)" = '{"transport":8}' ]          # four reset, four that end within a body; ab calls them failed by length, too
  [ "$(errors refused)" = '{"transport":8}' ]
  jq -e '.successes == 0 and .throughput_rps == 0' "$CELLS/missing/summary.json"
}

@test "answers that may differ in length are no failures with -l" {
  jq -e '.argv | index(["-l"])' "$CELLS/variable/cell.json"
  jq -e '.errors.total == 0 and .printed.failed.length == 0 and .printed.document_bytes == null' "$CELLS/variable/summary.json"
}

@test "without -k ab says nothing of kept connections; with it, that a target does not keep them" {
  [ "$(jq -c .printed.keep_alive_requests "$CELLS"/{plain,close,closed}/summary.json | paste -sd ' ' -)" = "400 null 0" ]
}

@test "an answer that does not come ends ab without a report, and the trial is incomplete" {
  jq -e '.complete == false and .requests == 0 and .latency_us == null and .status.exit_code != 0' "$CELLS/hung/summary.json"
}

@test "fewer than 20 answers for each connection are no rate" {
  collected plain
  [ "$(of '.throughput_rps != null')" = true ]
  jq '.level = 21' "$CELLS/plain/cell.json" >"$cell/cell.json"
  scripts/stages/collect.sh "$cell"
  [ "$(of '[.throughput_rps, .successes]')" = '[null,400]' ]
}

@test "a list or percentiles that are cut, damaged or another trial's are told" {
  collected plain
  head -n 300 "$CELLS/plain/raw.ab.requests.tsv" >"$cell/raw.ab.requests.tsv"
  scripts/stages/collect.sh "$cell"
  [ "$(of '[.missing_requests, .latency_us]')" = '[101,null]' ]
  sed '5s/\t[0-9]*$//' "$CELLS/plain/raw.ab.requests.tsv" >"$cell/raw.ab.requests.tsv"
  scripts/stages/collect.sh "$cell"
  [ "$(of '[.missing_requests, .bad_lines]')" = '[1,1]' ]
  cp "$CELLS/plain/raw.ab.requests.tsv" "$cell"
  cp "$CELLS/timed/raw.ab.percentiles.csv" "$cell"
  scripts/stages/collect.sh "$cell"
  [ "$(of .complete)" = false ]
  [[ $(of .printed.disagreement) == *"among the percentiles and "*" ms in the list"* ]]
  collected timed
  sed 's/,.*/,0.010/' "$CELLS/timed/raw.ab.percentiles.csv" >"$cell/raw.ab.percentiles.csv"
  scripts/stages/collect.sh "$cell"
  [[ $(of .printed.disagreement) == *" took 10 us among the percentiles and "*" ms in the list"* ]]
  collected plain
  head -n 90 "$CELLS/plain/raw.ab.percentiles.csv" >"$cell/raw.ab.percentiles.csv"
  scripts/stages/collect.sh "$cell"
  [ "$(of '[.complete, .printed.disagreement]')" = '[false,"not all percentiles are there"]' ]
  cp "$CELLS/plain/raw.ab.percentiles.csv" "$cell"
  head -n 20 "$CELLS/plain/stdout.log" >"$cell/stdout.log"
  scripts/stages/collect.sh "$cell"
  [ "$(of .complete)" = false ]
}

@test "times of requests between the percentiles are restored to one per cent, beyond p99 to half a millisecond" {
  jq -n -L scripts/jq 'include "ab"; include "histogram";
    def shares: 0.5, 0.9, 0.95, 0.99;
    [range(3000) | 150 * pow(1.0022; .) | floor] as $us # 150 us to 109 ms, ascending
    | ($us | map(. + 500) | map(. / 1000 | floor) | group_by(.) | map([.[0], length])) as $runs
    | [range(101) as $p | [$p, $us[_rank($p; 3000)]]] as $percentiles
    | ($runs | ab_latencies($percentiles)) as {$counts, $fault}
    | ($counts | map(.[0] * .[1]) | add) as $sum
    | {$fault, total: ($counts | total_count), ascending: ($counts == ($counts | sort)), mean: ($sum / ($us | add)),
       off: [shares as $p | ($counts | percentile($p)) / $us[$p * 3000 - 1]], last: ([$counts[-9:][][0]] | min)}' >"$BATS_TEST_TMPDIR/restored.json"
  cat "$BATS_TEST_TMPDIR/restored.json"
  jq -e '.fault == null and .total == 3000 and .ascending and (.mean - 1 | fabs) < 0.01 and all(.off[]; (. - 1 | fabs) < 0.01)' "$BATS_TEST_TMPDIR/restored.json"
}

@test "set-up brings ab where an experiment asks for it, and not otherwise" {
  needs() { node scripts/setup/needs.js local '' "scripts/declared/experiments/$1.json"; }
  needs smoke-ab | grep -qx ab
  run grep -qx ab <(needs smoke)
  [ "$status" -eq 1 ]
}
