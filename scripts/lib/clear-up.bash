# shellcheck shell=bash
# Ends what a holder of locks has started, and waits for others that do. Sourced by guard.sh, whose own record
# is OURS, in OUR_FILE.

# take_over: what holders that have ended left is stopped, where it is ours: of this user and on this data folder. Of others it is said, for as
# long as their data is there.
take_over() {
  local file
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    ! lock_lives || continue
    if [[ -O $file && ${HOLDER[data]} == "${OURS[data]}" ]]; then
      log "${HOLDER[what]} (pid ${HOLDER[pid]}) ended without cleaning up: stopping what it left"
      if clear_up HOLDER known_stage; then rm -f "$file"*; else warn "not all of it could be stopped"; fi
    elif [[ -O $file && ! -d ${HOLDER[data]} ]]; then
      rm -f "$file"*
    elif shared >/dev/null; then
      log "${HOLDER[what]} (pid ${HOLDER[pid]}) ended without cleaning up: taking over; to stop what it left: $(down_command)"
    fi
  done
}

# settle: returns when no other guard is at work on our data. That of an experiment has no locks of its own, and when its suite was killed
# it may still be cleaning up.
settle() {
  local left
  left=$(settled) && return
  log "waiting until what $left left behind is stopped"
  wait_until "$CLEAN_UP_S" "that" settled || { rm -f "$OUR_FILE" && die "$EXIT_FAILED" "$left is still cleaning up"; }
}

# settled: status 1, and whose, when a guard of a process that is gone is at work on our data.
settled() {
  local file
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    [[ $file != "$OUR_FILE" && ${HOLDER[data]} == "${OURS[data]}" ]] || continue
    process_is "${HOLDER[pid]}" "${HOLDER[started]}" || ! lock_lives || { echo "${HOLDER[what]} (pid ${HOLDER[pid]})" && return 1; }
  done
}

# clear_up RECORD IS_STAGE: stops the stage of that record (OURS or HOLDER) when IS_STAGE says that it is still that, then what the
# stack has started, and removes its private file. Status 1 when something did not stop.
clear_up() {
  local -n of=$1
  local failed=0
  if [[ -n ${of[stage]:-} ]] && group_runs "${of[stage]}" && "$2" "${of[stage]}" "${of[stage_started]}"; then
    stop_group "${of[stage]}" || failed=1
  fi
  if [[ -n ${of[stack]:-} ]]; then # what has no stack measures nothing, and the sampler is another's
    # as a part of what it ends, which has the data
    (export PGLAB_LOCK=${OUR_FILE:-$LOCKS} && stack_load "${of[stack]}" && stack_stop) || failed=1
    rm -f "$WATCH_FILE"
  fi
  [[ -z ${of[private]:-} ]] || rm -f "${of[private]}"
  return "$failed"
}

# our_stage PGID STARTED: of a process that has ended just now. Its stage may be gone and have left others in the group, whose id is not given
# away before they end; it would only not be ours if a process of that pid had started since.
our_stage() { process_is "$1" "$2" || ! process_started "$1" >/dev/null; }

# known_stage PGID STARTED: of a process that ended long ago. The stage runs, or one that has a pid file is in its group.
known_stage() {
  # shellcheck disable=SC2034 # _process_look sets all three
  local file pid STATE GROUP STARTED
  process_is "$1" "$2" && return
  for file in "$STACK_STATE"/*.pid; do
    pid=$(process_of "$file") && _process_look "$pid" && [[ $GROUP == "$1" ]] && return
  done
  return 1
}

# stop_group PGID: SIGTERM, a bounded wait, then SIGKILL.
stop_group() {
  kill -TERM -- "-$1" && wait_until 15 "process group $1 to stop" group_stopped "$1" && return
  group_stopped "$1" || { kill -KILL -- "-$1" && wait_until 5 "process group $1 to be killed" group_stopped "$1"; }
}

group_stopped() { ! group_runs "$1"; }
