# shellcheck shell=bash
# A limit on the memory of a server, page cache included, so that a database larger than it is read from the disk again and again.
# Root makes a memory cgroup (v1 or v2); others need systemd. Source common.bash first.

# memory_missing: prints why no server's memory can be limited here; status 1 when it can, which is tried. What a trial that fails says itself is
# left out: whether it is a read-only mount or a missing controller, the line is the same.
memory_missing() {
  if ((EUID == 0)); then
    ! (memory_limit 67108864 "probe-$BASHPID" && rmdir "$MEMORY_GROUP") 2>/dev/null || return 1
    echo "there is no memory cgroup that could limit a server"
  else
    # shellcheck disable=SC2016 # for the shell in the scope
    ! systemd-run --user --scope --quiet -p MemoryMax=64M \
      bash -c '[[ $(<"/sys/fs/cgroup$(sed -n "s/^0:://p" /proc/self/cgroup)/memory.max") == 67108864 ]]' 2>/dev/null || return 1
    echo "only root, or a user whose systemd may limit memory, can limit a server's"
  fi
}

# memory_group [NAME]: sets MEMORY_GROUP to the folder of the group of that name, of the server on PG_PORT unless given, and MEMORY_FILES to the names of its files: the
# limit, and that of memory and swap together (v1) or of swap alone (v2).
memory_group() {
  local name=pglab-${1:-$PG_PORT}
  if [[ -d /sys/fs/cgroup/memory ]]; then
    MEMORY_GROUP=/sys/fs/cgroup/memory/$name MEMORY_FILES=(memory.limit_in_bytes memory.memsw.limit_in_bytes)
  else
    MEMORY_GROUP=/sys/fs/cgroup/$name MEMORY_FILES=(memory.max memory.swap.max)
  fi
}

# memory_limit BYTES [NAME]: makes the group with that much memory and no swap; status 1 where that cannot be done. It does not lean on errexit.
memory_limit() {
  memory_group "${2:-}"
  mkdir -p "$MEMORY_GROUP" || return
  # of v1 the one limit may not lie above the other at any time
  if [[ ${MEMORY_FILES[1]} == memory.memsw.* && -e $MEMORY_GROUP/${MEMORY_FILES[1]} ]]; then
    echo -1 >"$MEMORY_GROUP/${MEMORY_FILES[1]}" || return
    echo "$1" >"$MEMORY_GROUP/${MEMORY_FILES[0]}" || return
    echo "$1" >"$MEMORY_GROUP/${MEMORY_FILES[1]}"
  else
    echo "$1" >"$MEMORY_GROUP/${MEMORY_FILES[0]}" || return
    [[ ! -e $MEMORY_GROUP/${MEMORY_FILES[1]} ]] || echo 0 >"$MEMORY_GROUP/${MEMORY_FILES[1]}"
  fi
}

# memory_limited BYTES COMMAND...: runs COMMAND, and what it starts, as the server's user with that much memory and no swap; without, it is not run.
memory_limited() {
  local bytes=$1
  shift
  if ((EUID != 0)); then
    systemd-run --user --scope --quiet -p "MemoryMax=$bytes" -p MemorySwapMax=0 -- "$@"
    return
  fi
  memory_limit "$bytes" || return
  (echo "$BASHPID" >"$MEMORY_GROUP/cgroup.procs" && as_server "$@")
}

# memory_holds PID: true where a process is in the group.
memory_holds() {
  memory_group
  grep -qsx "$1" "$MEMORY_GROUP/cgroup.procs"
}

# memory_release [PID]: removes the group where nothing is in it; or once nothing is, after process PID, which was in it, has been stopped.
memory_release() {
  memory_group
  ((EUID == 0)) && [[ -d $MEMORY_GROUP ]] || return 0
  [[ -n ${1:-} || -z $(<"$MEMORY_GROUP/cgroup.procs") ]] || return 0
  wait_until 5 "the processes in $MEMORY_GROUP to end" rmdir "$MEMORY_GROUP" || die "$EXIT_FAILED" "$MEMORY_GROUP cannot be removed: something in it still runs"
}

# memory_forget FOLDER: drops what the page cache holds of the files there: it counts for whoever read it first, not for the server.
memory_forget() {
  as_server find "$1" -type f -size +64k -exec dd if={} iflag=nocache count=0 status=none \;
}
