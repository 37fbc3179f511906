#!/usr/bin/env bats
# Stacks and what is up by hand, without a database.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export PGLAB_DATA=$BATS_TEST_TMPDIR/data
}

teardown() {
  [ -z "${STUB_PID:-}" ] || stop_stub
  # shellcheck disable=SC2086 # pids are words
  [ -z "${PARENT:-}" ] || kill "$PARENT" ${CHILDREN:-}
}

# exits_2 TEXT: `stack.sh check` says so in one line.
exits_2() {
  run scripts/stack.sh check
  echo "$status: $output"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"$1"* ]]
}

@test "check of the external stack: somebody else's server must answer, and without one something must be up by hand" {
  source tests/lib/stub.bash
  STACK=external exits_2 "nothing is up: scripts/stack.sh up TARGET"
  STACK=external EXTERNAL_URL=http://127.0.0.1:9 exits_2 "nothing answers at EXTERNAL_URL, http://127.0.0.1:9"
  start_stub 3126
  STACK=external EXTERNAL_URL=$STUB/missing scripts/stack.sh check
}

@test "a scale that is no number is refused before what is up is touched" {
  STACK=local SCALE=7x run scripts/stack.sh up raw
  [ "$status" -eq 64 ]
  [ "$output" = "error: SCALE is 7x: must be a number above 0 (see stack.sh --help)" ]
  [ ! -e "$PGLAB_DATA" ]
}

@test "PostgreSQL's processes that run when a target comes up are kept to its cores, as those that it starts later are" {
  local first pid
  first=$(taskset -cp "$$")
  first=${first##*: }
  [[ $first == *[,-]* ]] || skip "there is one core"
  first=${first%%[,-]*}
  source scripts/lib/common.bash
  source scripts/lib/stack.bash
  source scripts/stacks/local.bash
  mkdir -p "$STACK_STATE"
  echo "{\"roles\": {\"postgres\": \"$first\"}}" >"$STACK_STATE/topology.json"
  bash -c 'sleep 60 & sleep 60 & wait' 3>&- &
  PARENT=$!
  has_both() { (($(process_children "$PARENT" | wc -l) == 2)); }
  wait_until 10 "its children" has_both
  CHILDREN=$(process_children "$PARENT" | paste -s -d ' ' -)
  stack_roles() { echo "{\"postgres\": $PARENT}"; }
  _pin_database
  for pid in $PARENT $CHILDREN; do
    [[ $(taskset -cp "$pid") == *"list: $first" ]]
  done
}

@test "a lock file that is damaged is told, one without libraries needs none" {
  cp -r --parents scripts/lib scripts/stacks "$BATS_TEST_TMPDIR"
  source "$BATS_TEST_TMPDIR/scripts/lib/common.bash"
  source "$BATS_TEST_TMPDIR/scripts/stacks/local.bash"
  mkdir -p "$REPO_ROOT/apps/mine"
  cp apps/package-lock.json "$REPO_ROOT/apps/package-lock.json"
  echo '{"processes": [{"argv": ["node", "apps/mine/main.js"]}]}' >"$REPO_ROOT/target.json"
  needs() { run _require_needs "$REPO_ROOT/target.json" && echo "$output"; }
  needs
  [ "$output" = "error: apps/node_modules is missing: run scripts/setup.sh" ]
  mkdir "$REPO_ROOT/apps/node_modules"
  needs
  [ "$status" -eq 0 ]
  echo '{"packages": {"": {}}}' >"$REPO_ROOT/apps/mine/package-lock.json"
  needs
  [ "$status" -eq 0 ]
  head -c 300 apps/package-lock.json >"$REPO_ROOT/apps/mine/package-lock.json"
  needs
  [ "$output" = "error: apps/mine/package-lock.json is damaged: git checkout apps/mine/package-lock.json brings it back" ]
}

# comes_up SERVER: brings up a target that is this JavaScript, and says that it wants to be warmed up.
comes_up() {
  local folder=$BATS_TEST_TMPDIR/apps/warmed
  source tests/lib/postgres.bash
  private_ports
  mkdir -p "$folder"
  echo "$1" >"$folder/server.cjs"
  jq -n --arg server "$(realpath --relative-to=. "$folder")/server.cjs" '{name: "warmed", database: "none", answers: "shape", workloads: ["hello"], warm_up: {path: "/warm", seconds: 1},
    processes: [{role: "target", port: 3000, argv: ["node", $server], health: "/healthz"}]}' >"$folder/target.json"
  source scripts/lib/common.bash
  source scripts/lib/stack.bash
  stack_load local
  TARGET_FOLDERS="apps $(realpath --relative-to=. "$BATS_TEST_TMPDIR")/apps"
  stack_up none warmed '{"name": "base", "env": {}, "args": []}' 3>&-
}

@test "a target that says so is asked for a time when it comes up, on the path that it names" {
  comes_up "let n = 0; require('http').createServer((q, r) => r.end(String(q.url === '/warm' ? ++n : n))).listen(process.env.PORT, '127.0.0.1')"
  [ "$(curl -fs "http://127.0.0.1:$TARGET_PORT/")" -gt 100 ]
  stack_up none null '{"name": "base", "env": {}, "args": []}' 3>&- # which says nothing
  stack_down
}

@test "a target that stops while it is warmed up is told" {
  run comes_up "require('http').createServer((q, r) => q.url === '/warm' ? process.exit(1) : r.end()).listen(process.env.PORT, '127.0.0.1')"
  echo "$output"
  [ "$status" -eq 2 ]
  [[ $output == *"the target cannot be warmed up: /warm is not answered"* ]]
}

@test "a stack is one file: it is found there, and says itself what it is, what it lacks and whether it can run" {
  unset STACK
  cp -r --parents scripts/lib scripts/stacks "$BATS_TEST_TMPDIR"
  source "$BATS_TEST_TMPDIR/scripts/lib/common.bash"
  source "$BATS_TEST_TMPDIR/scripts/lib/stack.bash"
  printf '%s\n' '# Summary: boxes' '# Programs: containers' '# Leaves: box' 'stack_can_run() { echo "no boxes" && return 1; }' \
    'stack_lacks() { echo "memory boxes have no walls"; }' 'stack_locks() { echo "box 1"; }' >"$REPO_ROOT/scripts/stacks/boxes.bash"
  in_containers boxes && in_images boxes
  run in_cluster boxes && [ "$status" -ne 0 ]
  run has_private_database boxes && [ "$status" -ne 0 ]
  has_private_database local
  [ "$(of_stack boxes stack_lacks) $(of_stack boxes stack_locks)" = "memory boxes have no walls box 1" ]
  [ -z "$(of_stack moon stack_locks)" ]
  run choose_stack boxes
  [ "$status" -eq 2 ]
  [ "$output" = "error: stack boxes cannot run here: no boxes; --stack local needs neither Docker nor a cluster" ]
  [ "$(current_stack)" = local ]
  mkdir -p "$STACK_STATE" && touch "$STACK_STATE/box"
  [ "$(current_stack)" = boxes ]
  run stack_file moon
  [[ $output == "error: no such stack: moon; there are boxes, docker, external, kubernetes and local "* ]]
}

@test "what a database profile asks for and nothing in containers reads is nothing that their stacks have" {
  cp -r --parents scripts/lib scripts/declared/databases "$BATS_TEST_TMPDIR"
  source "$BATS_TEST_TMPDIR/scripts/lib/common.bash"
  source "$BATS_TEST_TMPDIR/scripts/lib/containers.bash"
  [ "$(STACK=docker container_lacks)" = "storage=juicefs the docker stack has no JuiceFS" ]
  echo '{"topology": "single", "checksums": true}' >"$REPO_ROOT/scripts/declared/databases/mine.json"
  [[ $(STACK=docker container_lacks) == *$'\n'"checksums the docker stack has no checksums" ]]
}

@test "an image must have been built from this clone, of whichever official images, or from what PGLAB_INPUTS says" {
  local inputs refused="error: image pglab-target on the nodes was not built from this clone: docker/images.sh build (then push, or load it again)"
  unset PGLAB_INPUTS
  git ls-files -z docker/.env docker/images apps k6/build scripts/lib scripts/package.json scripts/package-lock.json scripts/sql/verify | xargs -0 cp --parents -t "$BATS_TEST_TMPDIR"
  source "$BATS_TEST_TMPDIR/scripts/lib/common.bash"
  source "$BATS_TEST_TMPDIR/scripts/lib/containers.bash"
  source docker/engine.bash
  inputs=$(_inputs)
  NODE_IMAGE=mirror/node:22 require_image pglab-target env "PGLAB_INPUTS=$inputs"
  [ "$(NODE_IMAGE=mirror/node:22 _inputs)" != "$inputs" ]
  mkdir -p "$REPO_ROOT/apps/node_modules/pg" && echo of no image >"$REPO_ROOT/apps/node_modules/pg/index.js"
  require_image pglab-target env "PGLAB_INPUTS=$inputs"
  echo '// another' >>"$REPO_ROOT/apps/null/server.js"
  run -2 require_image pglab-target env "PGLAB_INPUTS=$inputs"
  [ "$output" = "$refused" ]
  run -2 require_image pglab-target env -u PGLAB_INPUTS
  [ "$output" = "$refused" ]
  PGLAB_INPUTS=by-hand require_image pglab-target env PGLAB_INPUTS=by-hand
  run -2 require_image pglab-target bash -c 'echo "no such pod"; exit 1'
  [ "$output" = "error: image pglab-target cannot be asked what it was built from: no such pod" ]
}
