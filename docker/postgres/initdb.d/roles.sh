#!/usr/bin/env bash
# The roles of the laboratory beside its administrator; run once, by the postgres image, when the volume is empty.
set -Eeuo pipefail

psql -XqAt -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\set monitor `printf %s "$PGLAB_MONITOR_PASSWORD"`
\set app `printf %s "$PGLAB_APP_PASSWORD"`
set synchronous_commit = local; -- there are no standbys yet
create role pglab_monitor login password :'monitor' in role pg_monitor;
create role pglab_app login password :'app';
SQL
