#!/usr/bin/env bash
# What the project relies on in the official postgres image's entrypoint, and no more: POSTGRES_USER, POSTGRES_PASSWORD,
# POSTGRES_DB and POSTGRES_INITDB_ARGS on an empty PGDATA, /docker-entrypoint-initdb.d/*.{sh,sql} against a server that only
# listens on its socket, and every option of the command also given to that server.
set -Eeuo pipefail

run_script() {
  case $1 in
    *.sh) "$1" ;;
    *.sql) psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f "$1" ;;
  esac
}

initialise() {
  local file
  local -a arguments
  : "${POSTGRES_PASSWORD:?must be set}"
  read -r -a arguments <<<"${POSTGRES_INITDB_ARGS:-}"
  initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") "${arguments[@]}"
  printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w -o "$(printf '%q ' "$@" -c listen_addresses=)" start
  [[ $POSTGRES_DB == postgres ]] || createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  for file in /docker-entrypoint-initdb.d/*; do
    [[ ! -e $file ]] || run_script "$file"
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
}

main() {
  if [[ $1 == postgres ]]; then
    export POSTGRES_USER=${POSTGRES_USER:-postgres}
    export POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
    [[ -s $PGDATA/PG_VERSION ]] || initialise "${@:2}"
  fi
  exec "$@"
}

main "$@"
