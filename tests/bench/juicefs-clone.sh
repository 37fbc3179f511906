#!/usr/bin/env bash
# Summary: how long a snapshot of a cluster takes on JuiceFS, which copies metadata alone, and how long a copy of its files to a plain disk takes.
# Usage: tests/bench/juicefs-clone.sh [SCALE...]   scales of the pgbench dataset; 0.13 and 1 unless given
#
# Each cluster is stopped, cloned, and the clone started to count its accounts: a snapshot that cannot be used is none. Prints a line for
# each scale. Needs FUSE, root and bin/juicefs.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

# seconds COMMAND...: runs it; prints how long it took.
seconds() {
  local began=${EPOCHREALTIME/./}
  "$@" >/dev/null
  awk -v us=$((${EPOCHREALTIME/./} - began)) 'BEGIN { printf "%.3f", us / 1e6 }'
}

# accounts DATA: how many there are in the cluster there, which is started for that.
accounts() {
  PG_DATA=$1
  pg_start '{}'
  pg_sql "$DATABASE" -c 'select count(*) from pgbench_accounts'
  pg_stop "$1"
}

# line SCALE: measures it, and prints what was found.
line() {
  local data copy=$PG_ROOT/copied mb cloned copied of_clone of_original
  "$REPO_ROOT/scripts/database.sh" up juicefs-larger --scale "$1" >&2
  DATABASE=$(pg_current .database)
  pg_use juicefs-larger "$1"
  data=$PG_DATA
  pg_stop "$data"
  mb=$(du -sm --apparent-size "$data" | cut -f 1)
  cloned=$(seconds "$REPO_ROOT/bin/juicefs" clone --preserve "$data" "$data.clone")
  mkdir -p "$copy"
  copied=$(seconds cp -a "$data" "$copy/data")
  of_original=$(accounts "$data")
  of_clone=$(accounts "$data.clone")
  rm -rf "$copy" "$data.clone"
  [[ $of_clone == "$of_original" ]] || die "$EXIT_INVALID" "the clone has $of_clone accounts, and its original $of_original"
  printf '%s MB, %s accounts: clone %s s, copy to the disk %s s\n' "$mb" "$of_clone" "$cloned" "$copied"
}

main() {
  help_if_asked "$@"
  local scale
  (($# > 0)) || set -- 0.13 1
  pg_locate
  for scale in "$@"; do line "$scale"; done
  "$REPO_ROOT/scripts/database.sh" down
}

main "$@"
