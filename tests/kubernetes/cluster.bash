# shellcheck shell=bash
# A Kubernetes cluster of the tests' own, for root: etcd, API server, controller manager and scheduler, and three nodes, each a containerd, a
# kubelet and a kube-proxy in namespaces of its own. Source common.bash and programs.bash first.
#
#   cluster_up STATE [IMAGES]   it answers and its nodes are ready; IMAGES is a folder of archives that docker save made. STATE is a folder of the
#                               caller's, where all that it writes lies; STATE/kubeconfig is how kubectl reaches it
#   cluster_down STATE          nothing of it is left but the files in STATE
#
# The control plane and the bridge that joins the nodes are in a network namespace of their own: no port of the machine's is taken, and none of its
# rules are touched. The machine has one address on that bridge. A node is one pid namespace: with its first process all of it ends. Whoever
# reaches the bridge may ask a kubelet for anything: that is this machine, and the cluster's own pods.

CLUSTER_NODES=(node1 node2 node3)
CLUSTER_VOLUMES=3 # of each node, for claims
CLUSTER_FOLDER=$REPO_ROOT/tests/kubernetes

cluster_up() {
  ((EUID == 0)) || die "$EXIT_FAILED" "only root can start a cluster"
  _cluster_use "$1"
  [[ ! -e $CLUSTER_STATE/subnet ]] || die "$EXIT_FAILED" "$CLUSTER_STATE has a cluster already: take it down first"
  mkdir -p "$CLUSTER_STATE"/{log,pids,images,tokens}
  _cluster_subnet >"$CLUSTER_STATE/subnet"
  _cluster_use "$1"
  _cluster_network
  _cluster_credentials
  _cluster_control_plane
  _cluster_image pglab-pause:1 /pause "$CLUSTER_BIN" pause >"$CLUSTER_STATE/images/pause.tar" # it holds a pod's namespaces open
  [[ -z ${2:-} ]] || ln -s "$2"/*.tar "$CLUSTER_STATE/images/"
  _cluster_nodes
  _cluster_objects | _cluster_kubectl apply -f - >"$CLUSTER_STATE/log/objects"
  wait_until 300 "${#CLUSTER_NODES[@]} nodes to be ready" _cluster_ready || die "$EXIT_FAILED" "the nodes do not become ready, see $CLUSTER_STATE/log"
}

# Nodes first: their containers end with them.
cluster_down() {
  local name
  _cluster_use "$1"
  [[ -e $CLUSTER_STATE/subnet ]] || return 0
  for name in "${CLUSTER_NODES[@]}"; do
    _cluster_stop "$name"
  done
  for name in kube-scheduler kube-controller-manager kube-apiserver etcd; do
    _cluster_stop "$name"
  done
  for name in lan "${CLUSTER_NODES[@]}"; do
    [[ ! -e /run/netns/$CLUSTER-$name ]] || ip netns delete "$CLUSTER-$name"
  done
  wait_until 30 "the nodes' processes to be gone" _cluster_remove_cgroups
  rm -f "$CLUSTER_STATE/subnet"
}

# _cluster_use STATE: sets CLUSTER_STATE, and once a subnet is chosen SUBNET, the first two numbers of its addresses, and CLUSTER, its name on this
# machine. Its network is SUBNET.0.0/24, where the control plane is 1, the nodes 11, 12, ..., the machine 254; the pods of node N SUBNET.N.0/24.
_cluster_use() {
  CLUSTER_STATE=$(cd "$1" && pwd -P)
  CLUSTER_BIN=$REPO_ROOT/$KUBERNETES_PROGRAMS
  [[ -e $CLUSTER_STATE/subnet ]] || return 0
  SUBNET=$(<"$CLUSTER_STATE/subnet")
  CLUSTER=pglab${SUBNET#*.}
  API=https://$SUBNET.0.1:6443
}

# _cluster_subnet: prints the first of 10.100 to 10.199 to which this machine has no route of its own.
_cluster_subnet() {
  local number
  for ((number = 100; number < 200; number++)); do
    [[ -n $(ip -4 route show root "10.$number.0.0/16") || -e /run/netns/pglab$number-lan ]] || { echo "10.$number" && return; }
  done
  die "$EXIT_FAILED" "10.100 to 10.199 all have a route: a cluster needs one of them"
}

_cluster_network() {
  local number other name
  local -a lan=(ip -n "$CLUSTER-lan")
  ip netns add "$CLUSTER-lan"
  "${lan[@]}" link set lo up
  "${lan[@]}" link add lan type bridge
  "${lan[@]}" addr add "$SUBNET.0.1/24" dev lan
  "${lan[@]}" link set lan up
  ip link add "$CLUSTER" type veth peer name host netns "$CLUSTER-lan"
  "${lan[@]}" link set host master lan up
  ip addr add "$SUBNET.0.254/24" dev "$CLUSTER"
  ip link set "$CLUSTER" up
  for ((number = 1; number <= ${#CLUSTER_NODES[@]}; number++)); do
    name=$CLUSTER-${CLUSTER_NODES[number - 1]}
    ip netns add "$name"
    ip -n "$name" link add eth0 type veth peer name "node$number" netns "$CLUSTER-lan"
    "${lan[@]}" link set "node$number" master lan up
    "${lan[@]}" route add "$SUBNET.$number.0/24" via "$SUBNET.0.1$number" # for pods that ask the API server
    ip -n "$name" link set lo up
    ip -n "$name" addr add "$SUBNET.0.1$number/24" dev eth0
    ip -n "$name" link set eth0 up
    ip -n "$name" route add default via "$SUBNET.0.1"
    for ((other = 1; other <= ${#CLUSTER_NODES[@]}; other++)); do
      ((other == number)) || ip -n "$name" route add "$SUBNET.$other.0/24" via "$SUBNET.0.1$other"
    done
  done
}

# Each user's token is in a file of its own, and a kubeconfig that holds it.
_cluster_credentials() (
  umask 077
  local user group token
  openssl genrsa -out "$CLUSTER_STATE/service-account.key" 2048 2>/dev/null
  for user in admin kube-controller-manager kube-scheduler kube-proxy "${CLUSTER_NODES[@]}"; do
    token=$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
    printf '%s' "$token" >"$CLUSTER_STATE/tokens/$user"
    case $user in
      admin) printf '%s,admin,admin,system:masters\n' "$token" ;;
      node*) printf '%s,system:node:%s,%s,system:nodes\n' "$token" "$user" "$user" ;;
      *) printf '%s,system:%s,%s\n' "$token" "$user" "$user" ;;
    esac
  done >"$CLUSTER_STATE/tokens.csv"
)

# _cluster_kubeconfig USER: prints it; the API server's certificate vouches for itself.
_cluster_kubeconfig() {
  jq -n --arg user "$1" --arg server "$API" --rawfile token "$CLUSTER_STATE/tokens/$1" --rawfile ca "$CLUSTER_STATE/certificates/apiserver.crt" '
    {apiVersion: "v1", kind: "Config", "current-context": "pglab",
     clusters: [{name: "pglab", cluster: {$server, "certificate-authority-data": ($ca | @base64)}}],
     users: [{name: $user, user: {$token}}],
     contexts: [{name: "pglab", context: {cluster: "pglab", $user}}]}'
}

_cluster_control_plane() {
  local user key=$CLUSTER_STATE/service-account.key
  _cluster_start etcd etcd --data-dir "$CLUSTER_STATE/etcd" --unsafe-no-fsync --listen-client-urls http://127.0.0.1:2379 \
    --advertise-client-urls http://127.0.0.1:2379 --listen-peer-urls http://127.0.0.1:2380
  _cluster_api_server
  wait_until 60 "the API server's certificate" test -s "$CLUSTER_STATE/certificates/apiserver.crt" || die "$EXIT_FAILED" "the API server does not start: $(tail -n 1 "$CLUSTER_STATE/log/kube-apiserver")"
  for user in kube-controller-manager kube-scheduler kube-proxy "${CLUSTER_NODES[@]}"; do
    (umask 077 && _cluster_kubeconfig "$user" >"$CLUSTER_STATE/tokens/$user.kubeconfig")
  done
  (umask 077 && _cluster_kubeconfig admin >"$CLUSTER_STATE/kubeconfig")
  wait_until 60 "the API server to be ready" _cluster_kubectl get --raw /readyz || die "$EXIT_FAILED" "the API server is not ready: $(tail -n 1 "$CLUSTER_STATE/log/kube-apiserver")"
  _cluster_start kube-controller-manager "$CLUSTER_BIN/kube-controller-manager" --kubeconfig "$CLUSTER_STATE/tokens/kube-controller-manager.kubeconfig" \
    --use-service-account-credentials --service-account-private-key-file "$key" --root-ca-file "$CLUSTER_STATE/certificates/apiserver.crt" --leader-elect=false
  _cluster_start kube-scheduler "$CLUSTER_BIN/kube-scheduler" --kubeconfig "$CLUSTER_STATE/tokens/kube-scheduler.kubeconfig" --leader-elect=false
}

# It logs who asked for what, for tests/bench/kubernetes.sh.
_cluster_api_server() {
  local key=$CLUSTER_STATE/service-account.key
  jq -n '{apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages: ["RequestReceived"], rules: [{level: "Metadata", users: ["admin"]}, {level: "None"}]}' >"$CLUSTER_STATE/audit.json"
  _cluster_start kube-apiserver "$CLUSTER_BIN/kube-apiserver" --etcd-servers http://127.0.0.1:2379 --advertise-address "$SUBNET.0.1" --secure-port 6443 \
    --cert-dir "$CLUSTER_STATE/certificates" --token-auth-file "$CLUSTER_STATE/tokens.csv" --authorization-mode Node,RBAC \
    --enable-admission-plugins NodeRestriction --service-cluster-ip-range "$SUBNET.128.0/17" --service-account-issuer https://kubernetes.default.svc \
    --service-account-key-file "$key" --service-account-signing-key-file "$key" --kubelet-preferred-address-types InternalIP \
    --audit-policy-file "$CLUSTER_STATE/audit.json" --audit-log-path "$CLUSTER_STATE/log/audit"
}

# cluster_without_api SECONDS STATE: its API server is away for so long, connections and all, and back.
cluster_without_api() {
  _cluster_use "$2"
  _cluster_stop kube-apiserver
  sleep "$1" # what is tested
  _cluster_api_server
  wait_until 60 "the API server to be ready" _cluster_kubectl get --raw /readyz || die "$EXIT_FAILED" "the API server does not come back"
}

# cluster_without_kubelet SECONDS NODE STATE: that node's kubelet stands still for so long; its pods run.
cluster_without_kubelet() {
  local pid
  _cluster_use "$3"
  pid=$(_cluster_kubelet "$2")
  kill -STOP "$pid"
  sleep "$1" # what is tested
  kill -CONT "$pid"
}

# _cluster_kubelet NODE: prints its pid, as this machine has it.
_cluster_kubelet() { pgrep -f -- "^$CLUSTER_BIN/kubelet .*--hostname-override $1 "; }

# _cluster_start NAME COMMAND...: runs it beside the bridge.
_cluster_start() {
  nsenter --net="/run/netns/$CLUSTER-lan" "${@:2}" >"$CLUSTER_STATE/log/$1" 2>&1 </dev/null 3>&- &
  printf '%s\n' "$!" >"$CLUSTER_STATE/pids/$1"
}

# _cluster_stop NAME: it has ended.
_cluster_stop() {
  local file=$CLUSTER_STATE/pids/$1 pid
  [[ -e $file ]] || return 0
  pid=$(<"$file")
  if kill -KILL "$pid" 2>/dev/null; then
    wait_until 10 "$1 to end" _cluster_ended "$pid" || die "$EXIT_FAILED" "$1, process $pid, does not end"
  fi
  rm "$file"
}

_cluster_ended() { ! kill -0 "$1" 2>/dev/null; }

_cluster_kubectl() { "$CLUSTER_BIN/kubectl" --kubeconfig "$CLUSTER_STATE/kubeconfig" "$@"; }

# _cluster_image NAME ENTRYPOINT FOLDER FILE...: prints an image of nothing but these files there, as docker save would.
_cluster_image() {
  local folder
  folder=$(mktemp -d "$CLUSTER_STATE/image.XXXXXX")
  tar -C "$3" -cf "$folder/layer.tar" "${@:4}"
  jq -n --arg sum "$(sha256_of "$folder/layer.tar")" --arg entrypoint "$2" '{architecture: "amd64", os: "linux", config: {Entrypoint: [$entrypoint]}, rootfs: {type: "layers", diff_ids: ["sha256:\($sum)"]}}' >"$folder/config.json"
  jq -n --arg name "$1" '[{Config: "config.json", RepoTags: [$name], Layers: ["layer.tar"]}]' >"$folder/manifest.json"
  tar -C "$folder" -c manifest.json config.json layer.tar
}

# _cluster_hierarchies: prints where the machine's cgroups are: of version 1, a hierarchy for each controller, of version 2, or of both.
_cluster_hierarchies() {
  awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts
}

_cluster_nodes() {
  local number node folder hierarchy group
  for ((number = 1; number <= ${#CLUSTER_NODES[@]}; number++)); do
    node=${CLUSTER_NODES[number - 1]}
    folder=$CLUSTER_STATE/$node
    mkdir -p "$folder"/{cni,log,kubelet}
    for ((group = 1; group <= CLUSTER_VOLUMES; group++)); do
      mkdir -p "$folder/volumes/$group"
    done
    for hierarchy in $(_cluster_hierarchies); do
      _cluster_group "$hierarchy" "$CLUSTER"
      _cluster_group "$hierarchy" "$CLUSTER/$node"
    done
    cp "$CLUSTER_FOLDER/containerd.toml" "$folder/"
    jq -n -f "$CLUSTER_FOLDER/kubelet.jq" --arg group "/$CLUSTER/$node" >"$folder/kubelet.json"
    jq -n -f "$CLUSTER_FOLDER/cni.jq" --arg subnet "$SUBNET.$number.0/24" >"$folder/cni/pods.conflist"
    nsenter --net="/run/netns/$CLUSTER-$node" unshare --mount --propagation private --pid --fork --kill-child --mount-proc --uts --ipc \
      "$CLUSTER_FOLDER/node.sh" "$CLUSTER_STATE" "$node" "$SUBNET.0.1$number" "$SUBNET.0.0/16" >"$CLUSTER_STATE/log/$node" 2>&1 </dev/null 3>&- &
    printf '%s\n' "$!" >"$CLUSTER_STATE/pids/$node"
  done
}

# _cluster_group HIERARCHY GROUP: makes it, with what its parent has: of version 1 a group begins without cores, of version 2 without controllers.
_cluster_group() {
  local parent=$1/$2 file
  parent=${parent%/*}
  mkdir -p "$1/$2"
  if [[ -e $1/cgroup.controllers && $1 == /sys/fs/cgroup ]]; then # else it has no more than names
    sed 's/[a-z][a-z]*/+&/g' "$parent/cgroup.controllers" >"$parent/cgroup.subtree_control"
  elif [[ -e $1/cpuset.cpus ]]; then
    for file in cpuset.cpus cpuset.mems; do
      cat "$parent/$file" >"$1/$2/$file"
    done
  fi
}

_cluster_remove_cgroups() {
  local hierarchy
  for hierarchy in $(_cluster_hierarchies); do
    [[ ! -e $hierarchy/$CLUSTER ]] || find "$hierarchy/$CLUSTER" -depth -type d -exec rmdir {} + || return 1
  done
}

# _cluster_objects: prints what a cluster has beside its nodes: a storage class, and volumes of the nodes for it.
_cluster_objects() {
  jq -n --argjson volumes "$CLUSTER_VOLUMES" -f "$CLUSTER_FOLDER/objects.jq" --args "${CLUSTER_NODES[@]}"
}

_cluster_ready() {
  _cluster_kubectl get nodes -o json | jq -e --argjson count "${#CLUSTER_NODES[@]}" '
    [.items[] | select(any(.status.conditions[]; .type == "Ready" and .status == "True"))] | length == $count'
}
