#!/usr/bin/env bash
# Summary: whether two load generators with half of the users make the load of one: the ratio of their requests per second, and its interval.
# Usage: tests/bench/generators.sh      about 10 minutes on two cores that do nothing else
#
# The server (tests/lib/places.js) has four places for eight users, each taken for 10 ms: the places limit it, not the processor, which the
# generators share with it. The blocks are of tests/generators/equal-generators.json.
#
# Environment: PORT (3101), RESULTS (a new folder, which is kept).
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=tests/lib/whole-run.bash
source "$REPO_ROOT/tests/lib/whole-run.bash"

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  PORT=${PORT:-3101}
  export PGLAB_RESULTS=${RESULTS:-$(mktemp -d)}
  node tests/lib/places.js "$PORT" 4 10 fixed &
  SERVER=$!
  trap 'kill "$SERVER"' EXIT
  wait_until 10 "the server" curl -fs -o /dev/null "http://127.0.0.1:$PORT/" || die "$EXIT_FAILED" "the server does not start"
  ./run-all-tests.sh tests/generators/equal-generators.json --url "http://127.0.0.1:$PORT"
  jq -r '.questions[0] | .text, (.comparisons[0].result | "one over two generators: \(.ratio), \(.low) to \(.high), from \(.n) blocks of \(.of)")' \
    "$(newest_run equal-generators)/results.json"
}

main "$@"
