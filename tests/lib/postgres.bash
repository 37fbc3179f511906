# shellcheck shell=bash
# For bats files that start PostgreSQL: a data folder and ports of their own.

# private_postgres: exports PGLAB_DATA, a new folder that the server's user can enter, and private_ports.
private_postgres() {
  PGLAB_DATA=$(mktemp -d /var/tmp/pglab-test.XXXXXX)
  chmod 755 "$PGLAB_DATA"
  export PGLAB_DATA
  private_ports
}

# private_ports: exports free ports for all that listens in a run, so that it shares no lock with another.
private_ports() {
  local ports
  ports=$(free_ports 6)
  # shellcheck disable=SC2086 # one word each
  set -- $ports
  export PG_PORT=$1 TARGET_PORT=$2 NULL_PORT=$3 CUBE_PORT=$4 STANDBY_PORTS="$5 $6"
}

# free_port: prints a port on which nothing listens.
free_port() { free_ports 1; }

# free_ports N: prints N of them, below those that outgoing connections take. Each is reserved for three hours: tests that run side by side
# draw ports before they listen on them.
free_ports() {
  local port left=$1 reserved=/tmp/pglab-test-ports
  [[ -d $reserved ]] || mkdir -m 1777 "$reserved" || [[ -d $reserved ]] || return 1
  for port in $(shuf -i 20000-30000 -n 500); do
    if reserve_port "$reserved/$port" && ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      printf '%s\n' "$port"
      left=$((left - 1))
      ((left > 0)) || return 0
    fi
  done
  return 1
}

# reserve_port FOLDER: makes it, or takes over one that is three hours old.
reserve_port() {
  mkdir "$1" 2>/dev/null || { [[ -n $(find "$1" -maxdepth 0 -mmin +180 2>/dev/null) ]] && touch "$1"; }
}

# as_app SQL: bare answer of role app.
as_app() { (eval "$(scripts/database.sh env app)" && psql -XqAt -v ON_ERROR_STOP=1 -c "$1"); }

# as_admin SQL: the same as admin.
as_admin() { (eval "$(scripts/database.sh env admin)" && psql -XqAt -v ON_ERROR_STOP=1 -c "$1"); }

# until_true COMMAND...: repeats it until it succeeds, $LIMIT_S seconds at most, 60 unless set.
until_true() {
  local deadline=$((SECONDS + ${LIMIT_S:-60}))
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}
