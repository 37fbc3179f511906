#!/usr/bin/env bash
# Summary: finds the rate that each target sustains, by short probes, and plans phase 2, the open model at shares of it: RUN/plan-open.json.
# Usage: scripts/stages/plan-open.sh RUN
#
# The probes are in RUN/probes, a run folder of its own; those that are there are not made again. Their verdicts decide which rate
# comes next (scripts/analyse/open-peaks.js), and they enter no figure.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/probes.bash
source "$REPO_ROOT/scripts/lib/probes.bash"

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which run?"
  RUN=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  local unsustained
  finish_probes "$RUN" "$RUN/probes"
  probe_until_found "$RUN" scripts/analyse/open-peaks.js
  unsustained=$(jq -r '[.peaks[] | select(.rate_rps == null) | "\(.target) \(.variant) \(.workload) on \(.database)"] | join(", ")' <<<"$FOUND")
  [[ -z $unsustained ]] || warn "at no rate were all requests sent and answered in time; left out of the open model: $unsustained"
  jq --slurpfile plan "$RUN/plan.json" --slurpfile experiment "$RUN/experiment.json" --argjson cores "$(getconf _NPROCESSORS_ONLN)" \
    -L scripts/jq -f scripts/jq/plan-open.jq <<<"$FOUND" | write_atomic "$RUN/plan-open.json"
}

main "$@"
