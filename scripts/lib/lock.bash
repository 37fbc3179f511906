# shellcheck shell=bash
# One run at a time on what a run needs for itself: its ports and its private cluster. And no orphans: what a run has started ends with
# it, however it ends. Source common.bash and stack.bash first.
#
# lock_acquire starts a guard (guard.sh), a small process outside this one's process group. The guard holds the locks, and the read end of
# a pipe whose write end only this process has: bash keeps a coprocess's descriptors from every child. At the end of that file it stops
# what this process has started, and only then lets go of the locks.
#
# LOCKS is shared by all users of the machine. In it lie an empty file for each resource, which the guard locks (the kernel frees
# it when the guard dies), and a record for each holder, <pid>-<start>.run, with lines KEY=VALUE:
#   pid started guard guard_started   the holder and its guard
#   clone data what since             who holds: the clone, its PGLAB_DATA, "run smoke", the time
#   resources                         what is locked: "port 3000|port 3001|...|data /home/me/pglab/.data"
#   estimate_s stack by_hand          once known: how long the run takes; its stack; yes for a target that is up by hand
#   private                           a file that goes with the holder, however it ends
#   stage stage_started               the process group of the stage that runs
# In the environment of what the holder starts, PGLAB_LOCK is the path of its record.

LOCKS=/tmp/pglab-locks
LOCK_GUARD=''        # the guard's pid, where this process has one
declare -A HOLDER=() # the record that was read last
declare -a RESOURCES=()

# shellcheck source=scripts/lib/process.bash
source "$REPO_ROOT/scripts/lib/process.bash"

# lock_acquire WHAT HOW: takes the locks and starts the guard, or says in one line who holds them and exits 2. WHAT is who we are: "run
# smoke". HOW:
#   refuse   exit 2 at once when another holds them
#   wait     wait until they are free
#   join     as refuse, for commands that a run calls too: then they take part in that run's locks
#   share    a guard, and no lock but that of the run that goes on
lock_acquire() {
  local answer
  [[ $2 != join || -z ${PGLAB_LOCK:-} ]] || return 0
  set -m # a process group of its own
  coproc GUARD { STACK=${STACK:-} exec "$REPO_ROOT/scripts/lib/guard.sh" "$$" "$1" "$2"; }
  set +m
  LOCK_GUARD=$GUARD_PID
  if ! read -r answer <&"${GUARD[0]}"; then # the guard has said why
    wait "$LOCK_GUARD" || exit "$?"
    exit "$EXIT_FAILED"
  fi
  export PGLAB_LOCK=$answer
}

# lock_note KEY VALUE: adds to the record.
lock_note() {
  [[ -n $LOCK_GUARD ]] || return 0
  [[ -n ${GUARD[1]:-} ]] || die "$EXIT_FAILED" "the guard of this run (pid $LOCK_GUARD) was killed"
  printf '%s=%s\n' "$1" "$2" >&"${GUARD[1]}"
}

# guarded COMMAND...: runs it in a process group of its own, which ends with this process. It tells the guard its pid before it becomes
# the command, so that nothing can be started that the guard does not know of. Returns its exit status. What a command that failed has
# left in its group ends with this process too. Its input is empty: of a group in the background that
# reads from a terminal all are stopped.
guarded() {
  local code=0
  lock_note stage ''
  set -m
  { (printf 'stage=%s\n' "$BASHPID" >&7 && exec "$@" 7>&- </dev/null) & } 7>&"${GUARD[1]}"
  set +m
  wait "$!" || code=$?
  ((code > 0)) || lock_note stage ''
  ((code < 128)) || die "$EXIT_FAILED" "$1 was killed (exit status $code)"
  return "$code"
}

# lock_release: ends what was started and gives the locks back. Status 1 when something does not end.
lock_release() {
  local guard=$LOCK_GUARD pipe=${GUARD[1]:-} code=137
  [[ -n $guard ]] || return 0
  LOCK_GUARD=''
  if [[ -n $pipe ]]; then
    printf 'end=\n' >&"$pipe"
    exec {pipe}>&-
    code=0
    wait "$guard" || code=$?
  fi
  ((code > 126)) || return "$code"
  "$REPO_ROOT/scripts/lib/guard.sh" --clear "$PGLAB_LOCK" # the guard was killed
}

# lock_keep: what is up stays up when this process ends, and the guard keeps its locks until lock_end_by_hand.
lock_keep() {
  local answer
  [[ -n $LOCK_GUARD ]] || return 0
  lock_note keep ''
  read -r answer <&"${GUARD[0]}" || die "$EXIT_FAILED" "the guard was killed"
  LOCK_GUARD=''
}

# lock_end_by_hand: ends the guard of a target that is up by hand on this data folder. The target stays up; the caller goes on with it.
lock_end_by_hand() {
  local file data
  [[ -z ${PGLAB_LOCK:-} ]] || return 0
  data=$(lock_data)
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    [[ -n ${HOLDER[by_hand]:-} && ${HOLDER[data]} == "$data" && -O $file ]] || continue
    ! lock_guard_ended || continue
    kill -TERM "${HOLDER[guard]}"
    wait_until 10 "the guard of ${HOLDER[what]} to end" lock_guard_ended || die "$EXIT_FAILED" "process ${HOLDER[guard]} does not end"
    rm -f "$file"
  done
}

# lock_refuse_run: exits 2 when a run has this data folder and this command is no part of it.
lock_refuse_run() {
  local file data
  [[ -z ${PGLAB_LOCK:-} ]] || return 0
  data=$(lock_data)
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    [[ "|${HOLDER[resources]:-}|" == *"|data $data|"* && -z ${HOLDER[by_hand]:-} ]] || continue
    ! lock_lives || die "$EXIT_FAILED" "$data is in use by ${HOLDER[what]} (pid ${HOLDER[pid]}, since ${HOLDER[since]}): wait until it has ended"
  done
}

lock_guard_ended() { ! process_is "${HOLDER[guard]}" "${HOLDER[guard_started]}"; }

# lock_beside: prints the other holders of locks on this machine, as JSON: [{clone, run, pid, since}]. On this data folder there are
# ourselves alone, be it as an experiment and as the suite that it belongs to.
lock_beside() {
  local file data
  data=$(lock_data)
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    [[ -n ${HOLDER[resources]:-} && ${HOLDER[data]} != "$data" ]] || continue
    lock_lives || continue
    jq -n --arg clone "${HOLDER[clone]}" --arg run "${HOLDER[what]#run }" --argjson pid "${HOLDER[pid]}" --arg since "${HOLDER[since]}" '{$clone, $run, $pid, $since}'
  done | jq -s .
}

# lock_read FILE: a record into HOLDER; status 1 when it is gone, or is none.
lock_read() {
  local line key value
  HOLDER=()
  [[ -f $1 && -r $1 ]] || return 1
  while IFS= read -r line; do
    key=${line%%=*} value=${line#*=}
    [[ ! $key =~ ^[a-z_]+$ ]] || HOLDER[$key]=${value//[[:cntrl:]]/ }
  done <"$1"
  for key in pid started guard guard_started clone data what since; do
    [[ -n ${HOLDER[$key]:-} ]] || return 1
  done
  [[ ${HOLDER[pid]} =~ ^[0-9]+$ ]]
}

# lock_lives: true when HOLDER, or its guard, runs.
lock_lives() {
  process_is "${HOLDER[pid]}" "${HOLDER[started]}" || process_is "${HOLDER[guard]}" "${HOLDER[guard_started]}"
}

# lock_resources: sets RESOURCES to what a run needs for itself.
lock_resources() {
  local port ports data
  local -a own
  data=$(lock_data)
  # shellcheck disable=SC2086 # ports are words
  ports=$(printf '%s\n' "$TARGET_PORT" "$NULL_PORT" "$CUBE_PORT" "$PG_PORT" $STANDBY_PORTS | sort -un)
  RESOURCES=()
  if ! in_cluster "${STACK:-}"; then # nothing of it listens here
    for port in $ports; do
      RESOURCES+=("port $port")
    done
  fi
  lines_of own of_stack "${STACK:-}" stack_locks
  RESOURCES+=("${own[@]}" "data $data")
  lock_folder
}

# lock_folder: adds to RESOURCES the run that goes on, which another clone, or one with other ports, may want to go on with too.
lock_folder() {
  [[ -z ${LOCK_RUN:-} ]] || RESOURCES+=("run $LOCK_RUN")
}

# lock_data: prints the folder of clusters and state, without links; it need not be there yet.
lock_data() {
  local folder=${STACK_STATE%/stack} rest='' real
  [[ $folder == /* ]] || folder=$PWD/$folder
  until [[ -d $folder ]]; do
    rest=/${folder##*/}$rest folder=${folder%/*}
    folder=${folder:-/}
  done
  real=$(cd "$folder" 2>/dev/null && pwd -P) || real=$folder
  printf '%s%s\n' "${real%/}" "$rest"
}
