#!/usr/bin/env bash
# Summary: prints the database's own counters as one JSON object (scripts/sql/counters.sql says what each is).
# Usage: scripts/probes/counters.sh [--wait-idle SECONDS | --wait-gone SECONDS]
#
#   --wait-idle SECONDS   first wait until no session of the targets' role runs a statement, SECONDS at most;
#                         then say so on stderr, and print the counters all the same
#   --wait-gone SECONDS   the same until that role has no session any more
#
# Asks the database that PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE name, about the statements of PGUSER.
# When that is the private cluster, or when PGHOST is unset, it asks as pglab_monitor about those of pglab_app.
# COUNTED_ROLE names the role whose statements are wanted, and has them asked of PGHOST whichever cluster that is.
# Statements, WAL and checkpoints are up to date at once; a session publishes its part of "database" when it ends, or
# up to 10 seconds after its last statement.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"

main() {
  help_if_asked "$@"
  local wait_s=0 gone=false app=${COUNTED_ROLE:-${PGUSER:-}} psql=psql
  local -a wait=()
  case "${1:-} $#" in
    " 0") ;;
    "--wait-idle 2") wait_s=$2 ;;
    "--wait-gone 2") wait_s=$2 gone=true ;;
    *) usage_error "unknown arguments: $*" ;;
  esac
  [[ $wait_s =~ ^[0-9]+$ ]] || usage_error "$1 takes whole seconds, not '$wait_s'"
  if [[ -z ${PGHOST:-} || (${PGUSER:-} == pglab_app && -z ${COUNTED_ROLE:-}) ]]; then
    pg_locate
    pg_env_current monitor
    app=pglab_app psql=$PG_BIN/psql
  fi
  ((wait_s == 0)) || wait=(-v wait_s="$wait_s" -v gone="$gone" -f "$REPO_ROOT/scripts/sql/wait.sql")
  # one session for all, as sessions are counted
  "$psql" -XqAt -v ON_ERROR_STOP=1 -v app="$app" "${wait[@]}" -f "$REPO_ROOT/scripts/sql/counters.sql"
}

main "$@"
