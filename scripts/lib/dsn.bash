# shellcheck shell=bash
# Somebody else's database, which is in the place of ours where EXTERNAL_DSN says so. EXTERNAL_DATABASE is what libpq made of it, see
# scripts/probes/dsn.sh: whichever script of a run needs it first asks, the rest inherit. Source common.bash and stack.bash first.

# dsn_resolve: has the DSN resolved, unless that is done.
dsn_resolve() {
  [[ -z ${EXTERNAL_DATABASE:-} ]] || return 0
  EXTERNAL_DATABASE=$("$REPO_ROOT/scripts/probes/dsn.sh")
  export EXTERNAL_DATABASE
}

# dsn_use: exports its PG*, and PGLAB_CONNECTION.
dsn_use() {
  unset_libpq
  use_exports "$EXTERNAL_DATABASE"
}

# dsn_connection, dsn_monitor: stack_connection and stack_monitor, of a DSN that is resolved. Its own role stands in for a monitor; of somebody's server all roles are
# its own.
dsn_connection() { (dsn_use && printf '%s\n' "${PGLAB_CONNECTION:-null}"); }
dsn_monitor() {
  # shellcheck disable=SC2016 # for the shell that reads it
  printf '%s\nexport SAMPLER_PGDATABASE=$PGDATABASE SAMPLER_ROLE=%s\n' "$EXTERNAL_DATABASE" "$([[ -n ${EXTERNAL_URL:-} ]] && echo "'*'" || echo '$PGUSER')"
}

# dsn_may_read PLAN: the role may read what the plan's workloads ask for, by the SQL that verifies them, which is planned and not run. Where it may not
# count statements, that is told.
dsn_may_read() {
  local workload workloads sql printed uncounted
  workloads=$(jq -r '[.groups[] | select(.database != "none") | .cells[].workload] | unique[]' "$1")
  for workload in $workloads; do
    sql=$REPO_ROOT/scripts/sql/verify/$workload.sql
    [[ -r $sql ]] || continue
    printed=$( (echo explain && cat "$sql") | psql -XqAt -v ON_ERROR_STOP=1 2>&1) ||
      die "$EXIT_FAILED" "--dsn: workload $workload cannot be asked: $(sed -n 's/.*ERROR:  //p' <<<"$printed" | head -n 1); --workloads echo needs no data"
  done
  uncounted=$(stack_counters | jq -r '.denied.statements // empty')
  [[ -z $uncounted ]] || warn "--dsn: statements are not counted: $uncounted"
}
