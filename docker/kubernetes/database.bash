# shellcheck shell=bash
# The kubernetes stack's own PostgreSQL, as a StatefulSet or as its operator's Cluster, and the datasets that are loaded into it.

# _prepare DATABASE TARGET: the server is up with the profile's settings, and its dataset is loaded; prints the database's name.
_prepare() {
  local database
  _ensure_postgres "$1" >&2
  _kubectl_logged delete job dataset --ignore-not-found --cascade=foreground --timeout 60s
  _apply dataset --arg profile "$1" --arg scale "$SCALE" --arg target "$2"
  wait_until 120 "the dataset's pod to begin" _begun || die "$EXIT_FAILED" "the dataset of $1 cannot be loaded: $(_state job dataset 1)"
  _kubectl_once logs --follow job/dataset >&2 || die "$EXIT_FAILED" "the dataset of $1 cannot be watched being loaded"
  wait_until 60 "the dataset's job to end" _job_ended || die "$EXIT_FAILED" "the dataset of $1 does not end"
  database=$(_kubectl get pods --selector "$(_ours),app.kubernetes.io/name=dataset" --output json | jq -r '[.items[].status.containerStatuses[]?.state.terminated | select(.exitCode == 0) | .message][0] // empty')
  [[ -n $database ]] || die "$EXIT_FAILED" "the dataset of $1 could not be loaded: $(_last_words dataset)"
  printf '%s\n' "$database"
}

_begun() { [[ $(_kubectl get pods --selector "$(_ours),app.kubernetes.io/name=dataset" --output jsonpath='{.items[*].status.phase}') == @(Running|Succeeded|Failed) ]] || { _state job dataset 1 && return 1; }; }
_job_ended() { [[ $(_kubectl get job dataset --output jsonpath='{.status.succeeded}{.status.failed}') == 1 ]]; }

# _lacks_class: true where the storage class that was asked for is not known here; prints one line that says so. Who may not ask hears of it when the volume is made.
_lacks_class() {
  local complaint
  [[ -n ${KUBE_STORAGE_CLASS:-} && -z ${EXTERNAL_DSN+given} ]] || return 1
  ! complaint=$(_kubectl_once get storageclass "$KUBE_STORAGE_CLASS" 2>&1 >/dev/null) && [[ $complaint == *'not found'* ]] || return 1
  echo "--storage-class $KUBE_STORAGE_CLASS: this cluster has none of that name"
}

# _operator_knows: what it makes clusters from is known here.
_operator_knows() {
  _kubectl get clusters.postgresql.cnpg.io >/dev/null 2>>"$STACK_STATE/kubectl.log" || die "$EXIT_FAILED" "--operator $KUBE_OPERATOR: $(_fault): it must be installed in this cluster, and the driver have the rights of docs/kubernetes.md"
}

# _ensure_postgres PROFILE: it runs with exactly these settings; its service's address is known before any pod asks for it.
_ensure_postgres() {
  local conf hba hash
  pg_profile "$1"
  conf=$(container_pg_settings "$SCALE")
  hba=$(container_pg_hba)
  [[ ! $conf =~ pglab\.memory_bytes\ =\ \'([0-9]+) ]] || export POSTGRES_MEMORY=${BASH_REMATCH[1]}
  hash=$(sha256_of - <<<"$conf $hba")
  _renew postgres
  local -a given=(--arg conf "$conf" --arg hba "$hba" --arg hash "$hash" --argjson storage "$(jq -n 'env | {class: .KUBE_STORAGE_CLASS, size: .KUBE_STORAGE} | map_values(select(. != "")) | {class, size: (.size // "20Gi")}')")
  if [[ -z ${KUBE_OPERATOR:-} ]]; then
    _apply postgres "${given[@]}" --rawfile roles "$REPO_ROOT/docker/postgres/initdb.d/roles.sh"
    _wait_ready statefulset postgres 1 180
  else
    _apply cloudnative_pg "${given[@]}"
    _wait_ready cluster.postgresql.cnpg.io postgres 1 300
    wait_until 180 "the operator to apply the settings" _operator_applied "$hash" || die "$EXIT_FAILED" "the operator does not apply the settings of $1; last words: $(_last_words postgres)"
    _wait_ready cluster.postgresql.cnpg.io postgres 1 180
  fi
}

# _renew ROLE: a pod of it that has failed, or was restarted where it is, gives way to a new one, which its controller makes.
_renew() {
  local names
  local -a pods
  names=$(_kubectl get pods --selector "$(_ours),app.kubernetes.io/name=$1" --output json | jq -r -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; pods[] | select(.failed).pod')
  [[ -n $names ]] || return 0
  mapfile -t pods <<<"$names"
  log "$1 has failed or was restarted: a new pod takes its place"
  _kubectl_logged delete pod "${pods[@]}" --ignore-not-found --timeout 120s
}

# _operator_applied HASH: the server has the settings, of which HASH is one, and its pod the limits; none of them waits for a restart.
_operator_applied() {
  _kubectl get pods,cluster.postgresql.cnpg.io --selector "$(_ours),app.kubernetes.io/name=postgres" --output json | jq -e -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; same_limits' >/dev/null &&
    [[ $(_as monitor postgres _in_pod psql -XqAt -v ON_ERROR_STOP=1 -v hash="$1" <<<"select current_setting('pglab.settings', true) = :'hash' and not exists (select from pg_settings where pending_restart)") == t ]]
}
