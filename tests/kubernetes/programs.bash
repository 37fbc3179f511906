# shellcheck shell=bash
# The programs of a Kubernetes cluster and of an operator, built from the modules that tests/kubernetes/{build,operator}/go.mod name, once for
# every clone of this user.
# Source common.bash first.

# shellcheck source=scripts/setup/cache.bash
source "$REPO_ROOT/scripts/setup/cache.bash"

KUBERNETES_SOURCES=$REPO_ROOT/tests/kubernetes
KUBERNETES_PROGRAMS=.tools/kubernetes # below the repository
OPERATOR_PROGRAMS=.tools/kubernetes-operator
# What Debian brings: commands, and the packages that hold them.
KUBERNETES_TOOLS=(etcd containerd runc iptables nsenter unshare ip openssl)
KUBERNETES_PACKAGES=(etcd-server containerd runc containernetworking-plugins iptables util-linux iproute2 openssl)

# kubernetes_programs: they are there, from the cache or built. The first time it takes some ten minutes on two cores.
kubernetes_programs() { _programs build kubernetes "$KUBERNETES_PROGRAMS" k8s.io/kubernetes ./pause; }

# operator_programs: CloudNativePG's operator is; the first time that takes some two minutes.
operator_programs() { _programs operator cloudnative-pg "$OPERATOR_PROGRAMS" github.com/cloudnative-pg/cloudnative-pg; }

# _programs SOURCE NAME FOLDER MODULE [PACKAGE]: the tools of SOURCE's module, and PACKAGE of it, are in FOLDER, from the cache or built.
_programs() {
  local key
  key=$({ go env GOVERSION GOOS GOARCH && declare -f _build; } | sha256_of - "$KUBERNETES_SOURCES/$1"/{go.mod,go.sum} ${5:+"$KUBERNETES_SOURCES/$1/$5/main.go"} | cut -c 1-20)
  [[ ! -f $REPO_ROOT/$3/key || $(<"$REPO_ROOT/$3/key") != "$key" ]] || return 0
  cache_lock "$2" "$key"
  ! cache_restore "$2" "$key" "$3" || return 0
  _build "$@"
  write_atomic "$REPO_ROOT/$3/key" <<<"$key"
  cache_store "$2" "$key" "$3"
}

# In the background of whatever else runs: it is long, and nobody waits for it twice.
_build() {
  local version
  version=$(awk -v module="$4" '{ sub(/^require /, "") } $1 == module { print $2 }' "$KUBERNETES_SOURCES/$1/go.mod")
  log "building $2 $version: some minutes"
  mkdir -p "$REPO_ROOT/$3"
  GOGC=400 GOMEMLIMIT=2GiB CGO_ENABLED=0 nice -n 15 go -C "$KUBERNETES_SOURCES/$1" build -p 2 -trimpath -buildvcs=false \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$version -X k8s.io/client-go/pkg/version.gitVersion=$version" \
    -o "$REPO_ROOT/$3/" tool ${5:+"$5"}
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
