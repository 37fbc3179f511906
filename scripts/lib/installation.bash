# shellcheck shell=bash
# The PostgreSQL that is installed here, and where the data of its clusters is. Source common.bash first.
#
#   PGLAB_DATA   where clusters live; default .data/, or /var/tmp/pglab-<hash of the path>
#                when the server's user cannot enter the clone
#   PG_BINDIR    PostgreSQL's programs; default the newest installed

# pg_find_bin: prints the folder of the newest complete installation; status 1 when there is none.
pg_find_bin() {
  local dirs=("${PG_BINDIR:-}") dir program major best=0 newest=''
  if [[ -z ${PG_BINDIR:-} ]]; then
    dirs=(/usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin)
    if have pg_config; then
      dirs+=("$(pg_config --bindir)")
    fi
  fi
  for dir in "${dirs[@]}"; do
    for program in initdb pg_ctl postgres psql pgbench; do
      [[ -x $dir/$program ]] || continue 2
    done
    major=$(pg_major "$dir")
    if ((major > best)); then
      best=$major newest=$dir
    fi
  done
  ((best >= 13)) && printf '%s\n' "$newest"
}

# pg_check_bin: exits with a line when there is no installation, or none where PG_BINDIR says.
pg_check_bin() {
  if ! pg_find_bin >/dev/null; then
    [[ -z ${PG_BINDIR:-} ]] || usage_error "PG_BINDIR is $PG_BINDIR: PostgreSQL 13 or later, with psql and pgbench, is not there"
    die "$EXIT_FAILED" "PostgreSQL 13 or later is missing: run scripts/setup.sh"
  fi
}

# pg_major BINDIR: prints the major version, 15.
pg_major() { "$1/postgres" -V | sed 's/^[^0-9]*\([0-9]*\).*/\1/'; }

# pg_place: sets PG_AS (how to become the server's user; empty unless root) and PG_ROOT, which need not be there yet.
pg_place() {
  PG_AS=()
  if ((EUID == 0)); then # the server refuses to run as root
    PG_USER=postgres
    if ! id "$PG_USER" >/dev/null 2>&1; then
      PG_USER=nobody
    fi
    PG_AS=(setpriv --reuid "$PG_USER" --regid "$(id -g "$PG_USER")" --init-groups --)
  fi
  PG_ROOT=${PGLAB_DATA:-$REPO_ROOT/.data}
  if [[ -z ${PGLAB_DATA:-} ]] && ! as_server test -x "$REPO_ROOT"; then
    PG_ROOT=/var/tmp/pglab-$(sha256_of - <<<"$REPO_ROOT" | cut -c 1-12)
    [[ ! -e $PG_ROOT || -O $PG_ROOT ]] || die "$EXIT_FAILED" "$PG_ROOT belongs to somebody else: name a folder with PGLAB_DATA"
  fi
}

# pg_locate: sets PG_BIN and PG_MAJOR, and what pg_place sets; PG_ROOT is there and can be written.
pg_locate() {
  pg_check_bin
  PG_BIN=$(pg_find_bin)
  # shellcheck disable=SC2034 # for postgres.bash
  PG_MAJOR=$(pg_major "$PG_BIN")
  pg_place
  if ! (umask 022 && mkdir -p "$PG_ROOT" && test -w "$PG_ROOT") 2>/dev/null; then
    die "$EXIT_FAILED" "$PG_ROOT: cannot be written: make it writable, or name another folder with PGLAB_DATA"
  fi
  PG_ROOT=$(cd "$PG_ROOT" && pwd -P)
  as_server test -x "$PG_ROOT" ||
    die "$EXIT_FAILED" "$PG_ROOT: the server's user cannot enter it: name another folder with PGLAB_DATA"
}

# pg_clients FOLDER: sets PG_BIN and PG_ROOT where the server is another machine's, or another container's: to where psql is, and to that folder.
pg_clients() {
  PG_BIN=$(dirname "$(command -v psql)")
  PG_ROOT=$1
}

# as_server COMMAND...: runs it as the server's user, in a folder which that user can enter.
as_server() (cd / && exec "${PG_AS[@]}" "$@")
