#!/usr/bin/env bash
# Summary: runs a command with a Kubernetes cluster of three nodes, made for it from source (tests/kubernetes/cluster.bash).
# Usage: tests/kubernetes.sh COMMAND...      with KUBECONFIG of that cluster, and its kubectl on the PATH
#
# As root on Debian. It installs what is missing, and builds Kubernetes the first time, which takes some ten minutes. The nodes get our images, and the official
# ones or stand-ins for them, from a Docker engine: without one that answers it goes by way of tests/docker.sh. Where there can be no cluster it says so
# and exits 0.
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

# packages: what Debian brings of a cluster is there.
packages() {
  local missing
  local -a names
  missing=$(kubernetes_lacks)
  [[ -n $missing ]] || return 0
  read -r -a names <<<"$missing"
  have apt-get || skip "these packages are missing: $missing"
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${names[@]}" >&2 || skip "these packages cannot be installed: $missing"
}

main() {
  help_if_asked "$@"
  (($# > 0)) || usage_error "which command?"
  ((EUID == 0)) || skip "only root can start a cluster"
  docker version >/dev/null 2>&1 || exec "$REPO_ROOT/tests/docker.sh" "$0" "$@"
  trap on_exit EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  packages
  kubernetes_programs
  STATE=$(mktemp -d)
  PGLAB_DATA=$STATE/engine "$REPO_ROOT/docker/images.sh" save "$STATE/archives"
  cluster_up "$STATE" "$STATE/archives"
  rm -r "$STATE/archives" # the nodes have them
  KUBECONFIG=$STATE/kubeconfig PATH=$REPO_ROOT/$KUBERNETES_PROGRAMS:$PATH "$@"
}

main "$@"
