#!/usr/bin/env bats
# The probes before a run: what would stop it later is said at once, in one line that says what to do.

# shellcheck disable=SC2030,SC2031 # each test is a subshell, and exports for itself alone
setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  RUN=$BATS_TEST_TMPDIR/run DATA=$BATS_TEST_TMPDIR/data
  source tests/lib/postgres.bash
  private_ports
  export STACK=local PGLAB_DATA=$DATA
  unset EXTERNAL_URL EXTERNAL_DSN CUBE_URL
  planned pooled hello k6 1
}

teardown() {
  # shellcheck disable=SC2046 # pids are words
  [ ! -e "$BATS_TEST_TMPDIR/listeners" ] || kill $(<"$BATS_TEST_TMPDIR/listeners")
  if [[ $PGLAB_DATA == /var/tmp/* ]]; then
    scripts/database.sh down
    rm -rf "$PGLAB_DATA"
  fi
}

# planned TARGET WORKLOAD TOOL LEVEL [DATABASE] [OPTIONS]: RUN is planned, by the real planner.
planned() {
  mkdir -p "$RUN"
  jq -n --arg target "$1" --arg workload "$2" --arg tool "$3" --argjson level "$4" --arg database "${5:-tpch}" '
    {name: "tiny", why: "test", blocks: 1, seed: 1, duration_s: 1, warmup_s: 1,
     cells: [{databases: [$database], targets: [$target], workloads: [$workload], tools: [$tool], levels: [$level]}]}' >"$RUN/experiment.json"
  jq -n "{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, scale: 0.01, stack: \"$STACK\", url: null, dsn: false,
    allow_writes: false, suite: null} + ${6:-null}" >"$RUN/options.json"
  scripts/stages/plan.sh --before-setup "$RUN"
}

# listen [SERVER]: a program that is not ours takes a port; sets PORT. SERVER is JavaScript; without it connections are taken and get no answer
listen() {
  node -e "const s = ${1:-require('net').createServer()}; s.listen(0, '127.0.0.1', () => console.log(s.address().port))" >"$BATS_TEST_TMPDIR/port" 3>&- &
  echo "$!" >>"$BATS_TEST_TMPDIR/listeners"
  until [ -s "$BATS_TEST_TMPDIR/port" ]; do sleep 0.05; done
  PORT=$(<"$BATS_TEST_TMPDIR/port")
  rm "$BATS_TEST_TMPDIR/port"
}

# refuses EXIT_CODE TEXT [RUN]
refuses() {
  run scripts/probes/before.sh ${3+"$3"}
  echo "$output"
  [ "$status" -eq "$1" ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"$2"* ]]
}

passes() {
  run scripts/probes/before.sh "$RUN"
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "nothing is wrong: one line says what the run takes, and nothing is left behind" {
  passes
  [[ ${#lines[@]} -eq 1 && $output == "It needs "*" MB of memory, and 80 MB of disk for the data"* ]]
  [ ! -e "$DATA" ]
}

@test "a port that is taken is named, with its variable" {
  listen
  local variable other
  other=$(free_port)
  for variable in TARGET_PORT NULL_PORT PG_PORT; do
    local -x "$variable=$PORT"
    refuses 2 "port $PORT is taken: stop what listens there, or set another ($variable)" "$RUN"
    local -x "$variable=$other"
  done
  TARGET_PORT=elsewhere refuses 64 "TARGET_PORT is elsewhere: must be the number of a port" "$RUN"
}

@test "a port at which only root may listen is named, with its variable" {
  (($(cat /proc/sys/net/ipv4/ip_unprivileged_port_start || echo 0) > 80)) || skip "here everybody may listen at any port"
  PG_PORT=80 refuses 2 "port 80 is for programs of root alone: set another (PG_PORT)" "$RUN"
  ((EUID == 0)) || TARGET_PORT=80 refuses 2 "port 80 is for programs of root alone: set another (TARGET_PORT)" "$RUN"
}

@test "PostgreSQL is not where PG_BINDIR says" {
  PG_BINDIR=/nonexistent refuses 64 "PG_BINDIR is /nonexistent: PostgreSQL 13 or later, with psql and pgbench, is not there" "$RUN"
}

@test "a port that the run does not need may be taken" {
  listen
  export CUBE_PORT=$PORT STANDBY_PORTS="${STANDBY_PORTS%% *} $PORT"
  passes
  planned cube analytics k6 1
  refuses 2 "port $PORT is taken: stop what listens there, or set another (CUBE_PORT)" "$RUN"
  CUBE_URL=http://127.0.0.1:9 refuses 2 "CUBE_URL http://127.0.0.1:9: the connection is refused" "$RUN"
  planned postgres tpcb pgbench 1 replicated-async
  refuses 2 "port $PORT is taken: stop what listens there, or set another (STANDBY_PORTS)" "$RUN"
  STANDBY_PORTS=$PORT refuses 64 "STANDBY_PORTS is '$PORT': this run needs two ports" "$RUN"
}

@test "a port that is held by this clone's own target or cluster is no hindrance" {
  listen
  mkdir -p "$DATA/stack"
  echo "$PORT" >"$DATA/stack/target.port"
  source scripts/lib/process.bash # as the local stack notes it
  process_note "$$" "$DATA/stack/target.pid"
  TARGET_PORT=$PORT passes
  true & # a target that is gone has left its files behind
  wait "$!"
  echo "$! 1" >"$DATA/stack/target.pid"
  TARGET_PORT=$PORT refuses 2 "port $PORT is taken" "$RUN"
}

@test "our own PostgreSQL may run; what its data takes is within a factor of two of what was reckoned" {
  source tests/lib/postgres.bash
  private_postgres
  scripts/database.sh up tpch --scale 0.01 3>&-
  passes
  PGLAB_DATA=$BATS_TEST_TMPDIR/other refuses 2 "port $PG_PORT is taken" "$RUN"
  scripts/database.sh down
  taken=$(du -sm "$PGLAB_DATA/tpch-single" | cut -f 1)
  echo "$taken MB"
  [ "$taken" -gt 40 ]
  [ "$taken" -lt 160 ]
}

@test "a process that does not listen where the server answers, or has ended, is told; one whose child does is not; one that has started the run is refused" {
  local parent
  source tests/lib/postgres.bash
  PORT=$(free_port)
  export STACK=external EXTERNAL_URL=http://127.0.0.1:$PORT
  bash -c 'node -e "$1" & wait' bash "require('http').createServer((_, answer) => answer.end('hello')).listen($PORT, '127.0.0.1')" 3>&- &
  parent=$!
  until curl -fs -o /dev/null "$EXTERNAL_URL"; do kill -0 "$parent"; done
  { echo "$parent" && pgrep -P "$parent"; } >>"$BATS_TEST_TMPDIR/listeners"
  planned external hello k6 1 none "{url: \"$EXTERNAL_URL\"}"
  sleep 60 3>&- &
  echo "$!" >>"$BATS_TEST_TMPDIR/listeners"
  EXTERNAL_PID=$! passes
  [[ $output == *"warning: --pid $!: neither it nor a process that it has started listens on port $PORT: is it the server's?"* ]]
  EXTERNAL_PID=4999999 passes # none has so high a number
  [[ $output == *"warning: --pid 4999999: neither it"* ]]
  EXTERNAL_PID=$parent passes
  [[ $output != *warning* ]]
  EXTERNAL_PID=$$ refuses 2 "--pid $$: this run is one of the processes that it has started: name the server's own" "$RUN"
}

# df_says KB: a disk with so much free space
df_says() {
  mkdir -p "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "Filesystem 1024-blocks Used Available Capacity Mounted on"\necho "disk 9999999 0 %s 0%% /"\n' "$1" >"$BATS_TEST_TMPDIR/bin/df"
  chmod +x "$BATS_TEST_TMPDIR/bin/df"
  export PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "too small a disk: how much is free and how much is needed, less what is loaded already" {
  df_says 40000
  refuses 2 "has 39 MB free, and the data of this run takes up to 79 MB: choose a smaller --scale, or another disk with PGLAB_DATA" "$RUN"
  mkdir -p "$DATA/tpch-single"
  head -c 60000000 /dev/zero >"$DATA/tpch-single/loaded"
  passes
}

@test "too little memory: how much is free and how much is needed" {
  planned pooled hello k6 1000000
  refuses 2 "MB of memory are free, and this run takes about 3000" "$RUN"
}

@test "a capacity takes the memory of k6 in its probes, which no level says beforehand" {
  planned pooled hello k6 1
  passes
  [[ $output =~ ^It\ needs\ [0-9]+\ MB\ of\ memory ]]
  jq '.objective = "p95<50ms" | .cells += [.cells[0] | .model = "open" | .levels = ["capacity"]]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  scripts/stages/plan.sh --before-setup "$RUN"
  passes
  [[ $output == "It needs 2.9 GB of memory"* ]]
}

@test "a scale that the dataset cannot have" {
  planned pooled hello k6 1 tpch '{scale: 0.05}'
  run scripts/probes/before.sh --scale "$RUN"
  [[ $status -eq 64 && ${#lines[@]} -eq 1 && $output == *"tpch: scale '0.05' is neither 0.01 nor a number from 0.1 to 100"* ]]
  planned pooled hello k6 1 pgbench-inside '{scale: 0.05}'
  run -0 scripts/probes/before.sh --scale "$RUN"
  [ -z "$output" ]
}

@test "an address: refused, unknown, silent, or it answers with whatever status" {
  EXTERNAL_URL=http://127.0.0.1:9 refuses 2 "--url http://127.0.0.1:9: the connection is refused; start it, or correct the address"
  EXTERNAL_URL=http://no-such-host.invalid refuses 2 "--url http://no-such-host.invalid: the name "
  listen # takes connections and says nothing
  started=$SECONDS
  EXTERNAL_URL=http://127.0.0.1:$PORT refuses 2 "no answer within 2 s"
  ((SECONDS - started <= 10))
  listen "require('http').createServer((_, response) => response.writeHead(404).end())"
  EXTERNAL_URL=http://127.0.0.1:$PORT run scripts/probes/before.sh
  [ "$status" -eq 0 ]
  [ -z "$output" ]
}

@test "a database's address: asked where it is a plain host, left to libpq where it is not" {
  local dsn
  listen
  for dsn in "postgresql://u:p@127.0.0.1:$PORT/x?sslmode=require" "postgres://127.0.0.1:$PORT" postgresql:///x postgresql://u@/x 'postgresql://a:1,b:2/x' \
    'postgresql://%2Ftmp/x' 'postgresql://127.0.0.1:9/x?host=/tmp' 'host=127.0.0.1 port=9'; do
    EXTERNAL_DSN=$dsn run scripts/probes/before.sh
    echo "$dsn: $output"
    [ "$status" -eq 0 ]
  done
  EXTERNAL_DSN='postgresql://u:p@127.0.0.1:9/x?sslmode=require' refuses 2 "--dsn 127.0.0.1:9: the connection is refused"
  PGPORT=9 EXTERNAL_DSN='postgresql://u:p@127.0.0.1/x' refuses 2 "--dsn 127.0.0.1:9: the connection is refused"
  EXTERNAL_DSN='postgresql://u:p@[::1]:9/x' refuses 2 "--dsn [::1]:9: the connection is refused"
}

@test "what somebody else runs: no port of ours but the null responder's, no disk" {
  listen "require('http').createServer((_, response) => response.end())"
  # shellcheck disable=SC2031 # setup sets them for each test anew
  export STACK=external EXTERNAL_URL=http://127.0.0.1:$PORT TARGET_PORT=$PORT PG_PORT=$PORT
  planned pooled hello k6 1 tpch "{url: \"$EXTERNAL_URL\"}"
  passes
  [[ $output == "It needs "*" MB of memory" ]]
  NULL_PORT=$PORT refuses 2 "(NULL_PORT)" "$RUN"
}

@test "stack docker without an engine: one line, and how to do without" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/docker"
  chmod +x "$BATS_TEST_TMPDIR/bin/docker"
  STACK=docker PATH=$BATS_TEST_TMPDIR/bin:$PATH refuses 2 "stack docker cannot run here: no Docker engine answers; --stack local needs neither Docker nor a cluster" "$RUN"
}
