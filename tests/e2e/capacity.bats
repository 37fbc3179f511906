#!/usr/bin/env bats
# Real searches for capacities, of responders whose capacity is known.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  source tests/lib/whole-run.bash
  private_ports
  export STACK=external PGLAB_RESULTS=$BATS_TEST_TMPDIR/results
}

teardown() {
  [[ -z ${RESPONDER:-} ]] || kill "$RESPONDER"
  [[ -z ${OTHER:-} ]] || kill "$OTHER"
}

# responder PLACES SERVICE_MS KIND
responder() {
  PORT=$(free_port)
  node tests/lib/places.js "$PORT" "$@" 3>&- &
  RESPONDER=$!
  until curl -fs -o /dev/null "http://127.0.0.1:$PORT/"; do kill -0 "$RESPONDER"; done
}

# search [OPTION]...: looks for its capacity. searched [OPTION]...: does so, in a run without an invalid trial. found: CAPACITY is what was.
search() { ./run-all-tests.sh tests/capacity/places.json --url "http://127.0.0.1:$PORT" "$@" 3>&-; }
searched() { search "$@" && found; }
found() {
  CAPACITY=$(jq -c '.capacities[0]' "$(newest_run places)/results.json")
  jq -c '.answer, (.trials[] | [.capacity, .kind, .why, (.probes | length)])' <<<"$CAPACITY"
}

# near RATE: the answer is within 5 % of it.
near() { jq -e --argjson rate "$1" '.answer | .kind == "rate" and (.rate / $rate | . > 0.95 and . < 1.05)' <<<"$CAPACITY"; }

@test "four places of 10 ms each: 400 requests per second, also beside what overload leaves behind" {
  responder 4 10 fixed
  searched --blocks 1
  near "$(node tests/capacity/theory.js 4 10 fixed 60)"
  jq -e 'all(.trials[]; (.probes | length <= 14) and .unseen_share > 0 and .unseen_share < 0.04)' <<<"$CAPACITY"
  jq -e '.overload | .good_rps > 380 and .good_rps < 420 and .normal_after_s <= 8' <<<"$CAPACITY"
}

@test "one place of 8 ms" {
  responder 1 8 fixed
  searched --blocks 1
  near "$(node tests/capacity/theory.js 1 8 fixed 60)"
}

@test "one place of 5 ms on average, exponential" {
  responder 1 5 exponential
  searched
  near "$(node tests/capacity/theory.js 1 5 exponential 60)"
}

@test "users who think for a second, one place of 5 ms on average: as many as the machine repairman serves, and as Little's law says" {
  responder 1 5 exponential
  run -0 searched --think 1s
  grep -E 'external at [0-9]+ users: [0-9.,]+ answers/s, p95 [0-9.]+ ms' <<<"$output"
  jq -e --argjson users "$(node tests/capacity/theory.js 1 5 exponential 60 1000)" '.capacities[] | select(.model == "closed")
    | .think_s == 1 and .answer.kind == "rate" and (.answer.rate / $users | . > 0.95 and . < 1.05)
      and all(.trials[].probes[].reasons[]; .check != "littles_law" and .check != "ramp") and (.littles_law.users / .answer.rate | . > 1 and . < 1.25)' "$(newest_run places)/results.json"
}

@test "users who think between iterations of three requests: neither too many nor too few think, and as many are found as Little's law says" {
  responder 1 5 exponential
  # shellcheck disable=SC2016 # JavaScript expands it
  printf '%s\n' "import http from 'k6/http';" 'export default function () {' '  for (let i = 0; i < 3; i += 1) http.get(`${__ENV.BASE_URL}/`);' '}' >"$BATS_TEST_TMPDIR/three.js"
  searched --blocks 1 --think 1s --script "$BATS_TEST_TMPDIR/three.js" --objective 'p95<100ms'
  jq -e '.capacities[] | select(.model == "closed") | .iteration_requests == 3 and .answer.kind == "rate"
    and all(.trials[].probes[].reasons[]; .check != "littles_law") and any(.trials[].probes[]; .p95_us > 0)
    and (.littles_law.users / .answer.rate | . > 0.8 and . < 1.25)' "$(newest_run places)/results.json"
}

@test "one that refuses whom it has no place for: its search begins where the closed load got right answers, though that trial is invalid" {
  responder 4 10 refuses
  run -1 search --blocks 1 --objective 'p95<60ms, errors<1%'
  found
  jq -e '.trials[0].start > 100' <<<"$CAPACITY"
  # what the machine does to arrivals may make it refuse some at any rate near 400, and so spend all probes: then it is at least what held
  jq -e '.answer | (.kind == "rate" or (.kind == "at least" and .why == "probes")) and .rate > 100 and .rate < 420' <<<"$CAPACITY"
  jq -e 'any(.cells[]; (.calibration | not) and .model == "closed" and .trials[0].verdict == "invalid")' "$(newest_run places)/results.json"
}

@test "one that breaks off above its limit: what failed in the lead-in, too, has failed" {
  responder 4 10 breaks
  search --blocks 1 --objective 'p95<60ms, errors<1%' || [ "$?" -eq 1 ]
  found
  jq -e '.answer.rate > 200 and .answer.rate < 420' <<<"$CAPACITY"
  jq -e '[.trials[].probes[] | select(.errors > 0.05 * .samples)] | length > 0 and all(.outcome == "failed")' <<<"$CAPACITY"
}

@test "one that stays slow once it was overloaded is not credited with what it took before" {
  responder 4 10 tires
  search --blocks 1 || [ "$?" -eq 1 ] # not known, where disturbed probes spent what there was
  found
  jq -e '.answer | .kind == "unknown" or (.rate > 100 and .rate < 210)' <<<"$CAPACITY"
  jq -e '.answer | .kind == "unknown" and .why != "overload"' <<<"$CAPACITY" ||
    grep -q 'held at first and not later\|was not seen to hold afterwards' "$(newest_run places)/report.md"
}

# another_run: begins once the first probe is planned, on ports and data of its own, and measures nothing.
another_run() {
  until compgen -G "$PGLAB_RESULTS/*/capacity/*/plan.json" >/dev/null; do sleep 0.2; done
  private_ports
  PGLAB_DATA=$BATS_TEST_TMPDIR/other exec tests/lib/holder.sh another refuse sleep 900
}

@test "not at any rate, where a single request takes too long; a run that began between its probes is told" {
  responder 4 80 fixed
  another_run 3>&- &
  OTHER=$!
  run -1 --separate-stderr search --blocks 1
  found
  jq -e '.answer.kind == "none"' <<<"$CAPACITY"
  grep -q 'at any rate that was tried' "$(newest_run places)/report.md"
  grep -q 'Measured while [0-9]* other pglab runs* used the same machine (.*another' "$(newest_run places)/report.md"
}

# bats test_tags=quick
@test "an objective that does not parse, or where nothing is looked for, is refused in one line" {
  run -64 ./run-all-tests.sh capacity --objective 'p95<fast' --stack local
  [[ ${lines[-1]} == *'the limit of p95 is a number of us, ms or s'* ]]
  run -64 ./run-all-tests.sh baseline --objective 'p95<50ms' --stack local
  [[ ${lines[-1]} == *'looks for no capacity'* ]]
}
