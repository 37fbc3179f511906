#!/usr/bin/env bats
# The k6 scripts as a person runs them, against a stub target: load models, checks, summary, and what they say of bad input.
# K6=... runs them on another k6 than bin/k6.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export K6=${K6:-$PWD/bin/k6}
  load ../lib/stub
  start_stub 3110
}

teardown_file() {
  load ../lib/stub
  stop_stub
}

setup() { load ../lib/stub; }

# k6_run ARGUMENT...: a run by hand against the stub's target BEHAVIOUR (default: good).
k6_run() { run "$K6" run --no-usage-report --address '' -e BASE_URL="$STUB/${BEHAVIOUR:-good}" "$@"; }

# refused TEXT ARGUMENT...: the run fails with one line, and that says TEXT.
refused() {
  local text=$1
  shift
  run "$K6" run --quiet --no-usage-report --address '' -e BASE_URL="$STUB/good" "$@"
  [ "$status" -ne 0 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"$text"* ]]
}

# metric FILE NAME: prints the values of a metric from a JSON summary.
metric() { jq -c --arg name "$2" '.metrics[$name].values' "$1"; }

@test "every workload runs by hand: k6's table, all bodies right, then the condensed lines" {
  for workload in hello echo analytics; do
    k6_run -e vus=3 -e duration=1s -e sample=1 "k6/$workload.js"
    [ "$status" -eq 0 ]
    [[ $output == *"3 looping VUs for 1s (gracefulStop: 30s)"* ]]
    [[ $output == *"✓ $workload: body"* ]]
    grep -qE 'checks\.+: 100\.00%' <<<"$output"
    grep -qE 'http_req_duration\.+: avg=.* p\(99\)=.* p\(99\.9\)=' <<<"$output"
    grep -qE 'http_req_connecting\.+: avg=' <<<"$output"
    grep -qE '^p\(90\)=[0-9.]+(µs|ms|s)$' <<<"$output"
    grep -qE '^p\(95\)=[0-9.]+(µs|ms|s)$' <<<"$output"
  done
}

@test "the table is the one that k6 prints, figure by figure, in each time unit" {
  cd "$BATS_TEST_TMPDIR"
  for unit in '' s ms us; do
    fixture=$BATS_TEST_DIRNAME/../fixtures/k6-1.8.1/summary
    jq --arg unit "$unit" '.options.summaryTimeUnit = $unit' "$fixture/data.json" >data.json
    cat >table.js <<END
import { handleSummary as ours } from '$BATS_TEST_DIRNAME/../../k6/lib/summary.js';
const data = JSON.parse(open('$PWD/data.json'));
export const options = { iterations: 1 };
export const handleSummary = () => ours(data);
export default () => {};
END
    "$K6" run --quiet --no-usage-report --address '' table.js >ours.txt
    diff <(sed 's/ *$//' "$fixture/table${unit:+-$unit}.txt") <(sed '1d; /^p(90)/,$d' ours.txt | sed '$d')
  done
}

@test "k6's own flags keep their meaning" {
  k6_run --vus 4 --duration 1s k6/hello.js
  [[ $output == *"4 looping VUs for 1s"* ]]
  k6_run -e vus=2 --stage 1s:4 k6/hello.js
  [ "$status" -eq 0 ]
  [[ $output == *"Up to 4 looping VUs for 1s over 1 stages"* ]]
  k6_run --vus 2 --iterations 6 --out "json=$BATS_TEST_TMPDIR/samples.json" k6/hello.js
  [[ $output == *"6 iterations shared among 2 VUs"* ]]
  grep -q '"metric":"http_req_duration","type":"Point"' "$BATS_TEST_TMPDIR/samples.json"
}

@test "rate= is the open model, and every sample says which arrival it is of" {
  k6_run -e rate=50 -e vus=100 -e duration=2s --out "json=$BATS_TEST_TMPDIR/samples.json" k6/hello.js
  [ "$status" -eq 0 ]
  [[ $output == *"50.00 iterations/s for 2s (maxVUs: 100"* ]]
  complete=$(sed -n 's/.*, \([0-9]*\) complete and 0 interrupted iterations.*/\1/p' <<<"$output" | tail -n 1)
  [ "$complete" -ge 98 ]
  jq -s -e --argjson complete "$complete" 'map(select(.type == "Point" and .metric == "http_reqs" and .data.tags.scenario)) | map(.data.metadata.arrival | split(" ") | map(tonumber))
    | (map(.[0]) | sort) == [range($complete)] and all(.[0] / 100 <= .[1] + 0.001 or .[1] == 1)' "$BATS_TEST_TMPDIR/samples.json" # none begins before it is due
}

@test "lead_in= is load before the duration" {
  k6_run -e vus=2 -e duration=1s -e lead_in=500ms k6/hello.js
  [[ $output == *"2 looping VUs for 1.5s"* ]]
  k6_run -e rate=10 -e vus=2 -e duration=1s -e lead_in=1s -e graceful=1s k6/hello.js
  [[ $output == *"10.00 iterations/s for 2s"* ]]
}

@test "profile=ramp brings the users one by one, keeps them, and sends them away" {
  k6_run -e profile=ramp -e vus=3 -e ramp=1s -e duration=1s --out "json=$BATS_TEST_TMPDIR/samples.json" k6/echo.js
  [ "$status" -eq 0 ]
  [[ $output == *"Up to 3 looping VUs for 3s over 3 stages"* ]]
  # how many users asked in each tenth of a second, from the first request on: some in the ramp, all while it holds
  jq -s -e 'map(select(.type == "Point" and .metric == "http_reqs" and .data.tags.scenario)
      | {vu: .data.metadata.vu, t: (.data.time | capture("T(?<h>..):(?<m>..):(?<s>[0-9.]+)") | (.h | tonumber) * 3600 + (.m | tonumber) * 60 + (.s | tonumber))})
    | (map(.t) | min) as $from
    | def users($a; $b): map(select(.t >= $from + $a and .t < $from + $b).vu) | unique | length;
      users(0; 0.4) == 1 and users(0.6; 0.9) == 2 and users(1.2; 1.8) == 3 and users(2.8; 3) < 3' "$BATS_TEST_TMPDIR/samples.json"
  run "$K6" inspect --execution-requirements -e profile=ramp -e vus=10 k6/hello.js
  [ "$(jq -c '.scenarios.default.stages' <<<"$output")" = '[{"duration":"15s","target":10},{"duration":"30s","target":10},{"duration":"15s","target":0}]' ]
}

@test "a ramp takes no other load model, and a level no ramp" {
  refused 'rate=10 is refused: it has no meaning beside -e profile=ramp' -e profile=ramp -e rate=10 k6/hello.js
  refused 'lead_in=1s is refused: it has no meaning beside -e profile=ramp' -e profile=ramp -e lead_in=1s k6/hello.js
  refused 'ramp=1s is refused: it takes -e profile=ramp, too' -e ramp=1s k6/hello.js
  refused 'profile=ramps is refused: it takes level or ramp' -e profile=ramps k6/hello.js
  for flag in --duration=1s --stage=1s:2 --iterations=3; do
    run "$K6" run --quiet --no-usage-report --address '' -e BASE_URL="$STUB/good" -e profile=ramp "$flag" k6/hello.js
    [ "$status" -ne 0 ]
    [[ ${lines[-1]} == *"-e profile=ramp sets the load itself"*"not --duration"* ]]
  done
}

@test "think= has users pause between an answer and the next request, out of step, and asks nothing when the time is over" {
  k6_run -e vus=40 -e think=500ms -e duration=3s --out "hdr=$BATS_TEST_TMPDIR/thinking.ndjson" k6/hello.js
  [ "$status" -eq 0 ]
  # 40 users every 0.5 s: 80 a second in each second, but for their own chance, and as good as none in flight
  jq -s -e 'map(select(.type == "second")) | (map(select(.t < 3).requests) | add | . > 170 and . < 310)
    and all(.[]; select(.t < 3) | .requests > 40 and .requests < 140 and .in_flight < 10) and (map(select(.t >= 3).requests) | add // 0) < 5' "$BATS_TEST_TMPDIR/thinking.ndjson"
  refused 'think=1s is refused: it has no meaning beside -e rate=' -e think=1s -e rate=5 k6/hello.js
  refused 'think=1 is refused: it takes a time with its unit' -e think=1 k6/hello.js
}

@test "requests= makes so many, all users together, and takes no other load model" {
  before=$(stub_stat requests)
  k6_run -e vus=3 -e requests=50 k6/hello.js
  [[ $output == *"50 iterations shared among 3 VUs (maxDuration: 10m0s"* ]]
  [ $(($(stub_stat requests) - before)) -eq 51 ] # setup asks once
  BEHAVIOUR=slow k6_run -e vus=1 -e requests=50 -e duration=2s -e graceful=1ms k6/hello.js
  [[ $output == *"1 complete and 1 interrupted iterations"* ]]
  refused 'rate=10 is refused: it has no meaning beside -e requests=' -e requests=50 -e rate=10 k6/hello.js
  refused 'lead_in=1s is refused: it has no meaning beside -e requests=' -e requests=50 -e lead_in=1s k6/hello.js
  refused 'requests=50 is refused: it has no meaning beside -e profile=ramp' -e requests=50 -e profile=ramp k6/hello.js
  for flag in --duration=1s --stage=1s:2 --iterations=3; do
    run "$K6" run --quiet --no-usage-report --address '' -e BASE_URL="$STUB/good" -e requests=50 "$flag" k6/hello.js
    [ "$status" -ne 0 ]
    [[ ${lines[-1]} == *"-e requests=50 sets the load itself"*"not --duration"* ]]
  done
}

@test "rate= together with a flag that replaces the schedule is refused" {
  run "$K6" run --quiet --no-usage-report --address '' -e BASE_URL="$STUB/good" -e rate=10 --duration 1s k6/hello.js
  [ "$status" -ne 0 ]
  [[ ${lines[-1]} == *"use -e duration= and -e vus= with it, not --duration"* ]]
}

@test "graceful= sets how long iterations may take to finish" {
  BEHAVIOUR=hang k6_run -e vus=2 -e duration=1s -e graceful=500ms k6/hello.js
  [[ $output == *"2 looping VUs for 1s (gracefulStop: 500ms)"* ]]
  [[ $output == *"0 complete and 2 interrupted iterations"* ]]
}

@test "keepalive=off opens a connection per request" {
  before=$(stub_stat connections)
  k6_run --iterations 20 k6/hello.js
  kept=$(stub_stat connections)
  [ $((kept - before)) -le 3 ]
  k6_run --iterations 20 -e keepalive=off k6/hello.js
  [ $(($(stub_stat connections) - kept)) -ge 20 ]
}

@test "echo never sends a value twice" {
  before=$(stub_stat echoed)
  k6_run --vus 5 --iterations 100 k6/echo.js
  [ $(($(stub_stat echoed) - before)) -ge 100 ]
}

@test "not even when the load goes on after the window, within k6's iteration" {
  local before_values before_requests
  before_values=$(stub_stat echoed) before_requests=$(stub_stat requests)
  BEHAVIOUR=long k6_run -e vus=4 -e lead_in=1s -e duration=1s -e graceful=20s k6/echo.js
  # setup's value may have been sent before
  [ $(($(stub_stat echoed) - before_values)) -ge $(($(stub_stat requests) - before_requests - 1)) ]
  # in 2 s four each, one more until the slowest has passed once more, and setup's
  [ $(($(stub_stat requests) - before_requests)) -ge 17 ]
}

@test "a wrong body fails its check, and the run" {
  for workload in hello echo analytics; do
    BEHAVIOUR=wrong k6_run -e duration=1s -e sample=1 "k6/$workload.js"
    [ "$status" -eq 99 ]
    [[ $output == *"✗ $workload: body"* ]]
  done
}

@test "a target that answers otherwise than when it was verified is not measured" {
  printf '0.001\t/\tHello World!\n' >"$BATS_TEST_TMPDIR/right.tsv"
  printf '0.001\t/\t<html>\\nmaintenance</html>\n' >"$BATS_TEST_TMPDIR/wrong.tsv"
  k6_run -e duration=1s -e answers="$BATS_TEST_TMPDIR/right.tsv" k6/hello.js
  [ "$status" -eq 0 ]
  refused 'answers otherwise than when it was verified: Hello World!' -e answers="$BATS_TEST_TMPDIR/wrong.tsv" k6/hello.js
}

# shellcheck disable=SC2016 # $all and $checked are jq's
@test "bodies are checked often enough at any rate, and evenly; sample= means that share" {
  checked() { # FILTER ARGUMENT...: whether it holds of $checked bodies of $all iterations
    local filter=$1
    shift
    BEHAVIOUR=paced k6_run --quiet -e out="$BATS_TEST_TMPDIR/checked.json" "$@" k6/hello.js
    jq -e ".metrics | (.checks.values.passes // 0) as \$checked | .iterations.values.count as \$all
      | if $filter then true else \"\(\$checked) of \(\$all)\" | error end" "$BATS_TEST_TMPDIR/checked.json"
  }
  checked '$all >= 100 and $checked == $all' -e rate=100 -e duration=2s
  checked '$checked >= $all * 0.48 and $checked <= $all * 0.65' -e rate=800 -e vus=50 -e duration=2s                           # half, and a tenth of the rest
  checked '$checked >= ([$all, 700] | min) * 0.7 and $checked <= 700 + ([$all - 700, 0] | max) * 0.3' -e vus=30 -e duration=2s # 700 of some 2,600, and a tenth of the rest
  checked '$all >= 20 and $checked >= $all - 4' -e vus=2 -e duration=2s
  checked '$all >= 100 and $checked == 0' -e rate=100 -e duration=2s -e sample=0
  checked '$checked >= $all * 0.07 and $checked <= $all * 0.38' -e rate=100 -e duration=2s -e sample=0.2
}

@test "bodies are left alone with sample=0, and of a wrong status always" {
  BEHAVIOUR=wrong k6_run -e duration=1s -e sample=0 k6/hello.js
  [ "$status" -eq 0 ]
  for behaviour in missing moved; do
    BEHAVIOUR=$behaviour k6_run -e duration=1s -e sample=1 k6/hello.js
    [ "$status" -eq 99 ]
    [[ $output != *": body"* ]]
    [[ $output == *"of the requests failed"* ]]
  done
}

@test "a transport error is told once per VU, and counted each time" {
  BEHAVIOUR='cut' k6_run --quiet -e vus=2 -e duration=1s -e out="$BATS_TEST_TMPDIR/cut.json" k6/hello.js
  [ "$(grep -c 'Request Failed' <<<"$output")" -eq 2 ]
  jq -e '.metrics.http_req_failed.values.passes > 10' "$BATS_TEST_TMPDIR/cut.json"
}

@test "bad settings: one clear line" {
  for bad in vus=0 vus=abc vus=-1 vus=1.5 vus= rate=0 rate=abc rate=0.5 rate=-3; do
    refused "-e $bad is refused: it takes a whole number from 1" -e "$bad" k6/hello.js
  done
  for bad in vsu=10 vuss=10 vis=10; do
    refused "-e $bad is refused: there is no such setting; vus is one" -e "$bad" k6/hello.js
  done
  refused '-e keepalve=off is refused: there is no such setting; keepalive is one' -e keepalve=off k6/hello.js
  for bad in vu=10 users=10 VUS=10; do
    refused "-e $bad is refused: the number of users is vus" -e "$bad" k6/hello.js
  done
  for bad in duration=x duration=5 duration=0s duration=-1s duration= graceful=soon lead_in=2; do
    refused "-e $bad is refused: it takes a time with its unit" -e "$bad" k6/echo.js
  done
  for bad in sample=2 sample=-1 sample=all; do
    refused "-e $bad is refused: it takes a share from 0 to 1" -e "$bad" k6/analytics.js
  done
  refused "-e keepalive=no is refused: it takes on or off" -e keepalive=no k6/hello.js
  refused "-e BASE_URL=localhost is refused: it takes an address" -e BASE_URL=localhost k6/hello.js
}

@test "no target, or one that answers wrongly: one clear line" {
  refused "no answer from http://127.0.0.1:3119/: dial tcp 127.0.0.1:3119: connect: connection refused" -e BASE_URL=http://127.0.0.1:3119 k6/hello.js
  refused "$STUB/nope/analytics answered 404, not 200" -e BASE_URL="$STUB/nope" k6/analytics.js
}

@test "k6's own conveniences: samples as CSV and JSON, the dashboard's page, and the names of both remote outputs" {
  cd "$BATS_TEST_TMPDIR"
  K6_WEB_DASHBOARD=true K6_WEB_DASHBOARD_PORT=-1 K6_WEB_DASHBOARD_PERIOD=1s K6_WEB_DASHBOARD_EXPORT=page.html \
    k6_run -e vus=2 -e duration=4s --out csv=samples.csv --out json=samples.json "$BATS_TEST_DIRNAME/../../k6/hello.js"
  [ "$status" -eq 0 ]
  [ "$(grep -c ^http_req_duration, samples.csv)" -gt 10 ]
  [ "$(jq -s 'map(select(.metric == "http_req_duration" and .type == "Point")) | length' samples.json)" -gt 10 ]
  grep -qi '<html' page.html
  run "$K6" run --out no-such-output "$BATS_TEST_DIRNAME/../../k6/hello.js"
  [[ $output == *experimental-prometheus-rw* && $output == *opentelemetry* ]]
}

@test "of a fixed number of requests 700 bodies are checked, or all" {
  k6_run -e vus=4 -e requests=400 -e out="$BATS_TEST_TMPDIR/few.json" k6/echo.js
  metric "$BATS_TEST_TMPDIR/few.json" checks | jq -e '.passes == 400 and .fails == 0'
  k6_run -e vus=4 -e requests=2000 -e out="$BATS_TEST_TMPDIR/many.json" k6/echo.js
  metric "$BATS_TEST_TMPDIR/many.json" checks | jq -e '.passes > 550 and .passes < 850'
}
