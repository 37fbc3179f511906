#!/usr/bin/env bats
# Stacks and what is up by hand, without a database.

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
  start_stub 3129
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
