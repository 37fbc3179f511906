#!/usr/bin/env bash
# Summary: compares two runs cell by cell, as Markdown: ratios B over A with intervals.
# Usage: scripts/compare.sh [--threshold PERCENT] [--html FILE] A B
#
#   A, B                 run folders, names of runs in results/runs, or results.json files
#   --threshold PERCENT  how much worse counts as a regression (default 5)
#   --html FILE          also writes a page: both side by side, a picture of the ratios, and over time the cells that B's primary
#                        questions ask about (six at most), where its machine has three results
#
# Warns of each difference in environment. Exit 1 when a figure is worse than the threshold and an interval that shares its error
# of 5 % with those of all other figures excludes 1, or when a cell has fewer usable trials in B than in A, lacks a figure that A
# has, such as a capacity that was at least more, or is not measured in B; 2 when results.json is missing or damaged: ./run-all-tests.sh --from analyse makes it.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

main() {
  local threshold=5 page=''
  local -a runs=()
  help_if_asked "$@"
  while (($# > 0)); do
    case $1 in
      --threshold)
        (($# >= 2)) || usage_error "--threshold wants a number of per cent"
        threshold=$2
        shift
        ;;
      --threshold=*) threshold=${1#*=} ;;
      --html)
        [[ -n ${2:-} ]] || usage_error "--html wants a file"
        page=$2
        shift
        ;;
      --html=*)
        [[ -n ${1#*=} ]] || usage_error "--html wants a file"
        page=${1#*=}
        ;;
      -*) usage_error "unknown option $1" ;;
      *) runs+=("$(run_named "$1")") ;;
    esac
    shift
  done
  ((${#runs[@]} == 2)) || usage_error "which two runs?"
  [[ $threshold =~ ^[0-9]+(\.[0-9]+)?$ ]] || usage_error "--threshold $threshold: wants a number of per cent, 0 or more"
  [[ ${runs[0]} != "${runs[1]}" ]] || usage_error "both are ${runs[0]}: which two runs?"
  require_node
  node "$REPO_ROOT/scripts/report/compare.js" --threshold "$(jq -n "$threshold / 100")" \
    --published "${PUBLISHED:-$REPO_ROOT/results/published}" ${page:+"--html=$page"} "${runs[@]}"
}

main "$@"
