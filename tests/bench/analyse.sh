#!/usr/bin/env bash
# Summary: prints how long analyse takes for a synthetic run of 10,000 trials, and how much memory. Exit 1 above 20 s or 500 MB.
# Usage: tests/bench/analyse.sh
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

readonly SECONDS_ALLOWED=20 MEGABYTES_ALLOWED=500

main() {
  help_if_asked "$@"
  local folder figures
  folder=$(mktemp -d)
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$folder'" EXIT
  node "$REPO_ROOT/tests/bench/analyse.js" "$folder/run"
  figures=$(node --import "$REPO_ROOT/tests/bench/analyse.peak.js" "$REPO_ROOT/scripts/analyse/main.js" "$folder/run")
  jq --argjson bytes "$(wc -c <"$folder/run/results.json")" \
    --argjson trials "$(jq '.verdicts.planned' "$folder/run/results.json")" \
    '. + {trials: $trials, results_json_mb: ($bytes / 1e6)}' <<<"$figures"
  jq -e ".seconds < $SECONDS_ALLOWED and .peak_rss_mb < $MEGABYTES_ALLOWED" <<<"$figures" >/dev/null
}

main "$@"
