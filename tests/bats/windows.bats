#!/usr/bin/env bats
# What counts in a trial of k6, and what its checks see: real trials against a stub whose truth is known, from the plan's own command line
# to the verdict. They run side by side, which is why no speed is tested but the stub's own.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/stub
  start_stub 3112
  export RUN=$BATS_FILE_TMPDIR/run
  mkdir -p "$RUN/cells"
  plan | tee "$RUN/plan.json" |
    jq '{name: .experiment, why: "test", blocks: 1, seed: 1, duration_s: 8, warmup_s: 1, cells: []}' >"$RUN/experiment.json"
  local folders
  local -a trials=()
  folders=$(jq -r --arg run "$RUN" '.groups[].cells[] | "\($run)/cells/01/\(.id)"' "$RUN/plan.json")
  for folder in $folders; do
    trial "$folder" >&2 3>&- &
    trials+=("$!")
  done
  wait "${trials[@]}"
  scripts/stages/collect.sh "$RUN"
  scripts/stages/analyse.sh "$RUN"
}

teardown_file() {
  load ../lib/stub
  stop_stub
}

# plan: a plan of one block with a cell for each line: behaviour of the stub (as the variant), model, level, lead-in, seconds, arguments
# for k6, or the profile; or how many requests, and arguments.
plan() {
  jq -Rn -L scripts/jq 'include "cells";
    [inputs | select(. != "") | split(" +"; "") as [$behaviour, $model, $level, $lead, $seconds]
      | split(" +"; "")[5:] as $words | (if $words[0] == "ramp" then [] elif $words[0] == "requests" then $words[2:] else $words end) as $args
      | {variant: {name: $behaviour, env: {}, args: $args}, cell: {block: 1, database: "none", target: "external", variant: $behaviour,
          workload: "hello", tool: "k6", $model, level: ($level | tonumber), duration_s: ($seconds | tonumber), warmup_s: ($lead | tonumber)}}
      | if $words == ["ramp"] then .cell.profile = "ramp" else . end
      | if $words[0] == "requests" then .cell.requests = ($words[1] | tonumber) else . end]
    | {experiment: "windows", seed: 1, blocks: 1, groups: ordered(1; 2)}' <<END
late   open   100 1 8
one    closed 30  2 12
ten    closed 30  2 12
thirty closed 30  2 12
shared closed 30  3 8
good   closed 4   1 3
drops  closed 4   1 3
good   open   100 1 8
rare   open   100 1 8
faults open   100 1 8
slow   open   100 1 4 -e vus=30
paced  closed 8   4 6 ramp
quarter closed 8  1 30 requests 204 --summary-mode=compact -e out={cell}/raw.k6.table.ndjson
END
}

# trial FOLDER: runs the cell of that folder against the stub, in a state folder of its own.
trial() {
  local url state=$BATS_FILE_TMPDIR/state/${1##*/}
  mkdir -p "$1" "$state/stack/watch"
  echo '{"layout": "shared", "roles": {}}' >"$state/stack/topology.json"
  jq --arg id "${1##*/}" '.groups[].cells[] | select(.id == $id) + {run: "r", plan_hash: "p", git_commit: null, environment_hash: "e"}' \
    "$RUN/plan.json" >"$1/cell.json"
  url=$STUB/$(jq -r .variant "$1/cell.json")
  PGLAB_DATA=$state STACK=external EXTERNAL_URL=$url BASE_URL=$url scripts/stages/run-cell.sh "$1"
}

# summary BEHAVIOUR.MODEL FILTER: asks a trial's summary; fails when the answer is null or false.
summary() {
  jq -e "$2" "$RUN"/cells/01/none.external."${1%.*}".hello.k6."${1#*.}"-*/summary.json
}

# verdict BEHAVIOUR.MODEL: prints the verdict and the names of the checks that gave it.
verdict() {
  jq -r --arg variant "${1%.*}" --arg model "${1#*.}" '.cells[] | select(.variant == $variant and .model == $model).trials[]
    | "\(.verdict) \(.reasons | map(.check) | join(" "))"' "$RUN/results.json"
}

@test "open model: 3 % of the answers 20 s late are in the percentiles, and the trial never settled" {
  summary late.open '.requests + .dropped_iterations == 800 and .latency_us.count == .requests
    and (.latency_us.beyond.count // 0) == .dropped_iterations and .throughput_rps * 8 == .requests'
  summary late.open '.latency_us | .p95 < 5e6 and .p99 > 19.9e6 and .p99 < 25e6'
  summary late.open '.window.seconds == 8 and .requests_total >= .requests + .lead_in.requests'
  [[ $(verdict late.open) == suspect*settled* ]]
}

@test "closed model: equal capacity reads equal through 1, 10 and 30 places" {
  for places in one ten thirty; do
    summary "$places.closed" '.throughput_rps | . > 3.92 and . < 4.08'
    summary "$places.closed" '.lead_in.seconds >= 7 and .window.seconds + .lead_in.seconds == 14 and .users.answered == 30'
    summary "$places.closed" '(.in_flight_mean - 30 | fabs) < 0.5'
  done
}

@test "closed model: the load goes on until what began in the window has ended, as a processor that users share speeds up when some leave" {
  summary shared.closed '.throughput_rps | . > 11.9 and . < 12.1'
  summary shared.closed '.latency_us | .min > 2.4e6 and (.mean - 2.5e6 | fabs) < 25e3'
  summary shared.closed '.window.seconds == 8 and .interrupted_iterations == 0'
  jq -e '.wall_s > 15 and .wall_s < 18' "$RUN"/cells/01/none.external.shared.*/status.json
}

@test "a declared ramp: its window is the hold, where all users are there, and no check takes it for a drift or a lie" {
  summary paced.closed '.window.seconds == 6 and .lead_in.seconds == 4 and .users == (.users | .count = 8 | .answered = 8)'
  summary paced.closed '.users.answered_by_s | . >= 3.5 and . <= 4' # the last user came when the ramp was over
  summary paced.closed '(.in_flight_mean - 8 | fabs) < 0.2 and (.throughput_rps | . > 300 and . <= 400)'
  summary paced.closed '.requests_total > .requests + .lead_in.requests and .interrupted_iterations == 0'
  # of the ramp's 4 s up and 4 s down users are there for half, and of the hold for all
  summary paced.closed '.requests_total / .throughput_rps | . > 9 and . < 12'
  jq -e '.wall_s > 13.5 and .wall_s < 19' "$RUN"/cells/01/none.external.paced.*/status.json
  [[ $(verdict paced.closed) != invalid* && $(verdict paced.closed) != *@(ramp|littles_law|drift|wall_clock|window|warm_up)* ]]
}

@test "a fixed number of requests: all are made, and figures are of the time in which all users are busy" {
  summary quarter.closed '.requests_total == 204 and .interrupted_iterations == 0 and .users.answered == 8'
  # 25 rounds of eight, a quarter of a second each, and one of four: the last request begins after 6.25 s
  # what eight users get by their latency, which is longer where a hypervisor takes processor time; over the whole time it would be 0.98 of that
  summary quarter.closed '.lead_in.seconds == 1 and .window.seconds == 5 and (.throughput_rps * .latency_us.mean / 8e6 | . > 0.985 and . < 1.005)'
  summary quarter.closed '(.in_flight_mean - 8 | fabs) < 0.1 and (.latency_us.mean - 250e3 | fabs) < 10e3'
  [[ $(verdict quarter.closed) != invalid* && $(verdict quarter.closed) != *@(ramp|littles_law|wall_clock|window|complete)* ]]
  jq -e '.warmup_argv | index("duration=1s") and index("requests=204") == null' "$RUN"/cells/01/none.external.quarter.*/cell.json
}

@test "what k6 prints itself is kept where a variant asks for it" {
  summary quarter.closed '.printed.figures | .["requests.count"] == 205 and .["errors.count"] == 0 and .["errors.share"] == 0 # with one by setup()
    and .["waiting.p50"] > 245e3 and .["waiting.p50"] < 300e3 and .["iteration.min"] >= .["waiting.min"] and .["received.size"] > 204 * 12'
  summary good.closed '.printed == null'
  jq -e '.cells[] | select(.variant == "quarter").printed["requests.count"] == [205]' "$RUN/results.json"
  jq -e '.cells[] | select(.variant == "quarter").by_hand | contains("-e out=raw.k6.table.ndjson")' "$RUN/results.json"
}

# relabelled JQ_FILTER: prints the verdict on the ramp, had its cell been declared otherwise; leaves the run in RELABELLED.
relabelled() {
  RELABELLED=$BATS_TEST_TMPDIR/relabelled
  rm -rf "$RELABELLED"
  cp -r "$RUN" "$RELABELLED"
  local cell=$RELABELLED/cells/01/none.external.paced.hello.k6.closed-0008/cell.json
  jq "(.groups[].cells[] | select(.variant == \"paced\")) |= ($1)" "$RUN/plan.json" >"$RELABELLED/plan.json"
  jq "$1" "$cell" >"$cell.new"
  mv "$cell.new" "$cell"
  scripts/stages/collect.sh "${cell%/*}"
  scripts/stages/analyse.sh "$RELABELLED"
  RUN=$RELABELLED verdict paced.closed
}

@test "a ramp under the name of a level, its way down in the window, is invalid, declared or not" {
  for declared in 'del(.profile)' .; do
    [[ $(relabelled "$declared | .duration_s = 9") == invalid*littles_law*ramp* ]]
    jq -e '.window.seconds == 9' "$BATS_TEST_TMPDIR"/relabelled/cells/01/none.external.paced.*/summary.json
  done
}

@test "closed model: percentiles need twenty requests of each user" {
  jq -e '.cells[] | select(.variant == "one") | .latency_us.count > 0 and .latency_us.p50 == null and .trials[0].p95_us == null' "$RUN/results.json"
  jq -e '.cells[] | select(.variant == "good" and .model == "closed") | .latency_us.p95 > 0 and .trials[0].p95_us > 0' "$RUN/results.json"
}

@test "kept connections that are closed instead of an answer are no success" {
  summary drops.closed '.connections.opened == 4 + .connections.repeated and .connections.repeated >= (.requests_total / 200 | floor) - 1 and .connections.repeated > 0'
  [[ $(verdict drops.closed) == invalid*connections* ]]
  summary good.closed '.connections == {opened: 4, repeated: 0, keep_alive: true}'
  [[ $(verdict good.closed) != *connections* ]]
}

@test "one wrong answer in a hundred, or two errors under status 200, are found at 100 arrivals a second" {
  for lie in rare faults; do
    [[ $(verdict "$lie.open") == invalid*wrong_answers* ]]
  done
  summary good.open '.checked >= 700'
  jq -e '.cells[] | select(.variant == "good" and .model == "open").trials[0].not_measured | index("wrong_answers") == null' "$RUN/results.json"
}

@test "arrivals that find no free user lie beyond, and later ones are not taken for older than they are" {
  summary slow.open '.dropped_iterations > 200 and .latency_us.beyond.count == .dropped_iterations'
  summary slow.open '.latency_us.count + .latency_us.beyond.count == 400 and .latency_us.p50 == null'
  summary slow.open '.latency_us.beyond.more_than_us == .latency_us.max and .latency_us.max < 2.5e6'
  summary slow.open '.dispatch_lag_us.p50 < 5e5'
  [[ $(verdict slow.open) == invalid*dropped* ]]
}

HONEST=none.external.good.hello.k6.closed-0004

# doctored SED_SCRIPT: prints the verdict on the honest trial when its raw file went through sed.
doctored() {
  local copy=$BATS_TEST_TMPDIR/doctored cell
  rm -rf "$copy"
  cp -r "$RUN" "$copy"
  cell=$copy/cells/01/$HONEST
  sed -i.before "$1" "$cell/raw.k6.ndjson"
  rm "$cell/raw.k6.ndjson.before"
  scripts/stages/collect.sh "$cell"
  scripts/stages/analyse.sh "$copy"
  RUN=$copy verdict good.closed
}

@test "a raw file that was cut, or lost or garbled a line, is not whole" {
  [[ $(verdict good.closed) != *complete* ]]
  [[ $(doctored "\$d") == invalid*complete* ]]
  [[ $(doctored 3d) == invalid*complete* ]]
  [[ $(doctored '3s/^./[/') == invalid*complete* ]]
}

@test "seconds before the load, or after its end, say that a clock was set" {
  [[ $(verdict good.closed) != *clock_jump* ]]
  for t in 3602 -2; do
    verdict=$(doctored "4s/\"t\":2,/\"t\":$t,/")
    [[ $verdict == invalid*clock_jump* && $verdict != *complete* ]]
  done
}

@test "a clock that is set forward while requests are under way: only a clock that nobody sets tells" {
  jq -e '.monotonic_s >= 4 and (.wall_s - .monotonic_s | fabs) < 0.1' "$RUN/cells/01/$HONEST/status.json"
  node tests/lib/conforms.js status "$RUN"/cells/01/*/status.json
  local copy=$BATS_TEST_TMPDIR/ahead cell
  cp -r "$RUN" "$copy"
  cell=$copy/cells/01/$HONEST
  # to k6 the requests that were under way in second 2 took 0.9 s longer
  jq -c 'if .t == 2 then .latency |= ((.counts[-2:] | map(.[1]) | add) as $n | .sum_us += 9e5 * $n | .max_us += 9e5 | .counts[-2:] |= map(.[0] += 9e5))
    else . end' "$RUN/cells/01/$HONEST/raw.k6.ndjson" >"$cell/raw.k6.ndjson"
  jq '.wall_s += 0.9' "$RUN/cells/01/$HONEST/status.json" >"$cell/status.json"
  scripts/stages/collect.sh "$cell"
  jq -e '.complete and .latency_us.max > 9e5' "$cell/summary.json"
  scripts/stages/analyse.sh "$copy"
  [[ $(RUN=$copy verdict good.closed) == invalid*clock_jump* ]]
}

@test "a raw file of an earlier version is refused in one line, and its summary stays" {
  local copy=$BATS_TEST_TMPDIR/earlier cell
  cp -r "$RUN" "$copy"
  cell=$copy/cells/01/$HONEST
  sed -i.before '1s/"version":2/"version":1/' "$cell/raw.k6.ndjson"
  run scripts/stages/collect.sh "$cell"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"version 1 of k6's output, which can no longer be collected"* ]]
  cmp "$cell/summary.json" "$RUN/cells/01/$HONEST/summary.json"
  [ ! -e "$cell/summary.tool" ]
}

@test "the summaries have the shape of the schema, and the requests add up" {
  node tests/lib/conforms.js summary "$RUN"/cells/01/*/summary.json
  for summary in "$RUN"/cells/01/*/summary.json; do
    jq -e '.complete and (.requests - (.timeline | map(.requests) | add) | fabs) < 0.1' "$summary"
  done
}
