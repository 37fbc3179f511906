#!/usr/bin/env bash
# Summary: what the sampler costs: its own processor time, and the throughput of a target that it watches.
# Usage: tests/bench/sampler.sh      about 3 minutes on two cores that do nothing else
#
# wrk loads the null responder with the sampler at work and with the sampler stopped (SIGSTOP), in turns which comes first. With
# PGHOST and its like of a member of pg_monitor set, it asks that server too, and with PGLAB_POSTMASTER_PID_FILE it sums up
# that server's processes. Prints each pair, then
#   cpu_core_share     processor time of the sampler per second, in cores
#   throughput         requests per second, watched / unwatched: geometric mean of the ratios, with Student's 95 % interval
#   work_per_cpu_s     the same of requests per second of the target's processor time: what other programs on the machine take
#                      away does not count here, what the sampler does to caches and locks does
# Exit 1 when the share is above 0.01, or one of the intervals wholly below 0.99.
#
# Environment: PORT (3160), CONNECTIONS (10), SECONDS_EACH (10), PAIRS (8).
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

PORT=${PORT:-3160} CONNECTIONS=${CONNECTIONS:-10} SECONDS_EACH=${SECONDS_EACH:-10} PAIRS=${PAIRS:-8}
URL=http://127.0.0.1:$PORT

# load: prints {"rps", "per_cpu_s"}; WATCH, when it is set, is told of it.
load() {
  local before tool
  before=$(cpu_ticks "$RESPONDER")
  wrk -t1 "-c$CONNECTIONS" "-d${SECONDS_EACH}s" "$URL/" >"$SCRATCH/wrk" &
  tool=$!
  [[ -z ${WATCH:-} ]] || jq -n --arg cell "$SCRATCH" --argjson target "$RESPONDER" --argjson generator "$tool" --arg url "$URL/stats" \
    '{$cell, roles: {$target, $generator}, stats_url: $url}' | write_atomic "$WATCH"
  wait "$tool"
  [[ -z ${WATCH:-} ]] || rm "$WATCH"
  awk -v ticks=$(($(cpu_ticks "$RESPONDER") - before)) '
    / requests in / { requests = $1 }
    /^Requests\/sec:/ { printf "{\"rps\": %s, \"per_cpu_s\": %.0f}\n", $2, requests * 100 / ticks }' "$SCRATCH/wrk"
}

# cpu_ticks PID: processor time that the process has used, in hundredths of a second.
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

watched() {
  local before
  kill -CONT "$SAMPLER"
  before=$(cpu_ticks "$SAMPLER")
  WATCH=$SCRATCH/watch/cell.json load
  sleep 0.2 # its last line
  echo $(($(cpu_ticks "$SAMPLER") - before)) >>"$SCRATCH/ticks"
  kill -STOP "$SAMPLER"
}

unwatched() { load; }

# pair NUMBER: prints one JSON object.
pair() {
  local order=(watched unwatched) name
  (($1 % 2)) || order=(unwatched watched)
  for name in "${order[@]}"; do
    "$name" >"$SCRATCH/$name"
  done
  jq -cn --slurpfile watched "$SCRATCH/watched" --slurpfile unwatched "$SCRATCH/unwatched" '{watched: $watched[0], unwatched: $unwatched[0]}'
}

stop() {
  kill "$RESPONDER"
  kill -CONT "$SAMPLER"
  kill "$SAMPLER"
  rm -rf "$SCRATCH"
}

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  require_cmd node jq curl wrk awk
  ((PAIRS >= 2 && PAIRS <= 20)) || usage_error "PAIRS must be from 2 to 20"
  ! curl -fs -o /dev/null "$URL/" || die "$EXIT_FAILED" "port $PORT is taken: name a free one in PORT"
  SCRATCH=$(mktemp -d)
  PORT=$PORT node apps/null/server.js &
  RESPONDER=$!
  node scripts/sampler/main.js "$SCRATCH/watch/cell.json" &
  SAMPLER=$!
  trap stop EXIT
  wait_until 10 "the responder on port $PORT" curl -fsS -o /dev/null "$URL/" || exit "$EXIT_FAILED"
  wait_until 10 "the sampler" test -d "$SCRATCH/watch" || exit "$EXIT_FAILED"

  log "load average $(cut -d ' ' -f 1-3 /proc/loadavg), $CONNECTIONS connections, $SECONDS_EACH s, requests per second:"
  watched >"$SCRATCH/warm-up" # not counted
  rm "$SCRATCH/ticks" "$SCRATCH/sampler.ndjson"
  local i
  for ((i = 1; i <= PAIRS; i++)); do
    pair "$i" | tee -a "$SCRATCH/pairs"
  done
  jq --argjson seconds "$((PAIRS * SECONDS_EACH))" --slurpfile ticks "$SCRATCH/ticks" -s '
    def mean_ratio(key): [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093] as $t
      | map((.watched | key) / (.unwatched | key) | log) | length as $n | (add / $n) as $mean
      | ((map((. - $mean) | . * .) | add) / ($n - 1) / $n | sqrt * $t[$n - 2]) as $half
      | {ratio: ($mean | exp), interval_95: [$mean - $half, $mean + $half | exp]};
    {cpu_core_share: (($ticks | add) / 100 / $seconds), throughput: mean_ratio(.rps), work_per_cpu_s: mean_ratio(.per_cpu_s)}' \
    "$SCRATCH/pairs" | tee "$SCRATCH/result"
  jq -e '.cpu_core_share <= 0.01 and all(.throughput, .work_per_cpu_s; .interval_95[1] >= 0.99)' "$SCRATCH/result" >/dev/null ||
    exit "$EXIT_INVALID"
}

main "$@"
