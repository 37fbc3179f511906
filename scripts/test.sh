#!/usr/bin/env bash
# Summary: sets up and runs the tests: linters, unit tests, golden files, and real runs of the driver at size one.
# Usage: scripts/test.sh [--all] [--help]
#
#   --all    adds what is slower than CI wants to wait for: all tests of the docker stack, not the quick ones alone; the liars three times over
#
# Each step's output, less the tests that passed, is shown when it fails. Exit 0 when every step passed, else 1.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

PASSED=0 FAILED=0

# step NAME COMMAND...: runs one step; its output goes to a file, and to the screen when it fails.
step() {
  local name=$1 started
  shift
  started=$(now_us)
  if "$@" >"$LOGS/step.log" 2>&1; then
    PASSED=$((PASSED + 1))
    log "ok      $name ($(seconds_since "$started") s)"
    sed -n 's/^skipped: /        &/p' "$LOGS/step.log" >&2
  else
    FAILED=$((FAILED + 1))
    log "FAILED  $name ($(seconds_since "$started") s): $*"
    sed -e '/^ok /d' -e 's/^/        /' "$LOGS/step.log" >&2
  fi
}

# shell_files: every bash file that git knows, one a line.
shell_files() { git ls-files -co --exclude-standard '*.sh' '*.bash' '*.bats' .ci/run; }

main() {
  help_if_asked "$@"
  local all=false words round
  [[ ${1:-} != --all ]] || all=true
  [[ -z ${1:-} ]] || $all || usage_error "unknown option $1"
  cd "$REPO_ROOT"
  scripts/setup.sh --tests
  LOGS=$(mktemp -d)
  trap 'rm -rf "$LOGS"' EXIT
  local -a shell
  words=$(shell_files)
  mapfile -t shell <<<"$words"
  step "shell: shellcheck" shellcheck -x "${shell[@]}"
  step "shell: shfmt" shfmt -i 2 -ci -d "${shell[@]}"
  step "Dockerfiles: hadolint" tests/docker/hadolint.sh
  step "JavaScript and JSON: biome" tests/node_modules/.bin/biome ci .
  step "Go: vet and test" env CGO_ENABLED=0 go -C k6/build test -trimpath ./... # built as setup.sh builds k6: packages are compiled once
  step "Node: unit tests" node --test --test-concurrency=2 tests/node/
  step "bash, jq, k6 and wrk scripts: bats" bats --print-output-on-failure tests/bats
  if have mvn; then step "Java: unit tests" mvn -q -B -f apps/jvm/pom.xml test; else log "skipped: Java: no Maven"; fi
  step "real runs: bats" bats --print-output-on-failure tests/e2e
  local -a of_docker=(tests/docker.sh bats --print-output-on-failure tests/docker/stack.bats)
  $all || of_docker+=(--filter-tags quick)
  step "Grafana's dashboard: Prometheus" tests/docker/dashboard.sh
  step "the docker stack" "${of_docker[@]}"
  ! $all || for round in second third; do
    step "the liars, the $round time" bats --print-output-on-failure tests/e2e/liars.bats
  done
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  ((FAILED == 0))
}

main "$@"
