#!/usr/bin/env bash
# Summary: runs a command with a Kubernetes cluster of three nodes, made for it from source (tests/kubernetes/cluster.bash).
# Usage: tests/kubernetes.sh COMMAND...      with KUBECONFIG of that cluster, and its kubectl on the PATH
#
# As root on Debian. It installs what is missing, and builds Kubernetes the first time, which takes some ten minutes. Images of ours, and stand-ins for the
# official ones, come from the Docker engine that tests/docker.sh finds or starts. Where there can be no cluster it says so and exits 0.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../scripts/lib/common.bash"
# shellcheck source=tests/kubernetes/programs.bash
source "$REPO_ROOT/tests/kubernetes/programs.bash"
# shellcheck source=tests/kubernetes/cluster.bash
source "$REPO_ROOT/tests/kubernetes/cluster.bash"

STATE=''

on_exit() {
  local code=$?
  [[ -z $STATE ]] || { cluster_down "$STATE" && rm -rf "$STATE"; } || code=$EXIT_FAILED
  exit "$code"
}

skip() {
  log "skipped: Kubernetes: $*"
  exit 0
}

main() {
  help_if_asked "$@"
  local packages
  (($# > 0)) || usage_error "which command?"
  ((EUID == 0)) || skip "only root can start a cluster"
  if packages=$(kubernetes_lacks); then
    # shellcheck disable=SC2086 # names of packages
    have apt-get && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $packages >&2 || skip "these cannot be installed: $packages"
  fi
  trap on_exit EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  kubernetes_programs
  STATE=$(mktemp -d)
  cluster_up "$STATE"
  KUBECONFIG=$STATE/kubeconfig PATH=$REPO_ROOT/$KUBERNETES_PROGRAMS:$PATH "$@"
}

main "$@"
