# shellcheck shell=bash
# For bats files that kill runs: what of a run is still there, by pid and start time. Linux only. Source scripts/lib/process.bash first.

# marked COMMAND...: becomes the command, which hands MARK, the test's own, to all that it starts.
marked() { DRILL_MARK=$MARK exec "$@"; }

# ours: prints "PID STARTED ARGUMENTS" of every process that has MARK in its environment, and of the servers on PGLAB_DATA, whose
# environment cannot be read once they run.
ours() {
  local pids pid started
  pids=$({ with "DRILL_MARK=$MARK" environ && with "$PGLAB_DATA/" cmdline; } | cut -d / -f 3 | sort -u)
  for pid in $pids; do
    ! started=$(process_started "$pid") || printf '%s %s %s\n' "$pid" "$started" "$(tr '\0' ' ' <"/proc/$pid/cmdline")"
  done
}

# with TEXT FILE: prints the paths of those files in /proc that hold the text.
with() { grep -lsF -- "$1" /proc/[0-9]*/"$2" || (($? == 1 || $? == 2)); } # 2: a process ended meanwhile

# nothing_left BEFORE: within a minute none of the processes runs that `ours` printed before, and no other of ours.
nothing_left() {
  local deadline=$((SECONDS + 60)) left
  while left=$(still "$1" && ours) && [ -n "$left" ]; do
    ((SECONDS < deadline)) || { echo "left: $left" && return 1; }
    sleep 0.1
  done
}

# still BEFORE: prints those that still run.
still() {
  local pid started rest
  while read -r pid started rest; do
    [[ -z $pid ]] || ! process_is "$pid" "$started" || printf '%s %s %s\n' "$pid" "$started" "$rest"
  done <<<"$1"
}
