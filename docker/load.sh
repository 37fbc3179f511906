#!/usr/bin/env bash
# Summary: loads the dataset of a database profile into the PostgreSQL of PGHOST, unless it is there; prints the database's name.
# Usage: docker/load.sh      in the loadgen image; DATABASE, SCALE, TARGET and the passwords come from the environment
#
# The recipe is the local stack's own (scripts/datasets/), and so are the marker that tells a complete dataset, the check of
# what was loaded, and the fresh copy for trials that write. Then runs the SQL that TARGET wants prepared.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../scripts/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"

# pg_env ROLE DATABASE: as in postgres.bash, of the server beside this container.
pg_env() {
  local password=PGLAB_${1^^}_PASSWORD
  export PGUSER=pglab_$1 PGPASSWORD=${!password} PGDATABASE=$2
}

marker_of() {
  pg_sql postgres -v name="$1" <<<"select shobj_description(oid, 'pg_database') from pg_database where datname = :'name'"
}

build() {
  local started
  started=$(now_us)
  log "$1: loading"
  pg_create_database "$1"
  dataset_build "$1" "$SCALE"
  dataset_check "$1" "$SCALE"
  pg_sql postgres -c "comment on database $1 is '$2'"
  log "$1: loaded and verified in $(seconds_since "$started") s"
}

# copy DATABASE: makes DATABASE_run anew, for trials to write to.
copy() {
  pg_sql postgres -c 'set client_min_messages = warning' -c "drop database if exists $1_run with (force)" \
    -c "create database $1_run template $1 strategy file_copy" -c "grant create on database $1_run to pglab_app"
  dataset_prepare_copy "$1_run"
}

# prepare DATABASE: what the target wants of its own, such as a materialised view; as the target's role.
prepare() {
  local sql
  [[ -n ${TARGET:-} ]] || return 0
  sql=$(jq -r '.prepare // empty' "$REPO_ROOT/apps/$TARGET/target.json")
  [[ -z $sql ]] || (pg_env app "$1" && psql -qX -v ON_ERROR_STOP=1 -f "$REPO_ROOT/$sql" >&2) || die "$EXIT_FAILED" "$sql failed"
}

main() {
  help_if_asked "$@"
  local database recipe
  PG_PROFILE=$REPO_ROOT/scripts/declared/databases/${DATABASE:?}.json
  PG_BIN=$(dirname "$(command -v psql)") PG_ROOT=/tmp
  # shellcheck source=scripts/datasets/tpch.bash
  source "$REPO_ROOT/scripts/datasets/$(json_get "$PG_PROFILE" .dataset).bash"
  TPCHGEN=$(command -v tpchgen-cli) # the image has its own
  database=$(dataset_database "$SCALE")
  recipe="pglab: complete, recipe $(dataset_recipe)"
  [[ $(marker_of "$database") == "$recipe" ]] || build "$database" "$recipe"
  if [[ $(json_get "$PG_PROFILE" .reset) == clone ]]; then
    copy "$database"
    database=${database}_run
  fi
  prepare "$database"
  printf '%s\n' "$database"
}

main "$@"
