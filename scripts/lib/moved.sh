#!/usr/bin/env bash
# Summary: runs a command that has moved. Each link in scripts/ that points here is an old name; it goes with the next release.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

# new_place OLD_NAME: prints where the command is now.
new_place() {
  case $1 in
    index.sh) echo scripts/stages/results-page.sh ;;
    crash-drill.sh) echo scripts/drills/crash.sh ;;
    survival.sh | self-test.sh) echo "scripts/drills/$1" ;;
    *) die "$EXIT_FAILED" "$1 is not the old name of a command" ;;
  esac
}

main() {
  local new
  new=$(new_place "${0##*/}")
  warn "scripts/${0##*/} is now $new; the old name goes with the next release"
  exec "$REPO_ROOT/$new" "$@"
}

main "$@"
