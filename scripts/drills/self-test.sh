#!/usr/bin/env bash
# Summary: does the laboratory see a freeze, and late answers? The null responder is stopped for 2 of 8 seconds, under both load models; then three
# answers in a hundred come 10 s late, longer than the load lasts.
# Usage: scripts/drills/self-test.sh
#
# Of arrivals on a schedule over T seconds, those of the S frozen ones wait from S down to 0, so p99 is S - 0.01 T (coordinated
# omission: G. Tene, "How NOT to Measure Latency", 2013); S is what the clock says of each freeze. Of the late answers p99 is how late they are. The open
# model's p99 from the schedule must be within 5 % of both; the closed model's, whose users stop asking during the freeze, shows
# less than a tenth of it. Exit 1 when one is not so.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

T=8 S=2 LATE_S=10
RATE=200 # arrivals a second; those of the frozen time must fit into the listen backlog of Node, 511

# freeze PID FILE: S seconds out of the middle; how long it was, in microseconds, goes to the file.
freeze() {
  local began
  sleep $(((T - S) / 2))
  began=$(now_us)
  kill -STOP "$1"
  sleep "$S"
  kill -CONT "$1"
  echo $(($(now_us) - began)) >"$2"
}

# frozen_p99_us MODEL K6_OPTION...: p99_us of a run that is frozen in its middle, and what theory says: {theory, p99}
frozen_p99_us() {
  local freezing p99
  freeze "$PID" "$SCRATCH/frozen" &
  freezing=$!
  p99=$(p99_us "$@")
  wait "$freezing"
  jq -n --argjson p99 "$p99" --argjson t "$T" --argjson frozen "$(<"$SCRATCH/frozen")" '{theory: ($frozen - 0.01 * $t * 1e6), $p99} | .share = .p99 / .theory'
}

stop_server() {
  [[ ! -e $SCRATCH/server ]] || { kill "$(<"$SCRATCH/server")" && rm "$SCRATCH/server"; }
}

# late_p99_us K6_OPTION...: the same against a server whose answers come late
late_p99_us() {
  timeout 60 node scripts/drills/late.js "$NULL_PORT" "$LATE_S" &
  echo "$!" >"$SCRATCH/server"
  wait_until 10 "late answers" curl -fs -o "$SCRATCH/answer" "$BASE_URL/"
  p99_us open -e graceful=60s "$@" >"$SCRATCH/late"
  stop_server
  jq --argjson late "$LATE_S" '{theory: ($late * 1e6), p99: .} | .share = .p99 / .theory' "$SCRATCH/late"
}

# p99_us MODEL K6_OPTION...: of one run
p99_us() {
  local model=$1 dir
  dir=$(mktemp -d "$SCRATCH/XXXX")
  shift
  bin/k6 run --quiet --no-usage-report --summary-mode=disabled --no-thresholds --address '' --out "hdr=$dir/raw.k6.ndjson" \
    -e "duration=${T}s" "$@" k6/hello.js >&2
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
  trap 'stop_server; stack_down; rm -rf "$SCRATCH"; lock_release' EXIT
  stack_up none null '{"name":"base","env":{},"args":[]}'
  PID=$(stack_status | jq .null.pid)
  local open closed late
  open=$(frozen_p99_us open -e "rate=$RATE" -e "vus=$((RATE * (S + 1)))")
  closed=$(frozen_p99_us closed -e vus=10)
  stack_down
  late=$(late_p99_us -e rate=100 -e vus=200)
  jq -n --argjson open "$open" --argjson closed "$closed" --argjson late "$late" '
    {frozen: {open: $open, closed: $closed}, late: {open: $late}}
    | .passed = ([$open, $late | .share >= 0.95 and .share <= 1.05] | all) and $closed.share < 0.1' | tee "$SCRATCH/result.json"
  jq -e .passed "$SCRATCH/result.json" >/dev/null || exit "$EXIT_INVALID"
}

main "$@"
