# shellcheck shell=bash
# The programs of a Kubernetes cluster, built from the modules that tests/kubernetes/build/go.mod names, once for every clone of this user.
# Source common.bash first.

# shellcheck source=scripts/setup/cache.bash
source "$REPO_ROOT/scripts/setup/cache.bash"

KUBERNETES_SOURCE=$REPO_ROOT/tests/kubernetes/build
KUBERNETES_PROGRAMS=.tools/kubernetes # below the repository
# What Debian brings: commands, and the packages that hold them.
KUBERNETES_TOOLS=(etcd containerd runc iptables nsenter unshare ip openssl)
KUBERNETES_PACKAGES=(etcd-server containerd runc containernetworking-plugins iptables util-linux iproute2 openssl)

# kubernetes_programs: they are there, from the cache or built. The first time it takes some ten minutes on two cores.
kubernetes_programs() {
  local key
  key=$(_kubernetes_key)
  [[ ! -f $REPO_ROOT/$KUBERNETES_PROGRAMS/key || $(<"$REPO_ROOT/$KUBERNETES_PROGRAMS/key") != "$key" ]] || return 0
  cache_lock kubernetes "$key"
  ! cache_restore kubernetes "$key" "$KUBERNETES_PROGRAMS" || return 0
  log "building Kubernetes $(_kubernetes_version): some ten minutes"
  _kubernetes_build
  write_atomic "$REPO_ROOT/$KUBERNETES_PROGRAMS/key" <<<"$key"
  cache_store kubernetes "$key" "$KUBERNETES_PROGRAMS"
}

# kubernetes_lacks: prints the packages to install, on one line; nothing where all is there.
kubernetes_lacks() {
  local tool missing=false
  [[ -x /usr/lib/cni/bridge ]] || missing=true
  for tool in "${KUBERNETES_TOOLS[@]}"; do
    have "$tool" || missing=true
  done
  ! $missing || printf '%s\n' "${KUBERNETES_PACKAGES[*]}"
}

_kubernetes_version() { awk '$1 == "k8s.io/kubernetes" { print $2 }' "$KUBERNETES_SOURCE/go.mod"; }

_kubernetes_key() {
  { go env GOVERSION GOOS GOARCH && declare -f _kubernetes_version _kubernetes_build; } | sha256_of - "$KUBERNETES_SOURCE"/{go.mod,go.sum,pause/main.go} | cut -c 1-20
}

# In the background of whatever else runs: it is long, and nobody waits for it twice.
_kubernetes_build() {
  local version
  version=$(_kubernetes_version)
  mkdir -p "$REPO_ROOT/$KUBERNETES_PROGRAMS"
  GOGC=400 GOMEMLIMIT=2GiB CGO_ENABLED=0 nice -n 15 go -C "$KUBERNETES_SOURCE" build -p 2 -trimpath -buildvcs=false \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$version -X k8s.io/client-go/pkg/version.gitVersion=$version" \
    -o "$REPO_ROOT/$KUBERNETES_PROGRAMS/" tool ./pause
}
