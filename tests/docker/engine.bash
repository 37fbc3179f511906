# shellcheck shell=bash
# A Docker engine of the tests' own, for root: its socket, pid and log lie in the folder TEST_ENGINE, its images and volumes in
# PGLAB_DOCKER_DATA (/var/tmp/pglab-docker, kept for the next time). Nothing of the system's is touched. Source common.bash first.

# test_engine_start: it runs and answers at DOCKER_HOST; status 1 when it does not.
test_engine_start() {
  dockerd --data-root "${PGLAB_DOCKER_DATA:-/var/tmp/pglab-docker}" --exec-root "$TEST_ENGINE/exec" --pidfile "$TEST_ENGINE/docker.pid" \
    -H "$DOCKER_HOST" >>"$TEST_ENGINE/dockerd.log" 2>&1 3>&- &
  echo "$!" >"$TEST_ENGINE/pid"
  wait_until 60 "dockerd to answer" test_engine_settled && docker version >/dev/null 2>&1
}

# test_engine_stop: it has ended, as by systemctl stop docker; containers end with it. It leaves a mount behind.
test_engine_stop() {
  local left=$TEST_ENGINE/exec/netns/default
  # an engine that a test has stopped takes no signal
  if kill "$(<"$TEST_ENGINE/pid")" 2>/dev/null; then
    wait_until 90 "dockerd to stop" test_engine_stopped || return 1
  fi
  ! mountpoint -q "$left" || umount "$left"
}

test_engine_settled() { test_engine_stopped || docker version; }
test_engine_stopped() { ! kill -0 "$(<"$TEST_ENGINE/pid")" 2>/dev/null; }

# test_engine_complaint: the last thing that went wrong, in its own words.
test_engine_complaint() { grep -E 'level=(fatal|error)|failed' "$TEST_ENGINE/dockerd.log" | tail -n 1; }
