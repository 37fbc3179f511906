#!/usr/bin/env bash
# Summary: a load generator that is not as it should be, for tests: goes before its command (GENERATOR_2_VIA).
# Usage: tests/generators/faulty.sh late SECONDS COMMAND...     starts it later
#        tests/generators/faulty.sh clock MS COMMAND...         its clock, where it is asked, is so far ahead
#        tests/generators/faulty.sh greets 0 COMMAND...         it says something before its clock does
#        tests/generators/faulty.sh hangs SECONDS COMMAND...    where its clock is asked nothing comes back, and nothing ends, as of a dead connection
#        tests/generators/faulty.sh busy SECONDS COMMAND...     it has something else to reckon, so long
#        tests/generators/faulty.sh cut LINES COMMAND...        the file that it leaves lacks so many lines at its end, as on a full disk
set -Eeuo pipefail

main() {
  local fault=$1 by=$2 told
  shift 2
  if [[ ${!#} == */clock.sh ]]; then
    [[ $fault != greets ]] || echo Welcome
    [[ $fault != hangs ]] || exec sleep "$by" # this is the fault
    [[ $fault == clock ]] || by=0
    "$@" | while read -r told; do printf '%s\n' $((told + by * 1000)); done
    return
  fi
  [[ $fault != late ]] || sleep "$by" # this is the fault
  [[ $fault != busy ]] || be_busy "$by"
  [[ $fault == cut ]] || exec "$@"
  "$@"
  cut_file "$by" "$@"
}

# be_busy SECONDS: many processes beside the command, so that what else runs on that core gets little of it; they let the load begin first.
be_busy() {
  for _ in {1..48}; do
    timeout "$1" bash -c 'sleep 4; while :; do :; done' &
  done
}

# cut_file LINES COMMAND...: takes them off the end of k6's file.
cut_file() {
  local word file
  for word in "${@:2}"; do
    [[ $word != hdr=* ]] || file=${word#hdr=}
  done
  file=${file%%,*}
  head -n "-$1" "$file" >"$file.cut"
  mv "$file.cut" "$file"
}

main "$@"
