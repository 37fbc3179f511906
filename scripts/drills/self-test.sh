#!/usr/bin/env bash
# Summary: does the laboratory see a freeze? The null responder is stopped for 2 of 8 seconds, under both load models.
# Usage: scripts/drills/self-test.sh
#
# Of arrivals on a schedule over T seconds, those of the S frozen ones wait from S down to 0, so p99 is S - 0.01 T (coordinated
# omission: G. Tene, "How NOT to Measure Latency", 2013). The open model's p99 from the schedule must be within a tenth of that;
# the closed model's, whose users stop asking meanwhile, shows less than a tenth of it. Exit 1 when either is not so.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

T=8 S=2
RATE=200 # arrivals a second; those of the frozen time must fit into the listen backlog of Node, 511

# freeze PID: S seconds out of the middle
freeze() {
  sleep $(((T - S) / 2))
  kill -STOP "$1"
  sleep "$S"
  kill -CONT "$1"
}

# p99_us MODEL K6_OPTION...: of one run, frozen in its middle
p99_us() {
  local model=$1 dir=$SCRATCH/$1
  shift
  mkdir "$dir"
  freeze "$PID" &
  bin/k6 run --quiet --no-usage-report --summary-mode=disabled --no-thresholds --address '' --out "hdr=$dir/raw.k6.ndjson" \
    -e "duration=${T}s" "$@" k6/hello.js >&2
  wait "$!"
  jq -n --arg model "$model" --argjson t "$T" '{id: $model, $model, level: 1, duration_s: $t}' >"$dir/cell.json"
  jq -n --argjson t "$T" '{wall_s: $t}' >"$dir/status.json"
  jq -n -R -L scripts/jq --slurpfile cell "$dir/cell.json" --slurpfile status "$dir/status.json" \
    -f scripts/jq/summary-k6.jq "$dir/raw.k6.ndjson" | jq .latency_us.p99
}

main() {
  help_if_asked "$@"
  (($# == 0)) || usage_error "no arguments are taken"
  cd "$REPO_ROOT"
  stack_load local
  lock_acquire scripts/drills/self-test.sh join
  SCRATCH=$(mktemp -d)
  trap 'stack_down; rm -rf "$SCRATCH"; lock_release' EXIT
  stack_up none null '{"name":"base","env":{},"args":[]}'
  PID=$(stack_status | jq .null.pid)
  local open closed
  open=$(p99_us open -e "rate=$RATE" -e "vus=$((RATE * (S + 1)))")
  closed=$(p99_us closed -e vus=10)
  jq -n --argjson open "$open" --argjson closed "$closed" --argjson t "$T" --argjson s "$S" '
    (($s - 0.01 * $t) * 1e6) as $theory
    | {theory_p99_us: $theory, open_p99_us: $open, open_share: ($open / $theory), closed_p99_us: $closed, closed_share: ($closed / $theory)}
    | .passed = (.open_share >= 0.9 and .open_share <= 1.1 and .closed_share < 0.1)' | tee "$SCRATCH/result.json"
  jq -e .passed "$SCRATCH/result.json" >/dev/null || exit "$EXIT_INVALID"
}

main "$@"
