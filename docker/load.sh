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
# shellcheck source=scripts/datasets/loader.bash
source "$REPO_ROOT/scripts/datasets/loader.bash"

# pg_env ROLE DATABASE: as in postgres.bash, of the server beside this container.
pg_env() {
  local password=PGLAB_${1^^}_PASSWORD
  export PGUSER=pglab_$1 PGPASSWORD=${!password} PGDATABASE=$2
}

# Its settings are the server's own affair.
serve() { :; }

# prepare DATABASE: what the target wants of its own, such as a materialised view; as the target's role.
prepare() {
  local sql
  [[ -n ${TARGET:-} ]] || return 0
  sql=$(jq -r '.prepare // empty' "$REPO_ROOT/apps/$TARGET/target.json")
  [[ -z $sql ]] || (pg_env app "$1" && psql -qX -v ON_ERROR_STOP=1 -f "$REPO_ROOT/$sql" >&2) || die "$EXIT_FAILED" "$sql failed"
}

main() {
  help_if_asked "$@"
  pg_profile "${DATABASE:?}"
  pg_clients /tmp
  # shellcheck source=scripts/datasets/tpch.bash
  source "$REPO_ROOT/scripts/datasets/$PG_DATASET.bash"
  TPCHGEN=$(command -v tpchgen-cli) # the image has its own
  dataset_ready "${SCALE:?}"
  prepare "$DATABASE"
  printf '%s\n' "$DATABASE"
}

main "$@"
