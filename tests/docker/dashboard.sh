#!/usr/bin/env bash
# Summary: does every metric that the Grafana dashboard asks for exist? Compares with what our k6 writes to a Prometheus.
# Usage: tests/docker/dashboard.sh      needs bin/k6; where there is no prometheus, Debian's package is unpacked into .tools/, which starts
#        no service; exit 0 with a line where it cannot be had
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=tests/lib/postgres.bash
source "$REPO_ROOT/tests/lib/postgres.bash"

DASHBOARD=$REPO_ROOT/docker/observability/grafana/dashboards/k6.json
PORT=${PROMETHEUS_TEST_PORT:-$(free_port)} NULL_PORT=${NULL_PORT:-$(free_port)}
UNPACKED=$REPO_ROOT/.tools/prometheus
STARTED=()

on_exit() {
  local code=$?
  [[ -z ${STARTED[*]} ]] || kill "${STARTED[@]}"
  wait
  rm -rf "$SCRATCH"
  exit "$code"
}

# unpacked: prints the path of Debian's prometheus, taken from its package.
unpacked() {
  if [[ ! -x $UNPACKED/usr/bin/prometheus ]]; then
    rm -rf "$UNPACKED" && mkdir -p "$UNPACKED" || return 1
    (cd "$UNPACKED" && apt-get -qq -o APT::Sandbox::User=root download prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb) >&2 || return 1
  fi
  printf '%s\n' "$UNPACKED/usr/bin/prometheus"
}

ask() { curl -fsS --get "http://127.0.0.1:$PORT/api/v1/$1" "${@:2}"; }

main() {
  help_if_asked "$@"
  local prometheus
  prometheus=$(command -v prometheus || unpacked) || { log "skipped: prometheus is not here, and Debian's package cannot be had" && exit 0; }
  SCRATCH=$(mktemp -d)
  trap on_exit EXIT
  cd "$REPO_ROOT"
  "$prometheus" --config.file=docker/observability/prometheus.yml --storage.tsdb.path="$SCRATCH" --web.listen-address="127.0.0.1:$PORT" \
    --web.enable-remote-write-receiver --enable-feature=native-histograms >"$SCRATCH/prometheus.log" 2>&1 &
  STARTED+=("$!")
  PORT=$NULL_PORT HOST=127.0.0.1 node apps/null/server.js &
  STARTED+=("$!")
  wait_until 30 "prometheus" ask query --data-urlencode 'query=vector(1)' || die "$EXIT_FAILED" "prometheus: $(tail -n 1 "$SCRATCH/prometheus.log")"
  wait_until 30 "the responder" curl -fsS "http://127.0.0.1:$NULL_PORT/healthz" || die "$EXIT_FAILED" "the null responder does not answer"
  K6_PROMETHEUS_RW_SERVER_URL=http://127.0.0.1:$PORT/api/v1/write K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM=true K6_PROMETHEUS_RW_PUSH_INTERVAL=1s \
    bin/k6 run --quiet --no-usage-report --out experimental-prometheus-rw -e vus=2 -e duration=4s -e BASE_URL="http://127.0.0.1:$NULL_PORT" k6/echo.js
  local expression missing=0
  ask label/__name__/values >"$SCRATCH/names.json"
  jq -r '.panels[].targets[].expr' "$DASHBOARD" >"$SCRATCH/expressions"
  while IFS= read -r expression; do
    grep -oE 'k6_[a-z0-9_]+' <<<"$expression" | while IFS= read -r name; do
      jq -e --arg name "$name" '.data | index([$name])' "$SCRATCH/names.json" >/dev/null || { log "$name is not written by k6: $expression" && exit 1; }
    done || missing=1
    # what counts the unexpected may well be without data
    [[ $expression == *'"false"'* ]] || ask query --data-urlencode "query=${expression//10s/1m}" | jq -e '.data.result | length > 0' >/dev/null || { log "no data: $expression" && missing=1; }
  done <"$SCRATCH/expressions"
  ((missing == 0)) || exit 1
  log "$(wc -l <"$SCRATCH/expressions") expressions of the dashboard, all with data"
}

main "$@"
