# shellcheck shell=bash
# The external stack: a server that is already there (EXTERNAL_URL, target "external"), or our targets on somebody's database
# (EXTERNAL_DSN), where sessions are read-only unless ALLOW_WRITES is true. It is the local stack without our PostgreSQL.
# EXTERNAL_DATABASE is what libpq made of the DSN, see scripts/probes/dsn.sh: whichever script of a run needs it first asks, the rest inherit.

# shellcheck source=scripts/stacks/local.bash
source "$REPO_ROOT/scripts/stacks/local.bash"

# stack_resolve: has the DSN resolved, unless that is done.
stack_resolve() {
  [[ -z ${EXTERNAL_DATABASE:-} ]] || return 0
  EXTERNAL_DATABASE=$("$REPO_ROOT/scripts/probes/dsn.sh")
  export EXTERNAL_DATABASE
}

stack_prepare() {
  _use_database "$1"
  [[ $1 == none || -z ${2:-} ]] || _may_read "$2"
}

stack_settings() {
  _use_database "$1"
  [[ $1 == none ]] || _settings "$1"
}

stack_connection() {
  (_use_database "${EXTERNAL_DSN+external}" && printf '%s\n' "${PGLAB_CONNECTION:-null}")
}

# stack_status: with somebody's server, whose process is told (EXTERNAL_PID, EXTERNAL_CONTAINER), where nothing of ours is asked instead.
stack_status() {
  local pid=${EXTERNAL_PID:-} alive=false
  [[ -z ${EXTERNAL_CONTAINER:-} ]] || pid=$(docker inspect -f '{{.State.Pid}}' "$EXTERNAL_CONTAINER" 2>/dev/null) || pid=''
  if [[ -z ${EXTERNAL_PID:-}${EXTERNAL_CONTAINER:-} || -n $(_roles) ]]; then
    _own_status
  else
    [[ ! -e /proc/${pid:-none} ]] || alive=true
    jq -n --argjson pid "${pid:-null}" --argjson alive "$alive" --argjson children "[$(process_children "${pid:-0}" | paste -s -d , -)]" '{target: {$pid, port: null, $alive, $children}}'
  fi
}

stack_roles() {
  stack_status | jq 'map_values(.pid)'
}

# The DSN's own role stands in for a monitor.
stack_monitor() {
  # shellcheck disable=SC2016 # for the shell that reads it
  [[ -z ${EXTERNAL_DSN+given} ]] || printf '%s\nexport SAMPLER_PGDATABASE=$PGDATABASE SAMPLER_ROLE=$PGUSER\n' "$EXTERNAL_DATABASE"
}

# Of somebody's server all roles are its own, but for what we ask here.
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
  stack_resolve
  use_exports "$EXTERNAL_DATABASE"
  # Cube and its API share a secret, which is the password's unless there is none
  [[ -n ${PGPASSWORD:-}${CUBEJS_API_SECRET:-} ]] || CUBEJS_API_SECRET=$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
  export CUBEJS_API_SECRET
}

# _may_read PLAN: the role may read what the plan's workloads ask for, by the SQL that verifies them, which is planned and not run.
_may_read() {
  local workload workloads sql said
  workloads=$(jq -r '[.groups[] | select(.database != "none") | .cells[].workload] | unique[]' "$1")
  for workload in $workloads; do
    sql=$REPO_ROOT/scripts/sql/verify/$workload.sql
    [[ -r $sql ]] || continue
    said=$( (echo explain && cat "$sql") | psql -XqAt -v ON_ERROR_STOP=1 2>&1) ||
      die "$EXIT_FAILED" "--dsn: workload $workload cannot be asked: $(sed -n 's/.*ERROR:  //p' <<<"$said" | head -n 1); --workloads echo needs no data"
  done
}
