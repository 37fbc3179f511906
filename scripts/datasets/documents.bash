# shellcheck shell=bash
# Dataset documents: JSON documents in collections, made from a seed by documents.js. Trials write, so each works on a copy;
# the functions are those that tpch.bash describes, and
#   dataset_prepare_copy DATABASE     gives a fresh copy what the profile's table_options ask for
#
# table_options: {"unlogged": true} makes every collection of the copy an unlogged table.

dataset_database() {
  jq -en --arg scale "$1" '$scale | test("^(0|[1-9][0-9]*)([.][0-9]*[1-9])?$") and (tonumber >= 0.001 and tonumber <= 100)' >/dev/null 2>&1 ||
    usage_error "documents: scale '$1' is not a number from 0.001 to 100, written like 1 or 0.01"
  local name=documents
  [[ $1 == 1 ]] || name=documents_${1//./_}
  printf '%s\n' "$name"
}

dataset_recipe() {
  sha256_of "$REPO_ROOT"/scripts/datasets/documents.{js,bash} "$REPO_ROOT"/k6/lib/{documents,random}.js "$REPO_ROOT/apps/documents/sql.js"
}

dataset_load_settings() {
  jq -n '{wal_level: "minimal", max_wal_senders: 0, max_wal_size: "8GB", checkpoint_timeout: "1h", autovacuum: "off", maintenance_work_mem: "256MB"}'
}

# One transaction: COPY FREEZE writes no WAL then, and leaves nothing for VACUUM but the visibility map. The app owns it all.
dataset_build() {
  require_cmd node
  { echo 'set role pglab_app;' && node "$REPO_ROOT/scripts/datasets/documents.js" "$2"; } |
    pg_sql "$1" --single-transaction -f - || die "$EXIT_FAILED" "documents: loading failed"
  pg_sql "$1" -c 'grant usage on schema collections to pglab_monitor' \
    -c 'grant select on all tables in schema collections to pglab_monitor' -c 'vacuum (analyze)'
}

dataset_check() {
  local complaints
  complaints=$(pg_sql "$1" -v test="$(jq -n "$2 * 10000 | ceil")" -v twins="$(jq -n "$2 * 100000 | ceil")" \
    -f "$REPO_ROOT/scripts/datasets/documents-check.sql")
  [[ -z $complaints ]] || die "$EXIT_FAILED" "$1 is not the documents dataset at scale $2: ${complaints//$'\n'/; }"
}

dataset_prepare_copy() {
  [[ $(jq '.table_options.unlogged' "$PG_PROFILE") == true ]] || return 0
  pg_sql "$1" <<'SQL'
select format('alter table %s set unlogged', oid::regclass) from pg_class
where relnamespace = 'collections'::regnamespace and relkind = 'r' order by relname \gexec
vacuum (freeze)
SQL
}
