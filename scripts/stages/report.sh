#!/usr/bin/env bash
# Summary: writes RUN/report.html, RUN/report.md and the charts from RUN/results.json and the trials' own files.
# Usage: scripts/stages/report.sh RUN
#
# Offline, without a browser. report.html is one file that opens from disk and needs no network; charts are also written to
# RUN/charts/ as SVG and PNG. Exit 2 when results.json is missing or damaged.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

node_of_run scripts/report/main.js "$@"
