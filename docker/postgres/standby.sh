#!/usr/bin/env bash
# The entrypoint of a standby: where there is no copy of the primary it makes one; then the server runs and follows as STANDBY.
# STANDBY, PGDATA and PGPASSWORD (role pglab_admin's) come from the environment.
set -Eeuo pipefail

primary=$(psql -XqAt -h postgres -U pglab_admin -d postgres -c 'select system_identifier from pg_control_system()')
copied_from=''
# The signal file is written at the end of a copy: without it, what is there was cut short.
[[ ! -f $PGDATA/standby.signal ]] || copied_from=$(pg_controldata | sed -n 's/^Database system identifier: *//p')
if [[ $copied_from != "$primary" ]]; then
  find "$PGDATA" -mindepth 1 -delete
  chmod 700 "$PGDATA"
  pg_basebackup -d "host=postgres user=pglab_admin application_name=$STANDBY" -D "$PGDATA" --write-recovery-conf -X stream -c fast
fi
exec "$@"
