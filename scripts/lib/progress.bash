# shellcheck shell=bash
# What a person sees while cells run, in one line: how far, how long still, how many trials are marked, how fast the last one was, and
# which runs now. On a terminal the line is overwritten; elsewhere there is one a minute. Of a round of probes (PROGRESS_ROUND), of which nobody knows how
# many there will be, each tells what it was, and the search what it says.

# progress_jq FILTER [FILE]: jq, for which `tenths` are the tenths of seconds that a cell takes: its own, and those to start its tools and
# read the counters.
progress_jq() {
  jq -L "$REPO_ROOT/scripts/jq" "include \"profile\"; def tenths: 10 * (load_s + 2) | round; $1" "${@:2}"
}

# Seconds of cells after which the time that they took weighs as much as the plan's estimate.
PROGRESS_TRUST_S=60

# Seconds between two lines, where they stay; on a terminal, between two verdicts, for which Node.js is started.
PROGRESS_EVERY_S=60
PROGRESS_JUDGE_S=10

# progress_begin PLAN: counts what is to do. Bringing targets up, two seconds each, is spread over all cells.
progress_begin() {
  PROGRESS_BEGAN=$(now_us) PROGRESS_JUDGED='' PROGRESS_MEASURED=0 PROGRESS_LAST='' PROGRESS_VERDICT=''
  PROGRESS_LEFT=$(progress_jq '[.groups[].cells[] | tenths] | add // 0' "$1")
  PROGRESS_SCALE=$(progress_jq '1000 * (20 * (.groups | length) / ([.groups[].cells[] | tenths] | add // 1) + 1) | round' "$1")
  PROGRESS_TOTAL=$(jq '[.groups[].cells[]] | length' "$1")
  PROGRESS_DONE=0 PROGRESS_SUSPECT=0 PROGRESS_INVALID=0 PROGRESS_UNKNOWN=0
  PROGRESS_PENDING=()
}

# progress_skip CELL_JSON CELL_DIR: it was done before.
progress_skip() {
  PROGRESS_PENDING+=("$2")
  PROGRESS_DONE=$((PROGRESS_DONE + 1))
  PROGRESS_LEFT=$((PROGRESS_LEFT - $(progress_jq tenths <<<"$1")))
}

# progress_start CELL_ID
progress_start() {
  PROGRESS_DONE=$((PROGRESS_DONE + 1))
  [[ -z ${PROGRESS_ROUND:-} ]] || return 0
  local every=$PROGRESS_EVERY_S is_due=false
  ! progress_overwrites || every=$PROGRESS_JUDGE_S
  if [[ -z $PROGRESS_JUDGED ]] || (($(now_us) - PROGRESS_JUDGED >= every * 1000000)); then
    progress_judge
    PROGRESS_JUDGED=$(now_us) is_due=true
  fi
  local line
  line=$(progress_line "$(progress_left)")"; now $1"
  if progress_overwrites; then progress_fit "$line" $(($(progress_columns) - 1)) >&2; elif $is_due; then log "$line"; fi
}

# progress_fit LINE COLUMNS: prints it, or what of its parts fits: a figure that is cut would read as another.
progress_fit() {
  local line=$1
  if ((${#line} > $2)); then
    line=${line:0:$2}
    line="${line%[,;]*} …"
  fi
  printf '%s' "$line"
}

# progress_end CELL_DIR: reads its summary.json
progress_end() {
  local tenths
  tenths=$(progress_jq tenths "$1/cell.json")
  PROGRESS_LEFT=$((PROGRESS_LEFT - tenths))
  PROGRESS_MEASURED=$((PROGRESS_MEASURED + tenths))
  PROGRESS_LAST=$(jq -r -f "$REPO_ROOT/scripts/jq/progress.jq" "$1/summary.json") PROGRESS_VERDICT=''
  if [[ -n ${PROGRESS_ROUND:-} ]]; then
    log "  $PROGRESS_LAST"
    return
  fi
  PROGRESS_PENDING+=("$1")
  ! progress_overwrites || printf '\r\e[K' >&2
}

# progress_finish: the last line, when no cell is left.
progress_finish() {
  [[ -n $PROGRESS_LAST && -z ${PROGRESS_ROUND:-} ]] || return 0
  progress_judge
  log "$(progress_line "done")"
}

# progress_line HOW_LONG: prints what is known by now.
progress_line() {
  local marked=''
  ((PROGRESS_INVALID == 0)) || marked+=", $PROGRESS_INVALID invalid"
  ((PROGRESS_UNKNOWN == 0)) || marked+=", $PROGRESS_UNKNOWN not judged"
  printf '[%*d/%d] %s, %d suspect%s%s' "${#PROGRESS_TOTAL}" "$PROGRESS_DONE" "$PROGRESS_TOTAL" "$1" "$PROGRESS_SUSPECT" "$marked" \
    "${PROGRESS_LAST:+; last $PROGRESS_LAST${PROGRESS_VERDICT:+, $PROGRESS_VERDICT}}"
}

# progress_judge: counts the verdicts of trials that ended since it was last called, and tells those that are invalid; what was done before this
# run went on is only counted.
progress_judge() {
  local verdict trial why judged=0
  ((${#PROGRESS_PENDING[@]} > 0)) || return 0
  while IFS=$'\t' read -r verdict trial why; do
    judged=$((judged + 1)) PROGRESS_VERDICT=$verdict
    case $verdict in
      suspect) PROGRESS_SUSPECT=$((PROGRESS_SUSPECT + 1)) ;;
      invalid)
        PROGRESS_INVALID=$((PROGRESS_INVALID + 1))
        [[ -z $PROGRESS_JUDGED ]] || log "invalid: $trial: $why"
        ;;
      unknown) judged=$((judged - 1)) ;;
    esac
  done < <(printf '%s\n' "${PROGRESS_PENDING[@]}" | node "$REPO_ROOT/scripts/analyse/verdict.js")
  PROGRESS_UNKNOWN=$((PROGRESS_UNKNOWN + ${#PROGRESS_PENDING[@]} - judged))
  PROGRESS_PENDING=()
}

# progress_left: prints how long the rest will take, by the plan and, the longer the run, the more by what it took so far.
progress_left() {
  local trust=$((PROGRESS_TRUST_S * 10)) took=0 scale seconds
  ((PROGRESS_MEASURED == 0)) || took=$((($(now_us) - PROGRESS_BEGAN) / 100))
  scale=$(((PROGRESS_SCALE * trust + took) / (trust + PROGRESS_MEASURED)))
  seconds=$((PROGRESS_LEFT * scale / 10000))
  ((seconds > 0)) || seconds=0
  if ((seconds >= 90)); then printf '%d min left' $(((seconds + 30) / 60)); else printf '%d s left' "$seconds"; fi
}

# progress_columns: prints how wide the terminal is.
progress_columns() {
  local size
  size=$(stty size <&2 2>/dev/null) || size=''
  if [[ ${size#* } -gt 1 ]]; then echo "${size#* }"; else echo 80; fi
}

# progress_overwrites: whether the line is on a terminal.
progress_overwrites() { [[ -t 2 ]]; }
