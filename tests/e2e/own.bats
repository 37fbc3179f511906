#!/usr/bin/env bats
# Somebody else's API (tests/foreign/server.js), from what its owner has, a curl line or a HAR file, to figures; and what cannot be measured.
# shellcheck disable=SC2030,SC2031,SC2153 # each test is a shell of its own; PG* are what database.sh prints
bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  private_postgres
  scripts/database.sh up tpch --scale 0.01 3>&-
  PORT=$(free_port) FOREIGN_TOKEN=$(node -p 'crypto.randomUUID()')
  echo "$FOREIGN_TOKEN" >"$BATS_FILE_TMPDIR/token"
  mkdir -p "$BATS_FILE_TMPDIR/home/k6" && echo 'no options' >"$BATS_FILE_TMPDIR/home/k6/config.json" # k6 ends where it reads this
  export PORT FOREIGN_TOKEN URL=http://127.0.0.1:$PORT
  (eval "$(scripts/database.sh env app)" && exec node tests/foreign/server.js "$PORT") 3>&- &
  echo "$!" >"$BATS_FILE_TMPDIR/server"
  until curl -fs -o /dev/null -H "authorization: Bearer $FOREIGN_TOKEN" "$URL/orders/1"; do kill -0 "$!"; done
}

teardown_file() {
  kill "$(cat "$BATS_FILE_TMPDIR/server")"
  scripts/database.sh down 3>&-
  rm -rf "$PGLAB_DATA"
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  source tests/lib/whole-run.bash
  export PGLAB_RESULTS=$BATS_TEST_TMPDIR/results SCRIPT=k6/test-$$-${BATS_TEST_NUMBER}.js
}

teardown() {
  rm -f "$SCRIPT"
  [[ -z ${SERVER:-} ]] || kill "$SERVER"
}

name() { basename "$SCRIPT" .js; }

# measured: runs the script that was made, with the token in the environment; TRIAL is its trial. Nothing that is left, and no process, shows the token.
measured() {
  local code=0 driver shown=false
  XDG_CONFIG_HOME=$BATS_FILE_TMPDIR/home AUTHORIZATION="Bearer $FOREIGN_TOKEN" ./run-all-tests.sh tests/foreign/own.json --url "$URL" --script "$SCRIPT" --pid "$(cat "$BATS_FILE_TMPDIR/server")" \
    --dsn "$(eval "$(scripts/database.sh env admin)" && echo "host=$PGHOST port=$PGPORT user=$PGUSER password=$PGPASSWORD dbname=$PGDATABASE")" 3>&- &
  driver=$!
  while kill -0 "$driver" 2>/dev/null; do
    ! grep -Ff "$BATS_FILE_TMPDIR/token" <(ps -axww -o args=) || shown=true # grep itself has a file's name
    sleep 0.2
  done
  [[ $shown == false ]]
  wait "$driver" || code=$?
  RUN=$(newest_run own)
  run ! grep -rF -e "$FOREIGN_TOKEN" -e '"body"' "$RUN" "$SCRIPT"
  TRIAL=$(jq -c '[.cells[] | select(.calibration | not) | .trials[]][0]' "$RUN/results.json")
  echo "$TRIAL"
  ended_well "$code" "$RUN"
  jq -e --arg script "$(basename "$SCRIPT")" '.run.why == "How much does the server take, asked as \($script) asks it?"' "$RUN/results.json"
}

# costs STATEMENTS: for each request, as the ORM makes them, and two for each new connection, of which a slow machine has many for few requests; and the server's process was watched, and its sessions,
# which are another role's than asks.
costs() {
  jq -e --argjson statements "$1" '.statements_per_request >= 0.99 * $statements
    and .statements_per_request < 1.05 * $statements + 2 * .sessions_per_request' <<<"$TRIAL"
  jq -e 'any(.cells[]; (.calibration | not) and .resources.roles.target.cpu_cores > 0.05 and .resources.waits["idle:Client:ClientRead"] > 0)' "$RUN/results.json"
}

@test "from a curl line, as a browser copies it: two statements for a customer" {
  local made line=$BATS_TEST_TMPDIR/line
  mkfifo "$line"
  scripts/new-workload.sh --name "$(name)" --curl - <"$line" 3>&- &
  made=$!
  {
    cat <<LINE
curl '$URL/customers/42' \\
    -H 'accept: application/json' \\
    -H 'authorization: Bearer $FOREIGN_TOKEN' --compressed
LINE
    until pgrep -f "workload/main.js curl - $(name)" >"$BATS_TEST_TMPDIR/reader"; do kill -0 "$made" && sleep 0.1; done
    run ! grep -Ff "$BATS_FILE_TMPDIR/token" <(ps -axww -o args=)
  } >"$line"
  wait "$made"
  measured
  costs 2
}

@test "from a HAR file, as a browser saves it: four statements for three requests" {
  TOKEN=$FOREIGN_TOKEN node tests/foreign/record.js "$BATS_TEST_TMPDIR/shop.har" "$URL/customers/42" "$URL/orders/1" "$URL/orders?limit=5"
  scripts/new-workload.sh --name "$(name)" --har "$BATS_TEST_TMPDIR/shop.har"
  grep -q 'has key, name, balance, orders' "$SCRIPT"
  # of one that was saved without what was answered it is said that no answer's keys are checked
  jq 'del(.log.entries[].response.content.text)' "$BATS_TEST_TMPDIR/shop.har" >"$BATS_TEST_TMPDIR/bare.har"
  node scripts/workload/main.js har "$BATS_TEST_TMPDIR/bare.har" bare '' | jq -e '[.told[] | select(endswith("only its status is checked"))] | length == 3'
  measured
  costs "$(jq -n '4 / 3')"
  # the ceiling is that of answers as large as these
  jq -e 'any(.cells[]; .calibration and .trials[0].throughput_rps > 0)' "$RUN/results.json"
}

# refused TEXT OPTION...: one line, before anything is measured
refused() {
  local text=$1
  shift
  run -64 ./run-all-tests.sh tests/foreign/own.json --url "$URL" --script "$SCRIPT" "$@" 3>&-
  echo "$output"
  [[ ${lines[-1]} == error:*"$text"* && ! -e $PGLAB_RESULTS ]]
}

# script LINE...: one that asks as the lines say
script() { printf '%s\n' "import { check } from 'k6';" "import http from 'k6/http';" "$@" >"$SCRIPT"; }

# sent_elsewhere: a server that sends who asks it on to another host
sent_elsewhere() {
  local port elsewhere
  port=$(free_port)
  node -e 'http.createServer((_request, response) => response.writeHead(302, { location: "http://other.example/" }).end()).listen(process.argv[1], "127.0.0.1")' "$port" 3>&- &
  elsewhere=$!
  until curl -fs -o /dev/null "http://127.0.0.1:$port/"; do kill -0 "$elsewhere"; done
  URL=http://127.0.0.1:$port refused 'is sent on to other.example, which is another host'
  kill "$elsewhere"
}

@test "what cannot be measured is refused in one line" {
  export AUTHORIZATION="Bearer $FOREIGN_TOKEN"
  # shellcheck disable=SC2016 # JavaScript expands it
  local ask='http.get(`${__ENV.BASE_URL}/orders/1`, { headers: { authorization: __ENV.AUTHORIZATION } })'
  script 'export default function () { throw new Error("out of stock"); }'
  refused 'out of stock'
  script 'export default function () { throw new Error("x".repeat(1e5)); }'
  refused 'throws: Error: xxx'
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'export default function () { throw new Error(`${__ENV.AUTHORIZATION} is not accepted, nor is ?api_key=k1`); }'
  refused 'is not accepted, nor is ?api_key=**'
  [[ $output != *"$FOREIGN_TOKEN"* ]]
  script "export default function () { ${ask/AUTHORIZATION/NONE}.json('total').toFixed(2); }"
  refused ", and was answered 401"
  script 'export default function () {}'
  refused 'asks nothing at __ENV.BASE_URL'
  script "export default function () { check($ask, { 'it is right': () => false }); }"
  refused 'finds a wrong answer when it is run: it is right'
  script "export const options = { scenarios: { browse: { executor: 'shared-iterations', exec: 'browse' }, buy: { executor: 'shared-iterations', exec: 'browse' } } };" "export function browse() { $ask; }"
  refused 'has the scenarios browse, buy: name one with --scenario'
  refused 'has no scenario sell' --scenario sell
  script "export default function () { $ask; http.get('http://localhost:1/prices'); }"
  refused 'asks http://localhost:1/prices, which is not at __ENV.BASE_URL'
  script "export default function () { $ask; http.get('http://localhost:1/prices').json('total'); }"
  refused 'asks http://localhost:1/prices, which is not at __ENV.BASE_URL'
  script "export function setup() { $ask; }" 'export default function () {}'
  refused 'asks nothing at __ENV.BASE_URL'
  script "import { sleep } from 'k6';" "export default function () { $ask; sleep(0.5); }"
  refused 'pauses for about 0.5 s in an iteration'
  # shellcheck disable=SC2016 # JavaScript expands it
  local both='http.batch([1, 2].map((key) => ["GET", `${__ENV.BASE_URL}/orders/${key}`, null, { headers: { authorization: __ENV.AUTHORIZATION } }]))'
  script "import { sleep } from 'k6';" "export default function () { $both; sleep(0.1); }"
  refused 'pauses for about 0.1 s in an iteration'
  script "export default function () { $both; }"
  run -64 ./run-all-tests.sh tests/capacity/places.json --url "$URL" --script "$SCRIPT" --think 1s 3>&-
  [[ ${lines[-1]} == *'makes several requests at once'* ]]
  script "export const options = { scenarios: { default: { executor: 'shared-iterations' }, buy: { executor: 'shared-iterations', exec: 'buy' } } };" "export default function () { $ask; }" "export function buy() { $ask; }"
  refused 'has the scenarios buy, default: name one with --scenario'
  script "export default function () { $ask; if (__ITER > 0) http.get('http://localhost:1/prices'); }"
  refused 'asks http://localhost:1/prices, which is not at __ENV.BASE_URL'
  script "export default function () { for (let i = 0; i < __ITER; i += 1) $ask; }"
  refused 'asks 1 or 2 times in an iteration'
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'export default function () { http.get(`${__ENV.BASE_URL}/orders/1`); }'
  refused 'is answered with 401'
  script "const answer = async () => { $ask; };" 'export default function () { return answer(); }'
  refused 'an async function is not measured'
  script "export const options = { scenarios: { buy: { executor: 'shared-iterations', env: { MANY: '1' } } } };" "export default function () { $ask; }"
  refused 'sets variables for a scenario (env)'
  script "export default async function () { $ask; }"
  refused 'an async function is not measured'
  script "export const options = { hosts: { 'shop.example': '192.0.2.1' } };" "export default function () { $ask; }"
  refused 'maps hosts to addresses'
  script "export const options = { thresholds: { checks: ['rate>0.9'] } };" "export default function () { $ask; }"
  run -64 ./run-all-tests.sh tests/capacity/places.json --url "$URL" --script "$SCRIPT" 3>&-
  [[ ${lines[-1]} == *'checks rate>0.9; say with --objective'* ]]
  script 'export function buy() {}'
  refused 'has no function default'
  script 'export default function ( {'
  refused 'does not load in k6'
  script "export default function () { $ask; }"
  sent_elsewhere
  run -64 ./run-all-tests.sh quick --url http://shop.example.com --script "$SCRIPT"
  [[ ${lines[-1]} == *'--i-own shop.example.com'* ]]
}

# guarded: a server at an IPv6 address that asks for a client's certificate, and compresses its answers. URL is its address, CLIENT what the script shows.
guarded() {
  TLS=$BATS_TEST_TMPDIR
  source tests/lib/tls.bash
  (PGLAB_DATA=$TLS && certificates)
  PORT=$(free_port)
  node tests/foreign/guarded.js "$PORT" "$TLS" 3>&- &
  SERVER=$!
  URL="https://[::1]:$PORT"
  until curl -kfs -o /dev/null --cert "$TLS/client.crt" --key "$TLS/client.key" "$URL/"; do kill -0 "$SERVER"; done
  CLIENT="tlsAuth: [{ cert: open('$TLS/client.crt'), key: open('$TLS/client.key') }], insecureSkipTLSVerify: true"
}

@test "a server that asks for a certificate, at an IPv6 address, whose answers are compressed and have headers that are checked" {
  guarded
  script "export const options = { $CLIENT };" 'export default function () {' \
    "  check(http.get(\`\${__ENV.BASE_URL}/large\`), { 'is whole': ({ body }) => body.length === 200000 });" \
    "  const answer = http.get(\`\${__ENV.BASE_URL}/\`, { headers: { 'accept-encoding': 'gzip' } });" \
    "  check(answer, { 'is compressed': ({ headers }) => headers['Content-Encoding'] === 'gzip', 'has its total': ({ headers }) => headers['X-Total'] === '42' });" '}'
  whole_run tests/foreign/own.json --url "$URL" --script "$SCRIPT"
  jq -e '[.cells[].trials[]] | length == 2 and all(.errors == 0 and .throughput_rps > 0)' "$WHOLE_RUN/results.json"
}

@test "links to the server itself lead a calibration to its stand-in, and no log has answers in it" {
  local hits=$BATS_TEST_TMPDIR/hits
  PORT=$(free_port) URL=http://127.0.0.1:$PORT
  # shellcheck disable=SC2016 # JavaScript expands it
  node -e 'const [port] = process.argv.slice(1); http.createServer(({ url }, response) => {
    console.log(Date.now());
    response.setHeader("set-cookie", "sid=issued-by-the-server");
    setTimeout(() => response.end(JSON.stringify({ next: `http://localhost:${port}/next`, url })), 5);
  }).listen(port, "127.0.0.1")' "$PORT" >"$hits" 3>&- &
  SERVER=$!
  URL=http://localhost:$PORT
  until curl -fs -o /dev/null "$URL/"; do kill -0 "$SERVER"; done
  # shellcheck disable=SC2016 # JavaScript expands it
  script "export const options = { httpDebug: 'full' };" 'export default function () {' \
    '  const first = http.get(`${__ENV.BASE_URL}/first`);' \
    "  check(http.get(first.json('next')), { 'is the next': (answer) => answer.json('url') === '/next' });" '}'
  whole_run tests/foreign/own.json --url "$URL" --script "$SCRIPT"
  jq -e '[.cells[].trials[]] | length == 2 and all(.errors == 0 and .throughput_rps > 0)' "$WHOLE_RUN/results.json"
  jq -n --slurpfile hits "$hits" --slurpfile status "$(compgen -G "$WHOLE_RUN/cells/*/*null*/status.json")" -e \
    'def ms: (.[:19] + "Z" | fromdateiso8601) * 1000 + (.[19:-1] | if . == "" then 0 else tonumber * 1000 end);
     $status[0] | (.started_at | ms) as $from | (.ended_at | ms) as $to | ($hits | length) > 100 and ([$hits[] | select($from < . and . < $to)] == [])'
  run ! grep -rF issued-by-the-server "$WHOLE_RUN"
}

@test "of a trial that is broken off no log shows a token, though k6 writes addresses that are not answered into it" {
  local driver log code=0
  PORT=$(free_port) URL=http://127.0.0.1:$PORT
  node -e 'let left = 200; http.createServer((_request, response) => ((left -= 1) > 0 ? response.end("{}") : response.destroy())).listen(process.argv[1], "127.0.0.1")' "$PORT" 3>&- &
  SERVER=$!
  until curl -fs -o /dev/null "$URL/"; do kill -0 "$SERVER"; done
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'export default function () { http.get(`${__ENV.BASE_URL}/?token=${__ENV.FOREIGN_TOKEN}`); }'
  # A shell without job control starts background jobs deaf to SIGINT, which a person's terminal does not.
  python3 -c 'import signal, os, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    ./run-all-tests.sh tests/foreign/own.json --url "$URL" --script "$SCRIPT" 3>&- &
  driver=$!
  until log=$(grep -ls "$FOREIGN_TOKEN" "$PGLAB_RESULTS"/*/cells/*/*/stderr.log); do kill -0 "$driver"; done
  kill -INT "$driver"
  wait "$driver" || code=$?
  [ "$code" -eq 130 ]
  grep -q 'token=\*\*\*' "$log"
  run ! grep -rF "$FOREIGN_TOKEN" "$PGLAB_RESULTS"
}

# searched_until_gone [OPTION]...: a search whose server ends after its first probe; with options, of which SERVER is its process, another then takes its place.
searched_until_gone() {
  local code=0 driver said=$BATS_TEST_TMPDIR/said
  PORT=$(free_port)
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'export default function () { http.get(`${__ENV.BASE_URL}/`); }'
  serve
  ./run-all-tests.sh capacity --url "http://127.0.0.1:$PORT" --script "$SCRIPT" --blocks 1 "${@/SERVER/$SERVER}" >"$said" 2>&1 3>&- &
  driver=$!
  until compgen -G "$PGLAB_RESULTS/*/capacity/01/cells/*/*/status.json"; do
    kill -0 "$driver"
    sleep 0.2
  done
  kill "$SERVER"
  wait "$SERVER" || [ "$?" -eq 143 ]
  SERVER=''
  [[ $# -eq 0 ]] || serve
  wait "$driver" || code=$?
  cat "$said"
  [ "$code" -eq 2 ]
  [ "$(compgen -G "$PGLAB_RESULTS/*/capacity/01/cells/*/*/status.json" | wc -l)" -le 2 ]
}

serve() {
  node tests/lib/places.js "$PORT" 1 20 fixed 3>&- &
  SERVER=$!
  until curl -fs -o /dev/null "http://127.0.0.1:$PORT/"; do kill -0 "$SERVER"; done
}

@test "a server that has ended is not searched on: the run ends with a line" {
  searched_until_gone
  grep "^error: nobody listens at http://127.0.0.1:$PORT any more: start it and go on with --resume$" "$BATS_TEST_TMPDIR/said"
  grep 'what was measured is in .*; go on with: ./run-all-tests.sh --resume ' "$BATS_TEST_TMPDIR/said"
}

@test "nor is one that another process has taken the place of, where it is watched; what was measured has a report" {
  searched_until_gone --pid SERVER
  grep '^error: process [0-9]*, which --pid named, has ended: begin a run with --pid of the one that serves now$' "$BATS_TEST_TMPDIR/said"
  grep 'what was measured is in .*; for its report: ./run-all-tests.sh --from collect ' "$BATS_TEST_TMPDIR/said"
  RUN=$(newest_run capacity)
  run -64 ./run-all-tests.sh --resume "$RUN"
  [[ $output == *"which $RUN watches, has ended"* ]]
  ./run-all-tests.sh --from collect "$RUN" 3>&- || [ "$?" -eq 1 ]
  jq -e '.capacities[0].answer.kind == "unknown"' "$RUN/results.json"
}

@test "a group called setup counts as any other, and a request may have a name" {
  export AUTHORIZATION="Bearer $FOREIGN_TOKEN"
  # shellcheck disable=SC2016 # JavaScript expands it
  local ask='http.get(`${__ENV.BASE_URL}/orders/1`, { headers: { authorization: __ENV.AUTHORIZATION }, tags: { name: "an order" } })'
  script "import { group } from 'k6';" "export function setup() { $ask; }" "export default function () { group('setup', () => { $ask; }); group('buy', () => { $ask; }); }"
  run -0 scripts/probes/own.sh "$SCRIPT" "$URL" "$BATS_TEST_TMPDIR/answers.json"
  echo "$output"
  jq -e '.requests == 2' <<<"${lines[-1]}"
}

@test "a check that is named by a secret, and fails, is in no argument" {
  export AUTHORIZATION="Bearer $FOREIGN_TOKEN"
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'export default function () {' \
    '  const answer = http.get(`${__ENV.BASE_URL}/orders/1`, { headers: { authorization: __ENV.AUTHORIZATION } });' \
    '  check(answer, { [`seen by ${__ENV.AUTHORIZATION}`]: () => false });' '}'
  mkdir "$BATS_TEST_TMPDIR/bin"
  # shellcheck disable=SC2016 # the other jq expands it
  printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>%q\nexec %q "$@"\n' "$BATS_TEST_TMPDIR/arguments" "$(command -v jq)" >"$BATS_TEST_TMPDIR/bin/jq"
  chmod +x "$BATS_TEST_TMPDIR/bin/jq"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run ! scripts/probes/own.sh "$SCRIPT" "$URL" "$BATS_TEST_TMPDIR/answers.json"
  echo "$output"
  [[ $output == *"finds a wrong answer when it is run: seen by "* ]]
  [[ $output != *"$FOREIGN_TOKEN"* ]]
  [ -s "$BATS_TEST_TMPDIR/arguments" ]
  run ! grep -F "$FOREIGN_TOKEN" "$BATS_TEST_TMPDIR/arguments"
}

@test "what each object has is no variable that a script takes, and what it logs no fault of it" {
  export AUTHORIZATION="Bearer $FOREIGN_TOKEN"
  # shellcheck disable=SC2016 # JavaScript expands it
  script 'class Order { constructor() { this.id = (1).toString(); } }' 'export default function () {' '  console.error("on its way");' \
    '  http.get(`${__ENV.BASE_URL}/orders/${new Order().id}`, { headers: { authorization: __ENV.AUTHORIZATION } });' '}'
  run -0 scripts/probes/own.sh "$SCRIPT" "$URL" "$BATS_TEST_TMPDIR/answers.json"
  echo "$output"
  jq -e '.takes == ["AUTHORIZATION"]' <<<"${lines[-1]}"
}

@test "what a script throws later than in its first iteration counts as wrong, and a run goes on with the script that it began with alone" {
  local part=$BATS_TEST_TMPDIR/part.js
  echo 'export const path = "/orders/1";' >"$part"
  # shellcheck disable=SC2016 # JavaScript expands it
  script "import { path } from '$part';" 'export default function () {' '  http.get(`${__ENV.BASE_URL}${path}`, { headers: { authorization: __ENV.AUTHORIZATION } });' \
    "  if (__ITER % 4 === 3) throw new Error('out of stock');" '}'
  export AUTHORIZATION="Bearer $FOREIGN_TOKEN"
  run -1 ./run-all-tests.sh tests/foreign/own.json --url "$URL" --script "$SCRIPT" 3>&-
  RUN=$(newest_run own)
  jq -e '[.cells[] | select(.calibration | not) | .trials[]][0] | .verdict == "invalid" and (.errors / .requests | . > 0.2 and . < 0.3)' "$RUN/results.json"
  AUTHORIZATION='' run -64 ./run-all-tests.sh --resume "$RUN" 3>&-
  [[ ${lines[-1]} == *'AUTHORIZATION is not set, and was when the run began'* ]]
  AUTHORIZATION='Bearer expired' run -64 ./run-all-tests.sh --resume "$RUN" 3>&-
  echo "$output"
  [[ ${lines[-1]} == *"is answered with 401"* ]]
  echo 'export const path = "/orders/2";' >"$part"
  run -64 ./run-all-tests.sh --resume "$RUN" 3>&-
  [[ ${lines[-1]} == *"or what it reads is not what it was when the run began"* ]]
}

@test "a HAR file of several hosts, a curl line that reads a file, and what is neither are refused in one line" {
  local har=$BATS_TEST_TMPDIR/two.har
  TOKEN=$FOREIGN_TOKEN node tests/foreign/record.js "$har" "$URL/orders/1" "http://localhost:$PORT/orders/2"
  refused_script() {
    local text=$1
    shift
    run -64 scripts/new-workload.sh --name "$(name)" "$@"
    echo "$output"
    [[ ${#lines[@]} -eq 1 && $output == *"$text"* && ! -e $SCRIPT ]]
  }
  refused_script '--host says which of them is yours' --har "$har"
  refused_script 'nothing was asked of shop.example' --har "$har" --host shop.example
  refused_script 'reads its data from a file (@)' --curl "curl $URL -d @order.json"
  refused_script 'is no single curl command line' --curl - </dev/null
  run -64 bash -c 'scripts/new-workload.sh --curl - <&-' 3>&- # not by the function, where a pipe of its own would be the standard input
  [[ $output == *'is no single curl command line'* ]]
  refused_script 'the whole line goes between quotes' --curl curl "$URL"
  refused_script 'has a | that a shell takes for its own' --curl "curl $URL | jq ."
  echo '{}' >"$har"
  refused_script 'has no log.entries' --har "$har"
  refused_script 'cannot be read' --har "$BATS_TEST_TMPDIR/none.har"
}

@test "of a HAR file of several hosts that of one is taken, and what is left out is said" {
  TOKEN=$FOREIGN_TOKEN node tests/foreign/record.js "$BATS_TEST_TMPDIR/two.har" "$URL/orders/1" "http://localhost:$PORT/orders/2"
  run -0 scripts/new-workload.sh --name "$(name)" --har "$BATS_TEST_TMPDIR/two.har" --host "localhost:$PORT"
  [[ $output == *'left out: 1 request(s) to other hosts'* ]]
  grep -q '/orders/2' "$SCRIPT"
  run ! grep -q '/orders/1' "$SCRIPT"
}
