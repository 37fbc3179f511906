# shellcheck shell=bash
# shellcheck disable=SC2034 # others read it
# Loads a dataset, unless it is there: the same for every stack. Source postgres.bash and the dataset's own file first; PG_PROFILE is the file of the database
# profile. Whoever sources this brings serve [SETTINGS]: the server runs with these settings (JSON), without them with the profile's own.

# What a load that is stopped has to end and to remove, as the dataset says while it builds.
DATASET_JOBS=()  # processes that load
DATASET_SPOOL='' # their folder for intermediate files
BUILDING=false

# dataset_ready SCALE: DATABASE is the one to be asked, which has the dataset, complete and checked. Of a profile whose trials write ("reset": "clone") it is
# a fresh copy.
dataset_ready() {
  local recipe
  DATABASE=$(dataset_database "$1")
  recipe="pglab: complete, recipe $(dataset_recipe)"
  [[ $(_marker_of "$DATABASE") == "$recipe" ]] || _build "$DATABASE" "$1" "$recipe"
  [[ $(json_get "$PG_PROFILE" .reset) == clone ]] || return 0
  _copy "$DATABASE"
  DATABASE=${DATABASE}_run
}

# The marker that a dataset is complete is a comment on its database, committed last of all.
# _marker_of DATABASE: prints it; nothing when there is no such database or no marker.
_marker_of() {
  pg_sql postgres -v name="$1" <<<"select shobj_description(oid, 'pg_database') from pg_database where datname = :'name'"
}

# _build DATABASE SCALE RECIPE
_build() {
  local started
  started=$(now_us)
  log "$1: loading, $(jq -r -L "$REPO_ROOT/scripts/jq" --argjson scale "$2" 'include "data"; include "words";
    "\(database_bytes($scale) | megabytes) on the disk, about \(loading_s($scale) | duration)"' "$PG_PROFILE")"
  BUILDING=true
  serve "$(dataset_load_settings)"
  pg_create_database "$1"
  dataset_build "$1" "$2"
  serve
  dataset_check "$1" "$2"
  pg_sql postgres -c "comment on database $1 is '$3'"
  BUILDING=false
  log "$1: loaded and verified in $(seconds_since "$started") s"
}

# _copy DATABASE: makes DATABASE_run anew, for trials to write to. Before PostgreSQL 15 copying files was the only strategy.
_copy() {
  local strategy=''
  (($(pg_sql postgres -c 'show server_version_num') < 150000)) || strategy='strategy file_copy'
  pg_sql postgres -c 'set client_min_messages = warning' -c "drop database if exists $1_run with (force)" \
    -c "create database $1_run template $1 $strategy" -c "grant create on database $1_run to pglab_app"
  dataset_prepare_copy "$1_run"
}
