#!/usr/bin/env bash
# Summary: prints how often the analysis claims what is not so, on synthetic runs whose truth is known.
# Usage: tests/bench/claims.sh [RUNS]   runs per setting, 2,000 unless given
set -Eeuo pipefail
cd "$(dirname "$0")/../.."
exec node tests/bench/claims.js "$@"
