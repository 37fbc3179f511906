#!/usr/bin/env bats
# Set-up: its parts, what each takes, and what is said of them.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  load ../lib/sandbox
  sandbox
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
  [[ $output == *wrk* && $output == *package-lists* && $output != *curl* && $output != *apps/jvm* ]]
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
  local download disk readme
  rm bin/curl bin/wrk
  stub apt-get ''
  stub python3 'exit 1'
  PG_BINDIR=/nonexistent PATH=$TOOLS run bash clone/scripts/setup.sh --plan --for quick
  read -r download disk < <(awk '$1 == "total" { print $2, $6 }' <<<"$output")
  readme=$(sed -n 's/^| `quick` |.*| \([0-9]*\) MB, \([0-9.]*\) GB |$/\1 \2/p' "$BATS_TEST_DIRNAME/../../README.md")
  echo "README: $readme; plan: $download MB, $disk MB"
  awk -v download="$download" -v disk="$disk" 'function near(a, b) { return a <= 1.25 * b && b <= 1.25 * a } { exit !(near($1, download) && near(1024 * $2, disk)) }' <<<"$readme"
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
