# shellcheck shell=bash
# What there is to be asked, and for what: targets, as their target.json declare them, and workloads, as tools have files of them. Source common.bash first.

export TARGET_FOLDERS=${TARGET_FOLDERS:-apps}     # where targets are looked for, below the repository
PGBENCH_BUILTINS=(tpcb simple-update select-only) # workloads that are pgbench's own scripts

# target_files: prints the path of every target.json, one a line.
target_files() {
  local folder
  for folder in $TARGET_FOLDERS; do
    printf '%s\n' "$REPO_ROOT/$folder"/*/target.json
  done
}

# target_file TARGET: prints the path of its target.json.
target_file() {
  # reads to the end, so that no writer meets a closed pipe
  target_files | awk -v file="/$1/target.json" 'index($0, file) && !found++ { print } END { exit !found }' || usage_error "no such target: $1; there are $(target_files | sed 's|.*/\(.*\)/target.json|\1|' | paste -sd ' ' -)"
}

# workload_exists NAME: true when a tool has a script of that name.
workload_exists() {
  local file
  for file in "$REPO_ROOT"/{k6/$1.js,wrk/$1.lua,pgbench/$1.sql}; do
    [[ ! -f $file ]] || return 0
  done
  [[ " ${PGBENCH_BUILTINS[*]} " == *" $1 "* ]]
}

# current_name WORKLOAD: prints today's name of a workload: an old one is a link beside the workload's file.
current_name() {
  local link
  for link in "$REPO_ROOT"/{k6,wrk,pgbench}/"$1".*; do
    [[ -L $link ]] || continue
    link=$(readlink "$link")
    printf '%s\n' "${link%.*}"
    return
  done
  printf '%s\n' "$1"
}

# check_targets FILE...: each can be used (scripts/jq/target.jq). Of several jq does not say which one it cannot read, so each is then read by itself.
check_targets() {
  local file faults fault workloads
  workloads=$(stems "$REPO_ROOT"/k6/*.js "$REPO_ROOT"/wrk/*.lua "$REPO_ROOT"/pgbench/*.sql | jq -c '. + $ARGS.positional' --args "${PGBENCH_BUILTINS[@]}")
  faults=$(jq -r -L "$REPO_ROOT/scripts/jq" --argjson workloads "$workloads" 'include "target";
    target_fault(input_filename | split("/")[-2]; $workloads) | values | "\(input_filename): \(.)"' "$@" 2>&1) || {
    for file in "$@"; do
      fault=$(jq empty "$file" 2>&1) || die "$EXIT_USAGE" "$file: ${fault#*: }"
    done
  }
  [[ -z $faults ]] || die "$EXIT_USAGE" "${faults%%$'\n'*}"
}

# targets: prints every target.json as one JSON array, each with the list of workloads that it can be asked.
targets() {
  local workloads examples
  local -a files
  lines_of files target_files
  check_targets "${files[@]}"
  workloads=$(stems "$REPO_ROOT"/k6/*.js "$REPO_ROOT"/wrk/*.lua)
  examples=$(examples)
  jq -s -L "$REPO_ROOT/scripts/jq" --argjson workloads "$workloads" --argjson examples "$examples" \
    'include "workloads"; with_workloads($workloads | unique; $examples)' "${files[@]}"
}

# examples: prints {name: example} of scripts/sql/verify/*.json: what answers look like where there is no SQL to compare them with.
examples() {
  local file
  local -a files=("$REPO_ROOT"/scripts/sql/verify/*.json)
  jq -ne --argjson count "${#files[@]}" '[inputs | select((.path | startswith("/")) and has("answer"))
    | {(input_filename | split("/")[-1] | rtrimstr(".json")): .}] | select(length == $count) | add' "${files[@]}" 2>/dev/null && return
  for file in "${files[@]}"; do
    jq -se 'length == 1 and (.[0] | (.path | startswith("/")) and has("answer"))' "$file" >/dev/null 2>&1 ||
      die "$EXIT_FAILED" "$file must be an object with a path and an answer: see scripts/declared/schema/example.json"
  done
}

# stems FILE...: the names, without extension, of the files that exist, as a JSON array. A link is an old name, not a workload.
stems() {
  local file
  for file in "$@"; do
    [[ ! -e $file || -L $file ]] || printf '%s\n' "${file##*/}"
  done | jq -Rn '[inputs | split(".")[0]]'
}
