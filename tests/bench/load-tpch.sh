#!/usr/bin/env bash
# Summary: loads TPC-H by our recipe and naively, one after the other on the same cluster, and prints both times.
# Usage: tests/bench/load-tpch.sh [--scale N]    scale factor 1 unless given; about 4 minutes and 5 GB below /var/tmp
#
# recipe   scripts/database.sh up in an empty data folder: creating the cluster, loading, verifying
# naive    one psql: tables with their keys, then one table after the other by \copy from the same generator, then
#          vacuum analyze; with the server's default WAL and the same memory; the cluster is there already
# ready    scripts/database.sh up with the data there and the server stopped: the slowest of five
#
# Exit 1 unless the recipe takes at most half the naive time and ready is under 3 s.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/datasets/tpch.bash
source "$REPO_ROOT/scripts/datasets/tpch.bash"
# shellcheck source=tests/lib/postgres.bash
source "$REPO_ROOT/tests/lib/postgres.bash"

database_sh() { "$REPO_ROOT/scripts/database.sh" "$@"; }

# seconds_of COMMAND...: prints how long it took, in seconds.
seconds_of() {
  local started
  started=$(now_us)
  "$@"
  seconds_since "$started"
}

naive_load() {
  local table
  pg_create_database naive
  {
    for table in region nation supplier customer part partsupp orders lineitem; do
      cat "$TPCH_SQL/tables/$table.sql"
    done
    cat "$TPCH_SQL/keys.sql" "$TPCH_SQL/lineitem-key.sql" "$TPCH_SQL/lineitem-references.sql"
    for table in region nation supplier customer part partsupp orders lineitem; do
      printf "\\\\copy %s from program '\"%s\" csv --scale-factor %s --tables %s --stdout --quiet' with (format csv, header)\n" \
        "$table" "$TPCHGEN" "$1" "$table"
    done
    echo 'vacuum analyze;'
  } | pg_sql naive
}

slowest_start() {
  local round
  for round in 1 2 3 4 5; do
    database_sh down
    log "ready, round $round"
    seconds_of database_sh up tpch --scale "$1"
  done | sort -n | tail -n 1
}

clean_up() {
  database_sh down
  rm -rf "$PGLAB_DATA"
}

main() {
  help_if_asked "$@"
  local scale=1 recipe ready naive
  case "${1:-} $#" in
    " 0") ;;
    "--scale 2") scale=$2 ;;
    *) usage_error "unknown arguments: $*" ;;
  esac
  private_postgres
  trap clean_up EXIT
  recipe=$(seconds_of database_sh up tpch --scale "$scale")
  ready=$(slowest_start "$scale")
  pg_locate
  pg_use tpch
  log "naive: loading"
  naive=$(seconds_of naive_load "$scale")
  dataset_check naive "$scale"
  jq -n --argjson scale "$scale" --argjson recipe "$recipe" --argjson naive "$naive" --argjson ready "$ready" '
    {$scale, recipe_s: $recipe, naive_s: $naive, ratio: ($recipe / $naive * 100 | round / 100), ready_s: $ready}'
  jq -en "$recipe <= $naive / 2 and $ready < 3" >/dev/null || die "$EXIT_INVALID" "the recipe must take at most half the naive time, ready under 3 s"
}

main "$@"
