#!/usr/bin/env bash
# Summary: notes a load tool's process, so that one goes no further whose connection to the driver broke.
# Usage: scripts/generators/noted.sh COMMAND...    ends those noted before that still run, notes its own process, and becomes the command
#        scripts/generators/noted.sh               ends them; prints their pids, one a line
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

NOTES=${TMPDIR:-/tmp}/pglab-tools # for each a file by its pid, which holds when it was started

# started PID: prints when that was, in the kernel's ticks; nothing of one that has ended.
started() { [[ ! -e /proc/$1/stat ]] || sed -n -E 's/^.*\) //; /^[^Z]/p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# ended PID STARTED: it is not there, or another by now.
ended() { [[ $(started "$1") != "$2" ]]; }

# end_left: ends those that run, by SIGTERM, which `timeout` passes on; prints their pids.
end_left() {
  local note pid since
  for note in "$NOTES"/*; do
    pid=${note##*/} since=$(<"$note")
    if ! ended "$pid" "$since" && kill -TERM "$pid"; then
      wait_until 15 "process $pid to end" ended "$pid" "$since" || kill -KILL "$pid"
      printf '%s\n' "$pid"
    fi
    rm "$note"
  done
}

main() {
  local left
  help_if_asked "$@"
  shopt -s nullglob
  mkdir -p "$NOTES"
  left=$(end_left)
  if (($# == 0)); then
    [[ -z $left ]] || printf '%s\n' "$left"
    return
  fi
  [[ -z $left ]] || warn "an earlier load tool still ran, and was ended: process ${left//$'\n'/, }"
  started "$$" >"$NOTES/$$"
  exec "$@"
}

main "$@"
