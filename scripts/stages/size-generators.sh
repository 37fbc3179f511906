#!/usr/bin/env bash
# Summary: finds how many load generators it takes (--generators auto), and plans the run anew with as many.
# Usage: scripts/stages/size-generators.sh RUN
#
# Against the responder that does nothing, each load runs with one generator, with two, and so on, until one more does not raise any load's rate by a
# twentieth: then it is not the generator that limits it, or the cores are at an end. The rounds are in RUN/sizing, a run folder of its own, and enter no
# figure. RUN/options.json then says how many there are at most; a level below that has as many as it has users.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

RAISED=1.05

# plan_round NUMBER: adds it to the plan; status 1 when there is no load that so many can share.
plan_round() {
  local plan=$SIZING/plan.json
  [[ -e $plan ]] || plan=/dev/null
  jq --argjson generators "$1" --argjson cores "$(getconf _NPROCESSORS_ONLN)" --slurpfile plan "$plan" -L scripts/jq -f scripts/jq/plan-generators.jq "$RUN/plan.json" |
    write_atomic "$SIZING/plan.json"
  jq -e --argjson block "$1" 'any(.groups[]; .block == $block)' "$SIZING/plan.json" >/dev/null
}

# raised NUMBER: whether some load ran faster with so many than with one fewer.
raised() {
  find "$SIZING/cells" -name summary.json -exec cat {} + | jq -e -s --argjson number "$1" --argjson raised "$RAISED" '
    group_by(.cell | [.tool, .workload, .variant]) | any(.[];
      (map(select(.cell.block == $number).throughput_rps)[0] // 0) >= $raised * (map(select(.cell.block == $number - 1).throughput_rps)[0] // infinite))' >/dev/null
}

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which run?"
  local number=1 most
  RUN=$(cd "$1" && pwd)
  SIZING=$RUN/sizing
  cd "$REPO_ROOT"
  mkdir -p "$SIZING"
  cp "$RUN"/{experiment,options}.json "$SIZING"
  most=$(scripts/probes/topology.sh | jq -r -L scripts/jq 'include "generators"; .roles.generator // "" | cores_of | length')
  ((most > 0)) || most=$(getconf _NPROCESSORS_ONLN)
  log "finding how many load generators it takes"
  for ((number = 1; number <= most; number++)); do
    plan_round "$number" || { ((number > 1)) || log "the responder that does nothing answers none of these loads: nothing can be tried" && break; }
    scripts/stages/environment.sh "$SIZING"
    scripts/stages/measure.sh "$SIZING"
    ((number == 1)) || raised "$number" || break
  done
  number=$((number > 1 ? number - 1 : 1))
  if ((number == 1)); then log "one generator makes each load"; else log "$number generators share each load"; fi
  find "$SIZING" -name summary.json -exec cat {} + |
    jq -s --argjson number "$number" --slurpfile options "$RUN/options.json" '
      map(.cell as {$tool, $workload, $variant, $level} | {$tool, $workload, $variant, $level, generators: (.cell.generators // 1), throughput_rps})
      | sort_by(.tool, .workload, .variant, .generators) as $tried | $options[0] | .generators = {at_most: $number, sized: $tried}' | write_atomic "$RUN/options.json"
  scripts/stages/plan.sh "$RUN"
}

main "$@"
