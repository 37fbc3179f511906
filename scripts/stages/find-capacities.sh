#!/usr/bin/env bash
# Summary: finds the capacities that an experiment asks for, by probes of the open model, block by block: RUN/capacity/<block>/.
# Usage: scripts/stages/find-capacities.sh RUN
#
# Each block's folder is a run folder of its own; probes that are there are not made again. What the search of a block makes of them: scripts/analyse/capacity/.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/probes.bash
source "$REPO_ROOT/scripts/lib/probes.bash"

main() {
  help_if_asked "$@"
  (($# == 1)) || usage_error "which run?"
  local run
  run=$(cd "$1" && pwd)
  cd "$REPO_ROOT"
  jq -e '.searches // [] | length > 0' "$run/plan.json" >/dev/null || return 0
  finish_probes "$run" "$run"/capacity/*
  probe_until_found "$run" scripts/analyse/capacity/main.js
}

main "$@"
