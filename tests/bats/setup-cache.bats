#!/usr/bin/env bats
# What set-up has built is kept for other clones, and built again when what it was built from has changed.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  load ../lib/sandbox
  sandbox
}

@test "a second clone builds nothing: it takes all from the cache" {
  set_up
  mv clone first
  new_clone clone
  : >"$CALLS"
  set_up --plan
  [[ ${lines[-1]} == "total "*" 0 MB to download"* ]]
  set_up
  [ "$status" -eq 0 ]
  [ "$(grep -c 'from the cache$' <<<"$output")" -eq 5 ]
  [ "$(called '^npm|^go -C|^pip|^python3 -m')" -eq 0 ]
  set_up --check
  [ "$status" -eq 0 ]
}

@test "an entry of the cache that is damaged is made again" {
  set_up
  rm -r clone
  new_clone clone
  local entry
  for entry in cache/pglab/bin-k6-*.tar.gz; do
    head -c 60 "$entry" >short
    mv short "$entry"
  done
  : >"$CALLS"
  set_up
  [ "$status" -eq 0 ]
  [ "$(called '^go -C .* build')" -eq 1 ]
  [ "$(called '^npm|^pip')" -eq 0 ]
  gzip -t cache/pglab/bin-k6-*.tar.gz
}

@test "two clones at once: each part is built once" {
  stub jq ''
  new_clone second
  stub npm 'sleep 0.3; mkdir -p "$2/node_modules"'
  PATH=$TOOLS bash second/scripts/setup.sh >second.log 2>&1 &
  local other=$!
  set_up
  wait "$other"
  [ "$status" -eq 0 ]
  [ "$(called '^npm .* ci')" -eq 3 ]
  [ "$(called '^go -C .* build')" -eq 1 ]
  PATH=$TOOLS bash second/scripts/setup.sh --check
  [ -z "$(find cache -name '*.tmp')" ]
}

@test "two at once in one clone: the second waits and finds all done" {
  stub jq ''
  stub npm 'sleep 0.3; mkdir -p "$2/node_modules"'
  PATH=$TOOLS bash clone/scripts/setup.sh 2>first.log &
  local first=$!
  set_up
  [ "$status" -eq 0 ]
  wait "$first"
  [ "$(called '^npm')" -eq 3 ]
}

@test "without a cache that can be written all is built all the same" {
  echo "a file" >cache
  set_up
  [ "$status" -eq 0 ]
  set_up --check
  [ "$status" -eq 0 ]
}

@test "--clean says how large the cache is, and empties it; what is built stays" {
  set_up
  set_up --clean
  [ "$status" -eq 0 ]
  [[ $output == "$XDG_CACHE_HOME/pglab: "*" MB, now empty" ]]
  [ -z "$(find cache/pglab -name '*.tar.gz')" ]
  set_up --check
  [ "$status" -eq 0 ]
}

@test "a changed lockfile is installed again, that folder only" {
  set_up
  : >"$CALLS"
  echo '{}' >clone/apps/cube/package-lock.json
  set_up
  [ "$(called '^npm')" -eq 1 ]
  [ "$(called '^npm --prefix .*/apps/cube ci')" -eq 1 ]
}

@test "changed Go sources build k6 again, changed tests of it do not" {
  set_up
  : >"$CALLS"
  echo 'package main' >clone/k6/build/main_test.go
  set_up
  [ "$(called '^go -C .* build')" -eq 0 ]
  echo 'module other' >clone/k6/build/go.mod
  set_up
  [ "$(called '^go -C .* build')" -eq 1 ]
}

@test "an interrupted npm ci is done again" {
  stub npm 'mkdir -p "$2/node_modules"; exit 1'
  set_up
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == "error: not set up: "*scripts/node_modules* ]]
  stub npm 'mkdir -p "$2/node_modules"'
  set_up
  [ "$status" -eq 0 ]
  [ -z "$(find cache -name '*.tmp')" ]
}
