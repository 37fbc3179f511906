# shellcheck shell=bash
# Jobs side by side: each starts as soon as those that it waits for have ended well. What one says goes to a log of its own; a line
# tells when it starts and when it ends, and every minute which are still at work. Source common.bash first.
#
#   job NAME [AFTER...]               declares one; an AFTER that is not declared is not waited for
#   jobs_run FOLDER AT_MOST RUNNER    calls RUNNER NAME for each in a shell of its own, AT_MOST at a time, first declared first;
#                                     FOLDER/<name>.log is its log. SIGINT and SIGTERM exit, with 130 and 143
#   jobs_stop                         ends those that run, each with all that it started; for the caller's trap on EXIT
#   job_done NAME                     true when it has ended well; one that waited for a job that failed has not
#   job_log NAME                      prints the path of its log
#
# Whoever wants other lines defines job_starts NAME, job_ends NAME EXIT_CODE SECONDS and jobs_wait after sourcing this.

JOBS=()
declare -A JOB_AFTER=() JOB_STATE=() JOB_PID=() JOB_STARTED=() # state: waits, runs, done, failed
JOBS_SIGNAL=0
JOBS_PART='' # of a line that read had not whole when its time was up

job() {
  JOBS+=("$1")
  JOB_STATE[$1]=waits
  JOB_AFTER[$1]=${*:2}
}

job_log() { printf '%s/%s.log\n' "$JOBS_FOLDER" "${1//[^a-zA-Z0-9_]/-}"; }

job_starts() { log "$(printf '  %-22s started' "$1")"; }

job_ends() {
  if (($2 == 0)); then
    log "$(printf '  %-22s done in %s s' "$1" "$3")"
  else
    log "$(printf '  %-22s %sfailed%s after %s s: %s (all of it: %s)' "$1" "$COLOUR_ERROR" "$COLOUR_OFF" "$3" "$(job_last_line "$1")" "$(job_log "$1")")"
  fi
}

# jobs_wait: nothing has ended for a minute.
jobs_wait() {
  local name
  JOBS_LINE_S=$SECONDS
  for name in "${JOBS[@]}"; do
    [[ ${JOB_STATE[$name]} != runs ]] || log "$(printf '  %-22s is still at work, after %s s' "$name" "$(seconds_since "${JOB_STARTED[$name]}")")"
  done
}

# job_last_line NAME: the last line of its log that says something; npm's last is where another log is.
job_last_line() { sed -e '/^\(npm error\)\{0,1\}[[:space:]]*$/d' -e '/^npm error A complete log of this run/d' -e 's/^error: //' "$(job_log "$1")" | tail -n 1; }

job_done() { [[ ${JOB_STATE[$1]} == "done" ]]; }

# A trap that exits in the middle of read has crashed bash, hence the variable.
jobs_run() {
  JOBS_FOLDER=$1
  mkdir -p "$JOBS_FOLDER"
  rm -f "$JOBS_FOLDER/ended"
  mkfifo "$JOBS_FOLDER/ended"
  exec 8<>"$JOBS_FOLDER/ended"
  trap 'JOBS_SIGNAL=130' INT
  trap 'JOBS_SIGNAL=143' TERM
  _jobs_start "$2" "$3"
  JOBS_LINE_S=$SECONDS
  while ((JOBS_RUNNING > 0)); do
    ((SECONDS < JOBS_LINE_S + 60)) || jobs_wait
    if _jobs_told 2; then _job_ended "$JOB_NAME" "$JOB_CODE"; else _jobs_look; fi
    ((JOBS_SIGNAL == 0)) || exit "$JOBS_SIGNAL"
    _jobs_start "$2" "$3"
  done
  trap - INT TERM
  exec 8>&-
}

# _jobs_start AT_MOST RUNNER: starts what can start, and sets JOBS_RUNNING. It must not be called where its status is looked at: that
# would switch errexit off in every job.
_jobs_start() {
  local name
  JOBS_RUNNING=0
  for name in "${JOBS[@]}"; do
    [[ ${JOB_STATE[$name]} != runs ]] || JOBS_RUNNING=$((JOBS_RUNNING + 1))
  done
  for name in "${JOBS[@]}"; do
    ((JOBS_RUNNING < $1)) || break
    if [[ ${JOB_STATE[$name]} == waits ]] && _job_ready "$name"; then
      _job_start "$name" "$2"
      JOBS_RUNNING=$((JOBS_RUNNING + 1))
    fi
  done
}

_job_ready() {
  local other
  for other in ${JOB_AFTER[$1]}; do
    [[ ${JOB_STATE[$other]:-done} == "done" ]] || return 1
  done
}

# A process group of its own, so that jobs_stop can end all of it.
_job_start() {
  local name=$1 runner=$2 log_file
  log_file=$(job_log "$name")
  job_starts "$name"
  JOB_STATE[$name]=runs JOB_STARTED[$name]=$(now_us)
  set -m
  {
    set +m
    code=0
    ("$runner" "$name") >"$log_file" 2>&1 </dev/null 8>&- &
    wait "$!" || code=$?
    printf '%s %s\n' "$code" "$name" >&8
  } &
  JOB_PID[$name]=$!
  set +m
}

# _jobs_told SECONDS: waits so long for one that has ended; leaves JOB_NAME and JOB_CODE.
_jobs_told() {
  local line status=0
  IFS= read -r -t "$1" -u 8 line || status=$?
  JOBS_PART+=$line
  ((status == 0)) || return 1
  read -r JOB_CODE JOB_NAME <<<"$JOBS_PART"
  JOBS_PART=''
}

_job_ended() {
  [[ ${JOB_STATE[$1]} == runs ]] || return 0
  JOBS_LINE_S=$SECONDS
  JOB_STATE[$1]=failed
  (($2 != 0)) || JOB_STATE[$1]="done"
  job_ends "$1" "$2" "$(seconds_since "${JOB_STARTED[$1]}")"
}

# A job that was killed from outside tells nothing. What the others have told by now is still to be read.
_jobs_look() {
  local name
  for name in "${JOBS[@]}"; do
    [[ ${JOB_STATE[$name]} == runs ]] || continue
    kill -0 "${JOB_PID[$name]}" 2>/dev/null && continue
    while _jobs_told 0.1; do _job_ended "$JOB_NAME" "$JOB_CODE"; done
    _job_ended "$name" 137
  done
}

jobs_stop() {
  local name
  for name in "${JOBS[@]}"; do
    [[ ${JOB_STATE[$name]} == runs ]] || continue
    if kill -TERM -- "-${JOB_PID[$name]}" 2>/dev/null && ! wait_until 20 "$name to stop" _job_gone "$name"; then
      kill -KILL -- "-${JOB_PID[$name]}"
    fi
    JOB_STATE[$name]=failed
  done
}

_job_gone() { ! kill -0 -- "-${JOB_PID[$1]}" 2>/dev/null; }
