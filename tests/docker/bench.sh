#!/usr/bin/env bash
# Summary: what containers cost: throughput of `pooled` on echo in the docker stack and in the local one, in turn, as a ratio; and the images' sizes.
# Usage: tests/docker/bench.sh [PAIRS]      30 unless given; through tests/docker.sh where no engine runs
#
# Both stacks are up, at ports of their own, and one at a time is loaded for three seconds by 10 users of its own k6.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

SCRATCH=$(mktemp -d -p /var/tmp)
export SCALE=0.01

# The data of both lies in $SCRATCH/<stack>, which the server's user may enter.
docker_stack() { env STACK=docker COMPOSE_PROJECT_NAME=pglab-bench PGLAB_DATA="$SCRATCH/docker" PG_PORT=54391 TARGET_PORT=3091 NULL_PORT=3093 CUBE_PORT=3095 STANDBY_PORTS="54393 54394" "$@"; }
local_stack() { env STACK=local PGLAB_DATA="$SCRATCH/local" PG_PORT=54392 TARGET_PORT=3092 NULL_PORT=3094 CUBE_PORT=3096 STANDBY_PORTS="54395 54396" "$@"; }

# The data of a bench goes with it.
on_exit() {
  local code=$?
  docker_stack scripts/stack.sh down || code=$EXIT_FAILED
  local_stack scripts/stack.sh down || code=$EXIT_FAILED
  docker volume ls -q --filter name=pglab-bench_ | xargs docker volume rm >/dev/null || code=$EXIT_FAILED
  rm -rf "$SCRATCH"
  exit "$code"
}

# The pairs from standard input, as a ratio with its 95 % interval.
# shellcheck disable=SC2016 # JavaScript
RATIO='
import { text } from "node:stream/consumers";
import { pairedRatio } from "./scripts/analyse/intervals.js";
const ratios = (await text(process.stdin)).trim().split("\n").map((line) => JSON.parse(line).ratio);
console.log(JSON.stringify({ ...pairedRatio(ratios.map(Math.log)), smallest: Math.min(...ratios), largest: Math.max(...ratios) }));
'

# rate COMMAND...: requests per second of the k6 so started; its summary comes by stderr, as its table has stdout.
rate() { "$@" run --quiet --no-usage-report -e vus=10 -e duration=3s -e out=/dev/stderr k6/echo.js 2>&1 >/dev/null | jq .metrics.http_reqs.values.rate; }

main() {
  help_if_asked "$@"
  local pairs=${1:-30} loadgen pair in_docker in_local
  cd "$REPO_ROOT"
  chmod 755 "$SCRATCH"
  trap on_exit EXIT
  docker_stack scripts/stack.sh up pooled
  local_stack scripts/stack.sh up pooled
  loadgen=$(docker ps -q --filter label=com.docker.compose.project=pglab-bench --filter label=com.docker.compose.service=loadgen)
  for ((pair = 1; pair <= pairs; pair++)); do
    in_docker=$(rate docker exec "$loadgen" k6)
    in_local=$(rate env BASE_URL=http://127.0.0.1:3092 bin/k6)
    jq -cn --argjson docker "$in_docker" --argjson local "$in_local" '{docker_rps: ($docker | round), local_rps: ($local | round), ratio: ($docker / $local)}'
  done | tee "$SCRATCH/pairs"
  node --input-type=module --eval "$RATIO" <"$SCRATCH/pairs"
  docker images --filter reference='pglab-*' --format '{{.Repository}} {{.Size}}'
}

main "$@"
