#!/usr/bin/env bash
# Summary: what merging the files of many load generators takes: seconds and megabytes for 10, 30 and 100 of them, 600 s each.
# Usage: tests/bench/merge.sh [COUNT...]
#
# One file is measured for real, for 10 s, and made long by repeating its seconds: each generator has the same histograms, so the sum is known, and is checked.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

SECONDS_LONG=600
SCRATCH=''

on_exit() {
  local code=$?
  [[ -z ${SERVER:-} ]] || kill "$SERVER"
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  exit "$code"
}

# one_file: a generator's file of SECONDS_LONG seconds.
one_file() {
  PORT=$PORT_OF_NULL node apps/null/server.js 2>/dev/null &
  SERVER=$!
  wait_until 10 "the responder" curl -fs -o /dev/null "http://127.0.0.1:$PORT_OF_NULL/" || die "$EXIT_FAILED" "the responder does not start"
  bin/k6 run --quiet --no-usage-report --address '' --summary-mode=disabled --no-thresholds -e BASE_URL="http://127.0.0.1:$PORT_OF_NULL" -e vus=50 -e duration=10s \
    --out "hdr=$SCRATCH/measured" k6/hello.js
  # shellcheck disable=SC2016 # the dollars are JavaScript's
  node -e '
    const [, path, seconds] = process.argv;
    const lines = require("fs").readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const whole = lines.filter(({ type, t }) => type === "second" && t < 10);
    const meta = lines.find(({ type }) => type === "meta");
    const total = lines.find(({ type }) => type === "total");
    const made = Array.from({ length: seconds }, (_, t) => ({ ...whole[t % whole.length], t }));
    const requests = Math.round(made.reduce((sum, second) => sum + second.requests, 0));
    const out = [meta, ...made, { ...total, seconds: +seconds, lines: +seconds, requests, errors: {} }];
    process.stdout.write(`${out.map((line) => JSON.stringify(line)).join("\n")}\n`);' "$SCRATCH/measured" "$SECONDS_LONG" >"$SCRATCH/generator"
}

# answers FILE: how many its histograms hold.
answers() { jq -n '[inputs.latency // empty | .counts[][1]] | add' "$1"; }

# merged COUNT: merges as many copies of it, and prints what it took.
merged() {
  local -a files=()
  local i sum one
  for ((i = 0; i < $1; i++)); do files+=("$SCRATCH/generator"); done
  /usr/bin/time -f '%e %M' -o "$SCRATCH/took" node scripts/generators/merge.js "${files[@]}" >"$SCRATCH/merged"
  sum=$(answers "$SCRATCH/merged") one=$(answers "$SCRATCH/generator")
  ((sum == one * $1)) || die "$EXIT_INVALID" "$1 files of $one answers became $sum"
  awk -v count="$1" '{ printf "%d generators: %.1f s, %d MB\n", count, $1, $2 / 1024 }' "$SCRATCH/took"
}

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  require_cmd jq curl
  [[ -x /usr/bin/time ]] || die "$EXIT_FAILED" "/usr/bin/time is missing: apt-get install time"
  trap on_exit EXIT
  SCRATCH=$(mktemp -d) PORT_OF_NULL=${NULL_PORT:-3001}
  one_file
  local count
  (($# > 0)) || set -- 10 30 100
  for count in "$@"; do merged "$count"; done
}

main "$@"
