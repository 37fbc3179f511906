# shellcheck shell=bash
# The laboratory's private PostgreSQL clusters, one per dataset and topology, at most one of them up.
# Source common.bash first, then call pg_locate, then pg_use PROFILE for all that concerns one cluster. PG_* are set here, and read elsewhere.
# Clients connect by TCP on 127.0.0.1 only, as targets do: there is no unix socket to prefer by accident.

PG_PORT=${PG_PORT:-54329}

# shellcheck source=scripts/lib/installation.bash
source "$REPO_ROOT/scripts/lib/installation.bash"
# shellcheck source=scripts/lib/replication.bash
source "$REPO_ROOT/scripts/lib/replication.bash"
# shellcheck source=scripts/lib/memory.bash
source "$REPO_ROOT/scripts/lib/memory.bash"
# shellcheck source=scripts/lib/juicefs.bash
source "$REPO_ROOT/scripts/lib/juicefs.bash"

# pg_profile NAME: from here on the database is of this profile. Sets PG_PROFILE, its file, PG_DATASET and PG_TOPOLOGY.
pg_profile() {
  PG_PROFILE=$REPO_ROOT/scripts/declared/databases/$1.json
  [[ -f $PG_PROFILE ]] || usage_error "unknown database profile '$1': see scripts/declared/databases/"
  PG_DATASET=$(json_get "$PG_PROFILE" .dataset)
  PG_TOPOLOGY=$(json_get "$PG_PROFILE" .topology)
}

# pg_use PROFILE [SCALE]: from here on the cluster is this database profile's, its data at that scale, 1 unless given.
# Sets what pg_profile does, PG_SCALE, PG_CLUSTER (folder: data/, data.log and those of standbys) and PG_DATA.
pg_use() {
  pg_profile "$1"
  PG_SCALE=${2:-1}
  PG_CLUSTER=$PG_ROOT/$PG_DATASET-$PG_TOPOLOGY
  if [[ $(jq -r .storage "$PG_PROFILE") == juicefs ]]; then
    juicefs_up
    PG_CLUSTER=$JFS_MOUNT/$PG_DATASET-$PG_TOPOLOGY
  fi
  PG_DATA=$PG_CLUSTER/data
}

# pg_credentials: sets PGLAB_ADMIN_PASSWORD, PGLAB_MONITOR_PASSWORD and PGLAB_APP_PASSWORD from
# credentials.env. At first use the file is made from variables of these names, or at random.
pg_credentials() {
  local file=$PG_ROOT/credentials.env name
  if [[ ! -f $file ]]; then
    ! compgen -G "$PG_ROOT/*/data/PG_VERSION" >/dev/null ||
      die "$EXIT_FAILED" "$file is gone, and with it the passwords of the clusters there: delete $PG_ROOT to begin anew"
    (
      umask 077
      for name in PGLAB_{ADMIN,MONITOR,APP}_PASSWORD; do
        printf '%s=%q\n' "$name" "${!name:-$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')}"
      done | write_atomic "$file"
    )
  fi
  # shellcheck source=/dev/null
  source "$file"
}

# pg_init: creates the cluster with its three roles, unless it is there. Passwords go in through the
# single-user server, so that neither a log nor pg_stat_statements sees them.
pg_init() {
  local foreign
  [[ ! -d $PG_DATA ]] || as_server test -w "$PG_DATA" ||
    die "$EXIT_FAILED" "$PG_CLUSTER cannot be written by ${PG_USER:-$(id -un)}: run as the user who made it, or name another folder with PGLAB_DATA"
  pg_credentials
  if [[ -f $PG_DATA/PG_VERSION ]]; then
    local made_by
    made_by=$(<"$PG_DATA/PG_VERSION")
    ((made_by == PG_MAJOR)) ||
      die "$EXIT_FAILED" "$PG_CLUSTER was made by PostgreSQL $made_by, $PG_BIN is $PG_MAJOR: delete that folder, or set PG_BINDIR"
    return
  fi
  log "postgres: creating the cluster $PG_CLUSTER (PostgreSQL $PG_MAJOR)"
  [[ ! -d $PG_CLUSTER ]] || foreign=$(find "$PG_CLUSTER" -mindepth 1 -maxdepth 1 ! -name 'data*' ! -name 'standby*' ! -name '*.log')
  [[ -z ${foreign:-} ]] || die "$EXIT_FAILED" "$PG_CLUSTER has ${foreign%%$'\n'*} in it, which is not ours: PGLAB_DATA must name a folder of its own"
  rm -rf "$PG_CLUSTER"
  (umask 022 && mkdir "$PG_CLUSTER")
  if ((EUID == 0)); then
    chown "$PG_USER" "$PG_CLUSTER"
  fi
  as_server "$PG_BIN/initdb" -D "$PG_DATA.new" -U pglab_admin --auth=reject --locale=C --encoding=UTF8 >/dev/null ||
    die "$EXIT_FAILED" "$PG_CLUSTER: initdb failed"
  as_server "$PG_BIN/postgres" --single -D "$PG_DATA.new" -c password_encryption=scram-sha-256 \
    -c log_checkpoints=off template1 >/dev/null <<SQL
alter role pglab_admin password '${PGLAB_ADMIN_PASSWORD//\'/\'\'}'
create role pglab_monitor login password '${PGLAB_MONITOR_PASSWORD//\'/\'\'}' in role pg_monitor
create role pglab_app login password '${PGLAB_APP_PASSWORD//\'/\'\'}'
SQL
  as_server tee -a "$PG_DATA.new/postgresql.conf" >/dev/null <<<"include = 'pglab.conf'"
  as_server mv "$PG_DATA.new" "$PG_DATA"
}

# pg_settings EXTRA MAJOR PORT SCALE: prints pglab.conf of such a server: what every cluster has, then the profile's settings, then EXTRA (JSON). A setting
# {"mb_per_scale": N} is N times SCALE megabytes, 16 at least; one of EXTRA that is null takes the profile's away. pglab.memory_bytes, which says what the profile lets the server take, is
# no setting of PostgreSQL's: there it is seen by whoever reads the settings.
# pg_stat_statements tracks top-level statements, those that a client sent: they are reconciled with
# requests, and a statement inside a function would be counted twice.
pg_settings() {
  jq -r --argjson extra "$1" --argjson major "$2" --arg port "$3" --argjson scale "$4" '
    { listen_addresses: "127.0.0.1", port: $port, unix_socket_directories: "", max_connections: 300,
      shared_preload_libraries: "pg_stat_statements", "pg_stat_statements.track": "top", compute_query_id: "on",
      password_encryption: "scram-sha-256", timezone: "UTC", log_timezone: "UTC", log_line_prefix: "%m [%p] %u@%d " }
    + .settings + (if .memory then {"pglab.memory_bytes": ((.memory.mb + .memory.mb_per_scale * $scale) * 1048576 | floor)} else {} end) + $extra
    | map_values(if type == "object" then "\([.mb_per_scale * $scale | floor, 16] | max)MB" else . end)
    | if $major < 14 then del(.compute_query_id) else . end
    | to_entries[] | select(.value != null) | "\(.key) = \u0027\(.value | tostring | gsub("\u0027"; "\u0027\u0027"))\u0027"' "$PG_PROFILE"
}

# pg_start [EXTRA]: brings the server up with the profile's settings and EXTRA (JSON object), with which it has no standbys.
pg_start() {
  local conf
  conf=$(pg_settings "${1:-null}" "$PG_MAJOR" "$PG_PORT" "$PG_SCALE")
  if [[ $PG_TOPOLOGY == single ]]; then
    pg_start_server "$conf"
  elif [[ -n ${1:-} ]]; then
    replication_drop
    pg_start_server "$conf"
  else
    pg_start_server "$conf"
    replication_start
  fi
}

# pg_hba ADDRESSES TOPOLOGY: prints pg_hba.conf for clients that are there, and standbys, where there are any. "auth": "trust" lets role app in without a password, to show what
# passwords cost; the roles that may do more give theirs all the same.
pg_hba() {
  [[ $(json_get "$PG_PROFILE" .auth) != trust ]] || echo "host all pglab_app $1 trust"
  echo "host all all $1 scram-sha-256"
  [[ $2 == single ]] || echo "host replication pglab_admin $1 scram-sha-256"
}

# pg_start_server CONF: brings the server on PG_DATA up with that pglab.conf.
# A server that runs with other settings is restarted; one that has these is left alone.
pg_start_server() {
  local conf=$1 hba pid why log_file=$PG_DATA.log
  hba=$(pg_hba 127.0.0.1/32 "$PG_TOPOLOGY")
  if pg_pid "$PG_DATA" >/dev/null; then
    if [[ $conf == "$(<"$PG_DATA/pglab.conf")" && $hba == "$(<"$PG_DATA/pg_hba.conf")" ]]; then
      return
    fi
    pg_stop "$PG_DATA"
  fi
  # The server would take any living process with the pid in a stale file for itself.
  if [[ -f $PG_DATA/postmaster.pid ]] && pid=$(head -n 1 "$PG_DATA/postmaster.pid") && process_lives "$pid"; then
    log "postgres: removing a stale $PG_DATA/postmaster.pid (process $pid is another program)"
    rm "$PG_DATA/postmaster.pid"
  fi
  [[ $log_file != *[\$\`\"\\]* ]] || die "$EXIT_USAGE" "$log_file: pg_ctl cannot write to a path with one of \$ \` \" \\ in it; set PGLAB_DATA to another folder"
  as_server tee "$PG_DATA/pglab.conf" >/dev/null <<<"$conf"
  as_server tee "$PG_DATA/pg_hba.conf" >/dev/null <<<"$hba"
  rm -f "$log_file"
  local -a become=(as_server)
  if [[ $conf =~ pglab\.memory_bytes\ =\ \'([0-9]+) ]]; then
    become=(memory_limited "${BASH_REMATCH[1]}")
    ! why=$(memory_missing) || die "$EXIT_FAILED" "$PG_PROFILE limits the server's memory: $why"
    memory_forget "$PG_DATA"
  fi
  # whoever stops this process group stops the server by its pid file, which pg_ctl waits for
  if ! (trap '' TERM && "${become[@]}" "$PG_BIN/pg_ctl" -D "$PG_DATA" -l "$log_file" -s -w -t 60 start 2>/dev/null 9>&-); then
    ! grep -q 'Address already in use' "$log_file" ||
      die "$EXIT_FAILED" "port $PG_PORT is taken by another program: stop that, or choose another port with PG_PORT"
    die "$EXIT_FAILED" "PostgreSQL did not start: $(grep -E 'FATAL|PANIC|ERROR' "$log_file" | tail -n 1) (see $log_file)"
  fi
}

# pg_stop DATA_DIRECTORY: stops the server there, if one runs.
pg_stop() {
  local pid
  if pid=$(pg_pid "$1"); then
    memory_holds "$pid" || pid=''
    as_server "$PG_BIN/pg_ctl" -D "$1" -s -m fast -w -t 60 stop || die "$EXIT_FAILED" "$1: the server does not stop"
  fi
  memory_release "$pid"
}

# pg_stop_all [BUT]: stops every server of ours, those of the cluster in folder BUT excepted.
pg_stop_all() {
  local file
  for file in "$PG_ROOT"/*/*/postmaster.pid "$PG_ROOT"/juicefs/*/*/postmaster.pid; do
    if [[ -f $file && ${file%/*/*} != "${1:-}" ]]; then
      pg_stop "${file%/*}"
    fi
  done
}

# pg_pid DATA_DIRECTORY: prints the pid of the server that runs there; status 1 when none does.
# A pid alone proves nothing after a reboot, so the process must have been started on that directory.
pg_pid() {
  local pid
  [[ -f $1/postmaster.pid ]] && read -r pid <"$1/postmaster.pid" && [[ " $(process_args "$pid") " == *" $1 "* ]] &&
    printf '%s\n' "$pid"
}

# process_args PID: prints a process's command line; nothing when there is none.
process_args() {
  if [[ -d /proc/self ]]; then
    [[ ! -r /proc/$1/cmdline ]] || tr '\0' ' ' <"/proc/$1/cmdline"
  else
    ps -o args= -p "$1"
  fi
}

# process_lives PID: true for any process, also another user's.
process_lives() { [[ -n $(process_args "$1") ]]; }

# pg_env ROLE DATABASE: exports PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE; ROLE is app, monitor or admin.
pg_env() {
  local password=PGLAB_${1^^}_PASSWORD
  pg_credentials
  [[ $1 == @(app|monitor|admin) ]] || usage_error "unknown role '$1': app, monitor or admin"
  unset PGHOSTADDR PGSERVICE PGOPTIONS PGSSLMODE PGCLIENTENCODING # they would reach past this cluster
  export PGHOST=127.0.0.1 PGPORT=$PG_PORT PGUSER=pglab_$1 PGPASSWORD=${!password} PGDATABASE=$2
}

# pg_current_pid: prints the pid of the server that `database.sh up` brought up last; status 1 when it does not run.
pg_current_pid() {
  [[ -f $PG_ROOT/current.json ]] && pg_pid "$(json_get "$PG_ROOT/current.json" .data_directory)"
}

# pg_current FILTER: prints a value of {"profile","scale","database","port","data_directory"} of the database that is up.
pg_current() {
  pg_current_pid >/dev/null || die "$EXIT_FAILED" "no database is up: scripts/database.sh up tpch"
  json_get "$PG_ROOT/current.json" "$1"
}

# pg_use_current: pg_use for the database that is up, at its port.
pg_use_current() {
  local scale profile
  scale=$(pg_current .scale)
  profile=$(pg_current .profile)
  PG_PORT=$(pg_current .port)
  pg_use "$profile" "$scale"
}

# pg_env_current ROLE: pg_env for the database that is up.
pg_env_current() {
  local place database
  place=$(pg_current '"\(.port) \(.database)"')
  read -r PG_PORT database <<<"$place"
  pg_env "$1" "$database"
}

# pg_sql DATABASE PSQL_OPTION...: psql as admin, bare output, stops at the first error.
pg_sql() (
  pg_env admin "$1"
  shift
  exec "$PG_BIN/psql" -XqAt -v ON_ERROR_STOP=1 "$@"
)

# pg_create_database DATABASE: drops it if it is there and makes it anew, ready for a dataset:
# the app may read and create, and every client may see pg_stat_statements.
pg_create_database() {
  pg_sql postgres -c "set client_min_messages = warning" -c "drop database if exists $1 with (force)" -c "create database $1 template template0" \
    -c "grant create on database $1 to pglab_app"
  pg_sql "$1" -c 'create extension if not exists pg_stat_statements' \
    -c 'alter default privileges in schema public grant select on tables to pglab_app, pglab_monitor'
}
