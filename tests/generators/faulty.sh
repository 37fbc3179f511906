#!/usr/bin/env bash
# Summary: a load generator that is not as it should be, for tests: goes before its command (GENERATOR_2_VIA).
# Usage: tests/generators/faulty.sh late SECONDS COMMAND...     starts it later
#        tests/generators/faulty.sh clock MS COMMAND...         its clock, where it is asked, is so far ahead
set -Eeuo pipefail

main() {
  local fault=$1 by=$2 told
  shift 2
  if [[ ${!#} == */clock.sh ]]; then
    [[ $fault == clock ]] || by=0
    "$@" | while read -r told; do printf '%s\n' $((told + by * 1000)); done
    return
  fi
  [[ $fault != late ]] || sleep "$by" # this is the fault
  exec "$@"
}

main "$@"
