# shellcheck shell=bash
# For bats files that need a PostgreSQL with TLS: a server and certificates of their own. Source postgres.bash first.

# as_owner DATABASE PSQL_OPTION...: psql as superuser, over the socket.
as_owner() (
  local database=$1
  shift
  exec env -u PGOPTIONS psql -XqAt -v ON_ERROR_STOP=1 -h "$SOCKETS" -p "$PG_PORT" -U owner -d "$database" "$@"
)

# tls_postgres: starts a server that takes TLS on localhost and sockets in a folder; exports TLS (the folder of certificates), SOCKETS
# (the folder of sockets) and what private_postgres does. Its database `shop` has the roles
#   app        TLS and a password, $SECRET    anyone    the same, and without TLS
#   certified  TLS and a client certificate     blind     as app, but may read nothing
# and the table orders; with search_path=seen, orders is what the asking session is like.
tls_postgres() {
  private_postgres
  export TLS=$PGLAB_DATA/tls SOCKETS="$PGLAB_DATA/a b" SECRET="p@ss:wo\\rd'/1"
  mkdir -m 755 "$TLS" "$SOCKETS"
  certificates
  (
    set -Eeuo pipefail
    # shellcheck source=scripts/lib/common.bash
    source scripts/lib/common.bash
    # shellcheck source=scripts/lib/postgres.bash
    source scripts/lib/postgres.bash
    pg_locate
    mkdir "$PGLAB_DATA/server"
    cp "$TLS"/server.{crt,key} "$TLS/ca.crt" "$PGLAB_DATA/server"
    ((EUID != 0)) || chown -R "$PG_USER" "$PGLAB_DATA/server" "$SOCKETS"
    as_server "$PG_BIN/initdb" -D "$PGLAB_DATA/server/data" -U owner --auth=reject --locale=C --encoding=UTF8 -N >/dev/null
    as_server tee "$PGLAB_DATA/server/data/pg_hba.conf" >/dev/null <<'HBA'
local   all owner trust
local   all all scram-sha-256
hostssl all certified 127.0.0.1/32 cert
host    all anyone 127.0.0.1/32 scram-sha-256
hostssl all all 127.0.0.1/32 scram-sha-256
HBA
    as_server tee -a "$PGLAB_DATA/server/data/postgresql.conf" >/dev/null <<CONF
listen_addresses = '127.0.0.1'
port = $PG_PORT
unix_socket_directories = '"$SOCKETS"'
ssl = on
ssl_cert_file = '$PGLAB_DATA/server/server.crt'
ssl_key_file = '$PGLAB_DATA/server/server.key'
ssl_ca_file = '$PGLAB_DATA/server/ca.crt'
log_connections = on
fsync = off
CONF
    as_server "$PG_BIN/pg_ctl" -D "$PGLAB_DATA/server/data" -l "$PGLAB_DATA/server/log" -s -w -t 30 start 3>&-
  )
  as_owner postgres -c 'create database shop'
  as_owner shop -v password="$SECRET" <<'SQL'
create role app login password :'password';
create role anyone login password :'password';
create role blind login password :'password';
create role certified login;
create table orders (o_orderstatus text, o_orderdate date, o_totalprice numeric(12,2));
insert into orders values ('F', '1992-01-01', 10.50), ('O', '1993-01-01', 0.01);
create schema seen;
create view seen.orders as
  select concat_ws(' ', current_setting('transaction_read_only'), coalesce(version, 'no TLS'), coalesce(client_dn, 'no certificate')) as o_orderstatus,
    date '2000-01-01' as o_orderdate, 1.00::numeric(12,2) as o_totalprice
  from pg_stat_ssl where pid = pg_backend_pid();
grant usage on schema seen to public;
grant select on orders, seen.orders to app, anyone, certified;
grant create on database shop to app;
SQL
}

# tls_postgres_down: stops the server and removes everything.
tls_postgres_down() {
  local pid
  pid=$(head -n 1 "$PGLAB_DATA/server/data/postmaster.pid")
  kill -INT "$pid"
  until_true bash -c "! kill -0 $pid 2>/dev/null"
  rm -rf "$PGLAB_DATA"
}

# certificates: an authority (ca), a server's by the name localhost, a client's by the name certified, another authority (other), and
# a list by which the server's is revoked (revoked.crl).
certificates() (
  cd "$TLS" || exit 1
  local key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes) name common
  for name in ca other; do
    openssl req -x509 "${key[@]}" -keyout "$name.key" -out "$name.crt" -subj "/CN=$name" -days 2
  done
  for name in server:localhost client:certified; do
    common=${name#*:} name=${name%:*}
    openssl req -new "${key[@]}" -keyout "$name.key" -out "$name.csr" -subj "/CN=$common"
    openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -out "$name.crt" -days 2 \
      -extfile <(echo "subjectAltName=DNS:$common")
  done
  : >index
  printf '%s\n' '[ca]' 'default_ca=test' '[test]' "database=$TLS/index" "certificate=$TLS/ca.crt" "private_key=$TLS/ca.key" \
    'default_md=sha256' 'default_crl_days=2' >ca.cnf
  openssl ca -config ca.cnf -revoke server.crt
  openssl ca -config ca.cnf -gencrl -out revoked.crl
) >"$PGLAB_DATA/openssl.log" 2>&1
