#!/usr/bin/env bash
# Summary: tells the time, in microseconds since 1970, once for each line of stdin: how the driver reads the clock of a load generator.
set -Eeuo pipefail

while read -r; do
  printf '%s\n' "${EPOCHREALTIME/./}"
done
