# shellcheck shell=bash
# Summary: a server or a database that is already there (--url, --dsn)
# The external stack: a server that is already there (EXTERNAL_URL, target "external"), or our targets on somebody's database
# (EXTERNAL_DSN), where sessions are read-only unless ALLOW_WRITES is true. It is the local stack without our PostgreSQL.

# shellcheck source=scripts/stacks/local.bash
source "$REPO_ROOT/scripts/stacks/local.bash"
# shellcheck source=scripts/lib/dsn.bash
source "$REPO_ROOT/scripts/lib/dsn.bash"

stack_resolve() { dsn_resolve; }

stack_prepare() {
  _use_database "$1"
  [[ $1 == none || -z ${2:-} ]] || dsn_may_read "$2"
}

stack_settings() {
  _use_database "$1"
  [[ $1 == none ]] || settings_of "$1"
}

stack_connection() {
  if [[ -n ${EXTERNAL_DSN+given} ]]; then dsn_resolve && dsn_connection; else echo null; fi
}

# stack_status: with somebody's server, whose process is told (EXTERNAL_PID, EXTERNAL_CONTAINER), where nothing of ours is asked instead.
stack_status() {
  local pid=${EXTERNAL_PID:-} alive=false
  [[ -z ${EXTERNAL_CONTAINER:-} ]] || pid=$(docker inspect -f '{{.State.Pid}}' "$EXTERNAL_CONTAINER" 2>/dev/null) || pid=''
  if [[ -z ${EXTERNAL_PID:-}${EXTERNAL_CONTAINER:-} || -n $(_roles) ]]; then
    _own_status
  else
    ! process_started "$pid" >/dev/null || alive=true
    jq -n --argjson pid "${pid:-null}" --argjson alive "$alive" --argjson children "[$(process_children "${pid:-0}" | paste -s -d , -)]" '{target: {$pid, port: null, $alive, $children}}'
  fi
}

stack_roles() {
  stack_status | jq 'map_values(.pid)'
}

stack_monitor() { [[ -z ${EXTERNAL_DSN+given} ]] || dsn_monitor; }

# Of somebody's server all roles are its own, but for what we ask here.
# shellcheck disable=SC2120 # of a trial they have arguments
stack_counters() {
  local role=$PGUSER
  [[ -z ${EXTERNAL_URL:-} ]] || role='*'
  COUNTED_ROLE=$role "$REPO_ROOT/scripts/probes/counters.sh" "$@"
}

# Somebody else's database has no administrator of ours: what its role may not do fails.
stack_admin() { printf '%s\n' "$EXTERNAL_DATABASE"; }

stack_stop() { stack_down; }

# A target without a database gets none of its variables.
_use_database() {
  [[ -n ${EXTERNAL_URL:-}${EXTERNAL_DSN+given} ]] || usage_error "stack external needs --url URL or --dsn DSN"
  unset_libpq
  if [[ -n ${EXTERNAL_URL:-} ]]; then
    export BASE_URL=$EXTERNAL_URL
  fi
  [[ ${1:-none} != none ]] || return 0
  dsn_resolve
  dsn_use
  # Cube and its API share a secret, which is the password's unless there is none
  [[ -n ${PGPASSWORD:-}${CUBEJS_API_SECRET:-} ]] || CUBEJS_API_SECRET=$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
  export CUBEJS_API_SECRET
}
