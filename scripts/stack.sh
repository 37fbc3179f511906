#!/usr/bin/env bash
# Summary: the stack by hand: brings one target up so that k6, wrk, pgbench and curl can be pointed at it.
# Usage: scripts/stack.sh up TARGET [DATABASE]     DATABASE: a profile in scripts/declared/databases, tpch unless given
#        scripts/stack.sh check | status | down
#
# STACK (docker where it can run, else local) and SCALE (1) come from the environment, POOL_SIZE and other settings of the target too.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

main() {
  help_if_asked "$@"
  export SCALE=${SCALE:-1}
  if [[ ${1:-} == up ]]; then STACK=$(choose_stack "${STACK:-}"); else STACK=$(current_stack); fi
  stack_load "$STACK"
  case "${1:-} $#" in
    "up 2" | "up 3")
      stack_up "${3:-tpch}" "$2" '{"name":"base","env":{},"args":[]}'
      stack_verify "$2"
      log "up and verified: ${BASE_URL:-the database}   k6 run -e vus=10 k6/$(targets | jq -r --arg name "$2" '.[] | select(.name == $name).workloads | if type == "object" then .k6 else . end | last').js   stop: scripts/stack.sh down"
      ;;
    "check 1") stack_check ;;
    "status 1") stack_status ;;
    "down 1") stack_stop ;;
    *) usage_error "which verb? up TARGET, check, status or down" ;;
  esac
}

main "$@"
