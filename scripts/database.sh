#!/usr/bin/env bash
# Summary: the private PostgreSQL cluster and its datasets: loads what is missing, starts, stops, reports its status.
# Usage: scripts/database.sh up PROFILE [--scale N]   PROFILE: a file in scripts/declared/databases/
#        scripts/database.sh check                    counts rows and compares answers of the database that is up
#        scripts/database.sh env ROLE                 app, monitor or admin; eval "$(scripts/database.sh env app)"
#        scripts/database.sh status | down
#
#   --scale N   size of the dataset, 1 unless given; tpch: the scale factor, 0.01 or 0.1 to 100
#
# PGLAB_DATA (where the data lives), PG_PORT (54329), STANDBY_PORTS ("54330 54331") and PG_BINDIR (PostgreSQL's programs) may
# be set.
# A run's database is left alone: `up` and `down` refuse while one is under way.
# A dataset stays for the next time. One that was not loaded to the end, or by another recipe, is loaded again. Trials that
# write do so in a copy: where the profile says "reset": "clone", each `up` creates a fresh <database>_run and serves that.
# The first `up tpch` takes about a minute, later ones about a second.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash" # where a run's locks are looked for
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"
# shellcheck source=scripts/datasets/loader.bash
source "$REPO_ROOT/scripts/datasets/loader.bash"

# Whatever ends a load before its time, nothing of it goes on: without the server the loading sessions end too.
on_exit() {
  if $BUILDING; then
    log "stopped before the end; nothing half-loaded will be used"
    [[ -z ${DATASET_JOBS[*]} ]] || kill "${DATASET_JOBS[@]}" 2>/dev/null || log "(one of the sessions had ended)"
    pg_stop "$PG_DATA"
    [[ -z $DATASET_SPOOL ]] || rm -rf "$DATASET_SPOOL"
  fi
}

serve() { pg_start "$@"; }

up() {
  local profile=$1 scale=$2
  pg_use "$profile" "$scale"
  # shellcheck source=scripts/datasets/tpch.bash
  source "$REPO_ROOT/scripts/datasets/$PG_DATASET.bash"
  dataset_database "$scale" >/dev/null # a scale that makes no sense is refused before anything is started
  exec 9>"$PG_ROOT/up.lock"            # closed when this script ends; pg_start keeps it from the server
  lock_fd 9
  pg_stop_all "$PG_CLUSTER"
  [[ $(jq -r .storage "$PG_PROFILE") == juicefs ]] || juicefs_down
  pg_init
  serve
  dataset_ready "$scale"
  jq -n --arg profile "$profile" --arg scale "$scale" --arg database "$DATABASE" --arg port "$PG_PORT" --arg data "$PG_DATA" \
    '{$profile, scale: ($scale | tonumber), $database, port: ($port | tonumber), data_directory: $data}' |
    write_atomic "$PG_ROOT/current.json"
}

check() {
  local database
  pg_use_current
  # shellcheck source=scripts/datasets/tpch.bash
  source "$REPO_ROOT/scripts/datasets/$PG_DATASET.bash"
  database=$(dataset_database "$PG_SCALE")
  dataset_check "$database" "$PG_SCALE"
  log "$database: as it should be"
}

env_of() {
  local name
  pg_env_current "$1"
  for name in PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE; do
    printf 'export %s=%q\n' "$name" "${!name}"
  done
  # psql and pgbench of the server's own version, also where they are not on the PATH
  [[ :$PATH: == *:$PG_BIN:* ]] || echo "export PATH=$(printf %q "$PG_BIN"):\"\$PATH\""
}

# standby_pids: prints the pids of the standbys that run as a JSON array.
standby_pids() {
  local folder
  for folder in "$(json_get "$PG_ROOT/current.json" '.data_directory | split("/")[:-1] | join("/")')"/standby*/; do
    [[ ! -d $folder ]] || pg_pid "${folder%/}" || continue
  done | jq -cn '[inputs]'
}

# {"running":bool} and, when it runs, the server's pid and what pg_current knows.
status() {
  local pid
  if pid=$(pg_current_pid); then
    jq --argjson pid "$pid" --argjson standbys "$(standby_pids)" --argjson storage "$(juicefs_pid || echo null)" \
      '{running: true, $pid, $standbys, $storage} + .' "$PG_ROOT/current.json"
  else
    jq -n '{running: false}'
  fi
}

main() {
  help_if_asked "$@"
  trap on_exit EXIT
  # without PostgreSQL no server of ours can run
  [[ "$*" != down ]] || pg_find_bin >/dev/null || return 0
  pg_locate
  [[ ! ${1:-} =~ ^(up|down)$ ]] || lock_refuse_run
  case "${1:-} $#" in
    "up 2") up "$2" 1 ;;
    "up 4")
      [[ $3 == --scale ]] || usage_error "unknown option $3"
      up "$2" "$4"
      ;;
    "check 1") check ;;
    "env 2") env_of "$2" ;;
    "status 1") status ;;
    "down 1")
      pg_stop_all
      juicefs_down
      ;;
    "up 1") usage_error "up which PROFILE? There are scripts/declared/databases/*.json" ;;
    *) usage_error "which verb? up PROFILE [--scale N], check, env ROLE, status or down" ;;
  esac
}

main "$@"
