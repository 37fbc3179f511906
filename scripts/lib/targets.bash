# shellcheck shell=bash
# What there is to be asked, and for what: targets, as their target.json declare them, and workloads, as tools have files of them. Source common.bash first.

export TARGET_FOLDERS=${TARGET_FOLDERS:-apps} # where targets are looked for, below the repository
LOAD_TOOLS=$REPO_ROOT/scripts/declared/tools.json

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

# script_patterns: prints where each tool has its scripts, as in k6/*.js. Options are checked before set-up brings jq, so they are read without.
script_patterns() { grep -o '"scripts": *"[^"]*' "$LOAD_TOOLS" | cut -d '"' -f 4; }

# script_folders: prints the folders that these are in.
script_folders() { script_patterns | cut -d / -f 1; }

# workload_exists NAME: true when a tool has a script of that name.
workload_exists() {
  local pattern
  local -a patterns
  lines_of patterns script_patterns
  for pattern in "${patterns[@]}"; do
    [[ ! -f $REPO_ROOT/${pattern/\*/$1} ]] || return 0
  done
  [[ $(<"$LOAD_TOOLS") =~ \"builtins\":\ *\{[^}]*\""$1"\": ]]
}

# tool_scripts: prints a line for each script of a tool: its pattern, the name of the workload, and, where it is a link, today's name.
tool_scripts() {
  local pattern file link
  local -a patterns
  lines_of patterns script_patterns
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2231 # it is a pattern
    for file in "$REPO_ROOT"/$pattern; do
      [[ -e $file ]] || continue
      link=''
      [[ ! -L $file ]] || link=$(readlink "$file")
      file=${file##*/}
      printf '%s %s%s\n' "$pattern" "${file%%.*}" "${link:+ ${link%%.*}}"
    done
  done
}

# current_name WORKLOAD: prints today's name of a workload: an old one is a link beside the workload's file.
current_name() { tool_scripts | awk -v name="$1" '$2 == name && NF == 3 { name = $3 } END { print name }'; }

# old_names: prints {old name: workload} as JSON.
old_names() { tool_scripts | jq -Rn '[inputs | split(" ") | select(.[2]) | {(.[1]): .[2]}] | add // {}'; }

# workloads_by_tool EXAMPLES: prints {tool: [workload that it has a script for]} as JSON, see scripts/jq/tools.jq.
workloads_by_tool() {
  tool_scripts | jq -Rn -L "$REPO_ROOT/scripts/jq" --argjson examples "$1" 'include "tools";
    [inputs | split(" ") | select(length == 2)] | workloads_by_tool($examples)'
}

# check_targets FILE...: each can be used (scripts/jq/target.jq). Of several jq does not say which one it cannot read, so each is then read by itself.
check_targets() {
  local file faults fault workloads
  workloads=$(workloads_by_tool '{}' | jq -c '[.[][]]')
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
  examples=$(examples)
  workloads=$(workloads_by_tool "$examples")
  jq -s -L "$REPO_ROOT/scripts/jq" --argjson workloads "$workloads" --argjson examples "$examples" \
    'include "workloads"; include "tools"; with_workloads($workloads | over_http; $examples)' "${files[@]}"
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

# stems FILE...: the names, without extension, as a JSON array.
stems() { printf '%s\n' "${@##*/}" | jq -Rn '[inputs | split(".")[0]]'; }
