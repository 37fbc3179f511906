# shellcheck shell=bash
# The stub target of the script tests (http-stub.js), one per test file.

# start_stub PORT: starts it and waits until it answers; sets STUB and STUB_PID.
start_stub() {
  export STUB=http://127.0.0.1:$1 STUB_PID
  node "$BATS_TEST_DIRNAME/../lib/http-stub.js" "$1" 3>&- &
  STUB_PID=$!
  local _
  for _ in {1..600}; do
    kill -0 "$STUB_PID" || return 1
    ! curl -sf "$STUB/stats" >/dev/null || return 0
    sleep 0.05
  done
  echo "the stub does not answer at $STUB" >&2
  return 1
}

# stop_stub: ends it.
stop_stub() { kill "$STUB_PID"; }

# stub_stat KEY: prints one of the stub's counters.
stub_stat() { curl -sf "$STUB/stats" | jq ".$1"; }
