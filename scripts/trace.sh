#!/usr/bin/env bash
# Summary: one request, taken apart: how long its name lookup, connect, TLS, server and transfer took, as a picture.
# Usage: scripts/trace.sh URL
#
# Asks once, on a new connection, follows no redirect, and shows the answer's headers and curl's own timings; `request` is what curl itself needs to send it.
# NO_COLOR is honoured, and COLUMNS where the output is not a terminal. Exit 0; 1 when the status is 400 or above; 2 when there is no
# answer within a minute; 64 on bad usage.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

# measure_terminal: sets WIDTH, how long a line may be.
measure_terminal() {
  local size
  WIDTH=${COLUMNS:-80}
  if [[ -t 1 ]]; then
    { size=$(stty size <&3 2>/dev/null) || size='0 0'; } 3>&1
    [[ ${size#* } == 0 ]] || WIDTH=${size#* }
  fi
  [[ $WIDTH =~ ^[1-9][0-9]*$ ]] || usage_error "COLUMNS is $WIDTH: must be a whole number"
}

main() {
  help_if_asked "$@"
  [[ ${1:-} != -* ]] || usage_error "unknown option $1"
  (($# == 1)) || usage_error "which URL?"
  [[ $1 =~ ^https?://[^/?#[:space:]]+[^[:space:]]*$ ]] || usage_error "$1: must be http://host:port/path or https://host:port/path"
  require_cmd curl jq
  local timings colour=false
  measure_terminal
  [[ ! -t 1 || -n ${NO_COLOR:-} ]] || colour=true
  ERRORS=$(mktemp) HEADERS=$(mktemp)
  trap 'rm -f "$ERRORS" "$HEADERS"' EXIT
  timings=$(curl -q -sS --globoff --path-as-is --max-time 60 -o /dev/null -D "$HEADERS" -w '%{json}' "$1" 2>"$ERRORS") ||
    die "$EXIT_FAILED" "$1 does not answer: $(sed -n '1s/^curl: ([0-9]*) //p' "$ERRORS")"
  jq -r --argjson columns "$WIDTH" --argjson colour "$colour" --rawfile headers "$HEADERS" -f "$REPO_ROOT/scripts/jq/trace.jq" <<<"$timings"
  jq -e '.response_code < 400' <<<"$timings" >/dev/null || exit "$EXIT_INVALID"
}

main "$@"
