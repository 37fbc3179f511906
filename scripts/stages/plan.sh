#!/usr/bin/env bash
# Summary: turns an experiment into the ordered list of cells to run: RUN/plan.json.
# Usage: scripts/stages/plan.sh [--before-setup] RUN
#
#   --before-setup   counts what set-up builds as there
#
# Reads RUN/experiment.json and RUN/options.json, and what the repository offers: the target.json files, the workload
# files of each tool, scripts/declared/databases/*.json. Same input, same plan. Exit 64 when the experiment or an option is wrong.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/memory.bash
source "$REPO_ROOT/scripts/lib/memory.bash"
# shellcheck source=scripts/lib/juicefs.bash
source "$REPO_ROOT/scripts/lib/juicefs.bash"

# unavailable STACK TARGETS: {target: reason} for targets that need ("needs") a command, or a file that set-up builds, which is not
# here or not in the images. The first that is missing is the reason. Before set-up such a file is not missing yet.
unavailable() {
  local stack=$1 target need
  jq -r '.[] | .name as $name | (.needs // [])[] | "\($name) \(.)"' <<<"$2" |
    while read -r target need; do
      if in_images "$stack"; then
        jq -n --arg t "$target" --arg n "$need" --arg stack "$stack" '{($t): "the \($stack) stack has no \($n)"}'
        continue
      fi
      if [[ $need == */* ]]; then
        $BEFORE_SETUP || [[ -e $need ]] || jq -n --arg t "$target" --arg n "$need" '{($t): "\($n) is not built: scripts/setup.sh says what that takes"}'
        continue
      fi
      have "$need" || jq -n --arg t "$target" --arg n "$need" '{($t): "\($n) was not found; scripts/setup.sh --check says what brings it"}'
    done | jq -s 'reverse | add // {}'
}

# without STACK: {database profile: reason} for those that this machine, or the stack, cannot have.
without() {
  local lacks
  lacks=$(of_stack "$1" stack_lacks)
  jq -n --arg lacks "$lacks" '[$lacks | splits("\n") | capture("^(?<what>[^ ]+) (?<why>.+)")] as $lacks
    | [inputs | [to_entries[] | .key, "\(.key)=\(.value)"] as $says
      | {key: input_filename | split("/")[-1] | rtrimstr(".json"), value: first($lacks[] | select(.what | IN($says[])) | .why)}]
    | from_entries' scripts/declared/databases/*.json
}

# refused TARGETS: {target: reason} for targets whose driver cannot honour what the DSN asks for.
refused() {
  [[ -n ${EXTERNAL_DATABASE:-} ]] || { echo '{}' && return; }
  (unset_libpq && use_exports "$EXTERNAL_DATABASE" && node scripts/probes/dsn/refused.js <<<"$1")
}

main() {
  help_if_asked "$@"
  BEFORE_SETUP=false
  [[ ${1:-} != --before-setup ]] || { BEFORE_SETUP=true && shift; }
  (($# == 1)) || usage_error "which run?"
  local run plan fault targets stack examples
  run=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  targets=$(targets)
  examples=$(examples)
  stack=$(jq -r .stack "$run/options.json")
  plan=$(jq -n -L scripts/jq \
    --slurpfile experiment "$run/experiment.json" --slurpfile options "$run/options.json" \
    --argjson databases "$(stems scripts/declared/databases/*.json)" --argjson unavailable "$(unavailable "$stack" "$targets")" --argjson without "$(without "$stack")" \
    --argjson cores "$(getconf _NPROCESSORS_ONLN)" --argjson targets "$targets" --argjson refused "$(refused "$targets")" \
    --argjson examples "$examples" --argjson scripts "$(workloads_by_tool "$examples")" --argjson renamed "$(old_names)" \
    '{experiment: $experiment[0], options: $options[0], $targets, unavailable: ($refused + $unavailable), $without, $databases, $cores, $renamed,
      paths: ($examples | map_values(.path)), $scripts}' |
    jq -L scripts/jq -f scripts/jq/plan.jq)
  fault=$(jq -r '.fault // empty' <<<"$plan")
  [[ -z $fault ]] || die "$EXIT_USAGE" "$fault"
  write_atomic "$run/plan.json" <<<"$plan"
}

main "$@"
