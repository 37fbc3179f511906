#!/usr/bin/env bash
# Summary: builds results/index.html: all runs and published results, searchable; a cell over time; two runs side by side.
# Usage: scripts/stages/results-page.sh [RESULTS]     RESULTS: the folder that holds runs/ and published/; results/ unless given
#
# One page that opens from disk. Runs that were not analysed are left out, and named. Two runs are compared as
# by scripts/compare.sh.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

main() {
  help_if_asked "$@"
  (($# <= 1)) || usage_error "one folder at most"
  local results=${1:-$REPO_ROOT/results}
  [[ -d $results ]] || usage_error "no such folder: $results"
  require_node
  node "$REPO_ROOT/scripts/report/make-results-page.js" "${results%/}"
}

main "$@"
