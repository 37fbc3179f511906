#!/usr/bin/env bats
# --dsn against a server with TLS: what libpq takes is taken, what it refuses is refused, and each driver does as libpq does.
bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  load ../lib/postgres.bash
  load ../lib/tls.bash
  tls_postgres
  # nothing of whoever runs the tests: neither variables nor ~/.postgresql
  unset "${!PGSSL@}" PGOPTIONS PGSERVICE PGPASSFILE PGAPPNAME PGCONNECT_TIMEOUT
  XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache} HOME=$PGLAB_DATA ENCODED=$(node -p 'encodeURIComponent(process.argv[1])' "$SECRET")
  URI=postgresql://app:$ENCODED@localhost:$PG_PORT/shop
  SECURE="sslmode=verify-full&sslrootcert=$TLS/ca.crt"
  CERTIFIED="postgresql://certified@localhost:$PG_PORT/shop?$SECURE&sslcert=$TLS/client.crt&sslkey=$TLS/client.key"
  SEEN="options=-c%20search_path%3Dseen"
  export XDG_CACHE_HOME HOME ENCODED URI SECURE CERTIFIED SEEN
}

teardown_file() {
  load ../lib/postgres.bash
  load ../lib/tls.bash
  tls_postgres_down
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source scripts/lib/common.bash
  load ../lib/whole-run.bash
  load ../lib/postgres.bash
  load ../lib/tls.bash
}

teardown() {
  [[ -z ${STARTED:-} ]] || ! kill -0 "$STARTED" 2>/dev/null || kill -KILL "$STARTED"
}

# resolved DSN: exports what scripts/probes/dsn.sh prints for it.
resolved() {
  local assignments
  assignments=$(EXTERNAL_DSN=$1 scripts/probes/dsn.sh)
  use_exports "$assignments"
}

# forget: what was resolved, so that the next is resolved without it
forget() { unset PGHOST PGHOSTADDR PGPORT PGUSER PGPASSWORD PGDATABASE PGOPTIONS PGGSSENCMODE "${!PGSSL@}"; }

# connection FILTER: of what is recorded
connection() { jq -r "$1" <<<"$PGLAB_CONNECTION"; }

# quoted VALUE: as keyword=value has it
quoted() {
  local value=${1//\\/\\\\}
  printf "'%s'" "${value//\'/\\\'}"
}

# refused EXIT_CODE TEXT DSN: one line, which says TEXT and not the password
refused() {
  EXTERNAL_DSN=$3 run scripts/probes/dsn.sh
  echo "$output"
  [ "$status" -eq "$1" ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == "error: --dsn: "*"$2"* ]]
  [[ $output != *"$SECRET"* && $output != *"$ENCODED"* ]]
}

# seen: what a session is like that libpq opens by the resolved variables
seen() { psql -XwqAtc 'select o_orderstatus from seen.orders'; }

listens() { (exec 4<>"/dev/tcp/127.0.0.1/$TARGET_PORT") 2>/dev/null; }

# ask TARGET [NAME=VALUE...]: starts it with the variables that were resolved, and these; what the session is like in which it asks
# for the analytics, or what it says when it ends instead
ask() {
  local argv answer target=$1 log=$BATS_TEST_TMPDIR/log
  shift
  argv=$(jq -r '.processes[-1].argv[]' "apps/$target/target.json")
  mapfile -t argv <<<"$argv"
  env PORT="$TARGET_PORT" POOL_SIZE=2 "$@" "${argv[@]}" >"$log" 2>&1 3>&- &
  STARTED=$!
  LIMIT_S=60 until_true answers_or_ended "$STARTED"
  if answer=$(curl -sf "http://127.0.0.1:$TARGET_PORT/analytics"); then jq -r '.[].status' <<<"$answer"; else cat "$log"; fi
  ! kill "$STARTED" 2>/dev/null || wait "$STARTED"
}

answers_or_ended() { ! kill -0 "$1" 2>/dev/null || curl -sf -o /dev/null "http://127.0.0.1:$TARGET_PORT/healthz"; }

# sees TARGET WHAT NAME=VALUE...: it starts, and that is what its session is like
sees() {
  local target=$1 what=$2
  shift 2
  run ask "$target" "$@"
  echo "$target $*: $output"
  [ "$output" = "$what" ]
}

# is_secure TARGET: it takes TLS, certificates, the password and the DSN's options as libpq does, and refuses what libpq refuses
is_secure() {
  resolved "$URI?$SECURE&$SEEN"
  sees "$1" "on TLSv1.3 no certificate"
  sees "$1" "on TLSv1.3 /CN=certified" PGSSLMODE=verify-ca PGHOST=127.0.0.1 PGUSER=certified PGSSLCERT="$TLS/client.crt" PGSSLKEY="$TLS/client.key"
  sees "$1" "on TLSv1.3 no certificate" PGSSLMODE=require PGSSLROOTCERT='' PGHOST=127.0.0.1
  refuses "$1" PGHOST=127.0.0.1
  refuses "$1" PGSSLROOTCERT="$TLS/other.crt"
}

# refuses TARGET NAME=VALUE...: it does not start, because of the server's certificate
refuses() {
  run ask "$@"
  echo "$*: $output"
  [[ $output =~ error:\ $1\ cannot\ start:.*(certificat|self-signed|hostname|SSL\ handshake\ failed) ]]
}

# logged NAME: how the server let in the sessions of that application
logged() { sed -n "s/.*connection authorized: .* application_name=$1 \\(SSL enabled (protocol=[^,]*\\).*/\\1/p" "$PGLAB_DATA/server/log" | sort -u; }

# skipped DSN: the targets that an experiment with all drivers leaves out for it, and why
skipped() {
  local run=$BATS_TEST_TMPDIR/run
  mkdir -p "$run"
  jq '.cells[0].targets += ["postgres"] | .cells[0].tools += ["pgbench"]' scripts/declared/experiments/drivers.json >"$run/experiment.json"
  jq -n '{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, url: null, dsn: true, allow_writes: true, stack: "external"}' >"$run/options.json"
  EXTERNAL_DATABASE=$(EXTERNAL_DSN=$1 scripts/probes/dsn.sh) scripts/stages/plan.sh "$run" 2>&1
  jq -r '.skipped | to_entries[] | "\(.key): \(.value)"' "$run/plan.json"
}

# leaks FILE: processes whose arguments have a line of FILE
leaks() { grep -Ff "$1" <(ps -axww -o args=); }

# bats test_tags=quick
@test "verify-full takes the right name, and refuses a wrong one, another authority and a revoked certificate" {
  resolved "$URI?$SECURE"
  [ "$PGHOST $PGPORT $PGUSER $PGDATABASE $PGSSLMODE $PGSSLROOTCERT" = "localhost $PG_PORT app shop verify-full $TLS/ca.crt" ]
  [ "$(connection '"\(.sslmode) \(.tls.version) \(.tls.verified)"')" = "verify-full TLSv1.3 chain and name" ]
  [[ $(connection .tls.cipher) == TLS_* ]]
  [ "$(seen)" = "on TLSv1.3 no certificate" ]
  forget
  EXTERNAL_FOLDER=$TLS resolved "$URI?sslmode=verify-full&sslrootcert=ca.crt"
  [ "$PGSSLROOTCERT" = "$TLS/ca.crt" ]
  forget
  refused 2 'does not match host name "127.0.0.1"' "${URI/localhost/127.0.0.1}?$SECURE"
  refused 2 "certificate verify failed" "$URI?sslmode=verify-full&sslrootcert=$TLS/other.crt"
  refused 2 "root certificate file" "$URI?sslmode=verify-full"
  refused 2 "certificate verify failed" "$URI?$SECURE&sslcrl=$TLS/revoked.crl"
  refused 64 "sslrootcert=$TLS/none.crt: there is no such file" "$URI?sslmode=require&sslrootcert=$TLS/none.crt"
}

# bats test_tags=quick
@test "a client certificate that is demanded is shown" {
  resolved "$CERTIFIED"
  [ "$(seen)" = "on TLSv1.3 /CN=certified" ]
  forget
  refused 2 "connection requires a valid client certificate" "postgresql://certified@localhost:$PG_PORT/shop?$SECURE"
}

# bats test_tags=quick
@test "what libpq warns of is no part of the answer" {
  install -m 644 /dev/null "$HOME/.pgpass"
  run -0 psql -XwqAtc 'select 1' "$CERTIFIED"
  [[ $output == "WARNING: password file "* ]]
  resolved "$CERTIFIED"
  rm "$HOME/.pgpass"
  [ "$(seen)" = "on TLSv1.3 /CN=certified" ]
}

@test "sslmode: prefer and allow become what libpq made of them; require verifies where there is a root certificate" {
  resolved "${URI/app/anyone}"
  [ "$PGSSLMODE $(connection '"\(.sslmode) \(.tls.verified)"')" = "require prefer no" ]
  forget
  resolved "${URI/app/anyone}?sslmode=allow"
  [ "$PGSSLMODE $(connection .tls)" = "disable null" ]
  forget
  resolved "$URI?sslmode=allow"
  [ "$PGSSLMODE $(connection .tls.verified)" = "require no" ]
  forget
  refused 2 "no encryption" "$URI?sslmode=disable"
  mkdir "$HOME/.postgresql"
  cp "$TLS/ca.crt" "$HOME/.postgresql/root.crt"
  resolved "$URI?sslmode=require"
  [ "$PGSSLROOTCERT $(connection .tls.verified)" = "$HOME/.postgresql/root.crt chain" ]
  forget
  cp "$TLS/other.crt" "$HOME/.postgresql/root.crt"
  refused 2 "certificate verify failed" "$URI?sslmode=require"
  rm -r "$HOME/.postgresql"
}

@test "a unix socket, by keyword and in a URI" {
  resolved "host=$(quoted "$SOCKETS") port=$PG_PORT user=app dbname=shop password=$(quoted "$SECRET") sslmode=verify-full"
  [ "$PGHOST $PGSSLMODE $(connection .tls)" = "$SOCKETS disable null" ]
  forget
  local folder=${SOCKETS//\//%2F}
  resolved "postgresql://app:$ENCODED@${folder// /%20}:$PG_PORT/shop?sslmode=require"
  [ "$PGHOST $PGPORT" = "$SOCKETS $PG_PORT" ]
  [ "$(seen)" = "on no TLS no certificate" ]
}

# bats test_tags=quick
@test "of a list of hosts the one that answered" {
  resolved "postgresql://app:$ENCODED@127.0.0.1:1,localhost:$PG_PORT/shop?$SECURE&target_session_attrs=read-write"
  [ "$PGHOST $PGPORT ${PGTARGETSESSIONATTRS:-none}" = "localhost $PG_PORT none" ]
  forget
  resolved "host=127.0.0.1,localhost hostaddr=127.0.0.1,127.0.0.1 port=1,$PG_PORT user=app dbname=shop password=$(quoted "$SECRET") ${SECURE/&/ }"
  [ "$PGHOST $PGHOSTADDR $PGPORT" = "localhost 127.0.0.1 $PG_PORT" ]
}

@test "a service, and variables for what is left open" {
  printf '%s\n' '# mine' '[other]' 'host=127.0.0.1' 'port=1' '[shop]' 'host=localhost' "port=$PG_PORT" 'dbname=shop' 'user=nobody' \
    'sslmode=verify-full' >"$BATS_TEST_TMPDIR/services"
  export PGSERVICEFILE=$BATS_TEST_TMPDIR/services
  refused 64 "there is no service none in $PGSERVICEFILE" "service=none"
  PGPASSWORD=$SECRET PGSSLROOTCERT=$TLS/ca.crt PGSSLMODE=disable resolved "service=shop user=app"
  [ "$PGHOST $PGPORT $PGUSER $PGDATABASE $PGSSLMODE" = "localhost $PG_PORT app shop verify-full" ]
  forget
  PGPASSWORD=$SECRET PGSSLROOTCERT=$TLS/ca.crt PGSERVICE=shop PGHOST=nowhere PGUSER=app resolved "user=anyone"
  [ "$PGHOST $PGUSER" = "localhost anyone" ]
}

@test "options are kept, and cannot undo that sessions are read-only" {
  resolved "$URI?$SECURE&$SEEN"
  [ "$PGOPTIONS" = "-c search_path=seen -c default_transaction_read_only=on" ]
  run ! psql -Xwqc 'create table public.mine ()'
  [[ $output == *"cannot execute CREATE TABLE in a read-only transaction"* ]]
  forget
  resolved "$URI?$SECURE&options=-c%20Default_Transaction_Read_Only%3Doff%20--search_path%3Dseen%5C" 2>"$BATS_TEST_TMPDIR/warnings"
  [ "$PGOPTIONS" = "-c Default_Transaction_Read_Only=off --search_path=seen -c default_transaction_read_only=on" ]
  [[ $(<"$BATS_TEST_TMPDIR/warnings") == "warning: --dsn: default_transaction_read_only in options is overruled"* ]]
  forget
  ALLOW_WRITES=true resolved "$URI?$SECURE&$SEEN"
  [ "$PGOPTIONS" = "-c search_path=seen" ]
  forget
  PGTZ='Mars/Noon, maybe' refused 2 'invalid value for parameter "TimeZone": "Mars/Noon, maybe"' "$URI?$SECURE"
}

# bats test_tags=quick
@test "the password of a file is found as libpq finds it, and handed on" {
  local escaped=${SECRET//\\/\\\\}
  escaped=${escaped//:/\\:}
  printf '%s\n' '#localhost:*:*:*:comment' "localhost:1:*:*:port" "localhost:$PG_PORT:sh\\op:app:$escaped:more" \
    "*:*:*:*:rest" >"$BATS_TEST_TMPDIR/passwords"
  chmod 600 "$BATS_TEST_TMPDIR/passwords"
  local dsn="postgresql://app@localhost:$PG_PORT/shop?$SECURE"
  resolved "$dsn&passfile=$BATS_TEST_TMPDIR/passwords"
  [ "$PGPASSWORD" = "$SECRET" ]
  forget
  PGPASSFILE=$BATS_TEST_TMPDIR/passwords resolved "$dsn"
  [ "$PGPASSWORD" = "$SECRET" ]
  forget
  chmod 644 "$BATS_TEST_TMPDIR/passwords"
  PGPASSFILE=$BATS_TEST_TMPDIR/passwords EXTERNAL_DSN=$dsn run scripts/probes/dsn.sh
  [[ $status == 2 && $output == *"no password supplied"* ]]
  refused 2 'password authentication failed for user "app"' "postgresql://app:wrong@localhost:$PG_PORT/shop?$SECURE"
}

@test "what cannot be handed on is told, and what libpq does not know is refused" {
  resolved "$URI?$SECURE&keepalives_idle=30&tcp_user_timeout=5" 2>"$BATS_TEST_TMPDIR/warnings"
  [ "$(<"$BATS_TEST_TMPDIR/warnings")" = "warning: --dsn: keepalives_idle, tcp_user_timeout: left out, for libpq has no variable for it" ]
  forget
  refused 64 "sslpassword cannot be handed to tools and targets" "$URI?$SECURE&sslpassword=secret"
  refused 2 'invalid connection option "sslmod"' "$URI?sslmod=require"
  refused 2 'invalid sslmode value: "verify"' "$URI?sslmode=verify"
  refused 64 "neither postgresql://... nor keyword=value" "host=localhost password=my $SECRET"
  refused 64 "a % is not followed" "postgresql://app:100%@localhost/shop"
}

@test "a server that says nothing is given up within 2 s" {
  node -e 'require("net").createServer().listen(+process.argv[1], "127.0.0.1")' "$TARGET_PORT" 3>&- &
  STARTED=$!
  until_true listens
  local began=${EPOCHREALTIME/./} refused_us
  refused 2 "" "postgresql://app@127.0.0.1:1/shop" # what starting Node and psql takes
  refused_us=$((${EPOCHREALTIME/./} - began))
  began=${EPOCHREALTIME/./}
  refused 2 "timeout expired" "postgresql://app@127.0.0.1:$TARGET_PORT/shop"
  ((${EPOCHREALTIME/./} - began < refused_us + 4000000))
}

# bats test_tags=quick
@test "node-postgres" {
  is_secure pooled
  refuses pooled PGSSLROOTCERT="$TLS/other.crt" PGSSLMODE=require
  sees pooled "on TLSv1.2 no certificate" PGSSLMAXPROTOCOLVERSION=TLSv1.2
  sees pooled "on TLSv1.3 no certificate" PGHOST=localhost PGHOSTADDR=127.0.0.1
  refuses pooled PGSSLCRL="$TLS/revoked.crl"
}

@test "node-postgres binds to the channel where that is required" {
  resolved "$URI?$SECURE&$SEEN&channel_binding=require"
  [ "$PGCHANNELBINDING" = require ]
  sees pooled "on TLSv1.3 no certificate"
  run ask pooled PGUSER=certified PGSSLCERT="$TLS/client.crt" PGSSLKEY="$TLS/client.key" # which is no channel binding
  [[ $output == "error: pooled cannot start: channel binding is required, and the server did without"* ]]
  run ask pooled PGUSER=anyone PGSSLMODE=disable
  [[ $output == "error: pooled cannot start: channel binding is required, and the server did without"* ]]
}

@test "node-postgres in all its forms" {
  local target
  resolved "$CERTIFIED&$SEEN"
  for target in raw pipelined cluster; do
    sees "$target" "on TLSv1.3 /CN=certified"
  done
}

@test "postgres.js" {
  is_secure postgresjs
  sees postgresjs "on TLSv1.2 no certificate" PGSSLMAXPROTOCOLVERSION=TLSv1.2
  refuses postgresjs PGSSLCRL="$TLS/revoked.crl"
}

@test "pg-native" {
  [ -e apps/node_modules/libpq/build/Release/addon.node ] || skip "pg-native is not built"
  is_secure native
}

# bats test_tags=quick
@test "pgjdbc" {
  [ -e apps/jvm/target/pglab-jvm.jar ] || skip "the targets on the JVM are not built"
  is_secure jdbc
  refuses jdbc PGSSLROOTCERT="$TLS/other.crt" PGSSLMODE=require
  sees jdbc "on TLSv1.3 no certificate" PGCHANNELBINDING=require
}

@test "vertx-pg-client" {
  [ -e apps/jvm/target/pglab-jvm.jar ] || skip "the targets on the JVM are not built"
  is_secure vertx
}

@test "Cube, built over TLS, asked by its API" {
  resolved "$URI?$SECURE"
  export ALLOW_WRITES=true
  local mine=prod_pre_aggregations.orders_main_abcd1234_efgh5678_1hk2l3m # as another Cube would call it
  PGOPTIONS='' psql -XwqAtc "create schema prod_pre_aggregations" -c "create table $mine ()"
  EXTERNAL_DSN="$URI?$SECURE&$SEEN" CUBEJS_PRE_AGGREGATIONS_SCHEMA=prod_pre_aggregations STACK=external run scripts/stack.sh up cube external 3>&-
  echo "$output"
  [ "$status" -eq 0 ]
  [ "$(psql -XwqAtc "select to_regclass('$mine') is not null, count(*) > 0 from pg_tables where schemaname = 'pglab_cube'")" = 't|t' ]
  run curl -sSf "http://127.0.0.1:$TARGET_PORT/analytics"
  EXTERNAL_DSN='' STACK=external scripts/stack.sh down
  [[ $output == *'"status":"off TLSv1.3 no certificate"'* ]]
  HOST=127.0.0.1 PORT=$CUBE_PORT PGSSLROOTCERT=$TLS/other.crt run node apps/cube/cube-server.js
  echo "$output"
  [ "$status" -eq 2 ]
  [[ $output == *"error: the rollup cannot be built: "*certificate* ]]
}

@test "pgbench, and k6 with pgx" {
  resolved "$URI?$SECURE"
  PGAPPNAME=by-pgbench pgbench -n -t 3 -f pgbench/echo.sql
  [ "$(logged by-pgbench)" = "SSL enabled (protocol=TLSv1.3" ]
  PGAPPNAME=by-k6 bin/k6 run --quiet -e vus=1 -e duration=1s k6/sql-echo.js
  [ "$(logged by-k6)" = "SSL enabled (protocol=TLSv1.3" ]
  export PGSSLROOTCERT=$TLS/other.crt
  run pgbench -n -t 3 -f pgbench/echo.sql
  [[ $status -ne 0 && $output == *"certificate verify failed"* ]]
  run bin/k6 run --quiet -e vus=1 -e duration=1s k6/sql-echo.js
  [[ $status -ne 0 && $output == *"no answer from the database"*certificate* ]]
  PGSSLROOTCERT=$TLS/ca.crt PGSSLCRL=$TLS/revoked.crl run bin/k6 run --quiet -e vus=1 -e duration=1s k6/sql-echo.js
  [[ $status -ne 0 && $output == *"pgx cannot honour PGSSLCRL=$TLS/revoked.crl"* ]]
}

# bats test_tags=quick
@test "a target whose driver cannot honour the DSN is left out of the plan, with the reason" {
  run skipped "$URI?$SECURE&channel_binding=require"
  echo "$output"
  [[ $output == *"postgresjs: its driver, postgres.js, cannot honour channel_binding=require (PGCHANNELBINDING) of the DSN"* ]]
  [[ $output == *"vertx: "* && $output != *"jdbc: its driver"* && $output != *"pooled: "* && $output != *"native: its driver"* && $output != *"postgres: "* ]]
  run skipped "$URI?$SECURE&ssl_min_protocol_version=TLSv1.3"
  echo "$output"
  [[ $output == *"jdbc: its driver, pgjdbc, cannot honour ssl_min_protocol_version=TLSv1.3"* ]]
  [[ $output == *"postgres: its driver, pgx, "* && $output != *"postgresjs: "* ]]
}

@test "a target that is started by hand honours a variable, or says that it cannot" {
  resolved "$URI?$SECURE"
  run ask postgresjs PGCHANNELBINDING=require
  [ "$output" = "error: postgres.js cannot honour channel_binding=require (PGCHANNELBINDING)" ]
  run ask pooled PGSSLMODE=allow
  [ "$output" = "error: node-postgres cannot honour sslmode=allow (PGSSLMODE)" ]
  [ -e apps/jvm/target/pglab-jvm.jar ] || skip "the targets on the JVM are not built"
  run ask jdbc PGSSLCRL="$TLS/revoked.crl"
  [ "$output" = "error: pgjdbc cannot honour sslcrl=$TLS/revoked.crl (PGSSLCRL)" ]
  run ask adba
  [[ $output == "error: pgadba cannot honour options="* ]]
}

@test "what the role may not read is told before anything is measured" {
  PGLAB_RESULTS=$BATS_TEST_TMPDIR/runs run ./run-all-tests.sh smoke --dsn "${URI/app/blind}?$SECURE" --targets raw --workloads analytics 3>&-
  echo "$output"
  [ "$status" -eq 2 ]
  [[ $output == *"error: --dsn: workload analytics cannot be asked: permission denied for table orders"* ]]
  run ! compgen -G "$BATS_TEST_TMPDIR/runs/*/cells"
}

# bats test_tags=quick
@test "a run over TLS is green, says how it was reached, and has the password nowhere" {
  printf '%s\n' "$SECRET" "$ENCODED" >"$BATS_TEST_TMPDIR/secrets"
  local runs=$BATS_TEST_TMPDIR/runs
  : >"$PGLAB_DATA/server/log"
  PGLAB_RESULTS=$runs ./run-all-tests.sh smoke --dsn "$URI?$SECURE" --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
  STARTED=$!
  until_true eval "ps -ww -o args= -p $STARTED | grep -qF '(hidden)'" # a moment: no program can keep its own first arguments back
  local seen=0
  while kill -0 "$STARTED" 2>/dev/null; do
    run ! leaks "$BATS_TEST_TMPDIR/secrets"
    seen=$((seen + 1))
    sleep 0.1 # processes that end sooner have arguments like those of the rest
  done
  local code=0
  wait "$STARTED" || code=$?
  ended_well "$code" "$(PGLAB_RESULTS=$runs newest_run smoke)" || { cat "$BATS_TEST_TMPDIR/log" && return 1; }
  ((seen > 20))
  run ! grep -rFf "$BATS_TEST_TMPDIR/secrets" "$runs" "$BATS_TEST_TMPDIR/log" "$PGLAB_DATA/stack"
  node tests/e2e/check-run.js "$runs"/*-smoke 4
  [ "$(jq '.system_limits | .tcp_tw_reuse == 2 and any(.too_low[]; .limit == "tcp_tw_reuse")' "$runs"/*-smoke/environment.json)" = false ] # it is on loopback
  jq -e --arg port "$PG_PORT" '.connection | .tls.cipher != null and (del(.tls.cipher) == {host: "localhost", port: ($port | tonumber), user: "app",
    database: "shop", sslmode: "verify-full", tls: {version: "TLSv1.3", verified: "chain and name"}})' "$runs"/*-smoke/environment.json
  grep -q 'authorized: user=app' "$PGLAB_DATA/server/log"
  [ "$(grep -c 'authorized: user=app' "$PGLAB_DATA/server/log")" = "$(grep -c 'authorized: user=app.*SSL enabled' "$PGLAB_DATA/server/log")" ]
}

@test "a run over a unix socket is green" {
  local runs=$BATS_TEST_TMPDIR/runs
  PGLAB_RESULTS=$runs whole_run smoke --dsn "host=$(quoted "$SOCKETS") port=$PG_PORT user=app dbname=shop password=$(quoted "$SECRET")" \
    --targets pooled --workloads echo
  node tests/e2e/check-run.js "$runs"/*-smoke 4
  jq -e --arg host "$SOCKETS" '.connection | .host == $host and .tls == null' "$runs"/*-smoke/environment.json
}
