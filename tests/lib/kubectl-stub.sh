#!/usr/bin/env bash
# kubectl of a cluster that is the folder $CLUSTER: `context` is its current one of `contexts`; `uid` is that of kube-system, which nobody may read where there is none; `namespace` and `secret` are objects that can be made and deleted; `pods`, `objects` and
# `address` are what `get` prints, and `volumes`; `classes` are those of storage, a line each. `fault` is what it says, once, in place of an answer; `kubeconfig` gets what KUBECONFIG was; `unready` is why the API server does not answer, while there is one; `rival` is a namespace that another makes first; `unremembered` gets what is made
# before $PGLAB_DATA says that something may be there; `left` is which load tools still run; `operator`: CloudNativePG's is there. Where there is `here`, what runs in a pod runs here. Where there is `cut`, the connection to it ends, with status 0. Calls are in `calls`, a line each.
set -Eeuo pipefail

# wants WORD...: this call has these words, one after the other.
wants() { [[ " ${CALL[*]} " == *" $* "* ]]; }

# made: the object on stdin is made, unless there is one.
made() {
  local object kind
  object=$(jq '.items[0]')
  kind=$(jq -r '.kind | ascii_downcase' <<<"$object")
  [[ $kind != namespace || ! -e $CLUSTER/rival ]] || mv "$CLUSTER/rival" "$CLUSTER/namespace"
  [[ ! -e $CLUSTER/$kind ]] || { echo "Error from server (AlreadyExists): it is there" >&2 && exit 1; }
  [[ -e $PGLAB_DATA/stack/namespace ]] || echo "$kind" >>"$CLUSTER/unremembered"
  printf '%s\n' "$object" >"$CLUSTER/$kind"
}

# print FILE: whose it is, where a path of JSON asks for that alone.
print() {
  [[ -e $CLUSTER/$1 ]] || return 0
  if [[ ${CALL[*]} == *annotations* ]]; then
    jq -j '"\(.kind) \(.metadata.annotations["pglab/owner"] // "")"' "$CLUSTER/$1"
  else
    cat "$CLUSTER/$1"
  fi
}

main() {
  CALL=("$@")
  printf '%s\n' "$*" >>"$CLUSTER/calls"
  [[ $* != *pglab-ended* || -e $CLUSTER/cut ]] || trap 'echo pglab-ended $? >&2' EXIT
  if wants get --raw; then
    printf '%s\n' "${KUBECONFIG:-}" >"$CLUSTER/kubeconfig"
    [[ ! -e $CLUSTER/unready ]] || { cat "$CLUSTER/unready" >&2 && exit 1; }
    exit
  fi
  if wants config get-contexts; then
    grep -qxFe "$3" "$CLUSTER/contexts" || { echo "error: context $3 not found" >&2 && exit 1; }
    exit
  elif wants get namespace kube-system; then
    jq -en --rawfile uid "$CLUSTER/uid" '{metadata: {name: "kube-system", uid: ($uid | rtrimstr("\n"))}}' 2>/dev/null ||
      { echo 'Error from server (Forbidden): namespaces "kube-system" is forbidden' >&2 && exit 1; }
    exit
  fi
  if [[ -e $CLUSTER/fault ]]; then
    ! wants --output json || echo '{"items": []}' # as kubectl does, of a list
    cat "$CLUSTER/fault" >&2
    rm "$CLUSTER/fault"
    exit 1
  fi
  if wants config current-context; then
    cat "$CLUSTER/context"
  elif wants create --filename; then
    made
  elif wants delete namespace; then
    rm "$CLUSTER"/{namespace,secret}
  elif wants delete secret credentials; then
    rm "$CLUSTER/secret"
  elif wants get namespace; then
    print namespace
  elif wants get secret; then
    print secret
  elif wants get clusters.postgresql.cnpg.io; then
    [[ -e $CLUSTER/operator ]] || { echo 'error: the server doesn'"'"'t have a resource type "clusters"' >&2 && exit 1; }
  elif wants get storageclass; then
    grep -qxFe "$KUBE_STORAGE_CLASS" "$CLUSTER/classes" || { echo "Error from server (NotFound): storageclasses.storage.k8s.io \"$KUBE_STORAGE_CLASS\" not found" >&2 && exit 1; }
  elif wants get service; then
    print address
  elif wants --container sampler && [[ -e $CLUSTER/sampler-died ]]; then
    echo "error: unable to upgrade connection: container not found (\"sampler\")" >&2 && exit 1
  elif [[ $* == *noted.sh* ]]; then
    print left
  elif wants get persistentvolumeclaims; then
    cat "$CLUSTER/volumes"
  elif wants exec && [[ -e $CLUSTER/here ]]; then
    trap - EXIT # its own shell says that
    while [[ $1 != -- ]]; do shift; done
    "${@:2}" || { local code=$? && [[ -e $CLUSTER/unheard ]]; } || exit "$code"
  elif [[ $* == *" get "*pods* ]]; then
    cat "$CLUSTER/pods"
  elif [[ $* == *labels* ]]; then
    jq -r '.items[] | "\(.kind) \(.metadata.name) \(.metadata.labels["pglab/owner"] // "")"' "$CLUSTER/objects"
  elif wants --output json; then
    cat "$CLUSTER/objects"
  fi
}

main "$@"
