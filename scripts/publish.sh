#!/usr/bin/env bash
# Summary: publishes a run: results/published/<YYYYMMDD>/<machine>.<experiment>.json with a post to paste, and the README's results.
# Usage: scripts/publish.sh RUN [--with-invalid]
#        scripts/publish.sh --readme             only writes the README's results again
#
#   --with-invalid   publishes a run with invalid or missing trials, too; the post says so first
#
# Beside the JSON, <machine>.<experiment>/ holds post.md and charts/ (SVG, and PNG at twice the size). What is published is never
# rewritten: a second run on one day gets a number, and a run is published once. The README's results stand between
# <!-- results:begin --> and <!-- results:end -->: the newest of each experiment and machine.
# Exit 2 when the run is damaged, published already, or has invalid trials.
#
# PUBLISHED and README name other places to write to (tests use them).
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

main() {
  local run='' readme_only=false
  local -a options=()
  help_if_asked "$@"
  while (($# > 0)); do
    case $1 in
      --with-invalid) options+=(--with-invalid) ;;
      --readme) readme_only=true ;;
      -*) usage_error "unknown option $1" ;;
      *)
        [[ -z $run ]] || usage_error "one run at a time"
        run=$1
        ;;
    esac
    shift
  done
  [[ -n $run ]] || $readme_only || usage_error "which run?"
  [[ -z $run ]] || ! $readme_only || usage_error "--readme wants no run"
  require_cmd node
  node "$REPO_ROOT/scripts/report/publish.js" --root "${PUBLISHED:-$REPO_ROOT/results/published}" \
    --readme "${README:-$REPO_ROOT/README.md}" "${options[@]}" ${run:+"$run"}
}

main "$@"
