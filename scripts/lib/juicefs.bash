# shellcheck shell=bash
# The file system of clusters whose profile says "storage": "juicefs": metadata in SQLite, blocks in a folder that stands for an object
# store, and a local cache that acknowledges writes and uploads them five seconds later. Needs FUSE. Source common.bash first; pg_locate
# sets PG_ROOT.

# juicefs_paths: sets JFS_MOUNT, where clusters are; JFS_META, JFS_OBJECTS and JFS_CACHE, of which it is made; and JFS_PID, the file with its process.
juicefs_paths() {
  JFS_MOUNT=$PG_ROOT/juicefs JFS_META=sqlite3://$PG_ROOT/juicefs.made/meta.db JFS_OBJECTS=$PG_ROOT/juicefs.made/objects/
  JFS_CACHE=$PG_ROOT/juicefs.made/cache JFS_PID=$PG_ROOT/juicefs.made/pid JFS_LOG=$PG_ROOT/juicefs.made/log
}

# juicefs_missing: prints why there can be none here; status 1 when there can.
juicefs_missing() {
  if [[ ! -c /dev/fuse ]]; then
    echo "/dev/fuse is not there, which JuiceFS needs"
  elif ((EUID != 0)); then
    echo "only root may let the server's user into a FUSE file system"
  else
    return 1
  fi
}

# juicefs_pid: prints the process that serves it; status 1 when it is not mounted.
juicefs_pid() {
  juicefs_paths
  [[ -e $JFS_PID ]] && mountpoint -q "$JFS_MOUNT" && process_of "$JFS_PID"
}

# juicefs_unmount_dead: where its process was killed, the mount that it left, and the server on it, which cannot even read its own pid there.
juicefs_unmount_dead() {
  local pid
  local -a pids=()
  grep -qsF " $JFS_MOUNT fuse" /proc/self/mounts || return 0
  ! mountpoint -q "$JFS_MOUNT" || die "$EXIT_FAILED" "$JFS_MOUNT is mounted, and $JFS_PID does not say by which process: unmount it first"
  for pid in $(pgrep -x postgres); do
    [[ " $(process_args "$pid")" != *" -D $JFS_MOUNT/"* ]] || pids+=("$pid")
  done
  if ((${#pids[@]} > 0)); then
    warn "JuiceFS has died under a server (pid ${pids[*]}), which is killed"
    kill -KILL "${pids[@]}"
    wait_until 10 "the server's processes to end" all_gone "${pids[@]}" || die "$EXIT_FAILED" "the server on $JFS_MOUNT was not killed"
  fi
  umount --lazy "$JFS_MOUNT"
}

# juicefs_up: made, unless it is there, and mounted.
juicefs_up() {
  local why
  juicefs_paths
  ! juicefs_pid >/dev/null || return 0
  ! why=$(juicefs_missing) || die "$EXIT_FAILED" "$why"
  [[ -x $REPO_ROOT/bin/juicefs ]] || die "$EXIT_FAILED" "bin/juicefs is missing: run scripts/setup.sh bin/juicefs"
  juicefs_unmount_dead
  mkdir -p "$JFS_MOUNT" "$JFS_OBJECTS" "$JFS_CACHE"
  "$REPO_ROOT/bin/juicefs" format --no-update --trash-days 0 --storage file --bucket "$JFS_OBJECTS" "$JFS_META" pglab >>"$JFS_LOG" 2>&1 ||
    die "$EXIT_FAILED" "JuiceFS cannot be made: $(tail -n 1 "$JFS_LOG")"
  setsid "$REPO_ROOT/bin/juicefs" mount --cache-dir "$JFS_CACHE" --cache-size 51200 --writeback --upload-delay 5s --buffer-size 1024 \
    --prefetch 1 --max-readahead 0 --backup-meta 0 -o writeback_cache,allow_other "$JFS_META" "$JFS_MOUNT" >>"$JFS_LOG" 2>&1 9>&- &
  process_note $! "$JFS_PID"
  disown $! # its end is told where it matters, not by the shell
  wait_until 30 "JuiceFS to be mounted" mountpoint -q "$JFS_MOUNT" || die "$EXIT_FAILED" "JuiceFS cannot be mounted: $(tail -n 1 "$JFS_LOG")"
}

# juicefs_down: unmounted, once all is uploaded. Where the process that serves it dies meanwhile, unmounting would wait for ever.
juicefs_down() {
  local unmounting
  if ! juicefs_pid >/dev/null; then
    juicefs_unmount_dead
    return
  fi
  "$REPO_ROOT/bin/juicefs" umount --flush "$JFS_MOUNT" >>"$JFS_LOG" 2>&1 9>&- &
  unmounting=$!
  wait_until 3600 "JuiceFS to upload what its cache holds" juicefs_settled "$unmounting" || die "$EXIT_FAILED" "JuiceFS uploads for an hour already (see $JFS_LOG)"
  # the process that serves it ends before the one that unmounts, or has died
  if ! wait_until 5 "unmounting to end" all_gone "$unmounting"; then
    kill -KILL "$unmounting" 2>/dev/null || all_gone "$unmounting" # it may have ended by now
    juicefs_unmount_dead
    die "$EXIT_FAILED" "JuiceFS ended before all was uploaded (see $JFS_LOG)"
  fi
  wait "$unmounting" || die "$EXIT_FAILED" "$JFS_MOUNT cannot be unmounted: $(tail -n 1 "$JFS_LOG")"
  rm -f "$JFS_PID"
}

# juicefs_settled UNMOUNTING: true when that process has ended, or nobody serves what it waits for.
juicefs_settled() { all_gone "$1" || ! process_of "$JFS_PID" >/dev/null; }

# juicefs_kill: its processes at once, with what they had not uploaded still in the cache.
juicefs_kill() {
  local pid
  local -a pids
  juicefs_paths
  pid=$(juicefs_pid)
  mapfile -t pids < <(printf '%s\n' "$pid" && process_children "$pid")
  kill -KILL "${pids[@]}"
  wait_until 10 "JuiceFS's processes to end" all_gone "${pids[@]}" || die "$EXIT_FAILED" "JuiceFS was not killed"
  umount --lazy "$JFS_MOUNT"
  rm -f "$JFS_PID"
}

# juicefs_lose_cache: what was never uploaded is gone, as when the disk of the cache is lost.
juicefs_lose_cache() { rm -rf "$JFS_CACHE"; }
