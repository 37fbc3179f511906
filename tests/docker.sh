#!/usr/bin/env bash
# Summary: tests the docker stack with a real engine and images.
# Usage: tests/docker.sh [COMMAND...]      COMMAND: bats on tests/docker/stack.bats unless given
#
# Uses the engine that answers. Otherwise, as root on Debian, it installs docker.io and runs an engine of its own for as long as the test
# takes, with its data in PGLAB_DOCKER_DATA (/var/tmp/pglab-docker, kept for the next time). Where no image registry answers,
# it makes stand-ins for the official images (tests/docker/stand-ins.bash) and sets the variables of docker/.env to them.
# Without an engine it says so and exits 0.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../scripts/lib/common.bash"
# shellcheck source=tests/docker/engine.bash
source "$REPO_ROOT/tests/docker/engine.bash"
# shellcheck source=tests/docker/stand-ins.bash
source "$REPO_ROOT/tests/docker/stand-ins.bash"

SCRATCH='' TEST_ENGINE=''

on_exit() {
  local code=$?
  [[ -z $TEST_ENGINE ]] || test_engine_stop || code=$EXIT_FAILED
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  exit "$code"
}

skip() {
  log "skipped: the docker stack: $*"
  exit 0
}

# engine: there is one, found or started. One of ours has the data to itself: a second test waits for its end.
engine() {
  have docker && docker version >/dev/null 2>&1 && return
  ((EUID == 0)) || skip "no Docker engine answers, and only root can start one"
  have dockerd || install_engine || skip "no Docker engine answers, and docker.io cannot be installed"
  exec 8>"${PGLAB_DOCKER_DATA:-/var/tmp/pglab-docker}.lock"
  lock_fd 8
  export TEST_ENGINE=$SCRATCH DOCKER_HOST=unix://$SCRATCH/docker.sock
  test_engine_start || skip "dockerd does not start here: $(test_engine_complaint)"
}

install_engine() {
  have apt-get && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends docker.io docker-compose debootstrap >"$SCRATCH/apt.log" 2>&1
}

# base_images: the official ones, or stand-ins under names of their own.
base_images() {
  local image registry=true
  for image in POSTGRES_IMAGE NODE_IMAGE GO_IMAGE; do
    image=${!image:-$(sed -n "s/^$image=//p" "$REPO_ROOT/docker/.env")}
    docker image inspect "$image" >/dev/null 2>&1 || docker pull -q "$image" >/dev/null 2>&1 || registry=false
  done
  $registry && return
  [[ -x $(command -v debootstrap) ]] || skip "no image registry answers, and there is no debootstrap to make stand-ins with"
  log "no image registry answers: stand-ins are used"
  stand_ins "$SCRATCH" >"$SCRATCH/stand-ins.log" 2>&1 || skip "stand-ins cannot be made: $(tail -n 1 "$SCRATCH/stand-ins.log")"
  export POSTGRES_IMAGE=$STAND_IN/postgres:15 NODE_IMAGE=$STAND_IN/node GO_IMAGE=$STAND_IN/go
}

main() {
  help_if_asked "$@"
  trap on_exit EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  cd "$REPO_ROOT"
  SCRATCH=$(mktemp -d)
  engine
  have docker-compose || docker compose version >/dev/null 2>&1 || skip "there is neither docker compose nor docker-compose"
  base_images
  local -a command=("$@")
  [[ -n ${1:-} ]] || command=(bats --print-output-on-failure tests/docker/stack.bats)
  "${command[@]}" 8>&-
}

main "$@"
