#!/usr/bin/env bash
# Summary: prints a run's results: the answers, a line per target, the three most important cautions, and where the report is.
# Usage: scripts/stages/print.sh RUN
#
# As wide as the terminal, but at most 100 columns, which it has elsewhere; coloured on a terminal unless NO_COLOR is set. The bars
# are throughput by level, each target's against its own peak. Exit 2 when results.json is missing or damaged.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

node_of_run scripts/report/terminal.js "$@"
