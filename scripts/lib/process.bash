# shellcheck shell=bash
# Processes, told apart by pid and start time: a pid alone may belong to another program by now.

BOOT='' # start times count from the machine's start, and pid files outlive it
[[ ! -r /proc/sys/kernel/random/boot_id ]] || read -r BOOT </proc/sys/kernel/random/boot_id

# process_started PID: prints when it started, as one word; status 1 when there is none, or when it only waits to be reaped.
process_started() {
  local STATE PARENT GROUP STARTED
  _process_look "$1" && [[ $STATE != [ZX]* ]] && printf '%s\n' "$STARTED"
}

# process_is PID STARTED: true when it runs, and is the one that started then.
process_is() {
  local started
  started=$(process_started "$1") && [[ $started == "$2" ]]
}

# process_note PID FILE: writes a pid file: pid and start time.
process_note() { printf '%s %s\n' "$1" "$(process_started "$1")" >"$2"; }

# process_of FILE: prints the pid of a pid file; status 1 when that process has ended.
process_of() {
  local pid started
  [[ -r $1 ]] && read -r pid started <"$1" && process_is "$pid" "$started" && printf '%s\n' "$pid"
}

# all_gone PID...: true when none of these is there any more, not even as a zombie, which others may take for the process.
all_gone() {
  local pid
  for pid in "$@"; do
    ! kill -0 "$pid" 2>/dev/null || return 1
  done
}

# process_children PID: prints the pids of those that it has started and that run, one a line.
process_children() {
  local child children
  if [[ -d /proc/self ]]; then
    children=$(cat "/proc/$1/task/"*/children 2>/dev/null) || return 0 # it has ended
  else
    children=$(ps -A -o ppid= -o pid= | awk -v parent="$1" '$1 == parent { print $2 }')
  fi
  for child in $children; do
    ! process_started "$child" >/dev/null || printf '%s\n' "$child"
  done
}

# process_listens PID PORT: false where it has ended, or where Linux tells that somebody listens on that port, and that it is neither that process nor one that it has started.
process_listens() {
  local sockets
  process_started "$1" >/dev/null || return 1
  sockets=$(awk -v port="$(printf ':%04X$' "$2")" '$4 == "0A" && $2 ~ port { print "socket:[" $10 "]" }' "/proc/$1/net/tcp" "/proc/$1/net/tcp6" 2>/dev/null) || : "without IPv6 there is no tcp6"
  [[ -z $sockets ]] || _has_socket "$1" "$sockets"
}

# _has_socket PID SOCKETS: true where it or one that it has started has one of them, which are a line each.
_has_socket() {
  local child
  ! grep -qxF "$2" <(find "/proc/$1/fd" -lname 'socket:*' -printf '%l\n' 2>/dev/null) || return 0 # find fails where a connection is closed meanwhile
  for child in $(process_children "$1"); do
    ! _has_socket "$child" "$2" || return 0
  done
  return 1
}

# watched_lives: false where the server's process that --pid named has ended.
watched_lives() { [[ -z ${EXTERNAL_PID:-} ]] || process_is "$EXTERNAL_PID" "${EXTERNAL_PID_STARTED:-$(process_started "$EXTERNAL_PID")}"; }

# process_began PID CHILD: whether CHILD is that process, or was started by it or by one that it has started.
process_began() {
  local STATE GROUP STARTED PARENT=$2
  while [[ $PARENT != "$1" ]]; do
    ((PARENT > 1)) || return 1
    _process_look "$PARENT" || return 1
  done
}

# group_runs PGID: true while a process of that group runs.
group_runs() {
  local STATE PARENT GROUP STARTED folder
  kill -0 -- "-$1" 2>/dev/null || return 1
  if [[ ! -d /proc/self ]]; then
    ps -A -o pgid= -o stat= | awk -v pgid="$1" '$1 == pgid && $2 !~ /^Z/ { found = 1 } END { exit !found }'
    return
  fi
  for folder in /proc/[0-9]*; do
    ! _process_look "${folder#/proc/}" || [[ $GROUP != "$1" || $STATE == [ZX]* ]] || return 0
  done
  return 1
}

# _process_look PID: sets STATE, PARENT, GROUP and STARTED; status 1 when there is none.
_process_look() {
  local line=''
  local -a fields
  [[ $1 =~ ^[1-9][0-9]*$ ]] || return 1
  if [[ -d /proc/self ]]; then
    { read -r -d '' line <"/proc/$1/stat"; } 2>/dev/null || [[ -n $line ]] || return 1
    read -r -a fields <<<"${line##*) }" # the name before that may hold spaces
    STATE=${fields[0]} PARENT=${fields[1]} GROUP=${fields[2]} STARTED=${fields[19]}@${BOOT%%-*}
  else
    line=$(ps -o stat= -o ppid= -o pgid= -o lstart= -p "$1") || return 1
    read -r -a fields <<<"$line"
    STATE=${fields[0]} PARENT=${fields[1]} GROUP=${fields[2]}
    STARTED=$(IFS=_ && printf '%s' "${fields[*]:3}")
  fi
}
