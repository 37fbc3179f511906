#!/usr/bin/env bats
# Set-up, in a sandbox with stubs on the PATH: nothing is downloaded, nothing on the machine changes.
# Every stub writes its name and arguments to calls.log.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  cd "$BATS_TEST_TMPDIR" || return
  local folder name
  mkdir -p clone/scripts clone/k6/build bin postgres
  for name in setup.sh lib datasets; do
    cp -r "$BATS_TEST_DIRNAME/../../scripts/$name" clone/scripts/
  done
  touch clone/k6/build/{main.go,go.mod,go.sum}
  for folder in apps apps/cube scripts tests; do
    mkdir -p "clone/$folder"
    echo "{\"of\": \"$folder\"}" >"clone/$folder/package-lock.json"
  done
  for name in awk bash cat chmod cp cut dirname env find flock grep mkdir mv rm sed setpriv sha256sum tr touch; do
    ln -s "$(command -v "$name")" "bin/$name"
  done
  for name in curl jq wrk; do stub "$name" 'echo 1.0'; done
  stub node 'echo v20.1.0'
  stub go 'case $1 in env) echo go1.24.1 ;; -C) printf "#!/bin/sh\necho k6 v1\n" >"${7}"; chmod +x "${7}" ;; esac'
  stub npm 'mkdir -p "$2/node_modules"'
  stub python3 'case $2 in venv) mkdir -p "$4/bin"; cp "$TOOLS/pip" "$4/bin/pip" ;; esac'
  stub pip 'printf "#!/bin/sh\necho tpchgen-cli 4.0.0\n" >"${0%/*}/tpchgen-cli"; chmod +x "${0%/*}/tpchgen-cli"'
  for name in initdb pg_ctl postgres psql pgbench; do
    stub "$name" 'echo "postgres (PostgreSQL) 15.1"'
    mv "bin/$name" postgres/
  done
  export TOOLS=$PWD/bin CALLS=$PWD/calls.log PG_BINDIR=$PWD/postgres
  : >"$CALLS"
}

# stub NAME BODY: a program of that name on the PATH.
# shellcheck disable=SC2016 # the stubs expand it
stub() {
  printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' "$1" "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# set_up ARGUMENT...: scripts/setup.sh with nothing but the stubs on the PATH.
set_up() { PATH=$TOOLS run bash clone/scripts/setup.sh "$@"; }

# called PATTERN: how many calls match.
called() { grep -c -E "$1" "$CALLS" || [ "$?" -eq 1 ]; }

@test "builds and installs what is missing, and the second time nothing" {
  set_up
  [ "$status" -eq 0 ]
  [ "$(called '^npm .*/(apps|apps/cube|scripts) ci --ignore-scripts')" -eq 3 ]
  [ "$(called '^go -C .* build')" -eq 1 ]
  [ "$(called '^pip install .*tpchgen-cli==4.0.0')" -eq 1 ]
  : >"$CALLS"
  set_up
  [ "$status" -eq 0 ]
  [ "$(called '^npm|^go -C|^pip|^python3')" -eq 0 ]
}

@test "--check lists all with versions once it is there" {
  set_up
  set_up --check
  [ "$status" -eq 0 ]
  [[ $output == *"node "*v20.1.0* && $output == *"PostgreSQL) 15.1"* && $output == *"tpchgen-cli 4.0.0"* && $output == *"bin/k6 "*"k6 v1"* ]]
  [[ $output != *shellcheck* ]]
}

@test "--check changes nothing, says what is missing, and exits 2" {
  rm bin/wrk
  set_up --check
  [ "$status" -eq 2 ]
  grep -q -E '^wrk +missing' <<<"$output"
  grep -q -E '^apps/node_modules +missing' <<<"$output"
  [ "$(called '^npm|^go -C|^pip')" -eq 0 ]
}

@test "a changed lockfile is installed again, that folder only" {
  set_up
  : >"$CALLS"
  echo '{}' >clone/apps/cube/package-lock.json
  set_up
  [ "$(called '^npm')" -eq 1 ]
  [ "$(called '^npm --prefix .*/apps/cube ci')" -eq 1 ]
}

@test "changed Go sources build k6 again" {
  set_up
  : >"$CALLS"
  touch -d '+1 second' clone/k6/build/go.sum
  set_up
  [ "$(called '^go -C .* build')" -eq 1 ]
}

# shellcheck disable=SC2016 # the stubs expand it
@test "--tests asks for the tools of the tests too, in one call of the package manager" {
  stub apt-get ''
  stub sudo 'for tool in shellcheck shfmt bats chromium; do cp "$TOOLS/curl" "$TOOLS/$tool"; done'
  cp bin/sudo bin/sh # as root the shell is called, else sudo
  set_up --tests
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install shellcheck shfmt bats chromium$')" -eq 1 ]
  [ "$(called '^npm .*/tests ci')" -eq 1 ]
}

# shellcheck disable=SC2016 # the stubs expand it
@test "an interrupted npm ci is done again" {
  stub npm 'mkdir -p "$2/node_modules"; exit 1'
  set_up
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"this failed"*npm* ]]
  stub npm 'mkdir -p "$2/node_modules"'
  set_up
  [ "$status" -eq 0 ]
}

@test "an old Node, an old Go: one clear line" {
  stub node 'echo v18.19.0'
  set_up
  [ "$status" -eq 2 ]
  [[ $output == *"Node.js 20"*"found: v18.19.0"* ]]
  stub node 'echo v20.1.0'
  stub go 'echo go1.22.2'
  set_up
  [ "$status" -eq 2 ]
  [[ $output == *"Go 1.24"*"found: go1.22.2"* ]]
}

@test "without root and sudo the exact command is printed" {
  rm bin/jq
  stub apt-get ''
  chmod -R a+rwX "$BATS_TEST_TMPDIR"
  cd clone
  local -a as_nobody=()
  if [ "$(id -u)" -eq 0 ]; then
    chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/test
    as_nobody=(setpriv --reuid nobody --clear-groups --)
  fi
  PG_BINDIR=/nonexistent PATH=$TOOLS run "${as_nobody[@]}" bash scripts/setup.sh
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"sudo apt-get install -y jq postgresql postgresql-contrib" ]]
}

@test "without any package manager that we know, names are printed" {
  rm bin/jq
  set_up
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"missing: jq."* ]]
}

# shellcheck disable=SC2016 # the stubs expand it
@test "two at once: the second waits and finds all done" {
  stub npm 'sleep 0.3; mkdir -p "$2/node_modules"'
  ln -s "$(command -v sleep)" bin/sleep
  PATH=$TOOLS bash clone/scripts/setup.sh 2>first.log &
  local first=$!
  set_up
  [ "$status" -eq 0 ]
  wait "$first"
  [ "$(called '^npm')" -eq 3 ]
}

@test "an unknown option: exit 64" {
  set_up --nonesuch
  [ "$status" -eq 64 ]
}
