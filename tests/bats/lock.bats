#!/usr/bin/env bats
# The locks of a run and its guard, with a command in the place of a run: who is refused, who waits, what is left of a holder that was
# killed, and what is not touched. Real runs: tests/e2e/drills.bats.

# shellcheck disable=SC2030,SC2031 # what a test sets is its own
setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  [ -d /proc/self ] || skip "processes are looked for in /proc"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source scripts/lib/common.bash
  source scripts/lib/process.bash
  source tests/lib/ours.bash
  source tests/lib/postgres.bash
  private_ports
  export PGLAB_DATA=$BATS_TEST_TMPDIR/data
  mkdir "$PGLAB_DATA"
  MARK=$BATS_TEST_NUMBER.$$
}

teardown() {
  local pid
  for pid in $(ours | cut -d ' ' -f 1); do
    kill -KILL "$pid" || echo "$pid has ended"
  done
  grep -lsxF "data=$PGLAB_DATA" /tmp/pglab-locks/*.run | xargs -r rm
}

# other_ports: none of those that were given before.
other_ports() {
  TARGET_PORT=$((TARGET_PORT + 10000)) NULL_PORT=$((NULL_PORT + 10000)) CUBE_PORT=$((CUBE_PORT + 10000)) PG_PORT=$((PG_PORT + 10000))
  STANDBY_PORTS="$((${STANDBY_PORTS% *} + 10000)) $((${STANDBY_PORTS#* } + 10000))"
}

# hold NAME HOW COMMAND...: starts a holder in the background, as $NAME.pid and $NAME.log; returns when its command runs.
hold() {
  marked tests/lib/holder.sh "$@" >"$BATS_TEST_TMPDIR/$1.log" 2>&1 3>&- &
  printf '%s\n' "$!" >"$BATS_TEST_TMPDIR/$1.pid"
  until_true runs "$1"
}

runs() { logged "$1" held && [ -n "$(noted "$1" stage)" ]; }

# expect NAME HOW [COMMAND...]: the same to its end.
expect() {
  run env DRILL_MARK="$MARK" tests/lib/holder.sh "$@" 3>&-
  echo "$output"
}

logged() { grep -q "$2" "$BATS_TEST_TMPDIR/$1.log"; }
pid_of() { cat "$BATS_TEST_TMPDIR/$1.pid"; }
record_of() { echo /tmp/pglab-locks/"$(pid_of "$1")"-*.run; }
noted() { sed -n "s/^$2=//p" "$(record_of "$1")"; }
ended() { ! process_started "$1" >/dev/null; }
ours_end() { [ -z "$(ours)" ]; }

@test "a second run is refused at once, in one line that says who, where, since when and for how long; the first goes on" {
  hold first refuse sleep 60
  local started=$SECONDS
  expect second refuse
  [ "$status" -eq 2 ]
  ((SECONDS - started < 30)) # not the first's minute
  [ "${#lines[@]}" -eq 1 ]
  [[ $output =~ ^error:\ port\ [0-9]+\ is\ in\ use\ by\ run\ first\ of\ $PWD\ \(pid\ $(pid_of first),\ since\ 20[0-9]{2}-[0-9:T.-]+Z,\ about\ 10\ min\ in\ all\):\ wait\ for\ it\ with\ --wait, ]]
  process_started "$(pid_of first)"
  kill "$(pid_of first)"
  until_true ours_end
  expect second refuse
  [ "$output" = held ]
}

@test "a run's database is left alone by hand; not as a part of the run, and not when it has ended" {
  PGLAB_DATA=$(mktemp -d)
  chmod 755 "$PGLAB_DATA" # for the server's user
  hold first refuse sleep 60
  run scripts/database.sh down
  [ "$status" -eq 2 ]
  [[ $output =~ ^error:\ .*\ is\ in\ use\ by\ run\ first\ \(pid\ $(pid_of first),\ since\ .*\):\ wait\ until\ it\ has\ ended$ ]]
  run scripts/database.sh up tpch --scale 0.01
  [ "$status" -eq 2 ]
  PGLAB_LOCK=$(record_of first) scripts/database.sh down
  kill "$(pid_of first)"
  until_true ours_end
  LOCK_RUN=$BATS_TEST_TMPDIR hold report share sleep 60 # measures nothing
  scripts/database.sh down
  kill "$(pid_of report)"
  until_true ours_end
  rm -r "$PGLAB_DATA"
}

@test "one port, or the data alone, is enough to be refused; with neither in common both run, and each knows of the other" {
  hold first refuse sleep 60
  local mine=$PGLAB_DATA data
  PGLAB_DATA=$BATS_TEST_TMPDIR/other NULL_PORT=1 CUBE_PORT=2 PG_PORT=3 STANDBY_PORTS=4 expect second refuse
  [[ $status -eq 2 && $output == *"port $TARGET_PORT is in use"* ]]
  PGLAB_DATA=$BATS_TEST_TMPDIR/other TARGET_PORT=1 NULL_PORT=2 CUBE_PORT=3 PG_PORT=4 STANDBY_PORTS="5 $(cut -d ' ' -f 2 <<<"$STANDBY_PORTS")" expect second refuse
  [ "$status" -eq 2 ]
  ln -s "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/link"
  for data in "$mine" "$BATS_TEST_TMPDIR/link/data"; do
    PGLAB_DATA=$data TARGET_PORT=1 NULL_PORT=2 CUBE_PORT=3 PG_PORT=4 STANDBY_PORTS=5 expect second refuse
    [[ $status -eq 2 && $output == *"data $mine is in use"* ]]
  done
  other_ports
  PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second refuse bash -c 'source scripts/lib/common.bash; source scripts/lib/stack.bash; source scripts/lib/lock.bash; lock_beside'
  [ "$status" -eq 0 ]
  jq -e --arg clone "$PWD" --argjson pid "$(pid_of first)" 'any(.[]; .clone == $clone and .run == "first" and .pid == $pid and (.since | fromdateiso8601? // test("Z$"))) and all(.[]; .run != "second")' \
    <<<"${output#held}"
}

@test "one folder of a run is measured by one driver at a time, whatever its ports and data" {
  LOCK_RUN=$BATS_TEST_TMPDIR/a=b hold first refuse sleep 60
  other_ports
  LOCK_RUN=$BATS_TEST_TMPDIR/a=b PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second refuse
  [[ $status -eq 2 && $output == *"run $BATS_TEST_TMPDIR/a=b is in use"* ]]
}

@test "a run that is new locks its folder too: neither goes another on with it, nor is it analysed meanwhile" {
  mkdir "$BATS_TEST_TMPDIR/results"
  NEW_RUN=$BATS_TEST_TMPDIR/results hold first refuse sleep 60
  until_true grep -q "|run $BATS_TEST_TMPDIR/results" "$(record_of first)"
  other_ports
  for how in refuse share; do
    LOCK_RUN=$BATS_TEST_TMPDIR/results PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second "$how"
    [ "$status" -eq 2 ]
    [[ $output == *"run $BATS_TEST_TMPDIR/results is in use by run first of "*"): wait until it has ended" ]]
  done
  PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second share true
  [ "$status" -eq 0 ]
}

@test "data in a folder whose name ends in =: what a killed holder and guard left is stopped" {
  local data=$BATS_TEST_TMPDIR/x=
  mkdir "$data"
  PGLAB_DATA=$data hold first refuse sleep 60
  kill -KILL "$(noted first guard)" "$(pid_of first)"
  PGLAB_DATA=$data expect second refuse
  [[ $status -eq 0 && $output == *"stopping what it left"* ]]
}

@test "ports are numbers, and different ones" {
  TARGET_PORT=70000 expect first refuse
  [[ $status -eq 64 && $output == *"TARGET_PORT is 70000: must be the number of a port"* ]]
  NULL_PORT=$TARGET_PORT expect first refuse
  [[ $status -eq 64 && $output == *"another of our ports is the same"* ]]
}

@test "under the docker stack two clones share the engine: the project of the containers is locked too" {
  STACK=docker COMPOSE_PROJECT_NAME=pglab-lock-test hold first refuse sleep 60
  other_ports
  PGLAB_DATA=$BATS_TEST_TMPDIR/other STACK=docker COMPOSE_PROJECT_NAME=pglab-lock-test expect second refuse
  [[ $status -eq 2 && $output == *"project pglab-lock-test is in use"* ]]
  PGLAB_DATA=$BATS_TEST_TMPDIR/other STACK=docker COMPOSE_PROJECT_NAME=pglab-lock-other expect second refuse
  [ "$status" -eq 0 ]
}

@test "a context may be named like a path, and its namespace is locked" {
  export STACK=kubernetes KUBE_CONTEXT=arn:aws:eks:eu-west-1:1:cluster/lab
  hold first refuse sleep 60
  PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second refuse
  [[ $status -eq 2 && $output == *"namespace $KUBE_CONTEXT pglab is in use"* ]]
}

@test "a stage that reads its input is at the end of it, also where the run was typed in a terminal" {
  run timeout 20 script -qec "env DRILL_MARK=$MARK tests/lib/holder.sh first refuse cat" /dev/null 3>&-
  [ "$status" -eq 0 ]
  [[ $output == held* ]]
}

@test "--wait: one line, and it goes on when the first has ended; a waiter that is killed leaves nothing" {
  hold first refuse sleep 60
  marked tests/lib/holder.sh second wait >"$BATS_TEST_TMPDIR/second.log" 2>&1 3>&- &
  local waiter=$!
  until_true logged second '^waiting for run first of'
  marked tests/lib/holder.sh third wait >"$BATS_TEST_TMPDIR/third.log" 2>&1 3>&- &
  local killed=$!
  until_true logged third '^waiting for run first of'
  kill -KILL "$killed"
  until_true eval '! ours | grep -q "run third"'
  kill "$(pid_of first)"
  wait "$waiter"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/second.log")" -eq 2 ]
  logged second '^held'
}

@test "SIGKILL of the holder: its command, and what that has started, end; the locks are free" {
  hold first refuse bash -c 'sleep 60 & sleep 61 & wait'
  until_true eval 'ours | grep -q "sleep 61"'
  kill -KILL "$(pid_of first)"
  until_true ours_end
  expect second refuse
  [ "$output" = held ]
}

# shellcheck disable=SC2016 # the stage expands it
@test "SIGKILL of the holder: jobs of its stage, which have groups of their own, end too" {
  hold first refuse bash -c 'source scripts/lib/common.bash; source scripts/lib/jobs.bash
    trap jobs_stop EXIT; slow() { sleep 63; }; job one; jobs_run "$PGLAB_DATA/jobs" 1 slow'
  until_true eval 'ours | grep -q "sleep 63"'
  kill -KILL "$(pid_of first)"
  until_true ours_end
}

@test "no child holds a lock or the guard's pipe: one that leaves its group holds nobody up" {
  hold first refuse bash -c 'setsid sleep 60 & wait'
  until_true eval 'ours | grep -q " sleep 60"'
  local pid
  pid=$(ours | grep ' sleep 60' | cut -d ' ' -f 1)
  [ -z "$(find "/proc/$pid/fd" -lname '*pglab-locks*')" ]
  kill -KILL "$(pid_of first)"
  until_true eval '! ours | grep -q guard.sh'
  expect second refuse
  [ "$output" = held ]
}

@test "after SIGKILL the next run waits, with one line, until the guard has cleaned up" {
  hold first refuse bash -c 'trap "sleep 8; exit" TERM; sleep 60 & wait'
  until_true eval 'ours | grep -q " sleep 60 $"'
  kill -KILL "$(pid_of first)"
  expect second refuse
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "waiting until what run first (pid $(pid_of first)) left behind is stopped" ]
  [ "${lines[1]}" = held ]
  [ "${#lines[@]}" -eq 2 ]
}

@test "a command that is deaf to SIGTERM is killed" {
  hold first refuse bash -c 'trap "" TERM; sleep 60'
  until_true eval 'ours | grep -q "sleep 60"'
  kill "$(pid_of first)"
  local deadline=$((SECONDS + 25))
  until ours_end; do
    ((SECONDS < deadline))
    sleep 0.2
  done
}

@test "holder and guard killed together: the next run says so, stops what they left, and goes on" {
  hold first refuse sleep 60
  kill -KILL "$(pid_of first)" "$(noted first guard)"
  until_true ended "$(pid_of first)"
  ours | grep ' sleep 60'
  expect second refuse
  [ "$status" -eq 0 ]
  [ "${lines[0]}" = "run first (pid $(pid_of first)) ended without cleaning up: stopping what it left" ]
  [ "${#lines[@]}" -eq 2 ]
  ours_end
}

@test "the same, but its pids are other programs' now: those are left alone" {
  hold first refuse sleep 60
  local record stranger stage
  record=$(record_of first) stage=$(noted first stage)
  kill -KILL "$(pid_of first)" "$(noted first guard)"
  setsid sleep 62 3>&- &
  stranger=$!
  sed -i -E "s/^(pid|guard|stage)=.*/\1=$stranger/" "$record"
  expect second refuse
  [ "$status" -eq 0 ]
  [[ $output == *"ended without cleaning up"* ]]
  process_started "$stranger"
  process_started "$stage" # it was no longer named
  kill "$stranger" "$stage"
}

@test "what was left on other data is not touched, but its lock is taken over, with a line" {
  hold first refuse sleep 60
  local stage
  stage=$(noted first stage)
  kill -KILL "$(pid_of first)" "$(noted first guard)"
  until_true ended "$(pid_of first)"
  PGLAB_DATA=$BATS_TEST_TMPDIR/other expect second refuse
  [ "$status" -eq 0 ]
  [[ ${lines[0]} == "run first (pid $(pid_of first)) ended without cleaning up: taking over; to stop what it left: PGLAB_DATA=$PGLAB_DATA scripts/stack.sh down" ]]
  process_started "$stage"
  expect second refuse
  [[ ${lines[0]} == *"stopping what it left" ]]
  ended "$stage"
  [ ! -e "$(record_of first)" ]
}

@test "the guard alone killed: nobody else gets in while the holder lives, and the holder still stops what it started" {
  hold first refuse sleep 60
  kill -KILL "$(noted first guard)"
  until_true ended "$(noted first guard)"
  expect second refuse
  [[ $status -eq 2 && $output == *"is in use by run first"* ]]
  kill "$(pid_of first)"
  until_true ours_end
  [ ! -e "$(record_of first)" ]
}

@test "a stage that is killed is told, as a failure of the harness" {
  hold first refuse bash -c 'sleep 60 & wait'
  kill -KILL "$(noted first stage)"
  local code=0
  wait "$(pid_of first)" || code=$?
  [ "$code" -eq 2 ]
  logged first '^error: bash was killed (exit status 137)$'
  ours_end
}

# shellcheck disable=SC2016 # the stage expands it
@test "a stage that fails: what it has left in its group ends too" {
  hold first refuse bash -c 'sleep 60 & until [ -e "$PGLAB_DATA/go" ]; do sleep 0.1; done; exit 3'
  touch "$PGLAB_DATA/go"
  local code=0
  wait "$(pid_of first)" || code=$?
  [ "$code" -eq 3 ]
  ours_end
}

# shellcheck disable=SC2016 # nobody expands it
@test "a folder full of nonsense holds nobody up" {
  local record=/tmp/pglab-locks/$MARK.run
  head -c 300 /dev/urandom >"$record"
  expect first refuse
  [ "$output" = held ]
  printf 'resources=port %s\npid=$(touch %s)\nx[$(touch %s)]=1\n' "$TARGET_PORT" "$PGLAB_DATA/oops" "$PGLAB_DATA/oops" >"$record"
  expect first refuse
  rm "$record"
  [ "$output" = held ]
  mkfifo "$record"
  expect first refuse
  rm "$record"
  [ "$output" = held ]
  [ ! -e "$PGLAB_DATA/oops" ]
}

@test "another user's lock counts, and what that user left is not touched" {
  ((EUID == 0)) || skip "only root can become somebody else"
  mkdir -m 777 "$BATS_TEST_TMPDIR/theirs"
  chmod 755 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
  setpriv --reuid nobody --regid nogroup --clear-groups test -x scripts/lib/guard.sh || skip "nobody cannot read this clone"
  local nobody=(setpriv --reuid nobody --regid nogroup --clear-groups --) guard
  DRILL_MARK=$MARK "${nobody[@]}" tests/lib/holder.sh theirs refuse sleep 60 >"$BATS_TEST_TMPDIR/theirs.log" 2>&1 3>&- &
  echo "$!" >"$BATS_TEST_TMPDIR/theirs.pid"
  until_true logged theirs held
  expect mine refuse
  [[ $status -eq 2 && $output == *"is in use by run theirs"* ]]
  guard=$(noted theirs guard)
  kill -KILL "$(pid_of theirs)" "$guard"
  until_true ended "$guard"
  expect mine refuse
  [[ $status -eq 0 && ${lines[0]} == "run theirs "*"taking over"* ]]
  ours | grep ' sleep 60'
  hold mine refuse sleep 60
  run env DRILL_MARK="$MARK" "${nobody[@]}" tests/lib/holder.sh theirs refuse
  [[ $status -eq 2 && $output == *"is in use by run mine"* ]]
  rm "$(record_of theirs)"
}

@test "without flock(1), as on macOS, perl takes the locks" {
  local bare=$BATS_TEST_TMPDIR/bin
  mkdir "$bare"
  cp -rs /usr/bin/. "$bare"
  rm "$bare/flock"
  PATH=$bare hold first refuse sleep 60
  expect second refuse
  [ "$status" -eq 2 ]
  PATH=$bare expect second refuse
  [ "$status" -eq 2 ]
  kill "$(pid_of first)"
  until_true ours_end
  PATH=$bare expect second refuse
  [ "$output" = held ]
}
