# shellcheck shell=bash
# What a person sees while cells run: which, how far, how fast, how long still. Plain lines; on a terminal the line of the
# running cell is overwritten by its result.

# Tenths of seconds that a cell takes: its own, and those to start its tools and read the counters.
PROGRESS_CELL='(10 * (.duration_s + .warmup_s + 2) | round)'

# Seconds of cells after which the time that they took weighs as much as the plan's estimate.
PROGRESS_TRUST_S=60

# progress_begin PLAN: counts what is to do. Bringing targets up, two seconds each, is spread over all cells.
progress_begin() {
  PROGRESS_BEGAN=$(now_us) PROGRESS_MEASURED=0
  PROGRESS_LEFT=$(jq "[.groups[].cells[] | $PROGRESS_CELL] | add // 0" "$1")
  PROGRESS_SCALE=$(jq "20 * (.groups | length) / ([.groups[].cells[] | $PROGRESS_CELL] | add // 1) + 1" "$1")
  PROGRESS_TOTAL=$(jq '[.groups[].cells[]] | length' "$1")
  PROGRESS_DONE=0
}

# progress_skip CELL_JSON: it was done before.
progress_skip() {
  PROGRESS_DONE=$((PROGRESS_DONE + 1))
  PROGRESS_LEFT=$((PROGRESS_LEFT - $(jq "$PROGRESS_CELL" <<<"$1")))
}

# progress_start CELL_ID
progress_start() {
  PROGRESS_DONE=$((PROGRESS_DONE + 1))
  PROGRESS_LINE=$(printf '[%*d/%d] %-52s' "${#PROGRESS_TOTAL}" "$PROGRESS_DONE" "$PROGRESS_TOTAL" "$1")
  [[ ! -t 2 ]] || printf '%s running ...' "$PROGRESS_LINE" >&2
}

# progress_end CELL_DIR: reads its summary.json
progress_end() {
  local said scale tenths trust=$((PROGRESS_TRUST_S * 10))
  tenths=$(jq "$PROGRESS_CELL" "$1/cell.json")
  PROGRESS_LEFT=$((PROGRESS_LEFT - tenths))
  PROGRESS_MEASURED=$((PROGRESS_MEASURED + tenths))
  scale=$(jq -n "($PROGRESS_SCALE * $trust + $(($(now_us) - PROGRESS_BEGAN)) / 1e5) / ($trust + $PROGRESS_MEASURED)")
  said=$(jq -r --argjson left "$PROGRESS_LEFT" --argjson scale "$scale" -f "$REPO_ROOT/scripts/jq/progress.jq" "$1/summary.json")
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
  log "$PROGRESS_LINE $said"
}
