#!/usr/bin/env bash
# Summary: prints the database's own counters as one JSON object (scripts/sql/counters.sql says what each is).
# Usage: scripts/counters.sh [--wait-idle SECONDS]
#
#   --wait-idle SECONDS   first wait until no session of the targets' role runs a statement, SECONDS at most;
#                         then say so on stderr, and print the counters all the same
#
# Asks the database that PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE name, about the statements of PGUSER.
# When that is the private cluster, or when PGHOST is unset, it asks as pglab_monitor about those of pglab_app.
# COUNTED_ROLE names another role than PGUSER whose statements are wanted.
# Statements, WAL and checkpoints are up to date at once; a session publishes its part of "database" when it ends, or
# up to 10 seconds after its last statement.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"

ask() { "$PSQL" -XqAt -v ON_ERROR_STOP=1 -v app="$APP" "$@"; }

# Prints what still runs and fails, or succeeds. Asked from another database of the private cluster, so as not to open sessions in
# the one that is measured.
idle() {
  local busy
  busy=$(PGDATABASE=$IDLE_FROM ask <<<"select count(*) from pg_stat_activity where usename = :'app' and state <> 'idle' and pid <> pg_backend_pid()")
  [[ $busy == 0 ]] || { echo "$busy sessions are busy" && false; }
}

main() {
  help_if_asked "$@"
  local wait_s=0
  case "${1:-} $#" in
    " 0") ;;
    "--wait-idle 2") wait_s=$2 ;;
    *) usage_error "unknown arguments: $*" ;;
  esac
  [[ $wait_s =~ ^[0-9]+$ ]] || usage_error "--wait-idle takes whole seconds, not '$wait_s'"
  APP=${COUNTED_ROLE:-${PGUSER:-}} PSQL=psql
  if [[ -z ${PGHOST:-} || ${PGUSER:-} == pglab_app ]]; then
    pg_locate
    pg_env_current monitor
    APP=pglab_app PSQL=$PG_BIN/psql IDLE_FROM=postgres
  fi
  if ((wait_s > 0)); then
    wait_until "$wait_s" "the sessions of $APP to be idle" idle || log "counting all the same"
  fi
  ask -f "$REPO_ROOT/scripts/sql/counters.sql"
}

main "$@"
