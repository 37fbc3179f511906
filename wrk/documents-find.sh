#!/usr/bin/env bash
# Summary: asks for pages of 50 documents: 400 connections for 30 s.
# Usage: wrk/documents-find.sh [URL]      http://127.0.0.1:3000/collections/test/find unless given
#
# CONNECTIONS, DURATION_S and THREADS (as many as there are cores, 12 at most) may be set.
set -Eeuo pipefail
# shellcheck source=wrk/lib/run.bash
source "$(dirname "$0")/lib/run.bash"

run_wrk /collections/test/find "$@"
