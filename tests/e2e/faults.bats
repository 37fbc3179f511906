#!/usr/bin/env bats
# What goes wrong in real life: a taken port, an address where nothing answers, Ctrl-C, a full disk, a target that answers wrongly. Each gets
# one clear line and its exit code, and nothing that was measured is lost. Mistakes on the command line: tests/bats/front.bats.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  source tests/lib/postgres.bash
}

# refuses EXIT_CODE TEXT ARGUMENT...: one line of error, which says TEXT
refuses() {
  run ./run-all-tests.sh "${@:3}" 3>&-
  refused_with "$1" "$2"
}

@test "a port that is taken: exit 2, and the line names it" {
  node -e 'require("net").createServer().listen(+process.argv[1], "127.0.0.1")' "${NULL_PORT:-3001}" 3>&- &
  taken=$!
  until_true eval ": </dev/tcp/127.0.0.1/${NULL_PORT:-3001}" 2>/dev/null
  refuses 2 "port ${NULL_PORT:-3001} is taken" smoke --targets pooled --workloads hello
  kill "$taken"
}

@test "an address where nothing answers: exit 2 within seconds, before anything is calibrated" {
  before=$(newest_run smoke)
  started=$SECONDS
  refuses 2 "--url http://127.0.0.1:9: the connection is refused" smoke --workloads hello --url http://127.0.0.1:9
  ((SECONDS - started < 20))
  [ "$before" = "$(newest_run smoke)" ]
}

being_measured() { [ -e "${PGLAB_DATA:-.data}/stack/watch/cell.json" ]; }

@test "Ctrl-C: exit 130 at once, no process left, what was measured stays, and the run can go on" {
  # A shell without job control starts background jobs deaf to SIGINT, which a person's terminal does not.
  python3 -c 'import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    ./run-all-tests.sh smoke --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  driver=$!
  for _ in $(seq 600); do
    ! being_measured || break
    sleep 0.1
  done
  being_measured
  kill -INT "$driver"
  code=0
  wait "$driver" || code=$?
  cat "$BATS_TEST_TMPDIR/log"
  [ "$code" -eq 130 ]
  grep -q -- "--resume" "$BATS_TEST_TMPDIR/log"
  [ "$(scripts/stack.sh status)" = "{}" ]
  [ "$(scripts/database.sh status | jq .running)" = false ]
  run ./run-all-tests.sh --resume "$(newest_run smoke)" 3>&-
  echo "$output"
  ended_well "$status" "$(newest_run smoke)"
}

@test "a target that answers wrongly is not measured: exit 2 at the first difference" {
  TARGET_FOLDERS="apps tests/liars" refuses 2 "differs from SQL's" tests/liars/broken.json
}

@test "a folder that cannot be written, a disk that is full: exit 2, and the line says so" {
  PGLAB_RESULTS=/proc/nowhere refuses 2 "cannot be written" smoke --targets pooled --workloads hello
  ((EUID == 0)) || skip "only root can mount a small disk"
  mkdir "$BATS_TEST_TMPDIR/small"
  mount -t tmpfs -o size=64k tmpfs "$BATS_TEST_TMPDIR/small" || skip "mounting is not allowed here"
  PGLAB_RESULTS=$BATS_TEST_TMPDIR/small refuses 2 "is the disk full" smoke --targets pooled --workloads hello
  umount "$BATS_TEST_TMPDIR/small"
}
