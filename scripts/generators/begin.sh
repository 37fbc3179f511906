#!/usr/bin/env bash
# Summary: one of several load generators, of a tool that has no beginning of its own: waits for the agreed instant, and becomes the tool.
# Usage: scripts/generators/begin.sh MS FILE COMMAND...
#
# MS is the instant, in milliseconds since 1970 by the clock of this machine. FILE then says how many milliseconds after it the tool was started.
set -Eeuo pipefail

main() {
  local begin=$1 file=$2 left
  shift 2
  while left=$((begin * 1000 - ${EPOCHREALTIME/./})) && ((left > 0)); do
    sleep "$(printf '%d.%06d' $((left / 1000000)) $((left % 1000000)))"
  done
  awk -v us=$((-left)) 'BEGIN { printf "%.3f\n", us / 1000 }' >"$file"
  exec "$@"
}

main "$@"
