#!/usr/bin/env bash
# Summary: finds the rate that each target sustains, by short probes, and plans phase 2, the open model at shares of it: RUN/plan-open.json.
# Usage: scripts/stages/plan-open.sh RUN
#
# The probes are in RUN/probes, a run folder of its own; those that are there are not made again. Their verdicts decide which rate
# comes next (scripts/analyse/open-peaks.js), and they enter no figure.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

# planned FILTER PLAN: a plan, from FOUND.
planned() {
  jq --slurpfile plan "$2" --slurpfile experiment "$RUN/experiment.json" --argjson cores "$(getconf _NPROCESSORS_ONLN)" \
    -L scripts/jq -f "scripts/jq/$1" <<<"$FOUND"
}

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which run?"
  RUN=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  local probes=$RUN/probes plan none
  # a round that was interrupted is finished first: a probe that was not made says nothing
  [[ ! -e $probes/plan.json ]] || scripts/stages/measure.sh "$probes"
  while FOUND=$(node scripts/analyse/open-peaks.js "$RUN") && [[ $(jq '.probes | length' <<<"$FOUND") != 0 ]]; do
    mkdir -p "$probes"
    cp "$RUN"/{experiment,environment,provenance}.json "$probes"
    plan=$probes/plan.json
    [[ -e $plan ]] || plan=/dev/null
    planned plan-probes.jq "$plan" | write_atomic "$probes/plan.json"
    log "probing the rates that targets sustain"
    scripts/stages/measure.sh "$probes"
  done
  [[ -n $FOUND ]] || exit "$EXIT_FAILED"
  none=$(jq -r '[.peaks[] | select(.rate_rps == null) | "\(.target) \(.variant) \(.workload) on \(.database)"] | join(", ")' <<<"$FOUND")
  [[ -z $none ]] || warn "at no rate were all requests sent and answered in time; left out of the open model: $none"
  planned plan-open.jq "$RUN/plan.json" | write_atomic "$RUN/plan-open.json"
}

main "$@"
