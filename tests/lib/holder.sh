#!/usr/bin/env bash
# Summary: holds the locks of a run, as a driver does, while a command runs as its stage.
# Usage: tests/lib/holder.sh NAME HOW [COMMAND...]      HOW: as lock_acquire takes it; the command: `true` unless given
# NEW_RUN: the folder that the run has made for its results.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

main() {
  local name=$1 how=$2
  shift 2
  lock_acquire "run $name" "$how"
  trap lock_release EXIT
  lock_note estimate_s 600
  [[ -z ${NEW_RUN:-} ]] || lock_note run "$NEW_RUN"
  echo held
  guarded "${@:-true}"
}

main "$@"
