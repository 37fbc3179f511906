#!/usr/bin/env bash
# Summary: is a node of a test's cluster: the first process of its pid namespace, in a mount and a network namespace of its own.
# Usage: node.sh STATE NAME ADDRESS CLUSTER_CIDR      by tests/kubernetes/cluster.bash
#
# Of STATE it reads images/*.tar, tokens/ and NAME/, where all that it keeps lies, as /run/node. It ends when one of its programs does.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=tests/kubernetes/programs.bash
source "$REPO_ROOT/tests/kubernetes/programs.bash"

containerd_answers() { ctr version; }

main() {
  local state=$1 name=$2 address=$3 cidr=$4 image
  local bin=$REPO_ROOT/$KUBERNETES_PROGRAMS
  mount --make-rshared /
  mount -t tmpfs tmpfs /run
  mkdir /run/node
  mount --bind "$state/$name" /run/node
  mount --bind "$state/$name/log" /var/log
  hostname "$name"
  echo 1 >/proc/sys/net/ipv4/ip_forward
  containerd --config /run/node/containerd.toml >/run/node/log/containerd 2>&1 &
  wait_until 60 "containerd to answer" containerd_answers || die "$EXIT_FAILED" "containerd does not start: $(tail -n 1 /run/node/log/containerd)"
  for image in "$state"/images/*.tar; do
    ctr --namespace k8s.io images import --no-unpack "$image" # the first container does
  done
  "$bin/kube-proxy" --kubeconfig "$state/tokens/kube-proxy.kubeconfig" --hostname-override "$name" --proxy-mode iptables --cluster-cidr "$cidr" \
    --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0 >/run/node/log/kube-proxy 2>&1 &
  "$bin/kubelet" --kubeconfig "$state/tokens/$name.kubeconfig" --config /run/node/kubelet.json --root-dir /run/node/kubelet --cert-dir /run/node/kubelet/certificates \
    --hostname-override "$name" --node-ip "$address" >/run/node/log/kubelet 2>&1 &
  wait -n
}

main "$@"
