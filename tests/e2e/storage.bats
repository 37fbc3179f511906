#!/usr/bin/env bats
# Servers whose memory is limited, and clusters on JuiceFS, for real, at a small scale. Left out where a machine has no memory cgroup or no FUSE.
# Servers are started with 3>&-: bats waits for whoever holds its descriptor 3.

load ../lib/own-server.bash

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  source scripts/lib/common.bash
  source scripts/lib/memory.bash
  source scripts/lib/juicefs.bash
  source scripts/lib/process.bash
  source scripts/lib/postgres.bash
}

needs_memory() { ! why=$(memory_missing) || skip "$why"; }

needs_juicefs() {
  ! why=$(juicefs_missing) || skip "$why"
  [ -x bin/juicefs ] || skip "bin/juicefs is not built"
}

# bats test_tags=quick
@test "a profile's memory is a limit on the server, page cache included, and goes with it" {
  needs_memory
  ((EUID == 0)) || skip "systemd keeps the limit of servers that are not root's"
  scripts/database.sh up pgbench-exceeds --scale 0.13 3>&-
  memory_group
  local limit told
  limit=$(cat "$MEMORY_GROUP/${MEMORY_FILES[0]}") told=$(as_admin 'show pglab.memory_bytes')
  [ $((told - limit)) -ge 0 ] && [ $((told - limit)) -lt 4096 ] # whole pages
  [ "$told" -eq $(((64 * 100 + 1126 * 13) * 1048576 / 100)) ]
  grep -qx "$(scripts/database.sh status | jq .pid)" "$MEMORY_GROUP/cgroup.procs"
  # the tables are larger than what is left of it beside the buffers: they are read again and again, and it is never exceeded
  as_admin 'select sum(abalance) from pgbench_accounts; select sum(abalance) from pgbench_accounts' >&2
  local used
  used=$(cat "$MEMORY_GROUP/memory.usage_in_bytes" 2>/dev/null || cat "$MEMORY_GROUP/memory.current")
  [ "$used" -le "$limit" ] && [ "$used" -gt $((limit / 2)) ]
  scripts/database.sh up pgbench-inside --scale 0.13 3>&-
  [ ! -e "$MEMORY_GROUP" ]
}

# bats test_tags=quick
@test "a cluster on JuiceFS keeps its rows, its process is a role, and another profile unmounts it" {
  needs_juicefs
  scripts/database.sh up juicefs --scale 0.01 3>&-
  local folder
  folder=$(scripts/database.sh status | jq -r .data_directory)
  [ "$(stat -f -c %T "$folder")" = fuse ] || [ "$(findmnt -n -o FSTYPE -T "$folder")" = fuse.juicefs ]
  [ "$(scripts/database.sh status | jq '.storage > 0')" = true ]
  local loaded
  loaded=$(as_admin 'select count(*) from collections.test')
  [ "$loaded" -gt 0 ]
  scripts/database.sh down
  [ ! -e "$folder" ]
  run scripts/database.sh up juicefs --scale 0.01 3>&-
  [ "$status" -eq 0 ]
  [[ $output != *loading* ]]
  [ "$(as_admin 'select count(*) from collections.test')" = "$loaded" ]
  scripts/database.sh up durable --scale 0.01 3>&-
  [ "$(scripts/database.sh status | jq .storage)" = null ]
  [ ! -e "$folder" ]
}

@test "where JuiceFS dies while it is unmounted, a line says so at once, and nothing stays mounted" {
  needs_juicefs
  scripts/database.sh up juicefs --scale 0.01 3>&-
  pg_locate && juicefs_paths
  local server=() started=$SECONDS
  mapfile -t server < <(juicefs_pid && process_children "$(juicefs_pid)")
  scripts/database.sh down >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  local down=$! status=0
  wait_until 30 "unmounting" pgrep -f "umount --flush $JFS_MOUNT"
  kill -KILL "${server[@]}"
  wait "$down" || status=$?
  cat "$BATS_TEST_TMPDIR/log"
  [ "$status" -eq 2 ]
  [ "$(grep -c '^error: JuiceFS ended' "$BATS_TEST_TMPDIR/log")" -eq 1 ]
  ((SECONDS - started < 60))
  [ -z "$(findmnt -n "$JFS_MOUNT")" ]
}

@test "survival on JuiceFS: nothing is lost with it killed and its cache kept; what its lost cache takes along is counted" {
  needs_juicefs
  run scripts/drills/survival.sh --lose cache durable
  [ "$status" -eq 64 ]
  [[ $output == *"--lose: durable is not on JuiceFS"* ]]
  scripts/drills/survival.sh --rounds 1 --seconds 1 --lose nothing --run "$BATS_TEST_TMPDIR" juicefs 3>&-
  jq -e '.[0].acknowledged > 0 and .[0].lost == 0 and .[0].loaded_lost == 0' "$BATS_TEST_TMPDIR/survival.json"
  scripts/drills/survival.sh --rounds 1 --seconds 1 --lose cache --run "$BATS_TEST_TMPDIR" juicefs 3>&-
  jq -e '.[0].acknowledged > 0 and .[0].lost > 0' "$BATS_TEST_TMPDIR/survival.json"
}
