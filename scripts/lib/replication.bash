# shellcheck shell=bash
# The standbys of a replicated cluster: PG_CLUSTER/standby1, standby2 and so on, one for each of STANDBY_PORTS, by streaming
# replication from the primary on PG_DATA. Sourced by postgres.bash; call pg_use first.

STANDBY_PORTS=${STANDBY_PORTS:-54330 54331}
read -r -a PG_PORTS <<<"$PG_PORT $STANDBY_PORTS" # by server: 0 is the primary

# replication_start: the standbys run with the profile's settings, and stream. One that cannot follow is made anew.
replication_start() {
  local port number=0 primary=$PG_PORT
  for port in $STANDBY_PORTS; do
    number=$((number + 1))
    standby_start "$number" "$port" "$primary"
    if ! wait_until 15 "standby$number to stream" standby_streams "$number"; then
      log "postgres: standby$number cannot follow, making it anew"
      standby_drop "$number"
      standby_start "$number" "$port" "$primary"
      wait_until 30 "standby$number to stream" standby_streams "$number" ||
        die "$EXIT_FAILED" "standby$number does not stream: $(tail -n 1 "$PG_CLUSTER/standby$number.log")"
    fi
  done
}

# replication_drop: stops the standbys and deletes them: data is about to be loaded without a log that they could follow.
replication_drop() {
  local port number=0
  for port in $STANDBY_PORTS; do
    number=$((number + 1))
    standby_drop "$number"
  done
}

# pg_server NUMBER: from here on PG_DATA and PG_PORT are those of this standby, or of the primary, which is 0.
pg_server() {
  PG_PORT=${PG_PORTS[$1]} PG_DATA=$PG_CLUSTER/data
  (($1 == 0)) || PG_DATA=$PG_CLUSTER/standby$1
}

# standby_start NUMBER PORT PRIMARY_PORT: copies the primary unless that was done, and brings the standby up.
standby_start() {
  local primary_conninfo conf PG_DATA=$PG_CLUSTER/standby$1 PG_PORT=$2
  pg_credentials
  primary_conninfo="host=127.0.0.1 port=$3 user=pglab_admin password=$PGLAB_ADMIN_PASSWORD application_name=standby$1"
  if [[ ! -f $PG_DATA/standby.signal ]]; then
    rm -rf "$PG_DATA"
    PGPASSWORD=$PGLAB_ADMIN_PASSWORD as_server "$PG_BIN/pg_basebackup" -h 127.0.0.1 -p "$3" -U pglab_admin -D "$PG_DATA" -X stream -c fast 9>&- ||
      die "$EXIT_FAILED" "$PG_DATA: the primary cannot be copied"
    as_server touch "$PG_DATA/standby.signal"
  fi
  conf=$(pg_settings "$(jq -n --arg primary_conninfo "$primary_conninfo" '{$primary_conninfo, wal_retrieve_retry_interval: "500ms"}')" "$PG_MAJOR" "$PG_PORT" "$PG_SCALE")
  pg_start_server "$conf"
}

standby_drop() {
  pg_stop "$PG_CLUSTER/standby$1"
  rm -rf "$PG_CLUSTER/standby$1"
}

# standby_streams NUMBER: true when the primary sends it what it writes; else prints what it does.
standby_streams() {
  local state
  state=$(pg_sql postgres -v name="standby$1" <<<"select state from pg_stat_replication where application_name = :'name'")
  [[ $state == streaming ]] || { echo "standby$1 is ${state:-away}" && false; }
}
