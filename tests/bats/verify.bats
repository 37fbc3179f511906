#!/usr/bin/env bats
# verify.sh against the stub target and the null responder; psql is a stub that prints what the test wrote as right.

load ../lib/copy.bash
load ../lib/stub.bash

# A copy of the repository has one workload more, and its null responder answers here.
setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  start_stub 3128
  export COPY=$BATS_FILE_TMPDIR/copy NULL_URL=http://127.0.0.1:3129 NULL_PID
  copy_repository "$COPY"
  cp k6/hello.js "$COPY/k6/colours.js"
  echo '{"path": "/colours?first=2", "answer": {"colours": ["red", "green"]}, "calibrate": true}' >"$COPY/scripts/sql/verify/colours.json"
  PORT=3129 node "$COPY/apps/null/server.js" 3>&- &
  NULL_PID=$!
  curl -sf --retry 50 --retry-delay 1 --retry-connrefused -o /dev/null "$NULL_URL/healthz"
}

teardown_file() {
  stop_stub
  kill "$NULL_PID"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  export PGHOST=stub ANSWERS=$BATS_TEST_TMPDIR/answers PATH=$BATS_TEST_TMPDIR/bin:$PATH
  mkdir "$ANSWERS" "$BATS_TEST_TMPDIR/bin"
  # shellcheck disable=SC2016 # the stub expands it, not this script
  printf '#!/bin/sh\nfor last; do :; done\nexec cat "$ANSWERS/${last##*/}"\n' >"$BATS_TEST_TMPDIR/bin/psql"
  chmod +x "$BATS_TEST_TMPDIR/bin/psql"
  right hello 200 / 'Hello World!'
  right echo 200 /echo/x%22y '{"value":"x\"y"}'
  right analytics 200 /analytics '[{"status":"F","year":1992,"orders":3,"total":"123.45"}]'
}

# right WORKLOAD STATUS PATH BODY: what SQL says
right() { printf '%s\t%s\t%s\n' "$2" "$3" "$4" >"$ANSWERS/$1.sql"; }

# refused MESSAGE: the last run ended with exit 2 and one line that holds MESSAGE
refused() {
  [[ $status -eq 2 ]]
  [[ ${#lines[@]} -eq 1 ]]
  [[ $output == *"$1"* ]]
}

@test "answers that equal SQL's pass in silence" {
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  [[ $status -eq 0 && -z $output ]]
}

@test "--print prints each verified answer: seconds, path and body" {
  BASE_URL=$STUB run scripts/probes/verify.sh --print pooled hello echo
  [ "$(cut -f 2- <<<"$output")" = $'/\tHello World!\n/echo/x%22y\t{"value":"x\\\\"y"}' ]
  [[ $output =~ ^0\.[0-9]+$'\t'/ ]]
}

# spots SECONDS_OF_AN_ANSWER TRIAL_SECONDS [BEHAVIOUR]: a spot check of hello; prints what it found
spots() {
  printf '%s\t/\tHello World!\n' "$1" >"$BATS_TEST_TMPDIR/answers.tsv"
  BASE_URL=$STUB${3:+/$3} scripts/probes/spot-checks.sh "$BATS_TEST_TMPDIR/answers.tsv" "$2"
}

@test "spot checks ask as wrk does, twice at five moments at most, and for a hundredth of the time" {
  spots 0.001 1 | jq -e '.asked == 10 and .unanswered == 0 and .wrong == [] and (.lengths | length == 5 and all(. > 100))'
  spots 0.004 1 | jq -e '.asked == 2'
  spots 0.02 1 | jq -e '.asked == 0 and .lengths == []'
}

@test "spot checks of a fixed number of requests go on, more and more rarely, until it is over, and no longer" {
  printf '%s\t/\t%s\n' 0.001 'Hello World!' >"$BATS_TEST_TMPDIR/answers.tsv"
  BASE_URL=$STUB scripts/probes/spot-checks.sh --until "$BATS_TEST_TMPDIR/over" "$BATS_TEST_TMPDIR/answers.tsv" 1 >"$BATS_TEST_TMPDIR/found" 3>&- &
  local checks=$!
  sleep 3.5 # as long as the load
  touch "$BATS_TEST_TMPDIR/over"
  wait "$checks"
  jq -e '.asked >= 4 and .asked <= 6 and .wrong == []' "$BATS_TEST_TMPDIR/found"
  # a moment that is far is not waited for
  rm "$BATS_TEST_TMPDIR/over"
  (sleep 1 && touch "$BATS_TEST_TMPDIR/over") 3>&- &
  BASE_URL=$STUB timeout 10 scripts/probes/spot-checks.sh --until "$BATS_TEST_TMPDIR/over" "$BATS_TEST_TMPDIR/answers.tsv" 3600 | jq -e '.asked == 0'
}

@test "spot checks find a target that knows wrk, one that redirects, and one that says nothing" {
  spots 0.001 1 choosy | jq -e '.wrong | length == 10 and all(. == {path: "/", status: 200, body: "?ello World!"})'
  BASE_URL=$STUB/choosy run scripts/probes/verify.sh pooled hello
  [ "$status" -eq 0 ]
  spots 0.001 1 moved | jq -e '.wrong | length >= 9 and all(.status == 302)' # the first request of all is answered well
  printf '0.001\t/\tHello World!\n' >"$BATS_TEST_TMPDIR/answers.tsv"
  BASE_URL=http://127.0.0.1:9 scripts/probes/spot-checks.sh "$BATS_TEST_TMPDIR/answers.tsv" 1 | jq -e '.asked == 10 and .unanswered == 10 and .wrong == []'
}

@test "spot checks of one path leave the others out, unless it was not verified" {
  printf '0.001\t/\tHello World!\n0.001\t/echo/a\t{"value":"a"}\n' >"$BATS_TEST_TMPDIR/answers.tsv"
  spot_checks() { BASE_URL=$STUB scripts/probes/spot-checks.sh --path "$1" "$BATS_TEST_TMPDIR/answers.tsv" 1 | jq -c '[.asked, .wrong, .lengths != null]'; }
  [ "$(spot_checks /)" = '[10,[],true]' ]
  [ "$(spot_checks /analytics)" = '[10,[],false]' ]
}

@test "spot checks find a target that is right once for each connection" {
  spots 0.001 1 tires | jq -e '.asked == 10 and (.wrong | length == 5)'
}

@test "the first byte that differs is shown" {
  right analytics 200 /analytics '[{"status":"F","year":1992,"orders":4,"total":"123.45"}]'
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused "pooled's answer to /analytics differs from SQL's from byte 37 on: expected '4,\"total\":\"123.45\"}]', got '3,\"total\""
}

@test "an answer that is too short or too long differs" {
  right hello 200 / 'Hello World!!'
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused "from byte 13 on: expected '!', got ''"
  right hello 200 / 'Hello'
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused "from byte 6 on: expected '', got ' World!'"
}

@test "a wrong status is shown, even with the right body" {
  BASE_URL=$STUB/missing run scripts/probes/verify.sh pooled
  refused 'with status 404, expected 200'
}

@test "a bad request must be refused, in the shape of an error" {
  right echo 400 /echo/%00 ''
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused '/echo/%00 with status 200, expected 400'
  right echo 404 /nope ''
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused '/nope has an unexpected shape: {"error":"no such route"}'
}

@test "SQL that fails, a target that is away, no database: one line each" {
  rm "$ANSWERS/hello.sql"
  BASE_URL=$STUB run scripts/probes/verify.sh pooled
  refused 'verify/hello.sql failed: cat:'
  right hello 200 / 'Hello World!'
  BASE_URL=http://127.0.0.1:1 run scripts/probes/verify.sh pooled
  refused 'pooled does not answer http://127.0.0.1:1/'
  BASE_URL=$STUB PGHOST='' run scripts/probes/verify.sh pooled
  refused 'PGHOST is not set'
}

@test "null and external need no database: status and shape" {
  PGHOST='' BASE_URL=$NULL_URL run scripts/probes/verify.sh null
  [[ $status -eq 0 && -z $output ]]
  PGHOST='' BASE_URL=$STUB run scripts/probes/verify.sh external hello echo analytics
  [[ $status -eq 0 && -z $output ]]
  PGHOST='' BASE_URL=$STUB/missing run scripts/probes/verify.sh external hello
  refused 'external answers'
  PGHOST='' BASE_URL=$STUB/counts run scripts/probes/verify.sh external hello
  refused "external's answer to / changes from one request to the next: Hello World! You are visitor 1."
}

@test "an answer that is not like the example is shown" {
  BASE_URL="$STUB/echo/x?" run scripts/probes/verify.sh external analytics
  refused "external's answer to /analytics has an unexpected shape: {\"value\":\"x?/analytics\"}"
  BASE_URL="$STUB/echo/x#" run scripts/probes/verify.sh external echo # it answers x, whatever is asked
  refused "does not repeat what was asked for: {\"value\":\"x\"}; expected {\"value\":\"a"
}

@test "the workloads of an API share its example; a workload without one is named" {
  BASE_URL=$STUB run scripts/probes/verify.sh external documents-insert
  refused 'external answers /collections/test/find?limit=1 with status 404'
  BASE_URL=$STUB run scripts/probes/verify.sh external echo-loud
  refused 'scripts/sql/verify/echo-loud.json is missing'
}

@test "a workload that was added by files alone is known to null and external" {
  local target
  for target in null external; do
    BASE_URL=$NULL_URL run "$COPY/scripts/probes/verify.sh" "$target" colours
    [[ $status -eq 0 && -z $output ]]
    BASE_URL=$STUB run "$COPY/scripts/probes/verify.sh" "$target"
    refused "$target answers /colours?first=2 with status 404"
  done
  BASE_URL=$NULL_URL run scripts/probes/verify.sh null colours
  refused 'scripts/sql/verify/colours.json is missing'
}

@test "an example that is damaged is named, in one line" {
  for text in '{"path": "/colours"}' '{"answer": 1}' '{"path": 1, "answer": 1}' '[' ''; do
    echo "$text" >"$COPY/scripts/sql/verify/damaged.json"
    run "$COPY/scripts/probes/verify.sh" null hello
    refused 'verify/damaged.json must be an object with a path and an answer'
  done
  rm "$COPY/scripts/sql/verify/damaged.json"
}

@test "an unknown target and no target are usage errors" {
  run scripts/probes/verify.sh nix
  [[ $status -eq 64 && $output == *'no such target: nix'* ]]
  run scripts/probes/verify.sh
  [[ $status -eq 64 ]]
}
