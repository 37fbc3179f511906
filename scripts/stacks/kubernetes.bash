# shellcheck shell=bash
# Summary: pods of a Kubernetes cluster, see docs/kubernetes.md
# Programs: cluster
# Leaves: namespace
# The kubernetes stack: PostgreSQL, target, Cube and load generators are pods of a namespace of their own, in the cluster of kubectl's current context.
# The driver's machine needs kubectl, Node.js, bash and jq, and reaches nothing but the API server. $STACK_STATE holds
# what docker/kubernetes/namespace.bash says, `role`, of the target, `pods`, those that stack_up has brought up, and `placed`, on which nodes target and Cube stay.
#
#   KUBE_CONTEXT         another context than the current one when the stack comes up: that is kept to until it is stopped
#   KUBE_NAMESPACE       default pglab: made, and removed with all that is in it, unless it is lent, with annotation pglab/owner=lent
#   KUBE_REGISTRY        where nodes pull our images from, such as registry.example.com/pglab; none: the nodes have them
#   KUBE_STORAGE_CLASS   of the database's volume; none: the cluster's default
#   KUBE_STORAGE         its size, default 20Gi
#   KUBE_NODE_SELECTOR   ROLE=LABEL=VALUE,...: where pods of a role must be
#   KUBE_OPERATOR        cloudnative-pg: PostgreSQL is a Cluster of that operator's; none: a StatefulSet of ours
#
# Somebody else's database (EXTERNAL_DSN) is in the place of PostgreSQL: psql of a generator's pod says what libpq makes of it, and Secret `database` has
# that for the pods.
#
# Pods reach each other by the addresses of their services, not by name: a target that connects for each request would be measured looking up names, too.

# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/containers.bash
source "$REPO_ROOT/scripts/lib/containers.bash"
# shellcheck source=scripts/lib/dsn.bash
source "$REPO_ROOT/scripts/lib/dsn.bash"
# shellcheck source=docker/kubernetes/namespace.bash
source "$REPO_ROOT/docker/kubernetes/namespace.bash"
# shellcheck source=docker/kubernetes/cluster.bash
source "$REPO_ROOT/docker/kubernetes/cluster.bash"
# shellcheck source=docker/kubernetes/exec.bash
source "$REPO_ROOT/docker/kubernetes/exec.bash"
# shellcheck source=docker/kubernetes/generators.bash
source "$REPO_ROOT/docker/kubernetes/generators.bash"
# shellcheck source=docker/kubernetes/database.bash
source "$REPO_ROOT/docker/kubernetes/database.bash"

[[ $STACK_STATE == /* ]] || STACK_STATE=$PWD/$STACK_STATE
GIVEN_CONTEXT=${KUBE_CONTEXT:-} GIVEN_NAMESPACE=${KUBE_NAMESPACE:-}
export KUBE_NAMESPACE=${KUBE_NAMESPACE:-pglab}
export KUBERC=off KUBECTL_KUBERC=false          # somebody's habits, such as to be asked before anything is deleted
export KUBE_NO_PROXY=${KUBE_NO_PROXY-$no_proxy} # a trial's tools use no proxy, kubectl does
_keep_to
RESULTS=${PGLAB_RESULTS:-$REPO_ROOT/results/runs}
[[ $RESULTS == /* ]] || RESULTS=$PWD/$RESULTS
PATH=$REPO_ROOT/docker/kubernetes/bin:$PATH # psql of a pod

# stack_can_run: true when the cluster answers; prints one line that says which, or what is missing.
stack_can_run() {
  local complaint
  have kubectl || { echo "kubectl is missing" && return 1; }
  have jq || { echo "jq is missing: scripts/setup.sh jq installs it" && return 1; }
  [[ ${KUBE_OPERATOR:-} == @(|cloudnative-pg) ]] || { echo "KUBE_OPERATOR is $KUBE_OPERATOR: must be cloudnative-pg" && return 1; }
  [[ -z ${KUBE_OPERATOR:-} || -z ${EXTERNAL_DSN+given} ]] || { echo "KUBE_OPERATOR makes a database, and --dsn names another: unset one of them" && return 1; }
  [[ ${KUBE_STORAGE:-20Gi} =~ ^[1-9][0-9]*(\.[0-9]+)?([MGTP]|[MGTP]i)$ ]] || { echo "KUBE_STORAGE is $KUBE_STORAGE: must be a size, such as 20Gi" && return 1; }
  ! _elsewhere || return 1
  ! _lost || return 1
  complaint=$(_api_answers) || { echo "no cluster answers in ${KUBE_CONTEXT:+context }${KUBE_CONTEXT:-"kubectl's current context"}: $complaint" && return 1; }
  ! _lacks_class || return 1
  echo "the cluster answers"
}

stack_lacks() {
  container_lacks
  echo "topology=replicated the $STACK stack has no standbys"
}

stack_locks() { printf 'namespace %s %s\n' "$GIVEN_CONTEXT" "${GIVEN_NAMESPACE:-pglab}"; }

# stack_resolve: generators that are up by now do not know of the database, and are made anew when they are wanted.
stack_resolve() {
  local name
  _begin
  dsn_resolve
  (
    dsn_use
    for name in "${!PGSSL@}"; do
      [[ ${!name} != /* ]] || die "$EXIT_USAGE" "--dsn: ${!name} is a file of this machine ($name), and pods have none of those"
    done
    _apply database --argjson variables "$(jq '[.variables[], "PGLAB_CONNECTION"]' "$REPO_ROOT/apps/lib/drivers.json")"
  )
}

stack_prepare() {
  _begin
  case $1 in
    none) ;;
    external)
      dsn_use
      dsn_may_read "$2"
      ;;
    *) (_prepare "$1" '' >/dev/null) ;; # what memory this profile lets its server have is not the next one's
  esac
}

stack_up() {
  local database=$1 target=$2 variant=$3 file environment name roles role assignments
  file=$(target_file "$target")
  _begin
  stack_down
  unset_libpq
  if [[ $database == external ]]; then
    if [[ -z ${EXTERNAL_DATABASE:-} ]]; then # by hand
      stack_resolve
      _begin
    fi
    dsn_use
    prepare_sql "$file"
  elif [[ $database != none ]]; then
    PGDATABASE=$(_prepare "$database" "$target")
    assignments=$(_export_role app "$PGDATABASE")
    use_exports "$assignments"
  fi
  jq -r '[.processes[].role] | map(select(. != "cube"))[0] // "null"' "$file" | write_atomic "$STACK_STATE/role"
  environment=$(jq -c -L "$REPO_ROOT/scripts/jq" --argjson variant "$variant" 'include "variant"; environment_in($variant)' "$file")
  name=$(jq -n 'env.PGDATABASE')
  roles=$(jq -r '[.processes[].role | if . == "cube" then . else "target" end] | unique[]' "$file") # Cube comes first
  for role in $roles; do
    _apply "$role" --arg target "$target" --argjson database "$name" --argjson environment "$environment"
  done
  for role in $roles; do
    _wait_ready deployment "$role" 1 120
    require_image pglab-target _kubectl exec "deployment/$role" --container "$role" --
  done
  if [[ -n $roles ]]; then # else the database itself is asked
    BASE_URL=http://$(_address target):$TARGET_PORT
    export BASE_URL
    wait_until 60 "the service of the target to be known to all nodes of generators" _reached "$BASE_URL/healthz" || die "$EXIT_FAILED" "the target is ready, and generators do not reach its service"
  fi
  _roles | write_atomic "$STACK_STATE/pods"
  _keep_places
}

# A pod that was restarted, or is another than came up, has stopped.
stack_check() {
  local dead
  dead=$(stack_status | jq -r 'to_entries | map(select(.value.alive | not))[0].key // empty')
  [[ -z $dead ]] || die "$EXIT_FAILED" "$dead has stopped: $(_last_words "$dead")"
}

# stack_psql ARGUMENT...: psql in a pod, for docker/kubernetes/bin/psql; status 2, as of psql without a connection, where there is none.
stack_psql() {
  local pod
  pod=$(_generator 0) || return 2
  if [[ -n ${EXTERNAL_DSN+given} && -z ${EXTERNAL_DATABASE:-} ]]; then _psql_unresolved "$pod" "$@"; else _in "$pod" generator psql "$@"; fi
}

stack_verify() { _in_pod scripts/probes/verify.sh "$@"; }

# Services keep their addresses.
stack_down() {
  [[ -e $STACK_STATE/namespace ]] || return 0
  _not_lost
  _kubectl_logged delete deployment --selector "$(_ours),app.kubernetes.io/name in (target,cube)" --cascade=foreground --ignore-not-found --timeout 60s
  rm -f "$STACK_STATE/pods"
}

stack_status() {
  [[ -e $STACK_STATE/pods ]] || { echo '{}' && return; }
  _roles | jq -c -L "$REPO_ROOT/scripts/jq" --slurpfile up "$STACK_STATE/pods" --arg target "$(<"$STACK_STATE/role")" --argjson port "$TARGET_PORT" --argjson cube "$CUBE_PORT" '
    include "kubernetes-state";
    status($up[0]; {target: $port, $cube, postgres: 5432}) | renamed($target) | if env.PGHOST then . else del(.postgres) end'
}

# Of ours as role monitor, which may see all of them.
stack_settings() {
  case $1 in
    none) ;;
    external) (dsn_use && settings_of "$1") ;;
    *) _as monitor postgres settings_of "$1" ;;
  esac
}

# shellcheck disable=SC2120 # of a trial they have arguments
stack_counters() {
  if [[ -n ${EXTERNAL_DATABASE:-} ]]; then
    COUNTED_ROLE=$PGUSER _in_pod scripts/probes/counters.sh "$@"
  else
    COUNTED_ROLE=pglab_app _as monitor "$PGDATABASE" _in_pod scripts/probes/counters.sh "$@"
  fi
}

# Each pod tells of itself, to the sampler in the first generator's pod; of the generators those that make this trial.
stack_roles() {
  _kubectl get pods --selector "$(_ours)" --output json | jq -c -L "$REPO_ROOT/scripts/jq" --argjson of "${OF:-1}" --arg target "$(<"$STACK_STATE/role")" '
    include "kubernetes-state";
    readers(env.PGHOST != null) | (.generator | arrays) |= (.[:$of] | if length == 1 then .[0] else . end) | renamed($target)'
}

stack_monitor() { if [[ -n ${EXTERNAL_DATABASE:-} ]]; then dsn_monitor; else _export_role monitor postgres; fi; }

stack_sampler() {
  local pod
  pod=$(_generator 0)
  _in "$pod" sampler node scripts/probes/sampler/main.js /tmp/watch/cell.json
}

# An empty file is none.
stack_watch() {
  local told=/dev/null
  [[ ! -e $WATCH_FILE ]] || told=$WATCH_FILE
  # shellcheck disable=SC2016 # the pod's shell expands them
  _tell sampler 'mkdir -p "${1%/*}"; cat >"$1.new"; if [[ -s $1.new ]]; then mv "$1.new" "$1"; else rm -f "$1"; fi' /tmp/watch/cell.json <"$told"
}

# Somebody else's database has no administrator of ours.
stack_admin() { if [[ -n ${EXTERNAL_DATABASE:-} ]]; then printf '%s\n' "$EXTERNAL_DATABASE"; else _export_role admin "$PGDATABASE"; fi; }

stack_connection() { if [[ -n ${EXTERNAL_DATABASE:-} ]]; then dsn_connection; else echo null; fi; }

# The namespace goes, and all that is in it; of one that is lent what is ours. One that another has made since is left alone.
stack_stop() {
  local whose
  [[ -e $STACK_STATE/namespace ]] || return 0
  _not_lost
  whose=$(_whose) || exit
  case $whose in
    ours) _kubectl_logged delete namespace "$KUBE_NAMESPACE" --ignore-not-found --timeout 180s ;;
    lent) _remove_objects ;;
  esac
  _forget
}

# stack_writes FOLDER: the generators have it too, empty, and none of an earlier cell's.
stack_writes() {
  local pod
  local -a pods
  lines_of pods _generators
  for pod in "${pods[@]}"; do
    # shellcheck disable=SC2016 # the pod's shell expands them
    _in_generator "$pod" 'find "$1" -mindepth 1 -delete; mkdir -p "$2"' "$RESULTS" "$1" || die "$EXIT_FAILED" "$(_fault)"
  done
}

# stack_exec COMMAND...: runs a load tool in the first generator's pod. To be called in a subshell.
stack_exec() { _generate 0 "$@"; }

# stack_generator NUMBER OF COMMAND...
stack_generator() { (_generate "$(($1 - 1))" "${@:3}"); }

# stack_clocks: of all generators, by the first one's, which the sampler beside it goes by: the way to them from here is as long as kubectl needs.
stack_clocks() {
  local list
  local -a urls
  list=$(_kubectl get pods --selector "$(_ours),app.kubernetes.io/name=generator" --output json) || return
  lines_of urls jq -r -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; clocks' <<<"$list" || return
  _in_pod node scripts/generators/clocks.js "${urls[@]}"
}

# stack_begins FILE: a second may pass until kubectl has brought a command to its pod, whose clock it is.
stack_begins() { printf '%s\n' scripts/generators/begin.sh 0 "$1"; }

# stack_over: where a generator is gone the trial fails by itself.
stack_over() {
  local pod pods
  touch "$CELL_DIR/over"
  pods=$(_generators)
  for pod in $pods; do
    # shellcheck disable=SC2016
    _in_generator "$pod" 'touch "$1"' "$CELL_DIR/over" || warn "$pod hears nothing: $(_fault)"
  done
}

# stack_fetch: a generator that is gone has taken its files with it, which the trial then lacks.
stack_fetch() {
  local pod pods
  pods=$(_generators)
  for pod in $pods; do
    wait_until 60 "the files of $pod" _fetched "$pod" || warn "the files of $pod are lost"
  done
}

stack_tool() {
  case $1 in
    jq | bash) "$@" ;;
    *) _in_pod "${1#bin/}" "${@:2}" ;;
  esac
}

# stack_images: {image: its digest, as the nodes have it}
stack_images() {
  _kubectl get pods --selector "$(_ours)" --output json | jq '[.items[].status.containerStatuses[]? | {(.image): .imageID}] | add // {}'
}

# stack_nodes: who may not list them is told nothing of them.
stack_nodes() {
  local nodes
  if nodes=$(_kubectl get nodes --output json 2>>"$STACK_STATE/kubectl.log"); then
    jq -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; nodes' <<<"$nodes"
  else
    echo null
  fi
}

# stack_cluster: which it is, as _cluster says. The volume's class is what the cluster has made of it where none was named.
stack_cluster() {
  local selectors volumes
  selectors=$(_selectors)
  volumes=$(_kubectl get persistentvolumeclaims --selector "$(_ours)" --output json)
  _keep_to # which a subshell of _begin has remembered
  jq -L "$REPO_ROOT/scripts/jq" --arg uid "$CLUSTER_UID" --arg operator "${KUBE_OPERATOR:-}" --argjson node_selector "$selectors" --argjson volumes "$volumes" -n 'include "kubernetes-state";
    {uid: $uid, $operator} | map_values(if . == "" then null else . end) | . + {$node_selector, volume: ($volumes | volume)}'
}

# Called before the cluster is given anything to do. From here on `down` removes what is left, even of a run that was killed.
_begin() {
  local pod
  local -a pods
  mkdir -p "$STACK_STATE" || die "$EXIT_FAILED" "$STACK_STATE cannot be created: set PGLAB_DATA to a folder that can be written"
  [[ $REPO_ROOT/ != "${RESULTS%/}/"* && $RESULTS != /tmp ]] || die "$EXIT_USAGE" "runs are in $RESULTS, which pods need for something else: have them in a folder of their own (PGLAB_RESULTS)"
  _selectors >/dev/null
  container_limits >/dev/null # one that is wrong ends here
  [[ $TARGET_PORT != 9100 ]] || die "$EXIT_USAGE" "TARGET_PORT is $TARGET_PORT, where the sampler of each pod listens: choose another"
  _choose
  [[ -z ${KUBE_OPERATOR:-} ]] || _operator_knows
  _claim
  _apply fence
  _apply_files
  _apply_generators
  _wait_ready job generator "${GENERATORS:-1}" 120
  lines_of pods _generators
  for pod in "${pods[@]}"; do
    require_image pglab-loadgen _kubectl exec "$pod" --container generator --
  done
}

# _is_external: prints whether it is somebody else's database that is asked.
_is_external() { if [[ -n ${EXTERNAL_DATABASE:-} ]]; then echo true; else echo false; fi; }
