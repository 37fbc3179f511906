#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031 # a fault is of one test
# Two load generators in network namespaces of their own, which share a load, and each of their faults: the trial is judged, and the generator named.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  if ((EUID != 0)) || ! ip netns list >/dev/null 2>&1; then skip "only root, with ip, can make network namespaces"; fi
  private_postgres
  export STACK=external PGLAB_RESULTS=$BATS_FILE_TMPDIR/results ADDRESS=10.231.0.1
  ip address add "$ADDRESS/32" dev lo || skip "no address can be added here"
  for number in 1 2; do
    ip netns add "pglab-gen$number"
    ip link add "pglab-g$number" type veth peer name eth0 netns "pglab-gen$number"
    ip address add "10.231.$number.1/24" dev "pglab-g$number"
    ip link set "pglab-g$number" up
    ip -n "pglab-gen$number" address add "10.231.$number.2/24" dev eth0
    ip -n "pglab-gen$number" link set eth0 up
    ip -n "pglab-gen$number" route add default via "10.231.$number.1"
  done
  SERVER_PORT=$(free_port)
  export SERVER_PORT
  HOST=$ADDRESS PORT=$SERVER_PORT node apps/null/server.js 3>&- &
  echo "$!" >"$BATS_FILE_TMPDIR/server"
  until curl -fs -o /dev/null "http://$ADDRESS:$SERVER_PORT/"; do kill -0 "$(cat "$BATS_FILE_TMPDIR/server")"; done
}

teardown_file() {
  [[ -e ${BATS_FILE_TMPDIR:-}/server ]] || return 0
  kill "$(cat "$BATS_FILE_TMPDIR/server")"
  ip netns delete pglab-gen1
  ip netns delete pglab-gen2
  ip address delete "$ADDRESS/32" dev lo
  rm -rf "$PGLAB_DATA"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  export GENERATOR_1_VIA="ip netns exec pglab-gen1" GENERATOR_2_VIA="ip netns exec pglab-gen2"
}

SECOND='^bin/k6 .*duration=6s.*generator=2/2' # not that of the calibration

# measured: runs the experiment; TRIAL is its trial of two generators.
measured() {
  local code=0
  ./run-all-tests.sh tests/generators/two-generators.json --url "http://$ADDRESS:$SERVER_PORT" 3>&- || code=$?
  read_trial
  return "$code"
}

# read_trial: TRIAL is the trial of the newest run.
read_trial() {
  TRIAL=$(jq -c '[.cells[] | select(.calibration | not) | .trials[]][0]' "$(newest_run two-generators)/results.json")
  echo "$TRIAL"
}

# during COMMAND...: runs it two seconds into what is measured of an experiment that goes on beside it.
during() {
  measured >"$BATS_TEST_TMPDIR/log" 2>&1 &
  local driver=$!
  until pgrep -f "$SECOND" >/dev/null; do kill -0 "$driver" && sleep 0.1; done
  sleep 6 # into the window
  "$@"
  wait "$driver" || echo "exit $?"
  cat "$BATS_TEST_TMPDIR/log"
  read_trial
}

# told CHECK VERDICT TEXT: the trial has this reason, which says TEXT.
told() { jq -e --arg check "$1" --arg verdict "$2" --arg text "$3" 'any(.reasons[]; .check == $check and .verdict == $verdict and (.text | contains($text)))' <<<"$TRIAL"; }

# bats test_tags=quick
@test "without a fault: valid, each made half, and the network of each is its own" {
  measured
  jq -e '.verdict != "invalid" and all(.reasons[]; .check | startswith("generators") | not)' <<<"$TRIAL"
  jq -e '.generators | length == 2 and all(.share > 0.45 and .began_after_ms < 100 and (.clock_offset_ms | fabs) < 20 and .sent_bytes_per_s > 1000)
    and .[0].sent_bytes_per_s != .[1].sent_bytes_per_s' <<<"$TRIAL"
}

@test "a slow link: it makes less than its share" {
  tc qdisc add dev pglab-g2 root tbf rate 800kbit burst 4kb latency 50ms || skip "there is no token bucket filter here"
  run measured
  tc qdisc delete dev pglab-g2 root
  read_trial
  told generators_shared suspect "generator 2 made"
}

# bats test_tags=quick
@test "a clock that is 300 ms ahead" {
  GENERATOR_2_VIA="tests/generators/faulty.sh clock 300 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_clocks invalid "the clock of generator 2 was "
}

@test "a clock that is 60 ms behind" {
  GENERATOR_2_VIA="tests/generators/faulty.sh clock -60 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_clocks suspect "behind the driver"
}

@test "one that begins three seconds late" {
  GENERATOR_2_VIA="tests/generators/faulty.sh late 6 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_began invalid "generator 2 began"
}

stop_for_two_seconds() {
  local -a pids=()
  mapfile -t pids < <(pgrep -f "$SECOND")
  kill -STOP "${pids[@]}"
  sleep 2 # this is the fault
  kill -CONT "${pids[@]}"
}

@test "one that is stopped for two seconds" {
  during stop_for_two_seconds
  told stopped suspect "generator 2"
  jq -e 'all(.reasons[] | select(.check == "generators_shared"); .text | contains("generator 2 made"))' <<<"$TRIAL"
}

kill_second() { pkill -KILL -f "$SECOND"; }

# bats test_tags=quick
@test "one that is killed" {
  during kill_second
  told generators_ended invalid "generator 2 of 2 ended with exit status 137"
}

# bats test_tags=quick
@test "one whose clock cannot be read, as something else is said there" {
  GENERATOR_2_VIA="tests/generators/faulty.sh greets 0 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_clocks suspect "the clock of generator 2 could not be read"
}

@test "one whose clock is asked over a connection that hangs: the run goes on" {
  GENERATOR_2_VIA="tests/generators/faulty.sh hangs 600 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_clocks suspect "the clock of generator 2 could not be read"
}

@test "one that needs all of the only core that it has" {
  GENERATOR_2_VIA="taskset -c 0 tests/generators/faulty.sh busy 13 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_cpu suspect "generator 2 used"
}

# bats test_tags=quick
@test "one that leaves a file without an end" {
  GENERATOR_2_VIA="tests/generators/faulty.sh cut 1 $GENERATOR_2_VIA"
  run measured
  read_trial
  told generators_ended invalid "what generator 2 of 2 measured is not whole"
}

@test "as many as raise the ceiling, with --generators auto" {
  local sized
  unset GENERATOR_1_VIA GENERATOR_2_VIA
  jq '.name = "sized" | del(.cells[].generators)' tests/generators/two-generators.json >"$BATS_TEST_TMPDIR/sized.json"
  whole_run "$BATS_TEST_TMPDIR/sized.json" --generators auto --url "http://$ADDRESS:$SERVER_PORT"
  # a second one was tried where there are two cores, against the responder that does nothing
  sized=$(jq .generators.at_most "$WHOLE_RUN/options.json")
  jq -e -s --argjson sized "$sized" --argjson cores "$(nproc)" 'map(.cell | select(.target == "null") | .generators // 1) | unique == [range(1; ([$sized + 1, $cores] | min) + 1)]' \
    "$WHOLE_RUN"/sizing/cells/*/*/summary.json
  jq -e --argjson sized "$sized" '[.cells[].trials[] | .generators // [1] | length] | unique == [$sized]' "$WHOLE_RUN/results.json"
}
