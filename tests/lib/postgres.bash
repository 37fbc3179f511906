# shellcheck shell=bash
# For bats files that start PostgreSQL: a data folder and a port of their own.

# private_postgres: exports PGLAB_DATA, a new folder that the server's user can enter, and PG_PORT, a free port.
private_postgres() {
  PGLAB_DATA=$(mktemp -d /var/tmp/pglab-test.XXXXXX)
  chmod 755 "$PGLAB_DATA"
  PG_PORT=$(free_port)
  export PGLAB_DATA PG_PORT
}

# free_port: prints a port on which nothing listens, below those that outgoing connections take.
free_port() {
  local port
  for port in $(shuf -i 20000-30000 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      printf '%s\n' "$port"
      return
    fi
  done
  return 1
}

# as_app SQL: bare answer of role app.
as_app() { (eval "$(scripts/database.sh env app)" && psql -XqAt -v ON_ERROR_STOP=1 -c "$1"); }

# as_admin SQL: the same as admin.
as_admin() { (eval "$(scripts/database.sh env admin)" && psql -XqAt -v ON_ERROR_STOP=1 -c "$1"); }

# until_true COMMAND...: repeats it until it succeeds, $LIMIT_S seconds at most, 10 unless set.
until_true() {
  local deadline=$((SECONDS + ${LIMIT_S:-10}))
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

# private_ports: exports free ports for all else that a run locks.
private_ports() {
  TARGET_PORT=$(free_port)
  NULL_PORT=$(free_port)
  CUBE_PORT=$(free_port)
  STANDBY_PORTS="$(free_port) $(free_port)"
  export TARGET_PORT NULL_PORT CUBE_PORT STANDBY_PORTS
}
