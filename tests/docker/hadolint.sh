#!/usr/bin/env bash
# Summary: are the Dockerfiles clean to hadolint?
# Usage: tests/docker/hadolint.sh      uses the one on the PATH, else set-up's; exit 0 with a line where there is none
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

main() {
  help_if_asked "$@"
  local -a files
  PATH=$PATH:$REPO_ROOT/bin
  have hadolint || { log "skipped: hadolint is not here, and set-up could not install it" && exit 0; }
  cd "$REPO_ROOT"
  lines_of files git ls-files -co --exclude-standard '*Dockerfile'
  hadolint "${files[@]}"
  log "${#files[@]} Dockerfiles are clean"
}

main "$@"
