#!/usr/bin/env bats
# What goes wrong in real life: nonsense on the command line, a taken port, a damaged run, Ctrl-C, a full disk, a target that answers
# wrongly. Each gets one clear line and its exit code, and nothing that was measured is lost.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
}

newest_run() { find results/runs -maxdepth 1 -name "*-$1" | sort | tail -n 1; }

# refuses EXIT_CODE TEXT ARGUMENT...: one line of error, which says TEXT
refuses() {
  local code=$1 text=$2
  shift 2
  run ./run-all-tests.sh "$@" 3>&-
  echo "$output"
  [ "$status" -eq "$code" ]
  [ "$(grep -c '^error: ' <<<"$output")" -eq 1 ]
  [[ $output == *"$text"* ]]
}

@test "nonsense on the command line: exit 64 and one line" {
  refuses 64 "no such experiment: nonsense" nonsense
  refuses 64 "has targets" smoke --targets nonsense
  refuses 64 "has workloads" smoke --workloads nonsense
  refuses 64 "must be whole numbers from 1" smoke --levels 0
  refuses 64 "must be whole numbers from 1" smoke --levels -1
  refuses 64 "must be whole numbers from 1" smoke --levels many
  refuses 64 "has levels" smoke --levels 999
  refuses 64 "declares 1" smoke --blocks 7
  refuses 64 "unknown option --nonsense" smoke --nonsense
  refuses 64 "needs a value" smoke --levels
  refuses 64 "must be a number above 0" smoke --scale 0
  refuses 64 "must be http" smoke --url nonsense
  refuses 64 "no such run" --resume results/runs/nonsense
}

@test "a damaged run folder: exit 2, its cells are untouched" {
  mkdir -p "$BATS_TEST_TMPDIR/run/cells/01"
  echo '{"name"' >"$BATS_TEST_TMPDIR/run/experiment.json"
  refuses 2 "is damaged: experiment.json" --resume "$BATS_TEST_TMPDIR/run"
  [ -d "$BATS_TEST_TMPDIR/run/cells/01" ]
}

@test "a port that is taken: exit 2, and the line names it" {
  node -e 'require("net").createServer().listen(+process.argv[1], "127.0.0.1")' "${NULL_PORT:-3001}" 3>&- &
  taken=$!
  refuses 2 "port ${NULL_PORT:-3001} is taken" smoke --targets pooled --workloads hello
  kill "$taken"
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
  [ "$status" -eq 0 ]
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
