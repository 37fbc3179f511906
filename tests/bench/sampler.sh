#!/usr/bin/env bash
# Summary: what the sampler costs: its own processor time, and the throughput of a target that it watches.
# Usage: tests/bench/sampler.sh      about 4 minutes on two cores that do nothing else
#
# wrk loads the null responder in one long run, in windows of WINDOW_S seconds with the sampler at work and with it stopped (SIGSTOP),
# in turns which comes first. What is answered in a window is told by the kernel's count of TCP segments, two to a request. A sampler
# that goes on again reads at once: it works up to half as often again as in a run. With PGHOST and its like of a member of pg_monitor
# set, it asks that server too. Prints, among others,
#   segments_per_request   2 where nothing else speaks TCP meanwhile
#   lines                  what the sampler wrote, one for each second at least
#   cpu_core_share         processor time of the sampler per second, in cores
#   throughput             requests per second, watched / unwatched: geometric mean of the pairs' ratios, with Student's 95 % interval
#   work_per_cpu_s         the same of requests per second of the target's processor time: what other programs on the machine take
#                          away does not count here, what the sampler does to caches and locks does
# Exit 1 when the share is above 0.01, or one of the intervals wholly below 0.99.
#
# Environment: PORT (3160), CONNECTIONS (10), WINDOW_S (2), PAIRS (50).
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  require_cmd node wrk
  log "load average $(cut -d ' ' -f 1-3 /proc/loadavg)"
  exec node tests/bench/sampler.js
}

main "$@"
