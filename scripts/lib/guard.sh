#!/usr/bin/env bash
# Summary: holds the locks of a run; ends what the run has started when the run ends, however it ends.
# Usage: scripts/lib/guard.sh PID WHAT HOW       started by lock_acquire; scripts/lib/lock.bash explains it
#        scripts/lib/guard.sh --clear RECORD     ends what the holder of that record had started
#
# stdin is a pipe from process PID: lines KEY=VALUE for the record. Four keys have a meaning here: stage, the process group that
# runs now, if any; run, a folder of results that is new, and locked from here on; keep, go on holding when the pipe ends; end, process PID
# waits for us. stdout gets the record's path once the locks are held.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"
# shellcheck source=scripts/lib/clear-up.bash
source "$REPO_ROOT/scripts/lib/clear-up.bash"

CLEAN_UP_S=90      # how long a run waits for what an earlier one left to be cleared
declare -A OURS=() # our own record, to be written to OUR_FILE
declare -a HELD=() # the descriptors of the locked files
BUSY=''            # the resource that another holds

# check_ports: all are ports, and different ones.
check_ports() {
  local name port taken=''
  for name in TARGET_PORT NULL_PORT CUBE_PORT PG_PORT STANDBY_PORTS; do
    local -a ports
    read -r -a ports <<<"${!name}"
    for port in "${ports[@]}"; do
      [[ $port =~ ^[1-9][0-9]{0,4}$ && $port -le 65535 ]] || usage_error "$name is ${!name}: must be the number of a port, from 1 to 65535"
      [[ " $taken " != *" $port "* ]] || usage_error "$name is ${!name}: another of our ports is the same"
      taken+=" $port"
    done
  done
}

# lock_file RESOURCE: sets FILE to its file, which is there. A file of another user's in a folder like /tmp may be refused to who
# would create it, hence opened for reading alone.
lock_file() {
  FILE=$LOCKS/${1// /-}
  [[ $1 == @(port|project)\ * ]] || FILE=$LOCKS/${1%% *}-$(sha256_of - <<<"$1" | cut -c 1-16)
  [[ -e $FILE ]] || : 2>/dev/null >>"$FILE" || [[ -e $FILE ]] || die "$EXIT_FAILED" "$FILE cannot be made"
}

# try: takes all locks, or none; then BUSY is the resource that another has.
try() {
  local FILE fd
  for BUSY in "${RESOURCES[@]}"; do
    lock_file "$BUSY"
    exec {fd}<"$FILE"
    HELD+=("$fd")
    lock_fd "$fd" try || { drop && return 1; }
  done
  # a holder whose guard was killed has lost its locks, and goes on
  ! BUSY=$(held_without_guard) || { drop && return 1; }
}

drop() {
  local fd
  for fd in "${HELD[@]}"; do exec {fd}<&-; done
  HELD=()
}

# held_without_guard: prints a resource of ours that a living holder has; status 1 when there is none.
held_without_guard() {
  local file resource
  for file in "$LOCKS"/*.run; do
    lock_read "$file" && resource=$(shared) && lock_lives && printf '%s\n' "$resource" && return
  done
  return 1
}

# shared: prints the first resource that HOLDER has too; status 1 when it has none.
shared() {
  local resource
  for resource in "${RESOURCES[@]}"; do
    [[ "|${HOLDER[resources]:-}|" != *"|$resource|"* ]] || { printf '%s\n' "$resource" && return; }
  done
  return 1
}

# find_holder: reads the living holder of BUSY into HOLDER; status 1 when there is none to be seen: it comes or goes.
find_holder() {
  local file
  for file in "$LOCKS"/*.run; do
    lock_read "$file" && [[ "|${HOLDER[resources]:-}|" == *"|$BUSY|"* ]] && lock_lives && return
  done
  return 1
}

# acquire HOW: returns when all locks are held.
acquire() {
  local limit=$((SECONDS + 5)) awaited='' code
  until try; do
    if find_holder; then
      if process_is "${HOLDER[pid]}" "${HOLDER[started]}"; then
        [[ $1 == wait ]] || refuse "$1"
        await "${HOLDER[pid]}" "waiting for $(holder), which uses $BUSY"
        limit=$((SECONDS + 5))
      else
        [[ $awaited == gone ]] || limit=$((SECONDS + CLEAN_UP_S))
        await gone "waiting until what ${HOLDER[what]} (pid ${HOLDER[pid]}) left behind is stopped"
      fi
    fi
    ((SECONDS < limit)) || die "$EXIT_FAILED" "$BUSY is still locked, see $LOCKS"
    code=0
    read -r -t 1 || code=$? # a second, or less when our process ends
    ((code > 128)) || exit "$EXIT_FAILED"
  done
}

# await WHOM LINE: says the line, once.
await() {
  [[ $awaited == "$1" ]] || log "$2"
  awaited=$1
}

# refuse HOW: exit 2, and what to do instead.
refuse() {
  local instead="wait for it with --wait"
  [[ $1 != join ]] || instead="stop it (kill ${HOLDER[pid]})"
  instead+=", or choose other ports (PG_PORT, TARGET_PORT, NULL_PORT, CUBE_PORT, STANDBY_PORTS) and another PGLAB_DATA"
  [[ $BUSY != run\ * ]] || instead="wait until it has ended"
  [[ -z ${HOLDER[by_hand]:-} ]] || instead="stop it with $(down_command)"
  die "$EXIT_FAILED" "$BUSY is in use by $(holder): $instead"
}

# holder: prints HOLDER for people.
holder() {
  local estimate=''
  if [[ ${HOLDER[estimate_s]:-} =~ ^[0-9]+$ ]]; then
    estimate=", about ${HOLDER[estimate_s]} s in all"
    ((HOLDER[estimate_s] < 90)) || estimate=", about $(((HOLDER[estimate_s] + 59) / 60)) min in all"
  fi
  printf '%s of %s (pid %s, since %s%s)\n' "${HOLDER[what]}" "${HOLDER[clone]}" "${HOLDER[pid]}" "${HOLDER[since]}" "$estimate"
}

# down_command: prints what stops HOLDER's target.
down_command() {
  local command=${HOLDER[clone]}/scripts/stack.sh
  [[ ${HOLDER[clone]} != "$REPO_ROOT" ]] || command=scripts/stack.sh
  command=$(printf %q "$command")
  [[ ${HOLDER[data]} == "$(lock_data)" ]] || command="PGLAB_DATA=$(printf %q "${HOLDER[data]}") $command"
  printf '%s down\n' "$command"
}

# record: writes OURS.
record() {
  local key
  for key in "${!OURS[@]}"; do
    printf '%s=%s\n' "$key" "${OURS[$key]}"
  done | write_atomic "$OUR_FILE"
}

# listen: reads what the process tells, to its end.
listen() {
  local line key value
  while IFS= read -r line; do
    key=${line%%=*} value=${line#*=}
    case $key in
      end) ENDED=true && continue ;;
      keep) keep ;;
      run) hold_new "run $value" && continue ;;
      stage) OURS[stage_started]=$(process_started "$value") || OURS[stage_started]='' ;;
    esac
    OURS[$key]=$value
    record
  done
}

# hold_new RESOURCE: locks what nobody else can have yet.
hold_new() {
  local FILE fd
  lock_file "$1"
  exec {fd}<"$FILE"
  lock_fd "$fd" try || warn "$1 is locked already"
  OURS[resources]+=${OURS[resources]:+|}$1
  record
}

# keep: from here on the guard is the holder itself, until SIGTERM: then it just ends.
keep() {
  local fifo=$OUR_FILE.fifo
  OURS[by_hand]=yes OURS[pid]=$$ OURS[started]=${OURS[guard_started]} OURS[stage]=''
  record
  trap - TERM
  echo kept >&"$ANSWER"
  mkfifo "$fifo"
  exec <>"$fifo" >/dev/null 2>&1 {ANSWER}>&- # held open at both ends by us: reading waits for ever
  rm "$fifo"
  read -r
}

main() {
  help_if_asked "$@"
  trap '' HUP INT TERM PIPE # the end of the pipe is what ends us
  umask 022
  if [[ $1 == --clear ]]; then
    lock_read "$2" || exit 0
    clear_up HOLDER our_stage && rm -f "$2"*
    exit
  fi
  local pid=$1 what=$2 how=$3 started guard_started ENDED=false
  check_ports
  [[ $(lock_data) != *[[:cntrl:]]* ]] || usage_error "PGLAB_DATA must have no control characters"
  [[ -d $LOCKS ]] || mkdir -m 1777 "$LOCKS" 2>/dev/null || [[ -d $LOCKS ]] || die "$EXIT_FAILED" "$LOCKS cannot be made: all users of this machine share it"
  started=$(process_started "$pid")
  guard_started=$(process_started "$$")
  OUR_FILE=$LOCKS/$pid-${started//[^0-9a-z]/-}.run
  if [[ $how == share ]]; then lock_folder; else lock_resources; fi
  acquire "$how"
  OURS=([pid]=$pid [started]=$started [guard]=$$ [guard_started]=$guard_started [clone]=$REPO_ROOT [what]=$what)
  OURS[data]=$(lock_data)
  OURS[since]=$(now_iso)
  OURS[resources]=$(IFS='|' && printf '%s' "${RESOURCES[*]}")
  record
  [[ $how == share ]] || { take_over && settle; }
  exec {ANSWER}>&1 >&2
  printf '%s\n' "$OUR_FILE" >&"$ANSWER"
  listen
  $ENDED || exec >"$OUR_FILE.log" 2>&1 # nobody reads our words any more
  clear_up OURS our_stage || exit "$EXIT_FAILED"
  rm -f "$OUR_FILE" "$OUR_FILE.log"
}

main "$@"
