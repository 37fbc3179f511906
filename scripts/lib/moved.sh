#!/usr/bin/env bash
# Summary: runs a command that has moved. Each link in scripts/ that points here is an old name; it goes with the next release.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

declare -A MOVED=(
  [index.sh]=scripts/stages/results-page.sh
  [crash-drill.sh]=scripts/drills/crash.sh
  [survival.sh]=scripts/drills/survival.sh
  [self-test.sh]=scripts/drills/self-test.sh
  [kubernetes.sh]=docker/kubernetes/regimes.sh
)

main() {
  local new=${MOVED[${0##*/}]:?is not the old name of a command}
  warn "scripts/${0##*/} is now $new; the old name goes with the next release"
  exec "$REPO_ROOT/$new" "$@"
}

main "$@"
