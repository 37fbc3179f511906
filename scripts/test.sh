#!/usr/bin/env bash
# Summary: sets up and runs the tests: linters, units, golden files, and real runs of the driver at size one.
# Usage: scripts/test.sh [--quick | --ci | --all] [PATTERN]
#
#   --quick   only checks that need no server, browser, run or long time: linters and units, in 90 seconds
#   --ci      as continuous integration: also the targets that lie; whole runs of the suites documents and database, over TLS, in
#             containers, and on a Kubernetes cluster built from source; the page in a browser; and the README's first command on a bare
#             machine: some 65 minutes from nothing
#   --all     that too, all tests of the docker and kubernetes stacks and of killed drivers, the README's commands as root on a bare
#             machine, and the tests with lying targets three times
#   PATTERN   only steps and test files whose name contains it: scripts/test.sh --quick setup
#
# On two cores the default takes some 15 minutes, once all is set up. Steps run side by side, one per core, real runs on ports and
# data of their own; what a busy neighbour would disturb runs alone at the end. The output of a step, less the tests that passed, is
# shown when it fails, with the command that runs it alone; of one that passes, what it skipped or measured. Exit 0 when every step passed, else 1.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/jobs.bash
source "$REPO_ROOT/scripts/lib/jobs.bash"
# shellcheck source=tests/lib/postgres.bash
source "$REPO_ROOT/tests/lib/postgres.bash"

# What set-up has to bring for --quick; otherwise it brings everything.
QUICK_PARTS=(go curl jq wrk ab postgresql bin/k6 apps/node_modules scripts/node_modules shellcheck shfmt bats bin/hadolint tests/node_modules)

# Tests that need a server or a browser say so by what they use of tests/lib. SLOW take neither, but time: they draw reports, load stubs and
# start the driver or jq by the dozen. LONG are for --ci and --all. What a busy neighbour would disturb runs ALONE.
NODE_WITH_SERVER='lib/(database|documents|browser)\.js'
BATS_WITH_SERVER='lib/postgres\.bash'
SLOW='tests/node/(report|report\.two-runs|publish|sampler\.main|publish\.(post|readme))\.test\.js|tests/bats/(ab|environment|front|generators|setup|setup-cache|plan(-[a-z]+)?|windows|k6-scripts|wrk-scripts|verify)\.bats'
LONG='tests/(docker|kubernetes)/stack\.bats|tests/e2e/(ab|capacity|database|documents|dsn|liars|storage)\.bats|tests/node/report\.page\.test\.js'
ALONE='tests/(e2e/(capacity|self-test|liars|open)|bats/windows)\.bats'

SIZE=default PATTERN='' PASSED=0 FAILED=0
declare -A COMMAND=() # by step: its words, a line each

parse() {
  local option
  for option in "$@"; do
    case $option in
      --quick | --ci | --all) SIZE=${option#--} ;;
      -*) usage_error "unknown option $option" ;;
      *) PATTERN=$option ;;
    esac
  done
}

# step NAME COMMAND... [-- FILE...]: declares it, if PATTERN means NAME; or over those of the files alone that PATTERN means.
step() {
  local name=$1 word files=''
  local -a command=()
  shift
  for word in "$@"; do
    if [[ $word == -- ]]; then
      files=none
    elif [[ -z $files ]]; then
      command+=("$word")
    elif [[ $name == *"$PATTERN"* || $word == *"$PATTERN"* ]]; then
      command+=("$word")
      files=some
    fi
  done
  [[ $files == some || (-z $files && $name == *"$PATTERN"*) ]] || return 0
  COMMAND[$name]=$(printf '%s\n' "${command[@]}")
  job "$name"
}

# run_step NAME: runs it, in a shell of its own.
run_step() {
  local -a command
  mapfile -t command <<<"${COMMAND[$1]}"
  "${command[@]}"
}

job_starts() { :; }

jobs_wait() { :; }

job_ends() {
  local output
  output=$(job_log "$1")
  if (($2 == 0)); then
    PASSED=$((PASSED + 1))
    log "ok      $1 ($3 s)"
    sed -nE 's/^((skipped|measured): )/        \1/p; s/^ok [0-9]+ (.*) # skip ?(.*)/        skipped: \1: \2/p; s/^ *﹣ (.*) # (SKIP)?/        skipped: \1 /p' "$output" >&2
  else
    FAILED=$((FAILED + 1))
    log "FAILED  $1 ($3 s)"
    sed -e '/^ok /d' -e '/^ *✔ /d' -e 's/^/        /' "$output" >&2
    sed -nE 's/^ *(not ok |✖ |FAILED  |invalid: )/        in short: \1/p' "$output" >&2 # of a long log readers may see the end alone
    log "        to run it alone: scripts/test.sh$([[ $SIZE == default ]] || echo " --$SIZE") '$1'"
  fi
}

# apart COMMAND...: with ports, data and results of its own, so that others can run beside it. What a failure leaves stays.
apart() {
  private_postgres
  export PGLAB_RESULTS=$PGLAB_DATA/runs
  "$@" || die "$EXIT_INVALID" "this failed: ${*}; its runs are in $PGLAB_RESULTS"
  rm -rf "$PGLAB_DATA"
}

# shell_files: every bash file that git knows, one a line; a link is another name of one.
shell_files() {
  local file
  git ls-files -co --exclude-standard '*.sh' '*.bash' '*.bats' .ci/run | while IFS= read -r file; do
    [[ -L $file || ! -e $file ]] || printf '%s\n' "$file"
  done
}

# bats_step NAME FILE [COMMAND...]: a step that runs the file's tests, by way of the command. Where some are tagged quick, the others are for --all.
bats_step() {
  ! too_long "$2" || return 0
  local -a tests=(bats --print-output-on-failure "$2")
  [[ $SIZE == all ]] || ! grep -q '^# bats test_tags=quick' "$2" || tests+=(--filter-tags quick)
  step "$1" apart "${@:3}" "${tests[@]}"
}

# node_step NAME FILE...: none of the files may take longer than 15 minutes
node_step() {
  local name=$1
  shift
  step "$name" node --test --test-reporter=spec --test-concurrency=1 --test-timeout=900000 -- "$@"
}

# needs_server FILE, is_slow FILE, is_quick FILE, too_long FILE, runs_alone FILE
needs_server() { grep -qE "$NODE_WITH_SERVER|$BATS_WITH_SERVER" "$1"; }
is_slow() { [[ $1 =~ ^($SLOW)$ ]]; }
is_quick() { ! needs_server "$1" && ! is_slow "$1"; }
too_long() { [[ $SIZE != ci && $SIZE != all && $1 =~ ^($LONG)$ ]]; }
runs_alone() { [[ $1 =~ ^($ALONE)$ ]]; }

# The longest first. The docker stack begins with what takes long, its images.
declare_default() {
  local file
  local -a nodes=()
  bats_step "docker stack" tests/docker/stack.bats tests/docker.sh
  for file in tests/e2e/*.bats; do
    runs_alone "$file" || bats_step "$file" "$file"
  done
  bats_step "kubernetes stack" tests/kubernetes/stack.bats tests/kubernetes.sh # when the docker stack no longer needs their engine
  for file in tests/node/*.test.js; do
    too_long "$file" || is_quick "$file" || nodes+=("$file")
  done
  node_step "Node: servers, a browser, reports" "${nodes[@]}"
  for file in tests/bats/*.bats; do
    runs_alone "$file" || is_quick "$file" || bats_step "$file" "$file"
  done
  step "Grafana's dashboard: Prometheus" apart tests/docker/dashboard.sh
  if have mvn; then step "Java: units" mvn -q -B -f apps/jvm/pom.xml test; else log "skipped: Java: no Maven"; fi
}

# The longest first, here too; of bats files, those with the most tests.
declare_quick() {
  local file by_tests
  local -a files nodes=()
  for file in tests/node/*.test.js; do
    ! is_quick "$file" || nodes+=("$file")
  done
  step "Node: units" node --test-reporter=spec tests/lib/in-one-process.js -- "${nodes[@]}"
  lines_of files shell_files
  step "shell: shellcheck" shellcheck -x "${files[@]}"
  by_tests=$(grep -c '^@test' tests/bats/*.bats | sort -t: -k2,2nr | cut -d: -f1)
  for file in $by_tests; do
    ! is_quick "$file" || bats_step "$file" "$file"
  done
  step "Go: vet and test" env CGO_ENABLED=0 go -C k6/build test -trimpath ./... # built as set-up builds k6: packages are compiled once
  step "JavaScript and JSON: biome" tests/node_modules/.bin/biome ci --colors=off .
  step "Dockerfiles: hadolint" tests/docker/hadolint.sh
  step "shell: shfmt" shfmt -i 2 -ci -d "${files[@]}"
}

declare_alone() {
  local round file
  [[ $SIZE != ci ]] || step "bare machine" tests/bare.sh user
  [[ $SIZE != all ]] || step "bare machine" tests/bare.sh
  for file in tests/e2e/*.bats tests/bats/*.bats; do
    ! runs_alone "$file" || bats_step "$file" "$file"
  done
  [[ $SIZE != all ]] || for round in second third; do
    bats_step "the liars, the $round time" tests/e2e/liars.bats
  done
}

# meant: whether PATTERN means any step.
meant() (
  job() { :; }
  [[ $SIZE == quick ]] || { declare_default && declare_alone; } 2>/dev/null
  declare_quick
  ((${#COMMAND[@]} > 0))
)

main() {
  help_if_asked "$@"
  parse "$@"
  cd "$REPO_ROOT"
  meant || usage_error "no step's name contains '$PATTERN'"
  if [[ $SIZE == quick ]]; then scripts/setup.sh "${QUICK_PARTS[@]}"; else scripts/setup.sh --tests; fi
  LOGS=$(mktemp -d)
  trap 'jobs_stop; rm -rf "$LOGS"' EXIT
  [[ $SIZE == quick ]] || declare_default
  declare_quick
  jobs_run "$LOGS" "$(getconf _NPROCESSORS_ONLN)" run_step
  [[ $SIZE == quick ]] || declare_alone
  jobs_run "$LOGS" 1 run_step
  [[ $SIZE != quick ]] || log "not run: tests that take long, or need a server; those that you touched: node --test FILE, bats FILE"
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  ((FAILED == 0))
}

main "$@"
