#!/usr/bin/env bash
# Summary: gives each trial its verdict, merges trials, compares targets: RUN/results.json and RUN/results.csv.
# Usage: scripts/stages/analyse.sh RUN
#
# Reads what measure and collect left in RUN and changes none of it. Every file and key: docs/results.md; every limit with
# its reason: scripts/declared/limits.json. Exit 0 when the results are written, whatever the verdicts (.verdicts counts them); 2 when
# the run folder is damaged.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

node_of_run scripts/analyse/main.js "$@"
