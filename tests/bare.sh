#!/usr/bin/env bash
# Summary: do the README's two commands work on a bare machine? Runs them in a minimal Debian with git, Node.js, Go and nothing else.
# Usage: tests/bare.sh [root] [user]      both unless named
#
#   root   ./run-all-tests.sh smoke, then ./scripts/test.sh --quick, as root
#   user   ./run-all-tests.sh quick, twice, as a user who may use sudo
#
# Says how long each took, what was downloaded and what it took on the disk, and compares that with what scripts/setup.sh --plan
# had said. Nothing of this machine is changed but $PGLAB_BARE (/var/tmp/pglab-bare), where the minimal Debian and Debian's packages
# are kept for the next time. Takes root, or sudo without a password, Debian's packages, and debootstrap, which it installs; elsewhere it says
# so and exits 0. Exit 1 when a command fails, or an estimate is off by more than a factor of two.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../scripts/lib/common.bash"
# shellcheck source=tests/lib/whole-run.bash
source "$REPO_ROOT/tests/lib/whole-run.bash"
# shellcheck source=tests/lib/bare-root.bash
source "$REPO_ROOT/tests/lib/bare-root.bash"
# shellcheck source=tests/lib/postgres.bash
source "$REPO_ROOT/tests/lib/postgres.bash"

FAILED=0 MACHINE='' LINES=()

skip() {
  log "skipped: the bare machine: $*"
  exit 0
}

on_exit() {
  local code=$?
  [[ -z $MACHINE ]] || rm -rf "$MACHINE"
  exit "$code"
}

# be_able ARGUMENT...: exit 0 with a line where there can be no bare machine; with sudo this script starts anew, as root.
be_able() {
  [[ $OSTYPE == linux* && -x $(command -v apt-get) ]] || skip "only Debian and its like can make one"
  if ((EUID != 0)); then
    sudo -n true 2>/dev/null || skip "only root can make one"
    exec sudo -n --preserve-env "PATH=$PATH" "$0" "$@"
  fi
  unshare --mount --pid --fork mount -t tmpfs none /mnt 2>/dev/null || skip "mounting is not allowed here"
  have debootstrap || { apt-get -qq update && apt-get -qq install -y --no-install-recommends debootstrap; } >/dev/null 2>&1 ||
    skip "debootstrap cannot be installed"
}

# machine: MACHINE is a new bare machine.
machine() {
  [[ -z $MACHINE ]] || rm -rf "$MACHINE"
  MACHINE=$BARE_FOLDER/machine.$$
  bare_copy "$MACHINE"
}

# on_it USER COMMAND: runs it there, and notes how long it took.
on_it() {
  local started code=0
  started=$(now_us)
  log "--- as $1: $2"
  bare_run "$MACHINE" "$1" "$2" >&2 || code=$?
  LINES+=("$(printf '%-8s %-50s %7s s   exit %s' "$1" "$2" "$(seconds_since "$started")" "$code")")
  ((code == 0)) || robbed "$1" "$2" "$code" || FAILED=1
}

# robbed USER COMMAND EXIT_CODE: it was an experiment, and what is invalid in it is so because the processor was taken away.
robbed() {
  local home=$MACHINE/home/$1
  [[ $1 != root ]] || home=$MACHINE/root
  [[ $2 == ./run-all-tests.sh* && $3 == 1 ]] && only_robbed "$(PGLAB_RESULTS=$home/pglab/results/runs newest_run "${2##* }")"
}

# estimated USER WHAT...: prints "MB to download, MB on the disk" as set-up says before it begins.
estimated() {
  bare_run "$MACHINE" "$1" "scripts/setup.sh --plan ${*:2}" | awk '$1 == "total" { print $2, $6 }'
}

kilobytes() { { find "$@" -prune -exec du -sk {} + 2>/dev/null || :; } | awk '{ sum += $1 } END { printf "%d\n", sum }'; }

# shellcheck disable=SC2016 # dpkg-query expands it
# packages_in ROOT: prints the names of the archives that its packages came in.
packages_in() { chroot "$1" dpkg-query -W -f '${Package}_${Version}_${Architecture}.deb\n' | sed 's/:/%3a/' | sort; }

# downloaded HOME: prints the kilobytes that have come from package registries, by what their clients have kept.
downloaded() {
  local root archives
  root=$(bare_root)
  archives=$(comm -13 <(packages_in "$root") <(packages_in "$MACHINE") | (cd "$BARE_FOLDER/archives" && xargs -r du -ck) | awk '$2 == "total" { print $1 }')
  echo $((${archives:-0} + $(kilobytes "$1/go/pkg/mod/cache/download" "$1/.npm/_cacache" "$1/.cache/pip") + $(cat "$MACHINE"/var/lib/apt/lists/*Packages* | gzip -c | wc -c) / 1024))
}

# taken: prints the kilobytes on the disk, but for data and results.
taken() {
  echo $(($(du -skx "$MACHINE" | cut -f 1) - $(kilobytes "$MACHINE"/var/tmp "$MACHINE"/{root,home/*}/pglab/{.data,results/runs})))
}

# within_twofold WHAT ESTIMATE_MB MEASURED_KB: they differ by a factor of two at most.
within_twofold() {
  local verdict=ok
  (($3 <= 2048 * $2 && 2 * $3 >= 1024 * $2)) || { verdict='more than twice, or less than half: correct scripts/setup/costs' && FAILED=1; }
  LINES+=("$(printf '         %-30s estimated %5s MB, measured %5s MB   %s' "$1" "$2" "$(($3 / 1024))" "$verdict")")
}

# measured USER HOME ESTIMATE TAKEN_BEFORE: compares what was set up with the estimate.
measured() {
  local download disk part clone
  read -r download disk <<<"$3"
  within_twofold "downloaded" "$download" "$(downloaded "$2")"
  within_twofold "on the disk" "$disk" "$(($(taken) - $4))"
  while read -r part _ _ clone _; do
    [[ $part != */* || ! -e $2/pglab/$part || $clone -lt 10 ]] || within_twofold "$part" "$clone" "$(kilobytes "$2/pglab/$part")"
  done < <(grep -v '^#' "$REPO_ROOT/scripts/setup/costs")
}

as_root() {
  local estimate before
  machine
  before=$(taken)
  estimate=$(estimated root --for smoke)
  on_it root './run-all-tests.sh smoke'
  measured root "$MACHINE/root" "$estimate" "$before"
  on_it root './scripts/test.sh --quick'
}

as_user() {
  local estimate before
  machine
  before=$(taken)
  estimate=$(estimated "$BARE_USER" --for quick)
  on_it "$BARE_USER" './run-all-tests.sh quick'
  measured "$BARE_USER" "$MACHINE/home/$BARE_USER" "$estimate" "$before"
  on_it "$BARE_USER" './run-all-tests.sh quick'
}

main() {
  help_if_asked "$@"
  local who
  local -a parts=("$@")
  (($# > 0)) || parts=(root user)
  for who in "${parts[@]}"; do
    [[ $who == @(root|user) ]] || usage_error "root, user, or both"
  done
  be_able "$@"
  trap on_exit EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  private_ports
  for who in "${parts[@]}"; do
    if [[ $who == root ]]; then as_root; else as_user; fi
  done
  printf 'measured: %s\n' "${LINES[@]}"
  ((FAILED == 0))
}

main "$@"
