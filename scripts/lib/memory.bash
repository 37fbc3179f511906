# shellcheck shell=bash
# A limit on the memory of a server, page cache included, so that a database larger than it is read from the disk again and again.
# Root makes a memory cgroup (v1 or v2); others need systemd. Source common.bash first.

# memory_missing: prints why no server's memory can be limited here; status 1 when it can.
memory_missing() {
  if ((EUID != 0)); then
    ! systemd-run --user --scope --quiet -p MemoryMax=64M true 2>/dev/null || return 1
    echo "only root, or a user with systemd, can limit a server's memory"
  elif [[ ! -d /sys/fs/cgroup/memory && " $(cat /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null) " != *' memory '* ]]; then
    echo "there is no memory cgroup that could limit a server"
  else
    return 1
  fi
}

# memory_group: sets MEMORY_GROUP to the folder of the group of the server on PG_PORT, and MEMORY_FILES to the names of its files: the
# limit, and that of memory and swap together (v1) or of swap alone (v2).
memory_group() {
  if [[ -d /sys/fs/cgroup/memory ]]; then
    MEMORY_GROUP=/sys/fs/cgroup/memory/pglab-$PG_PORT MEMORY_FILES=(memory.limit_in_bytes memory.memsw.limit_in_bytes)
  else
    MEMORY_GROUP=/sys/fs/cgroup/pglab-$PG_PORT MEMORY_FILES=(memory.max memory.swap.max)
  fi
}

# memory_limited BYTES COMMAND...: runs COMMAND, and what it starts, as the server's user with that much memory and no swap.
memory_limited() {
  local bytes=$1
  shift
  if ((EUID != 0)); then
    systemd-run --user --scope --quiet -p "MemoryMax=$bytes" -p MemorySwapMax=0 -- "$@"
    return
  fi
  memory_group
  mkdir -p "$MEMORY_GROUP"
  # of v1 the one limit may not lie above the other at any time
  if [[ ${MEMORY_FILES[1]} == memory.memsw.* && -e $MEMORY_GROUP/${MEMORY_FILES[1]} ]]; then
    echo -1 >"$MEMORY_GROUP/${MEMORY_FILES[1]}"
    echo "$bytes" >"$MEMORY_GROUP/${MEMORY_FILES[0]}"
    echo "$bytes" >"$MEMORY_GROUP/${MEMORY_FILES[1]}"
  else
    echo "$bytes" >"$MEMORY_GROUP/${MEMORY_FILES[0]}"
    [[ ! -e $MEMORY_GROUP/${MEMORY_FILES[1]} ]] || echo 0 >"$MEMORY_GROUP/${MEMORY_FILES[1]}"
  fi
  (
    echo "$BASHPID" >"$MEMORY_GROUP/cgroup.procs"
    as_server "$@"
  )
}

# memory_release: removes the group, once its server has stopped.
memory_release() {
  memory_group
  if ((EUID == 0)) && [[ -d $MEMORY_GROUP ]]; then
    rmdir "$MEMORY_GROUP" || warn "$MEMORY_GROUP: cannot be removed, as something in it still runs"
  fi
}

# memory_forget FOLDER: drops what the page cache holds of the files there: it counts for whoever read it first, not for the server.
memory_forget() {
  as_server find "$1" -type f -size +64k -exec dd if={} iflag=nocache count=0 status=none \;
}
