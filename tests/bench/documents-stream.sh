#!/usr/bin/env bash
# Summary: streams a million documents and prints by how much the target's memory grew.
# Usage: tests/bench/documents-stream.sh [--documents N]    1000000 unless given; about a minute and 1 GB below /var/tmp
#
# Two readers, one after the other: as fast as it can, and at 40 MB/s, which the target could fill faster. Growth is the
# process's highest resident size while streaming, less its size before. Exit 1 when it is 50 MB or more, or documents are missing.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=tests/lib/documents.bash
source "$REPO_ROOT/tests/lib/documents.bash"

LIMIT_KB=51200

# memory KEY: prints VmRSS (now) or VmHWM (highest) of the target in kB.
memory() { awk -v key="$1:" '$1 == key { print $2 }' "/proc/$PID/status"; }

# measure NAME CURL_OPTION...: streams once and prints what it took.
measure() {
  local name=$1 before count started grown
  shift
  echo 5 >"/proc/$PID/clear_refs" # the highest size counts from here
  before=$(memory VmRSS)
  started=$(now_us)
  count=$(curl -fsS "$@" "$BASE_URL/collections/million/find_with_stream" | tr '{' '\n' | grep -c '"_id":')
  grown=$(($(memory VmHWM) - before))
  printf '%-10s %8d documents in %5s s, memory %6d kB before, %6d kB grown\n' "$name" "$count" "$(seconds_since "$started")" "$before" "$grown"
  ((count == DOCUMENTS && grown < LIMIT_KB)) || FAILED=true
}

main() {
  help_if_asked "$@"
  DOCUMENTS=1000000 FAILED=false
  case "${1:-} $#" in
    " 0") ;;
    "--documents 2") DOCUMENTS=$2 ;;
    *) usage_error "unknown arguments: $*" ;;
  esac
  trap documents_down EXIT
  documents_up
  curl -fsS -X POST -o /dev/null "$BASE_URL/collections/million/indexes/age"
  psql -XqAt -v ON_ERROR_STOP=1 -v documents="$DOCUMENTS" <<<"insert into collections.million (doc)
    select doc from collections.unindexed, generate_series(1, ceil(:documents / 100000.0)::int) limit :documents"
  PID=$(documents_pid)
  measure fast
  measure slow --limit-rate 40M
  ! $FAILED || exit "$EXIT_INVALID"
}

main "$@"
