# shellcheck shell=bash
# Whose namespace the kubernetes stack uses, and in which cluster. Annotation pglab/owner of the namespace says whose it is, or `lent` where an administrator lends it;
# the same annotation of Secret `credentials` says who uses it. For as long as anything may be there $STACK_STATE holds `owner`, who we are, chosen at random, and
# `namespace`: its name, its context, the operator that runs a database there, which cluster it is in, and which folder says so.

# _ours: prints a selector of all that we make.
_ours() { printf 'app.kubernetes.io/part-of=pglab,pglab/owner=%s\n' "$(_owner)"; }

# _keep_to: all that follows asks the namespace and the context that are in use, wherever kubectl points by now. Leaves OPERATOR, whose database may be there, CLUSTER_UID and PLACE.
_keep_to() {
  local -a kept
  OPERATOR='' CLUSTER_UID='' PLACE=''
  [[ -e $STACK_STATE/namespace ]] || return 0
  mapfile -t kept <"$STACK_STATE/namespace"
  KUBE_NAMESPACE=${kept[0]} KUBE_CONTEXT=${kept[1]:-} OPERATOR=${kept[2]:-} CLUSTER_UID=${kept[3]:-} PLACE=${kept[4]:-}
}

# _place: prints which folder $STACK_STATE is: a copy of it is another.
_place() { find "$STACK_STATE" -prune -ls | awk '{ print $1 }'; }

# _cluster: prints which cluster it is, NAMESPACE/UID: of kube-system or, for whom that is forbidden, of a namespace that is lent and so outlives a run; else nothing.
_cluster() {
  local object
  if ! object=$(_kubectl_once get namespace kube-system --output json --request-timeout 10s 2>>"$STACK_STATE/kubectl.log"); then
    [[ $(_fault) == *forbidden* ]] || return 1
    object=$(_kubectl_once get namespace "$KUBE_NAMESPACE" --ignore-not-found --output json --request-timeout 10s 2>>"$STACK_STATE/kubectl.log") || return 1
    object=$(jq 'select(.metadata.annotations["pglab/owner"] == "lent")' <<<"$object")
  fi
  jq -r '.metadata | "\(.name)/\(.uid)"' <<<"$object"
}

# _is_another ONE TWO: true where the same namespace tells of two clusters; what a cluster does not tell is no difference.
_is_another() { [[ -n $1 && ${1%%/*} == "${2%%/*}" && $1 != "$2" ]]; }

# _lost: true where all this is a copy, or the context in use is gone, or is another cluster's by now, where nothing is touched; prints one line that says so. Where the cluster does
# not say which it is, that is for what follows to find.
_lost() {
  local now complaint why=''
  [[ -e $STACK_STATE/namespace ]] || return 1
  if [[ -n $PLACE && ${PLACE#*:} != "$(_place)" ]]; then
    printf '%s is a copy or has moved, and namespace %s belongs to the original: run STACK=kubernetes scripts/stack.sh down there; where that is gone, delete the namespace, and rm -f %q/{namespace,pods,placed,generators,owner}\n' \
      "$STACK_STATE" "$KUBE_NAMESPACE" "$STACK_STATE"
    return
  fi
  if [[ -n $KUBE_CONTEXT ]] && ! complaint=$(command kubectl config get-contexts "$KUBE_CONTEXT" 2>&1 >/dev/null); then
    [[ $complaint == *'not found'* ]] || { echo "kubectl: $(tail -n 1 <<<"$complaint")" && return; }
    why="which kubectl does not know any more"
  elif now=$(_cluster) && _is_another "$now" "$CLUSTER_UID"; then
    why="where ${now%%/*} is another by now"
  fi
  [[ -n $why ]] || return 1
  printf '%s, %s: set it right (KUBECONFIG?) and run STACK=kubernetes scripts/stack.sh down; where its cluster is gone, rm -f %q/{namespace,pods,placed,generators,owner}\n' \
    "namespace $KUBE_NAMESPACE is in use or left over in context ${KUBE_CONTEXT:-(none)}" "$why" "$STACK_STATE"
}

# _elsewhere: true where others are in use than the environment asked for; prints one line that says so.
_elsewhere() {
  [[ -e $STACK_STATE/namespace ]] || return 1
  [[ ${GIVEN_CONTEXT:-$KUBE_CONTEXT} != "$KUBE_CONTEXT" || ${GIVEN_NAMESPACE:-$KUBE_NAMESPACE} != "$KUBE_NAMESPACE" ]] || return 1
  echo "namespace $KUBE_NAMESPACE of context ${KUBE_CONTEXT:-(none)} is in use or left over: STACK=kubernetes scripts/stack.sh down removes it, where no run is under way; beside one, another PGLAB_DATA keeps them apart"
}

# _not_lost: exit 2, with that line, where it is so; else keeps to what is in use.
_not_lost() {
  local lost
  _keep_to
  ! lost=$(_lost) || die "$EXIT_FAILED" "$lost"
}

# _choose: sets the context and keeps to it, or to the one in use; in a pod there is none.
_choose() {
  local elsewhere
  _keep_to
  ! elsewhere=$(_elsewhere) || die "$EXIT_FAILED" "$elsewhere"
  _not_lost
  [[ -e $STACK_STATE/namespace || -n ${KUBE_CONTEXT:-} ]] || KUBE_CONTEXT=$(command kubectl config current-context 2>/dev/null) || KUBE_CONTEXT=''
  export KUBE_CONTEXT
}

_remember() { printf '%s\n' "$KUBE_NAMESPACE" "$KUBE_CONTEXT" "${KUBE_OPERATOR:-$OPERATOR}" "$CLUSTER_UID" "$(_place)" | write_atomic "$STACK_STATE/namespace"; }
_forget() { rm -f "$STACK_STATE"/{namespace,pods,placed,generators,owner}; }

# _random: prints 32 hexadecimal digits.
_random() { od -An -N 16 -t x1 /dev/urandom | tr -d ' \n'; }

# _owner: prints who we are.
_owner() {
  [[ -s $STACK_STATE/owner ]] || _random | write_atomic "$STACK_STATE/owner"
  cat "$STACK_STATE/owner"
}

# _owner_of KIND NAME: prints whose that object says that it is: none where it does not say, nothing where there is none.
_owner_of() {
  local object
  object=$(_kubectl get "$1" "$2" --ignore-not-found --output jsonpath='{.kind} {.metadata.annotations.pglab/owner}' 2>>"$STACK_STATE/kubectl.log") || die "$EXIT_FAILED" "$(_fault)"
  [[ $object != *' ' ]] || object+=none
  printf '%s\n' "${object#* }"
}

# _claimed KIND NAME FUNCTION [JQ_OPTION...]: makes that object, see _render, unless there is one; prints whose it is. Of two that make it at once one finds the other's.
_claimed() {
  local owner fault=''
  owner=$(_owner_of "$1" "$2")
  if [[ -z $owner ]]; then
    _create "${@:3}" || fault=$(_fault)
    owner=$(_owner_of "$1" "$2")
  fi
  [[ -n $owner ]] || die "$EXIT_FAILED" "$fault"
  printf '%s\n' "$owner"
}

# _claim: the namespace is there, and ours to use: what is another's is neither used nor removed. It is remembered before it is made, so that a driver which is killed
# in between leaves nothing.
_claim() {
  local owner holder
  owner=$(_owner)
  holder=$(_owner_of namespace "$KUBE_NAMESPACE")
  [[ -n $CLUSTER_UID ]] || CLUSTER_UID=$(_cluster) || die "$EXIT_FAILED" "$(_fault)"
  ! _is_another "$CLUSTER_UID" "${KUBE_BEGAN_IN:-}" || die "$EXIT_FAILED" "${CLUSTER_UID%%/*} is another than the run began with, so this is another cluster: begin a run of its own"
  if [[ -z $holder ]]; then
    _remember
    holder=$(_claimed namespace "$KUBE_NAMESPACE" namespace --arg namespace "$KUBE_NAMESPACE")
  fi
  case $holder in
    "$owner") ;;
    lent) _no_strangers ;;
    none) _refuse "is there and not ours" ;;
    *) _refuse "is in use by another clone" ;;
  esac
  _remember
  holder=$(_claimed_credentials)
  [[ $holder == "$owner" ]] || _refuse "is lent to another clone, too, which uses it (Secret credentials)"
}

_refuse() {
  _forget
  die "$EXIT_FAILED" "namespace $KUBE_NAMESPACE $1: name another with KUBE_NAMESPACE"
}

# _no_strangers: in a namespace that is lent, nothing of somebody else's is written over, or read: their Secrets are among it. What we have there by now, if
# anything, stays remembered.
_no_strangers() {
  local owner objects stranger kinds=deployment,statefulset,job,service,configmap,secret,poddisruptionbudget,networkpolicy,persistentvolumeclaim
  [[ -z ${KUBE_OPERATOR:-} ]] || kinds+=,clusters.postgresql.cnpg.io
  objects=$(_kubectl get "$kinds" --output jsonpath='{range .items[*]}{.kind} {.metadata.name} {.metadata.labels.pglab/owner}{"\n"}{end}' 2>>"$STACK_STATE/kubectl.log") ||
    die "$EXIT_FAILED" "$(_fault)"
  owner=$(_owner)
  stranger=$(jq -Rrs -L "$REPO_ROOT/scripts/jq" --arg owner "$owner" 'include "kubernetes-state"; stranger($owner) // empty' <<<"$objects")
  [[ -z $stranger ]] ||
    die "$EXIT_FAILED" "namespace $KUBE_NAMESPACE is lent to us, and has a $stranger of somebody else's: name another with KUBE_NAMESPACE"
}

# _claimed_credentials: passwords are made for the namespace and go with it. To be called in a subshell.
_claimed_credentials() {
  local name
  for name in PGLAB_{ADMIN,MONITOR,APP}_PASSWORD CUBEJS_API_SECRET; do
    export "$name=$(_random)"
  done
  _claimed secret credentials credentials
}

# _whose: prints `ours`, `lent` to us, or nothing where it is gone or another's.
_whose() {
  local owner holder
  owner=$(_owner) || exit
  holder=$(_owner_of namespace "$KUBE_NAMESPACE") || exit
  case $holder in
    "$owner") echo ours ;;
    lent)
      holder=$(_owner_of secret credentials) || exit
      [[ -n $holder && $holder != "$owner" ]] || echo lent # where somebody has deleted that Secret, nobody else uses it
      ;;
    ?*) warn "namespace $KUBE_NAMESPACE is not this data folder's (any more), and is left alone" ;;
  esac
}

# _remove_objects: of a namespace that is lent what is ours goes, and last of all our claim. An operator that was uninstalled meanwhile has taken its clusters with
# it, and may have left their pods.
_remove_objects() {
  local kinds=deployment,statefulset,job
  if [[ -n $OPERATOR ]]; then
    if _kubectl get clusters.postgresql.cnpg.io >/dev/null 2>>"$STACK_STATE/kubectl.log"; then
      kinds+=,clusters.postgresql.cnpg.io
    else
      [[ $(_fault) == *"doesn't have a resource type"* ]] || die "$EXIT_FAILED" "$(_fault)"
      kinds+=,pod
    fi
  fi
  _kubectl_logged delete "$kinds" --selector "$(_ours)" --cascade=foreground --ignore-not-found --timeout 180s
  _kubectl_logged delete service,configmap,secret,poddisruptionbudget,networkpolicy,persistentvolumeclaim --selector "$(_ours),app.kubernetes.io/name!=credentials" --ignore-not-found --timeout 60s
  _kubectl_logged delete secret credentials --ignore-not-found
}
