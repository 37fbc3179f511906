# shellcheck shell=bash
# The external stack: a server that is already there (EXTERNAL_URL, target "external"), or our targets on somebody's database
# (EXTERNAL_DSN), where sessions are read-only unless ALLOW_WRITES is true. It is the local stack without our PostgreSQL.

# shellcheck source=scripts/stacks/local.bash
source "$REPO_ROOT/scripts/stacks/local.bash"

stack_prepare() {
  _use_database "$1"
  [[ $1 == none ]] || psql -XqAtc 'select 1' >/dev/null || die "$EXIT_FAILED" "the database of --dsn does not answer"
}

stack_settings() {
  _use_database "$1"
  [[ $1 == none ]] || _settings "$1"
}

stack_roles() {
  stack_status | jq 'map_values(.pid)'
}

# The DSN's own role stands in for a monitor.
stack_monitor() {
  if [[ -n ${EXTERNAL_DSN:-} ]]; then
    _export_dsn "$EXTERNAL_DSN"
    printf 'export %s=%q\n' PGHOST "$PGHOST" PGPORT "$PGPORT" PGUSER "$PGUSER" PGPASSWORD "$PGPASSWORD" \
      SAMPLER_PGDATABASE "$PGDATABASE" SAMPLER_ROLE "$PGUSER"
  fi
}

# Somebody else's database has no administrator of ours: what its role may not do fails.
stack_admin() {
  _export_dsn "$EXTERNAL_DSN"
  printf 'export %s=%q\n' PGHOST "$PGHOST" PGPORT "$PGPORT" PGUSER "$PGUSER" PGPASSWORD "$PGPASSWORD" PGDATABASE "$PGDATABASE"
}

stack_stop() { stack_down; }

_use_database() {
  [[ -n ${EXTERNAL_URL:-}${EXTERNAL_DSN:-} ]] || usage_error "stack external needs --url URL or --dsn DSN"
  unset PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGOPTIONS
  if [[ -n ${EXTERNAL_URL:-} ]]; then
    export BASE_URL=$EXTERNAL_URL
  fi
  if [[ $1 != none ]]; then
    _export_dsn "$EXTERNAL_DSN"
    $ALLOW_WRITES || export PGOPTIONS='-c default_transaction_read_only=on'
  fi
}

# _export_dsn postgresql://user:password@host:port/database: as PG*, which is what targets and tools read.
_export_dsn() {
  local words
  words=$(node -e '
    const { hostname, port, username, password, pathname } = new URL(process.argv[1]);
    const user = decodeURIComponent(username) || "postgres";
    console.log([hostname || "127.0.0.1", port || "5432", user, decodeURIComponent(password), decodeURIComponent(pathname.slice(1)) || user].join("\n"));
  ' "$1")
  { read -r PGHOST && read -r PGPORT && read -r PGUSER && read -r PGPASSWORD && read -r PGDATABASE; } <<<"$words"
  export PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE
}
