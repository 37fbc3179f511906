#!/usr/bin/env bash
# Summary: turns a cell's raw output into its summary.json, by the adapter of its tool; or all cells of a run again.
# Usage: scripts/stages/collect.sh CELL_DIR | RUN
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

# raw_files TOOL CELL_DIR: prints the files that the tool left, in order.
raw_files() { find "$2" -maxdepth 1 -name "raw.$1*" ! -name 'raw.k6.[0-9]*.ndjson' | sort; }

# raw_text TOOL CELL_DIR: prints what the tool's adapter reads: the raw files, or what scripts/awk/<tool>.awk makes of them and
# of what the tool printed. Nothing when the tool left nothing.
raw_text() {
  local -a raw logs
  [[ $1 != k6 ]] || merge_generators "$2" || return
  lines_of raw raw_files "$@"
  if [[ -r scripts/awk/$1.awk ]]; then
    mapfile -t logs < <(find "$2" -maxdepth 1 -name 'stdout*.log' | sort -V && find "$2" -maxdepth 1 -name 'stderr*.log' | sort -V)
    awk -f "scripts/awk/$1.awk" "${logs[@]}" "${raw[@]}"
  else
    cat "${raw[@]:-/dev/null}"
  fi
}

# merge_generators CELL_DIR: of several k6 processes that shared a load, raw.k6.ndjson is what all of them measured.
merge_generators() {
  local number
  local -a files
  number=$(json_get "$1/cell.json" '.generators // 1')
  ((number > 1)) || return 0
  compgen -G "$1/raw.k6.[0-9]*.ndjson" >/dev/null || return 0 # only the sum was kept
  lines_of files seq -f "$1/raw.k6.%.0f.ndjson" "$number"
  node scripts/generators/merge.js "${files[@]}" >"$1/merged" && mv "$1/merged" "$1/raw.k6.ndjson"
}

collect_cell() {
  local dir=$1 names tool target workload
  names=$(json_get "$dir/cell.json" '"\(.tool) \(.target) \(.workload)"')
  read -r tool target workload <<<"$names"
  if [[ -s $dir/summary.json ]] && ! compgen -G "$dir/raw.*" >/dev/null; then
    warn "$dir has no raw files any more: its summary stays as it is"
    return
  fi
  raw_text "$tool" "$dir" |
    jq -n -R -L scripts/jq --slurpfile cell "$dir/cell.json" --slurpfile status "$dir/status.json" -f "scripts/jq/summary-$tool.jq" >"$dir/summary.tool" || not_collected "$dir" "$?"
  jq --argjson spot_checks "$(json_or_null "$dir/spot-checks.json")" --argjson resources "$(resources_part "$dir")" --argjson database "$(database_part "$dir" "$target" "$workload")" \
    '. + {$spot_checks, $resources, $database}' "$dir/summary.tool" >"$dir/summary.new" || not_collected "$dir" "$?"
  mv "$dir/summary.new" "$dir/summary.json"
  rm "$dir/summary.tool"
}

# not_collected CELL_DIR STATUS: with 3 the adapter has said why.
not_collected() {
  rm -f "$1/summary.tool"
  (($2 != 3)) || exit "$EXIT_FAILED"
  die "$EXIT_FAILED" "$1 could not be collected: is the disk full? Its raw files stay"
}

# json_or_null FILE: prints it, or null where it is missing or damaged, which is then not measured.
json_or_null() {
  if [[ -s $1 ]] && jq empty "$1" 2>/dev/null; then
    cat "$1"
  else
    [[ ! -s $1 ]] || warn "$1 is damaged: what it told is not measured"
    echo null
  fi
}

# resources_part CELL_DIR: what each role used in the measured window, or null. A line that a full disk or a kill cut short is no reading.
resources_part() {
  if [[ -s $1/sampler.ndjson ]]; then
    jq -Rc 'fromjson? // empty' "$1/sampler.ndjson" | jq -s -L scripts/jq --slurpfile cell "$1/cell.json" --slurpfile tool "$1/summary.tool" -f scripts/jq/resources.jq
  else
    echo null
  fi
}

# database_part CELL_DIR TARGET WORKLOAD: what the database counted during the trial, against what the target says it does.
database_part() {
  local expects
  if jq -e 'has("expects")' "$1/cell.json" >/dev/null; then
    expects=$(jq -c .expects "$1/cell.json")
  else # runs of before do not say
    expects=$(jq -c --arg workload "$(current_name "$3")" '.expects[$workload] // null' "$(target_file "$2")")
  fi
  jq -n --slurpfile before <(json_or_null "$1/counters-before.json") --slurpfile at_end <(json_or_null "$1/counters-end.json") \
    --slurpfile after <(json_or_null "$1/counters-after.json") --slurpfile status "$1/status.json" --argjson expects "$expects" \
    '{before: $before[0], at_end: $at_end[0], after: $after[0], verified: $status[0].verified_statements, $expects, pods: any($status[0].processes[]?; .nodes)}' |
    jq -L scripts/jq -f scripts/jq/database.jq
}

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which cell folder, or which run?"
  local path status
  path=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  if [[ -e $path/cell.json ]]; then
    collect_cell "$path"
  else
    [[ -d $path/cells ]] || die "$EXIT_FAILED" "$path is damaged: cells/ is missing"
    find "$path" -name status.json | while IFS= read -r status; do
      collect_cell "${status%/*}"
    done
  fi
}

main "$@"
