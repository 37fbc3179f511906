#!/usr/bin/env bash
# Summary: records what the numbers of a run depend on: machine, versions, limits, database settings, commit. RUN/environment.json.
# Usage: scripts/stages/environment.sh RUN
#        scripts/stages/environment.sh --beside RUN     only notes which other runs are on this machine now
#
# Loads each dataset that the plan needs (this is where the time of a first run goes) and reads the server's settings. Frozen:
# where environment.json exists it stays as it is, but for `beside`, and a difference is only warned about. Also writes RUN/provenance.json, which every
# cell of the run carries. Warns of limits of the operating system that are too low for the plan, and changes none.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

# first_line COMMAND...: what a program says of its own version; null when it is not there.
first_line() {
  local output line
  output=$(stack_tool "$@" 2>&1 || : "wrk prints its version and fails")
  if line=$(grep -m 1 -E '[0-9]+\.[0-9]' <<<"$output"); then jq -n --arg line "$line" '$line'; else echo null; fi
}

machine() {
  local cpu container=null
  if [[ -r /proc/cpuinfo ]]; then
    cpu=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
  else
    cpu=$(sysctl -n machdep.cpu.brand_string)
  fi
  ! have systemd-detect-virt || container=$(systemd-detect-virt --container || : "prints none and fails outside a container")
  jq -n --arg cpu "$cpu" --argjson cores "$(getconf _NPROCESSORS_ONLN)" --argjson memory_bytes "$(memory_bytes)" \
    --arg kernel "$(uname -sr)" --arg architecture "$(uname -m)" \
    --arg os "$(if [[ -r /etc/os-release ]]; then sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release; else sw_vers -productVersion; fi)" \
    --arg container "$container" '{$cpu, $cores, $memory_bytes, $kernel, $architecture, $os, container: (if $container == "null" then null else $container end)}'
}

# jars: {name: version} of the libraries of the targets on the JVM, as they were built; null where they are not.
jars() {
  local -a files=(apps/jvm/target/lib/*.jar)
  if [[ -e ${files[0]} ]]; then
    printf '%s\n' "${files[@]##*/}" | jq -Rn '[inputs | capture("^(?<key>.+?)-(?<value>[0-9].*)\\.jar$")] | from_entries'
  else
    echo null
  fi
}

# tool_versions: {tool: what it says of its own version}
tool_versions() {
  local line
  local -a lines command
  lines_of lines jq -r 'to_entries[] | "\(.key) \(.value.version)"' "$LOAD_TOOLS"
  for line in "${lines[@]}"; do
    read -r -a command <<<"$line"
    jq -n --arg tool "${command[0]}" --argjson line "$(first_line "${command[@]:1}")" '{($tool): $line}'
  done | jq -s add
}

versions() {
  jq -n --argjson tools "$(tool_versions)" \
    --argjson node "$(first_line node --version)" --argjson jq "$(first_line jq --version)" --argjson bash "$(first_line bash --version)" \
    --argjson java "$(first_line java -version)" --argjson jars "$(jars)" \
    --argjson npm "$(libraries)" '$tools + {$node, $jq, $bash, $java, $jars, $npm}'
}

# libraries: {name: version} of the npm packages that targets on Node.js ask for, and of Cube; null of those that are not installed.
libraries() {
  local name
  {
    for name in $(jq -r '.dependencies | keys[]' apps/package.json); do
      library "$name" apps "$name"
    done
    library cube apps/cube @cubejs-backend/server-core
  } | jq -s add
}

# library NAME FOLDER PACKAGE: images hold what is locked.
library() {
  if in_images "$STACK" || [[ -e $2/node_modules/$3 ]]; then
    jq --arg name "$1" --arg package "node_modules/$3" '{($name): .packages[$package].version}' "$2/package-lock.json"
  else
    jq -n --arg name "$1" '{($name): null}'
  fi
}

# databases RUN: {profile: {version, settings: {name: value}}} for every profile of the plan, each brought up once.
databases() {
  local profiles profile
  profiles=$(jq -r '[.groups[].database] | unique[]' "$1/plan.json")
  for profile in $profiles; do
    stack_prepare "$profile" "$1/plan.json" >&2
    stack_settings "$profile"
  done | jq -s 'add // {}'
}

# system_limits RUN: the operating system's limits where the load tools run, and which are too low for the plan.
system_limits() {
  local told
  local -a targets
  lines_of targets target_files
  told=$(stack_tool sh -c "$(<scripts/probes/system-limits.sh)")
  jq -n -L scripts/jq --arg told "$told" --argjson here "$(if has_private_database "$STACK"; then echo true; else echo false; fi)" --slurpfile plan "$1/plan.json" --slurpfile options "$1/options.json" \
    --argjson connection "$(stack_connection)" --argjson targets "$(jq -s . "${targets[@]}")" 'include "system-limits";
    ($here or ($options[0].url // $connection.host // "" | test("^(https?://)?(localhost|127\\.|\\[?::1|/)"))) as $loopback
    | ($told | system_limits) as $limits
    | $limits + {too_low: ({$limits, plan: $plan[0]} | too_low($targets; $loopback))}'
}

# warn_of_limits RUN: what is too low, and the command that raises it: that is for the user to decide. It raises none of a pod.
warn_of_limits() {
  local lines line
  lines=$(jq -r '.stack as $stack | .system_limits.too_low[]
    | .text + if $stack == "kubernetes" then "" else "; to raise it, before the next run: \(.command)" end' "$1/environment.json")
  while IFS= read -r line; do
    [[ -z $line ]] || warn "$line"
  done <<<"$lines"
}

git_state() {
  local commit=null dirty=null changes=null
  local -a folders
  # a copy inside somebody else's repository has no commit; files that nobody else has are no commit either
  if have git && [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$REPO_ROOT" ]] && git rev-parse --verify -q HEAD >/dev/null; then
    commit="\"$(git rev-parse HEAD)\""
    lines_of folders script_folders
    folders=("${folders[@]/#k6/k6/lib}") # beside those of k6 there may be scripts of somebody's own
    if [[ -z $(git status --porcelain --untracked-files=no)$(git status --porcelain -- apps k6/{build,own} "${folders[@]}" scripts docker) ]]; then dirty=false; else dirty=true changes="\"$(git_changes | sha256_of -)\""; fi
  fi
  jq -n --argjson commit "$commit" --argjson dirty "$dirty" --argjson changes "$changes" '{$commit, $dirty} + if $changes then {$changes} else {} end'
}

# git_changes: prints what differs from the commit in what a run is made of, new files included.
git_changes() {
  local -a parts
  local new
  lines_of parts script_folders
  parts+=(apps scripts docker)
  git diff HEAD -- "${parts[@]}"
  new=$(git ls-files --others --exclude-standard -- "${parts[@]}")
  [[ -z $new ]] || printf '%s\n' "$new" "$(git hash-object --stdin-paths <<<"$new")"
}

# generators_via: the commands that go before those of load generators, by number, where there are any that count.
generators_via() {
  local name
  if is_loopback "${EXTERNAL_URL:-//127.0.0.1}"; then
    [[ -z ${!GENERATOR_@} ]] || warn "ignored, as a generator elsewhere cannot reach a target on loopback: ${!GENERATOR_@}"
    echo '{}'
    return
  fi
  for name in "${!GENERATOR_@}"; do
    [[ ! $name =~ ^GENERATOR_([0-9]+)_VIA$ || -z ${!name} ]] || printf '%s %s\n' "${BASH_REMATCH[1]}" "${!name}"
  done | jq -Rn '[inputs | capture("^(?<key>[0-9]+) (?<value>.*)$")] | if . == [] then {} else {generators_via: from_entries} end'
}

# limits: what containers may have; null where there are none.
limits() { if in_images "$STACK"; then container_limits; else echo null; fi; }

# keep_frozen RUN NOW: of a run that goes on. Exit 2 where its trials could not be compared with those before; other differences are noted. A run from before
# limits, or what a cluster was asked for, were recorded has none to differ from.
keep_frozen() {
  local fault
  ! diff <(frozen "$1/environment.json") <(jq -S . <<<"$2") >"$1/environment.diff" || return 0
  fault=$(jq -r --slurpfile now <(printf '%s\n' "$2") '$now[0] as $now |
    if [.databases, .connection, .scale] != ($now | [.databases, .connection, .scale]) then "this is another database than the run began with, or its settings have changed"
    elif .limits and .limits != $now.limits then "containers are limited to other cores or memory than when the run began"
    elif .cluster and (.cluster | del(.uid, .volume.capacity)) != ($now.cluster | del(.uid, .volume.capacity)) then "the volume, the operator or the nodes that roles may be on are others than when the run began"
    else empty end' "$1/environment.json")
  [[ -z $fault ]] || die "$EXIT_FAILED" "$fault ($1/environment.diff): begin a run of its own"
  warn "the environment has changed since this run began: $1/environment.diff"
  [[ -z $(unmeasured "$1") ]] || jq --slurpfile now <(printf '%s\n' "$2") '. as $before | $now[0] as $now | .changed = ((.changed // []) + [$now | keys[] | select($now[.] != $before[.])] | unique)' "$1/environment.json" |
    write_atomic "$1/environment.json"
}

# note_beside RUN: adds the other runs that are on this machine now to those noted before. Each is noted once, by its latest name.
note_beside() {
  local now
  now=$(lock_beside)
  jq --argjson now "$now" '.beside = ((.beside // []) + $now | group_by([.clone, .pid, .since]) | map(last) | sort_by(.since))' "$1/environment.json" |
    write_atomic "$1/environment.json"
}

# unmeasured RUN: prints what is planned and was not measured; a workload of the open model where that is not planned yet.
unmeasured() {
  local plans=("$1/plan.json") cell
  if [[ -e $1/plan-open.json ]]; then plans+=("$1/plan-open.json"); else jq -r '.open[0].cell.workload // empty' "$1/plan.json"; fi
  jq -r '.groups[].cells[] | "\(if .block < 10 then "0" else "" end)\(.block)/\(.id)"' "${plans[@]}" | while IFS= read -r cell; do
    [[ -e $1/cells/$cell/status.json ]] || printf '%s\n' "$cell"
  done
}

main() {
  help_if_asked "$@"
  if [[ ${1:-} == --beside ]]; then
    note_beside "${2:?which run?}"
    return
  fi
  (($# == 1)) || usage_error "which run?"
  local run name databases images cluster nodes limits environment
  run=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  stack_load "$STACK"
  databases=$(databases "$run") # first of all: it brings up what the rest asks
  images=$(stack_images)
  cluster=$(stack_cluster)
  nodes=$(stack_nodes)
  limits=$(limits)
  environment=$(jq -n --argjson machine "$(machine)" --argjson versions "$(versions)" --argjson databases "$databases" \
    --argjson git "$(git_state)" --arg stack "$STACK" --argjson images "$images" --argjson connection "$(stack_connection)" --argjson scale "$SCALE" \
    --argjson system_limits "$(system_limits "$run")" --argjson topology "$(scripts/probes/topology.sh)" \
    --argjson via "$(generators_via)" --slurpfile nodes <(printf '%s\n' "$nodes") --argjson cluster "$cluster" --argjson limits "$limits" --slurpfile options "$run/options.json" '{$machine, $versions, $databases, $git, $stack, $images, $connection, $scale, $system_limits} + $topology + $via
    + ({nodes: $nodes[0], $cluster, $limits, server: ($options[0] | if .url then {url, script: .script.sha256} else null end)} | with_entries(select(.value)))')
  if [[ -e $run/environment.json ]]; then keep_frozen "$run" "$environment"; else write_atomic "$run/environment.json" <<<"$environment"; fi
  note_beside "$run"
  name=$(basename "$run")
  [[ ! -e $run/provenance.json ]] || name=$(jq -r .run "$run/provenance.json") # also where the folder was renamed since
  jq -n --arg run "$name" --arg plan_hash "$(sha256_of "$run/plan.json")" --arg environment_hash "$(environment_hash "$run/environment.json")" \
    --slurpfile environment "$run/environment.json" '{$run, $plan_hash, git_commit: $environment[0].git.commit, $environment_hash}' |
    write_atomic "$run/provenance.json"
  warn_of_limits "$run"
}

main "$@"
