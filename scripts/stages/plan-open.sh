#!/usr/bin/env bash
# Summary: plans phase 2, the open model at shares of the measured peak: RUN/plan-open.json, from the medians of phase 1.
# Usage: scripts/stages/plan-open.sh RUN
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which run?"
  local run
  run=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  find "$run/cells" -name summary.json -exec jq -c '.cell + {throughput_rps}' {} + |
    jq -s --slurpfile experiment "$run/experiment.json" --slurpfile plan "$run/plan.json" --argjson cores "$(getconf _NPROCESSORS_ONLN)" \
      -L scripts/jq -f scripts/jq/plan-open.jq | write_atomic "$run/plan-open.json"
}

main "$@"
