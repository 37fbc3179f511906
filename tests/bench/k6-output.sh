#!/usr/bin/env bash
# Summary: what the output hdr costs: throughput against the stock summary, and memory as requests grow.
# Usage: tests/bench/k6-output.sh      about 6 minutes on two cores that do nothing else
#
# Throughput: k6/hello.js as driven (--out hdr, no summary, no thresholds) and as by hand (summary and thresholds), one
# after the other, in turns which comes first. Memory: the driven one at a small and a large number of requests.
# Exit 1 when the geometric mean of the ratios is below 0.97, or when the resident memory grows by more than a tenth.
#
# Environment: PORT (3101), VUS (10), DURATION (10s), PAIRS (5), SMALL (200000), LARGE (2000000) requests.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

PORT=${PORT:-3101} VUS=${VUS:-10} DURATION=${DURATION:-10s} PAIRS=${PAIRS:-5} SMALL=${SMALL:-200000} LARGE=${LARGE:-2000000}
K6=(bin/k6 run --quiet --no-usage-report --address '' -e "BASE_URL=http://127.0.0.1:$PORT")
DRIVEN=(--summary-mode=disabled --no-thresholds)

# timed NAME COMMAND...: runs it; its user and system seconds go to the scratch file NAME.cpu, its messages to stderr.
timed() {
  local name=$1 TIMEFORMAT='%U %S'
  shift
  { time "$@" >/dev/null 2>&3; } 3>&2 2>"$SCRATCH/$name.cpu"
}

# driven: one run as the harness does it. Leaves its requests in the scratch file driven.requests.
driven() {
  timed driven "${K6[@]}" "${DRIVEN[@]}" --out "hdr=$SCRATCH/driven" -e "vus=$VUS" -e "duration=$DURATION" k6/hello.js
  jq -n 'last(inputs).requests' "$SCRATCH/driven" >"$SCRATCH/driven.requests"
}

# stock: one run by hand, likewise. The summary counts the one request of setup() too.
stock() {
  timed stock "${K6[@]}" -e "out=$SCRATCH/stock" -e "vus=$VUS" -e "duration=$DURATION" k6/hello.js
  jq '.metrics.http_reqs.values.count - 1' "$SCRATCH/stock" >"$SCRATCH/stock.requests"
}

# pair NUMBER: one run of each -> requests, and k6's processor time per request, which holds on a busy machine too.
pair() {
  local order=(driven stock) name
  (($1 % 2)) || order=(stock driven)
  for name in "${order[@]}"; do
    "$name"
  done
  (cd "$SCRATCH" && jq -cn --slurpfile d driven.requests --slurpfile s stock.requests --slurpfile dc driven.cpu --slurpfile sc stock.cpu '
    {driven: $d[0], stock: $s[0], ratio: ($d[0] / $s[0]), driven_cpu_us: (($dc | add) * 1e6 / $d[0]), stock_cpu_us: (($sc | add) * 1e6 / $s[0])} |
    .cpu_ratio = .driven_cpu_us / .stock_cpu_us')
}

# memory REQUESTS: prints {"requests","rss_max_kib"}: the kernel's high-water mark, last read while k6 runs.
memory() {
  local pid mark peak=0
  "${K6[@]}" "${DRIVEN[@]}" --out "hdr=$SCRATCH/memory" --vus "$VUS" --iterations "$1" k6/hello.js >&2 &
  pid=$!
  while mark=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [[ -n $mark ]]; do
    peak=$mark
    sleep 0.1
  done
  wait "$pid"
  jq -cn --argjson peak "$peak" 'last(inputs) | {requests, rss_max_kib: $peak}' "$SCRATCH/memory"
}

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  require_cmd node jq curl bin/k6
  ! curl -fs -o /dev/null "http://127.0.0.1:$PORT/" || die "$EXIT_FAILED" "port $PORT is taken: name a free one in PORT"
  SCRATCH=$(mktemp -d)
  PORT=$PORT node tests/bench/k6-output.responder.js &
  RESPONDER=$!
  trap 'kill "$RESPONDER"; rm -rf "$SCRATCH"' EXIT
  wait_until 10 "the responder on port $PORT" curl -fsS -o /dev/null "http://127.0.0.1:$PORT/" || exit "$EXIT_FAILED"

  log "load average $(cut -d ' ' -f 1-3 /proc/loadavg), $VUS VUs, $DURATION, requests per run:"
  driven # a warm-up, not counted
  local i
  for ((i = 1; i <= PAIRS; i++)); do
    pair "$i" | tee -a "$SCRATCH/pairs"
  done
  for i in "$SMALL" "$LARGE"; do
    memory "$i" | tee -a "$SCRATCH/memories"
  done
  jq -cn --slurpfile pairs "$SCRATCH/pairs" --slurpfile memories "$SCRATCH/memories" '
    def mean(f): $pairs | map(f | log) | add / length | exp; # geometric
    {ratio: mean(.ratio), cpu_ratio: mean(.cpu_ratio), memory_ratio: ($memories[1].rss_max_kib / $memories[0].rss_max_kib)}' |
    tee "$SCRATCH/result"
  jq -e '.ratio >= 0.97 and .memory_ratio <= 1.1' "$SCRATCH/result" >/dev/null || exit "$EXIT_INVALID"
}

main "$@"
