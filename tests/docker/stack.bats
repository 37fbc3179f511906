#!/usr/bin/env bats
# The docker stack with a real engine; tests/docker.sh prepares engine and images. The containers' project is one of its own.
# Those tagged quick are part of scripts/test.sh --ci; with --all the others are too.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  docker version >/dev/null 2>&1 || skip "no Docker engine answers; tests/docker.sh starts one"
  export COMPOSE_PROJECT_NAME=pglab-test PGLAB_DATA=$BATS_FILE_TMPDIR/data PGLAB_RESULTS=$BATS_FILE_TMPDIR/results SCALE=0.01 STACK=docker
  docker volume ls -q | grep -v pglab-test_ >"$BATS_FILE_TMPDIR/volumes" || echo "(there is none)"
}

teardown_file() {
  [[ -n ${COMPOSE_PROJECT_NAME:-} ]] || return 0
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  local volumes
  scripts/stack.sh down
  volumes=$(docker volume ls -q --filter name=pglab-test_)
  [[ -z $volumes ]] || xargs docker volume rm <<<"$volumes"
}

setup() {
  source tests/lib/whole-run.bash
}

compose() {
  local -a command=(docker compose)
  docker compose version >/dev/null 2>&1 || command=(docker-compose)
  "${command[@]}" -f docker/docker-compose.yml "$@"
}

ours() { docker ps -aq --filter label=com.docker.compose.project=pglab-test && docker network ls -q --filter label=com.docker.compose.project=pglab-test; }

# id_of SERVICE: prints the id of its container.
id_of() { docker ps -q --filter label=com.docker.compose.project=pglab-test --filter "label=com.docker.compose.service=$1"; }

# query SERVICE SQL: its answer there, by the administrator.
query() { docker exec "$(id_of "$1")" psql -XqAtU pglab_admin -d postgres -c "$2"; }

# being_measured: returns once a trial is.
being_measured() {
  for _ in $(seq 1200); do
    [ ! -e "$PGLAB_DATA/stack/watch/cell.json" ] || return 0
    sleep 0.1
  done
  return 1
}

# refuses TEXT ARGUMENT...: exit 2 and one line of error, which says TEXT; nothing is left behind
refuses() {
  run ./run-all-tests.sh smoke --targets pooled --workloads hello "${@:2}" 3>&-
  refused_with 2 "$1"
  [ -z "$(ours)" ]
}

# bats test_tags=quick
@test "every compose file is valid, alone and over the first" {
  local override
  for override in docker-compose.yml compose.cubestore.yml compose.observability.yml; do
    compose -f "docker/$override" config -q
  done
}

# bats test_tags=quick
@test "every version is pinned, once" {
  run grep -rnE 'image: [a-z]+[:/]|^FROM [^$]|:latest|container_name|restart:' docker --include='*.yml' --include='*Dockerfile'
  [ "$output" = "$(grep -rn 'image: pglab-' docker --include='*.yml')" ] || [ "$status" -eq 1 ]
  run grep -E '_IMAGE=' docker/.env
  [[ ! $output =~ _IMAGE=[^:]*$'\n' ]]
}

# bats test_tags=quick
@test "by hand, the server has the settings of profile tpch" {
  source scripts/lib/common.bash
  source scripts/lib/postgres.bash
  source scripts/lib/containers.bash
  pg_profile tpch
  diff <(grep -v '^#' docker/postgres/postgresql.conf) <(container_pg_settings 1)
  diff <(grep -v '^#' docker/postgres/pg_hba.conf) <(container_pg_hba)
}

# bare_path: prints a folder with links to what a minimal Debian has, and to PROGRAM... It stands for the PATH of a bare machine.
bare_path() {
  local folder=$BATS_TEST_TMPDIR/bin
  mkdir -p "$folder"
  dpkg-query -W -f '${Essential} ${Priority} ${Package}\n' | awk '$1 == "yes" || $2 == "required" { print $3 }' | xargs dpkg-query -L |
    grep -E '^(/usr)?/s?bin/[^/]+$' | xargs ln -sft "$folder"
  (cd "$folder" && ln -sf "$(command -v awk)" . && for program; do ln -sf "$(command -v "$program")" . || return; done)
  printf '%s\n' "$folder"
}

# on_bare_machine PATH COMMAND...: runs it with that PATH, and without the environment of who runs the tests.
on_bare_machine() {
  local name
  local -a kept=()
  for name in HOME DOCKER_HOST POSTGRES_IMAGE NODE_IMAGE GO_IMAGE COMPOSE_PROJECT_NAME PGLAB_DATA PGLAB_RESULTS PGLAB_INPUTS TARGET_PORT NULL_PORT \
    CUBE_PORT PG_PORT STANDBY_PORTS; do
    [[ -z ${!name:-} ]] || kept+=("$name=${!name}")
  done
  env -i PATH="$1" "${kept[@]}" "${@:2}" 3>&-
}

# bats test_tags=quick
@test "smoke on a minimal machine with Docker, git and jq: every cell measured, schema and sense hold, no invalid trial" {
  run on_bare_machine "$(bare_path docker docker-compose git jq)" ./run-all-tests.sh smoke --stack docker
  echo "$output"
  [ "$status" -eq 0 ] || only_robbed "$(newest_run smoke)"
  node tests/e2e/check-run.js "$(newest_run smoke)" 24
}

# bats test_tags=quick
@test "without jq, one line says so" {
  run on_bare_machine "$(bare_path docker docker-compose git)" env STACK=docker scripts/stack.sh up pooled
  [ "$status" -eq 2 ]
  [ "$output" = "error: stack docker cannot run here: Docker is here, but jq is missing; --stack local needs neither Docker nor a cluster" ]
}

@test "from a clone, where the base images are here and none of ours: docker is chosen, the images are built, and cells are measured" {
  [[ -n ${TEST_ENGINE:-} ]] || skip "this engine is not the tests' own: its images stay"
  docker image rm -f pglab-loadgen pglab-target
  docker image prune -f
  git ls-files -co --exclude-standard -z | xargs -0 tar cf - | tar xf - --one-top-level="$BATS_TEST_TMPDIR/clone"
  cd "$BATS_TEST_TMPDIR/clone"
  run on_bare_machine "$(bare_path docker docker-compose git jq)" ./run-all-tests.sh smoke --targets raw,pooled --workloads hello,echo
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"stack: docker (its base images are here)"* && $output == *"building image pglab-loadgen"*"building image pglab-target"* ]]
  [ "$(jq '[.cells[].trials[].verdict] | length > 0 and all(. != "invalid")' "$(newest_run smoke)/results.json")" = true ]
}

# bats test_tags=quick
@test "afterwards no container, network or nameless volume is left, and the dataset is" {
  [ -z "$(ours)" ]
  docker volume inspect pglab-test_pgdata >/dev/null
  diff "$BATS_FILE_TMPDIR/volumes" <(docker volume ls -q | grep -v pglab-test_)
  STACK=docker run scripts/stack.sh check
  [ "$status" -eq 2 ]
  [[ $output == *"nothing is up: scripts/stack.sh up TARGET" ]]
}

# bats test_tags=quick
@test "two load generators are two containers, which share each load" {
  whole_run smoke --targets pooled --workloads echo,hello --levels 4 --generators 2
  jq -e '[.cells[].trials[].generators] | length >= 5 and all(length == 2 and all(.complete and .exit_code == 0 and .share > 0.2 and .cpu_cores != null))' "$WHOLE_RUN/results.json"
}

# bats test_tags=quick
@test "somebody's own server in a container is watched there" {
  local script=k6/test-container.js port=38017
  docker run -d --rm --name pglab-test-own --network host -e PORT=$port pglab-target node apps/null/server.js
  # shellcheck disable=SC2016 # JavaScript expands it
  echo 'import http from "k6/http"; export default function () { http.get(`${__ENV.BASE_URL}/echo/1`); }' >"$script"
  STACK=external whole_run tests/foreign/own.json --url "http://127.0.0.1:$port" --script "$script" --container pglab-test-own
  rm "$script"
  docker stop pglab-test-own
  jq -e 'any(.cells[]; (.calibration | not) and .resources.roles.target.cpu_cores > 0.05)' "$WHOLE_RUN/results.json"
  run ./run-all-tests.sh tests/foreign/own.json --stack external --url "http://127.0.0.1:$port" --container pglab-test-own
  [ "$status" -eq 64 ]
  [[ ${lines[-1]} == *"no container of this name runs"* ]]
}

@test "the run says what its images were, and what every role used" {
  local run_folder
  run_folder=$(newest_run smoke)
  jq -e '.stack == "docker" and (.images | length == 3 and all(.[]; test("sha256:"))) and .limits.target == {cores: null, memory: "1g"}' "$run_folder/environment.json"
  jq -se 'map(.resources.roles | .generator.cpu_cores > 0 and (.target // .null).cpu_cores > 0) | all' "$run_folder"/cells/*/*.k6.*/summary.json
}

# bats test_tags=quick
@test "a container of our images tells what they were built from" {
  local image
  source scripts/lib/common.bash
  source scripts/lib/containers.bash
  for image in pglab-target pglab-loadgen; do
    require_image "$image" docker run --rm --network none "$image"
    PGLAB_INPUTS=another run require_image "$image" docker run --rm --network none "$image"
    [ "$status" -eq 2 ]
    [[ $output == *"image $image on the nodes was not built from this clone"* ]]
  done
}

@test "a dataset that was not loaded to the end is loaded again" {
  STACK=docker scripts/stack.sh up pooled 3>&-
  query postgres 'comment on database tpch_sf0_01 is null'
  run scripts/stack.sh up pooled 3>&-
  [ "$status" -eq 0 ]
  [[ $output == *"tpch_sf0_01: loaded and verified"* ]]
  scripts/stack.sh check
  [ "$(scripts/stack.sh status | jq '.target.alive')" = true ]
  scripts/stack.sh down
  [ -z "$(ours)" ]
}

# bats test_tags=quick
@test "the seeds' habits: up -d, k6 from the host, down -v" {
  PGDATABASE=tpch_sf0_01 compose up -d 3>&-
  for _ in $(seq 120); do
    [ "$(docker ps --filter label=com.docker.compose.project=pglab-test --filter health=healthy -q | wc -l)" -lt 3 ] || break
    sleep 0.5
  done
  [ "$(docker ps --filter label=com.docker.compose.project=pglab-test --filter health=healthy -q | wc -l)" -eq 3 ]
  run docker ps --filter label=com.docker.compose.project=pglab-test --format '{{.Ports}}'
  [[ $output != *0.0.0.0* ]]
  for id in $(docker ps -q --filter label=com.docker.compose.project=pglab-test); do
    [ "$(docker exec "$id" id -u)" -ne 0 ]
  done
  bin/k6 run --quiet -e vus=2 -e duration=1s -e BASE_URL="http://127.0.0.1:${TARGET_PORT:-3000}" k6/analytics.js
  compose down -v
  [ -z "$(ours)" ]
  run docker volume inspect pglab-test_pgdata
  [ "$status" -ne 0 ]
}

@test "trust, where a database profile asks for it: role app alone needs no password" {
  scripts/stack.sh up pooled tpch-trust 3>&-
  local without=(docker exec -e PGPASSWORD= "$(id_of loadgen)" psql -wXqAt -h postgres -d postgres -c 'select current_user')
  [ "$("${without[@]}" -U pglab_app)" = pglab_app ]
  run "${without[@]}" -U pglab_monitor
  [ "$status" -ne 0 ]
  scripts/stack.sh down
}

# read_from_disk PID: prints the bytes that a server has read from a disk, its sessions included once they have ended.
read_from_disk() {
  while pgrep -P "$1" -f pglab_admin >/dev/null; do sleep 0.1; done
  awk '$1 == "read_bytes:" { print $2 }' "/proc/$1/io"
}

@test "a profile's memory is a limit on the server's container, and what was cached before does not get around it" {
  ((EUID == 0)) || skip "only root sees what another's process has read"
  [ "$(docker info -f '{{.MemoryLimit}}')" = true ] || skip "this engine cannot limit memory"
  export SCALE=0.5
  local id limit pid before accounts='select sum(abalance) from pgbench_accounts'
  scripts/stack.sh up postgres pgbench-larger 3>&-
  docker exec "$(id_of postgres)" psql -XqAtU pglab_admin -d pgbench_s50 -c "$accounts" >&2
  scripts/stack.sh up postgres pgbench-exceeds 3>&-
  id=$(id_of postgres)
  limit=$(query postgres 'show pglab.memory_bytes')
  [ "$limit" -eq $(((64 + 1126 / 2) * 1048576)) ]
  [ "$(docker inspect -f '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}' "$id")" = "$limit $limit" ]
  # the accounts take some 740 MB, of which the buffers keep 512 at most, and what is left of the limit is less than the rest: it comes from the disk
  # each time
  docker exec "$id" psql -XqAtU pglab_admin -d pgbench_s50 -c "select pg_prewarm('pgbench_accounts')" >&2
  pid=$(docker inspect -f '{{.State.Pid}}' "$id")
  for _ in 1 2; do
    before=$(read_from_disk "$pid")
    docker exec "$id" psql -XqAtU pglab_admin -d pgbench_s50 -c "$accounts" >&2
    [ $(($(read_from_disk "$pid") - before)) -gt 50000000 ]
  done
  scripts/stack.sh up postgres pgbench-larger 3>&-
  [ "$(docker inspect -f '{{.HostConfig.Memory}}' "$(id_of postgres)")" -gt "$limit" ]
  scripts/stack.sh down
}

@test "replicated: two standbys stream; what is committed with remote_apply is seen on one of them at once" {
  scripts/stack.sh up postgres replicated-apply 3>&-
  [ "$(query postgres "select string_agg(application_name || ' ' || state || ' ' || sync_state, ', ' order by 1) from pg_stat_replication")" = \
    "standby1 streaming quorum, standby2 streaming quorum" ]
  query postgres 'create table written (at timestamptz)'
  [[ "$(query standby1 "select to_regclass('written')") $(query standby2 "select to_regclass('written')")" == *written* ]]
  query postgres 'drop table written'
  scripts/stack.sh down
  [ -z "$(ours)" ]
}

@test "replicated: an experiment over all three ways to commit" {
  run ./run-all-tests.sh replication --blocks 1 --levels 1 --duration 2 --scale 0.05 3>&-
  echo "$output"
  [ "$status" -eq 0 ]
  node tests/e2e/check-run.js "$(newest_run replication)" 3
  [ "$(jq -c '[.databases[].settings | "\(.synchronous_commit // "on") \(.synchronous_standby_names // "")"]' "$(newest_run replication)/environment.json")" = \
    '["remote_apply ANY 1 (*)","on ","on ANY 1 (*)"]' ]
  [ -z "$(ours)" ]
}

@test "replicated: a standby that is damaged, or another primary's, is made anew" {
  docker run --rm -v pglab-test_standby1:/standby --user postgres --entrypoint rm "$(source scripts/lib/common.bash && pinned POSTGRES_IMAGE)" /standby/PG_VERSION
  run scripts/stack.sh up postgres replicated-async 3>&-
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"standby1 cannot follow, making it anew"* && $output != *"standby2 cannot"* ]]
  [ "$(query postgres "select count(*) from pg_stat_replication where state = 'streaming'")" -eq 2 ]
  scripts/stack.sh down
  docker volume rm pglab-test_pgdata
  scripts/stack.sh up postgres replicated-async 3>&-
  [ "$(query postgres "select count(*) from pg_stat_replication where state = 'streaming'")" -eq 2 ]
  scripts/stack.sh down
}

# bats test_tags=quick
@test "Ctrl-C: exit 130, and no container, no network of ours" {
  python3 -c 'import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    ./run-all-tests.sh smoke --stack docker --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  local driver=$! status=0
  being_measured
  kill -INT "$driver"
  wait "$driver" || status=$?
  cat "$BATS_TEST_TMPDIR/log"
  [ "$status" -eq 130 ]
  [ -z "$(ours)" ]
}

@test "SIGKILL: within seconds no container, no network of ours" {
  ./run-all-tests.sh smoke --stack docker --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  local driver=$!
  being_measured
  [ -n "$(ours)" ]
  kill -KILL "$driver"
  for _ in $(seq 300); do
    [ -n "$(ours)" ] || break
    sleep 0.1
  done
  [ -z "$(ours)" ]
  run ./run-all-tests.sh --resume "$(newest_run smoke)" 3>&-
  echo "$output"
  [ "$status" -eq 0 ]
}

# small_disk FOLDER SIZE: a disk of that size is there, until the test ends.
small_disk() {
  ((EUID == 0)) || skip "only root can mount a small disk"
  mkdir -p "$1"
  mount -t tmpfs -o "size=$2" tmpfs "$1" || skip "mounting is not allowed here"
  SMALL_DISK=$1
}

teardown() {
  [[ -z ${SMALL_DISK:-} ]] || umount "$SMALL_DISK" # in the volume's case an empty one is left, which the next test fills
}

@test "faults: the disk of the results is full" {
  small_disk "$BATS_TEST_TMPDIR/results" 64k
  PGLAB_RESULTS=$SMALL_DISK refuses "is the disk full"
}

@test "faults: the disk of Docker's volumes is full" {
  docker volume rm pglab-test_pgdata
  docker volume create pglab-test_pgdata
  small_disk "$(docker volume inspect -f '{{.Mountpoint}}' pglab-test_pgdata)" 64m
  refuses "the disk that Docker keeps its images and volumes on is full"
}

@test "faults: the engine stops in the middle of a run" {
  [[ -n ${TEST_ENGINE:-} ]] || skip "this engine is not the tests' own"
  source scripts/lib/common.bash
  source tests/docker/engine.bash
  ./run-all-tests.sh smoke --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  local driver=$! status=0
  being_measured
  test_engine_stop
  wait "$driver" || status=$?
  cat "$BATS_TEST_TMPDIR/log"
  test_engine_start
  [ "$status" -eq 2 ]
  [ "$(grep '^error: ' "$BATS_TEST_TMPDIR/log")" = "error: the Docker engine has stopped answering" ]
  grep -q "scripts/stack.sh down" "$BATS_TEST_TMPDIR/log"
  scripts/stack.sh down
  [ -z "$(ours)" ]
}

@test "faults: a port that is taken" {
  node -e 'require("net").createServer().listen(+process.argv[1], "127.0.0.1")' "${TARGET_PORT:-3000}" 3>&- &
  local taken=$!
  refuses "port ${TARGET_PORT:-3000} is taken"
  kill "$taken"
}

# bats test_tags=quick
@test "an engine that can pull nothing: one line names every image, within seconds; unless docker was asked for, the local stack" {
  local silent=$((${TARGET_PORT:-3000} + 50)) started=$SECONDS registry lacks
  node -e 'require("net").createServer(() => {}).listen(+process.argv[1], "127.0.0.1")' "$silent" 3>&- &
  registry=$!
  lacks="the engine lacks 127.0.0.1:$silent/go:1, 127.0.0.1:$silent/node:1, and no registry offered them within 2 s"
  export PGLAB_INPUTS=none NODE_IMAGE=127.0.0.1:$silent/node:1 GO_IMAGE=127.0.0.1:$silent/go:1
  refuses "$lacks" --stack docker
  run env -u STACK ./run-all-tests.sh smoke --dry-run 3>&-
  kill "$registry"
  [ "$status" -eq 0 ]
  [[ $output == *"stack: local ($lacks"* ]]
  ((SECONDS - started < 20))
}

# bats test_tags=quick
@test "no engine: with --stack docker one line, without it the local stack" {
  DOCKER_HOST=unix:///nowhere/docker.sock refuses "no Docker engine answers" --stack docker
  run env -u STACK DOCKER_HOST=unix:///nowhere/docker.sock ./run-all-tests.sh smoke --dry-run 3>&-
  [ "$status" -eq 0 ]
  [[ $output == *"stack: local (no Docker engine answers)"* ]]
}
