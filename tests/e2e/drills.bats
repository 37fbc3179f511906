#!/usr/bin/env bats
# One run at a time, and no orphans: drivers that are killed at every phase of a real run, alone and with their guards; runs that want the
# same ports, and runs that do not. Processes are known by pid and start time, phases by what the run writes.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  [ -d /proc/self ] || skip "processes are looked for in /proc"
  source tests/lib/postgres.bash
  private_postgres
  export STACK=local PGLAB_RESULTS=$PGLAB_DATA/runs
}

teardown_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  [[ -n ${PGLAB_DATA:-} ]] || return 0
  scripts/stack.sh down
  rm -rf "$PGLAB_DATA"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source scripts/lib/common.bash
  source scripts/lib/process.bash
  source tests/lib/ours.bash
  source tests/lib/postgres.bash
  source tests/lib/copy.bash
  MARK=$BATS_TEST_NUMBER.$$ LOG=$BATS_TEST_TMPDIR/log
  export TARGETS=pooled
}

# A test that fails leaves its driver.
teardown() {
  if [[ -n ${DRIVER:-} ]] && kill "$DRIVER" 2>/dev/null; then
    wait "$DRIVER" || echo "stopped the driver"
  fi
}

# drive ARGUMENT...: starts the driver in the background; sets DRIVER.
drive() {
  marked ./run-all-tests.sh "$@" >>"$LOG" 2>&1 3>&- &
  DRIVER=$!
}

# reached PHASE: returns as soon as the driver is there.
reached() {
  local deadline=$((SECONDS + 120))
  until "$1"; do
    if ((SECONDS >= deadline)) || ! process_started "$DRIVER" >/dev/null; then
      echo "$1 was not reached"
      cat "$LOG"
      return 1
    fi
    sleep 0.02
  done
}

# The trial of RUN that is no calibration, and its files.
cell() { echo "$RUN"/cells/01/tpch@*; }
there() { [ -e "$(cell)/$1" ]; }

set_up_waits() { ours | grep -q 'flock 9'; }
loading() { ours | grep -q tpchgen-cli; }
warming_up() { there warmup.log && ! there counters-before.json; }
in_trial() { [ "$(jq -r .cell "$PGLAB_DATA/stack/watch/cell.json" 2>/dev/null)" = "$(cell)" ]; }
collecting() { there status.json && ! there summary.json; }
reporting() { ours | grep -q scripts/report/main.js; }

# kill_all PID...: SIGKILL, at once
kill_all() {
  kill -KILL "$@"
  wait "$DRIVER" || [ "$?" -eq 137 ]
}

# killed_in PHASE: kills the driver there; nothing of its own is left.
killed_in() {
  local before
  reached "$1"
  before=$(ours)
  kill_all "$DRIVER"
  nothing_left "$before"
}

# goes_on: --resume, at once, makes the whole of RUN.
goes_on() {
  run ./run-all-tests.sh --resume "$RUN" 3>&-
  echo "$output"
  [ "$status" -eq 0 ]
  whole "$RUN"
}

# unmeasured: prints a run that has all but its trial, for less waiting.
unmeasured() {
  local copy
  [ -e "$BATS_FILE_TMPDIR/whole" ] || PGLAB_RESULTS=$BATS_FILE_TMPDIR/new ./run-all-tests.sh tests/e2e/drill.json >&2 3>&-
  [ -e "$BATS_FILE_TMPDIR/whole" ] || mv "$BATS_FILE_TMPDIR"/new/* "$BATS_FILE_TMPDIR/whole"
  copy=$(mktemp -d "$PGLAB_DATA/runs.XXXXXX")/drill-$BATS_TEST_NUMBER
  cp -r "$BATS_FILE_TMPDIR/whole" "$copy"
  rm -r "$copy"/{cells/01/tpch@*,results.*,report.*}
  printf '%s\n' "$copy"
}

# noted KEY: prints what the record of DRIVER says.
noted() { sed -n "s/^$1=//p" /tmp/pglab-locks/"$DRIVER"-*.run; }

# whole RUN: it has the cells that were planned, each with a verdict.
whole() {
  diff <(jq -c '[.groups[].cells[] | [.block, .id]] | sort' "$1/plan.json") \
    <(jq -c '[.cells[] | .id as $id | .trials[] | select(.verdict | IN("valid", "suspect")) | [.block, $id]] | sort' "$1/results.json")
  [ "$(jq '.cells | length' "$1/results.json")" -eq 2 ]
}

@test "killed in set-up: nothing is left" {
  exec 8>.tools/setup.lock
  flock 8
  drive tests/e2e/drill.json
  killed_in set_up_waits 8>&-
  exec 8>&-
  [ ! -e "$PGLAB_RESULTS" ]
}

@test "the command again at once, killed while the data is loaded: --resume loads it anew and makes the whole run" {
  drive tests/e2e/drill.json
  killed_in loading
  RUN=$(echo "$PGLAB_RESULTS"/*)
  goes_on
  cp -r "$RUN" "$BATS_FILE_TMPDIR/whole"
}

@test "killed in the warm-up" {
  RUN=$(unmeasured)
  drive --resume "$RUN"
  killed_in warming_up
  goes_on
}

# bats test_tags=quick
@test "killed in the trial" {
  RUN=$(unmeasured)
  drive --resume "$RUN"
  killed_in in_trial
  goes_on
}

@test "killed while a trial is collected; resumed at once and killed in the report" {
  RUN=$(unmeasured)
  drive --resume "$RUN"
  killed_in collecting
  drive --resume "$RUN"
  killed_in reporting
  goes_on
}

@test "killed together with its guard: the next command says so and clears what they left, and --resume makes the whole run" {
  local before
  RUN=$(unmeasured)
  drive --resume "$RUN"
  reached in_trial
  before=$(ours)
  kill_all "$DRIVER" "$(noted guard)"
  [[ $(still "$before") == *wrk* ]]
  goes_on
  [[ $output == *"run $(basename "$RUN") (pid $DRIVER) ended without cleaning up"* ]]
  nothing_left "$before"
}

@test "the same, cleared by stack.sh down; a pid that was given to another program is left alone" {
  local before record kept stranger
  RUN=$(unmeasured)
  drive --resume "$RUN"
  reached in_trial
  before=$(ours)
  record=$(echo /tmp/pglab-locks/"$DRIVER"-*.run)
  kept=$(cat "$record")
  cp -r "$PGLAB_DATA/stack" "$BATS_TEST_TMPDIR/stack"
  kill_all "$DRIVER" "$(noted guard)"
  scripts/stack.sh down
  nothing_left "$before"

  setsid sleep 60 3>&- &
  stranger=$!
  process_started "$stranger"
  sed -E "s/^(stage|guard|pid)=.*/\1=$stranger/" <<<"$kept" >"$record"
  cp "$BATS_TEST_TMPDIR/stack"/{order,target.port} "$PGLAB_DATA/stack"
  sed "s/^[0-9]*/$stranger/" "$BATS_TEST_TMPDIR/stack/target.pid" >"$PGLAB_DATA/stack/target.pid"
  run scripts/stack.sh down
  [ "$status" -eq 0 ]
  [[ $output == *"ended without cleaning up"* ]]
  [ ! -e "$record" ]
  [ "$(scripts/stack.sh status)" = "{}" ]
  kill "$stranger"
}

in_any_trial() { [ -e "$PGLAB_DATA/stack/watch/cell.json" ]; }

@test "a suite that is killed, alone and with its guard: its experiment, which has a driver and a guard of its own, ends too" {
  local before
  jq -n --arg file "$PWD/tests/e2e/drill.json" '{name: "one", why: "Does it end?", experiments: [$file]}' >"$BATS_TEST_TMPDIR/one.json"
  drive "$BATS_TEST_TMPDIR/one.json"
  killed_in in_any_trial
  drive "$BATS_TEST_TMPDIR/one.json"
  reached in_any_trial
  before=$(ours)
  kill_all "$DRIVER" "$(noted guard)"
  run scripts/stack.sh down
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"-one (pid $DRIVER) ended without cleaning up"* ]]
  nothing_left "$before"
  jq -e --arg clone "$PWD" 'all(.beside[]; .clone != $clone)' "$PGLAB_RESULTS"/*-one/*/environment.json
}

@test "a sampler that is killed is said, and started again for the next trial" {
  local code=0
  RUN=$(unmeasured)
  rm -r "$RUN"/cells/01/none.*
  drive --resume "$RUN"
  reached in_any_trial
  kill -KILL "$(ours | awk '/sampler\/main.js/ { print $1 }')"
  wait "$DRIVER" || code=$?
  cat "$LOG"
  [ "$code" -eq 0 ]
  grep -q '^warning: the sampler ended too early' "$LOG"
  jq -e '.resources.roles | .generator.cpu_cores > 0 and .target.cpu_cores > 0' "$(cell)/summary.json"
}

@test "a stage that is killed: exit 2, and nothing of it is left" {
  local before code=0
  RUN=$(unmeasured)
  drive --resume "$RUN"
  reached in_trial
  before=$(ours)
  kill -KILL "$(noted stage)"
  wait "$DRIVER" || code=$?
  [ "$code" -eq 2 ]
  grep -q '^error: .*/measure.sh was killed' "$LOG"
  nothing_left "$before"
}

# bats test_tags=quick
@test "two runs at once: the second is refused at once, a third waits with --wait, and the first is not disturbed" {
  local waiting third code=0
  RUN=$(unmeasured)
  third=$(unmeasured)
  drive --resume "$RUN"
  reached warming_up
  run ./run-all-tests.sh tests/e2e/drill.json 3>&-
  echo "$output"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output =~ ^error:\ port\ [0-9]+\ is\ in\ use\ by\ run\ $(basename "$RUN")\ of\ $PWD\ \(pid\ $DRIVER,\ since\ 20[0-9T:.-]+Z,\ about\ [0-9]+\ s\ in\ all\): ]]
  ./run-all-tests.sh --resume "$third" --wait >"$BATS_TEST_TMPDIR/third" 2>&1 3>&- &
  waiting=$!
  wait "$DRIVER" || code=$?
  [ "$code" -eq 0 ]
  whole "$RUN"
  wait "$waiting" || code=$?
  cat "$BATS_TEST_TMPDIR/third"
  [ "$code" -eq 0 ]
  whole "$third"
  [ "$(grep -c "^waiting for run $(basename "$RUN") of" "$BATS_TEST_TMPDIR/third")" -eq 1 ]
}

@test "a clone with ports and data of its own runs beside, and both say so in environment.json" {
  local clone=$PGLAB_DATA/clone other code=0
  RUN=$(unmeasured)
  mkdir "$clone"
  copy_repository "$clone"
  mkdir "$clone/.data"
  cp -a "$PGLAB_DATA"/{credentials.env,tpch-single} "$clone/.data"
  (
    other=$BATS_TEST_TMPDIR/other
    private_ports
    PGLAB_DATA=$clone/.data PGLAB_RESULTS=$clone/runs exec "$clone/run-all-tests.sh" tests/e2e/drill.json >"$other" 2>&1 3>&-
  ) &
  other=$!
  drive --resume "$RUN"
  wait "$DRIVER" || code=$?
  cat "$LOG"
  [ "$code" -eq 0 ]
  wait "$other" || code=$?
  cat "$BATS_TEST_TMPDIR/other"
  [ "$code" -eq 0 ]
  jq -ce --arg clone "$clone" '.beside[] | select(.clone == $clone and (.run | test("drill")) and .pid > 1 and (.since | test("Z$")))' "$RUN/environment.json"
  jq -ce --arg clone "$PWD" --arg run "$(basename "$RUN")" '.beside[] | select(.clone == $clone and .run == $run)' "$clone"/runs/*/environment.json
}

# bats test_tags=quick
@test "a target that is up by hand: a run is refused, and the line says how to stop it" {
  local before pid
  POOL_SIZE=3 SCALE=0.01 scripts/stack.sh up pooled 3>&-
  [ "$(curl -fsS "http://127.0.0.1:$TARGET_PORT/stats" | jq .pool.total)" -eq 3 ]
  pid=$(scripts/stack.sh status | jq .target.pid)
  scripts/stack.sh check
  run ./run-all-tests.sh tests/e2e/drill.json 3>&-
  echo "$output"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"is in use by target pooled by hand"*"stop it with scripts/stack.sh down" ]]
  [ "$(scripts/stack.sh status | jq -c '.target | [.pid, .alive]')" = "[$pid,true]" ]
  scripts/stack.sh down
  [ -z "$(with "$PGLAB_DATA/" cmdline)" ]
  run process_started "$pid"
  [ "$status" -eq 1 ]
  run scripts/stack.sh check
  [ "$status" -eq 2 ]
  [[ $output == *"nothing is up: scripts/stack.sh up TARGET" ]]
  SCALE=0.01 scripts/stack.sh up postgres 3>&- # which has no process of a target's
  [ "$(scripts/stack.sh status)" = '{}' ]
  scripts/stack.sh check
  scripts/stack.sh down
}

@test "a target that is brought up by hand, killed while its data is loaded: nothing is left" {
  rm -rf "$PGLAB_DATA/tpch-single"
  SCALE=0.01 marked scripts/stack.sh up pooled >"$LOG" 2>&1 3>&- &
  DRIVER=$!
  killed_in loading
  [ "$(scripts/stack.sh status)" = "{}" ]
}
