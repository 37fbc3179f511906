#!/usr/bin/env bash
# Summary: executes one trial: warm-up where the tool has no lead-in, then the tool under a time limit, with counters before and after.
# Usage: scripts/stages/run-cell.sh CELL_DIR
#
# Several load generators (argvs) begin together; each has its own logs, stdout.N.log and stderr.N.log.
#
# Reads CELL_DIR/cell.json; writes raw.*, stdout.log, stderr.log, warmup.log, counters-{before,end,after}.json and,
# last and atomically, status.json: a cell that has it is done. It knows no tool: argv comes from the plan. BASE_URL, PG*, STACK,
# WATCH_FILE, VERIFIED_STATEMENTS (JSON) and VERIFIED_ANSWERS (a file, of scripts/probes/verify.sh --print) come from the environment. A tool that fails is recorded, it is not an error of this script.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

# argv_of PATH: prints the cell's argv there, such as "argv" or "argvs 0", a line for each word.
argv_of() {
  jq -r -L "$REPO_ROOT/scripts/jq" --arg path "$1" --arg cell "$CELL_DIR" --arg base_url "${BASE_URL:-}" --arg begin "${BEGIN_MS:-}" 'include "filled";
    getpath($path | split(" ") | map(tonumber? // .)) // [] | filled($cell; $base_url; $begin)[]' "$CELL_DIR/cell.json"
}

# read_clocks: sets NOW_US, and UPTIME_CS, hundredths of a second by a clock that nobody sets, empty where there is none. A busy machine may do
# something else between the two: they are read again until they are less than 10 ms apart, a hundred times at most.
read_clocks() {
  local before uptime try
  UPTIME_CS='' NOW_US=$(now_us)
  [[ -r /proc/uptime ]] || return 0
  for ((try = 0; try < 100; try++)); do
    before=${EPOCHREALTIME/./}
    read -r uptime _ </proc/uptime
    NOW_US=${EPOCHREALTIME/./} UPTIME_CS=$((10#${uptime/./}))
    ((NOW_US - before >= 10000)) || break
  done
}

# execute KEY LIMIT_S OUT ERR: runs the cell's argv of that key; leaves EXIT_CODE, WALL_US, and MONOTONIC_CS, as long by the other clock.
execute() {
  local key=$1 limit=$2 out=$3 err=$4 started up roles='' NOW_US UPTIME_CS
  local -a argv begins=()
  lines_of argv argv_of "$key"
  if [[ $key == argv ]]; then
    roles=$(stack_roles)
    lines_of begins stack_begins "$CELL_DIR/began.1"
  fi
  read_clocks
  started=$NOW_US up=$UPTIME_CS
  {
    [[ $key != argv ]] || be_watched "$roles"
    stack_exec "${begins[@]}" timeout --foreground --kill-after=10 "$limit" "${argv[@]}"
  } >"$out" 2>"$err" &
  EXIT_CODE=0
  wait "$!" || EXIT_CODE=$?
  read_clocks
  WALL_US=$((NOW_US - started)) MONOTONIC_CS=${up:+$((UPTIME_CS - up))}
}

# generate LIMIT: runs the cell's generators, of which there are several, side by side. Leaves what execute does, counted from their beginning, and
# MADE, JSON: number, exit_code, clock: {before} of each. Of exit codes EXIT_CODE is the first that is not 0.
generate() {
  local limit=$1 lead roles number before asked ahead NOW_US UPTIME_CS up VIA_LIMIT_S
  local -a argv pids=() codes=()
  roles=$(stack_roles)
  lead=$(jq -L "$REPO_ROOT/scripts/jq" --argjson answer_s "$(awk '{ took += $1 } END { printf "%.3f", took }' "$CELL_DIR/answers.tsv")" 'include "generators"; lead_ms($answer_s)' "$CELL_DIR/cell.json")
  asked=$(now_us)
  before=$(clocks)
  ahead=$(clock_ahead)
  lead=$((lead + ($(now_us) - asked) / 1000)) # the way to them is the same: it may take seconds to log in to a cluster
  read_clocks
  up=$UPTIME_CS
  BEGIN_MS=$((NOW_US / 1000 + lead + ahead))
  limit=$((limit + lead / 1000))
  VIA_LIMIT_S=$((limit + 15))
  spot_checks
  for ((number = 1; number <= OF; number++)); do
    lines_of argv argv_of "argvs $((number - 1))"
    WRK_OUT=$CELL_DIR/raw.wrk.$number.json stack_generator "$number" "$OF" timeout --foreground --kill-after=10 "$limit" "${argv[@]}" \
      >"$CELL_DIR/stdout.$number.log" 2>"$CELL_DIR/stderr.$number.log" &
    pids+=("$!")
  done
  watched "$(json_list "${pids[@]}")" "$roles"
  EXIT_CODE=0
  for ((number = 0; number < OF; number++)); do
    codes+=(0)
    wait "${pids[number]}" || codes[number]=$?
    ((EXIT_CODE != 0)) || EXIT_CODE=${codes[number]}
  done
  read_clocks
  WALL_US=$((NOW_US - (BEGIN_MS - ahead) * 1000)) MONOTONIC_CS=${up:+$((UPTIME_CS - up - lead / 10))}
  ((WALL_US >= 0)) || WALL_US=0 # all have failed before
  STARTED=$(iso "$BEGIN_MS")
  MADE=$(jq -n -c --argjson codes "$(json_list "${codes[@]}")" --argjson before "$before" \
    '[$codes | to_entries[] | {number: (.key + 1), exit_code: .value, clock: {before: $before[.key]}}]')
}

# began: prints how many milliseconds after the instant each began, null of one that does not tell, as k6 does itself.
began() {
  local number file
  for ((number = 1; number <= OF; number++)); do
    file=$CELL_DIR/began.$number
    if [[ -s $file ]]; then cat "$file"; else echo null; fi
  done | jq -s -c .
}

# iso MS: prints that instant, in milliseconds since 1970.
iso() { jq -n --argjson ms "$1" '$ms / 1000 | todate | rtrimstr("Z") + ".\("00\($ms % 1000)"[-3:])Z"' -r; }

json_list() { printf '%s\n' "$@" | jq -s -c .; }

# clocks: prints [{offset_ms, error_ms}], of each generator how far its clock is before ours, or where the stack reads clocks itself before the first generator's: of
# ten questions the one that was answered soonest counts, and half of the time that this took is the error. null where it did not answer.
clocks() {
  if declare -F stack_clocks >/dev/null; then
    stack_clocks || warn "the clocks of the generators cannot be read" # whose trial fails by itself, where they are gone
  else
    read_generators 1 "$OF"
  fi |
    jq -R -n -c --argjson of "$OF" -L "$REPO_ROOT/scripts/jq" 'include "generators"; clock_offsets($of)'
}

# clock_ahead: prints by how many milliseconds the clock that generators go by is before ours, 0 where it is ours.
clock_ahead() {
  declare -F stack_clocks >/dev/null || { echo 0 && return; }
  read_generators 1 1 | jq -R -n -L "$REPO_ROOT/scripts/jq" 'include "generators"; clock_offsets(1)[0].offset_ms // 0 | round'
}

# read_generators FIRST LAST: asks each for the time; prints "number asked told answered", in microseconds, for each answer.
read_generators() {
  local number asked told answered pid to from own VIA_LIMIT_S=60
  trap '' PIPE # a clock that has gone is missing, and no more
  for ((number = $1; number <= $2; number++)); do
    coproc CLOCK { stack_generator "$number" "$OF" "$REPO_ROOT/scripts/generators/clock.sh"; }
    pid=$CLOCK_PID
    exec {to}>&"${CLOCK[1]}" {from}<&"${CLOCK[0]}"
    for _ in {1..10}; do
      asked=${EPOCHREALTIME/./}
      { echo >&"$to"; } 2>/dev/null || break
      read -r -t 5 told <&"$from" || { kill "$pid" 2>/dev/null && break; } # where it has ended by itself, the empty answer ends the loop
      [[ $told =~ ^[0-9]{16}$ ]] || break
      answered=${EPOCHREALTIME/./}
      printf '%s %s %s %s\n' "$number" "$asked" "$told" "$answered"
    done
    exec {to}>&- {from}<&-
    own=${CLOCK[1]:-}
    [[ -z $own ]] || exec {own}>&-
    wait "$pid" || warn "the clock of generator $number cannot be read"
  done
}

# be_watched ROLES: tells the sampler whose measured seconds these are; this process is about to become the generator.
be_watched() { watched "$BASHPID" "$1"; }

# watched PIDS ROLES: PIDS is the generator's, or a list of several.
watched() {
  jq -n --arg cell "$CELL_DIR" --argjson pid "$1" --argjson roles "$2" --arg base_url "${BASE_URL:-}" --argjson asks "$([[ -z ${EXTERNAL_URL:-} ]] && echo true || echo false)" \
    '{$cell, roles: ({generator: $pid} + $roles)} + (if ($roles.target and $asks) or $roles.null then {stats_url: "\($base_url)/stats"} else {} end)' |
    write_atomic "$WATCH_FILE"
  stack_watch
}

# before_cell TARGET WORKLOAD: runs what the target wants done to the database before each trial of this workload.
before_cell() {
  local sql assignments
  sql=$(jq -r --arg workload "$2" '.before_cell[$workload] // empty' "$(target_file "$1")")
  [[ -n $sql ]] || return 0
  assignments=$(stack_admin)
  (use_exports "$assignments" && psql -qX -v ON_ERROR_STOP=1 -f "$sql") >"$CELL_DIR/before.log" 2>&1 ||
    die "$EXIT_FAILED" "$sql failed: $(tail -n 1 "$CELL_DIR/before.log")"
}

# spot_checks: starts them where the plan has them and answers were verified; leaves SPOT_CHECKS, the process.
spot_checks() {
  local -a argv
  lines_of argv argv_of spot_argv
  SPOT_CHECKS=''
  [[ ${#argv[@]} -gt 0 && -s $CELL_DIR/answers.tsv ]] || return 0
  [[ -z ${BEGIN_MS:-} ]] || argv=(scripts/generators/begin.sh "$BEGIN_MS" /dev/null "${argv[@]}")
  (stack_exec "${argv[@]}") >"$CELL_DIR/spot-checks.json" 2>"$CELL_DIR/spot-checks.log" &
  SPOT_CHECKS=$!
}

# hide_secrets: of somebody's own script, whose addresses k6 writes into its log where they are not answered.
hide_secrets() {
  local script
  script=$(jq -r '.script.path // empty' "$CELL_DIR/cell.json")
  [[ -z $script ]] || node scripts/probes/own/hidden.js "$script" "$CELL_DIR"/*.log
}

# A trial that is broken off leaves its logs.
on_exit() { [[ -e $CELL_DIR/status.json ]] || hide_secrets; }

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which cell folder?"
  CELL_DIR=$(cd "$1" && pwd)
  trap on_exit EXIT
  cd "$REPO_ROOT"
  stack_load "$STACK"
  export no_proxy='*' NO_PROXY='*' # wrk knows no proxy, so no tool gets one
  find "$CELL_DIR" -type f ! -name cell.json -delete
  stack_writes "$CELL_DIR"
  local fields warmup_s timeout_s target workload warms_up warmup=null after
  local -a settle=()
  fields=$(jq -r '"\(.warmup_s) \(.timeout_s) \(.target) \(.workload) \(.warmup_argv != null) \(.generators // 1)"' "$CELL_DIR/cell.json")
  read -r warmup_s timeout_s target workload warms_up OF <<<"$fields"
  BEFORE=$(stack_status)
  before_cell "$target" "$workload"
  if $warms_up; then
    execute warmup_argv $((warmup_s + 75)) "$CELL_DIR/warmup.log" "$CELL_DIR/warmup.log"
    warmup="[$EXIT_CODE, $WALL_US]"
    settle=(--wait-idle 10) # the target may still be at what the warm-up left
  fi
  counters "$CELL_DIR/counters.log" "${settle[@]}" | write_atomic "$CELL_DIR/counters-before.json"
  if [[ -s ${VERIFIED_ANSWERS:-} ]]; then cp "$VERIFIED_ANSWERS" "$CELL_DIR/answers.tsv"; else : >"$CELL_DIR/answers.tsv"; fi
  STARTED=$(now_iso) MADE=null
  if ((OF > 1)); then
    generate "$timeout_s"
  else
    spot_checks
    WRK_OUT=$CELL_DIR/raw.wrk.json execute argv "$timeout_s" "$CELL_DIR/stdout.log" "$CELL_DIR/stderr.log"
  fi
  local ended
  ended=$(now_iso)
  stack_over
  rm -f "$WATCH_FILE"
  stack_watch
  counters "$CELL_DIR/counters.log" | write_atomic "$CELL_DIR/counters-end.json"
  stack_fetch
  hide_secrets
  ((OF > 1)) || [[ ! -s $CELL_DIR/began.1 ]] || STARTED=$(iso "$(<"$CELL_DIR/began.1")")
  ((OF == 1)) || MADE=$(jq -c --argjson began "$(began)" --argjson after "$(clocks)" 'to_entries | map(.value * {began_after_ms: $began[.key], clock: {after: $after[.key]}})' <<<"$MADE")
  [[ -z $SPOT_CHECKS ]] || wait "$SPOT_CHECKS" || warn "spot checks failed: $(tail -n 1 "$CELL_DIR/spot-checks.log")"
  rm "$CELL_DIR/over"
  counters "$CELL_DIR/counters.log" --wait-idle 10 | write_atomic "$CELL_DIR/counters-after.json"
  after=$(stack_status)
  jq -n --arg started_at "$STARTED" --arg ended_at "$ended" --argjson wall_us "$WALL_US" --argjson exit_code "$EXIT_CODE" --argjson timeout_s "$timeout_s" \
    --argjson warmup "$warmup" --argjson verified_statements "${VERIFIED_STATEMENTS:-null}" --argjson before "$BEFORE" --argjson after "$after" \
    --argjson monotonic_cs "${MONOTONIC_CS:-null}" --argjson generators "$MADE" \
    --slurpfile counted "$CELL_DIR/counters-before.json" --slurpfile recounted "$CELL_DIR/counters-after.json" '
    {$started_at, $ended_at, wall_s: ($wall_us / 1e6), monotonic_s: (if $monotonic_cs then $monotonic_cs / 100 else null end),
     $exit_code, timed_out: ($exit_code == 124 or ($exit_code == 137 and $wall_us >= 1e6 * $timeout_s)),
     $verified_statements, sampled: true, warmup: (if $warmup then {exit_code: $warmup[0], wall_s: ($warmup[1] / 1e6)} else null end),
     processes: (($before | with_entries(.key as $role | .value |= (if .nodes then {nodes} else {} end) + {pid, alive_before: .alive, alive_after: ($after[$role].alive // false),
         children_lost: (if .children == null then null else .children - ($after[$role].children // []) | length end)}))
       * if $counted[0] == null then {} else
           {postgres: {postmaster_started_before: $counted[0].postmaster_started, postmaster_started_after: $recounted[0].postmaster_started}} end)}
     + if $generators then {$generators} else {} end' |
    write_atomic "$CELL_DIR/status.json"
}

main "$@"
