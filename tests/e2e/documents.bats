#!/usr/bin/env bats
# The documents suite for real, at a hundredth of the size: the experiment, an external server, the survival test, and the load
# scripts as a person runs them. All on a cluster, a target and ports of its own.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  private_postgres
  export STACK=local SCALE=0.01 BASE_URL=http://127.0.0.1:$TARGET_PORT
}

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  source tests/lib/postgres.bash
}

teardown_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  scripts/stack.sh down
  rm -rf "$PGLAB_DATA"
}

# target_up: the documents target on a fresh copy of the dataset, unless it is up.
target_up() { [ "$(scripts/stack.sh status)" != '{}' ] || scripts/stack.sh up documents documents 3>&-; }

k6_run() { bin/k6 run --quiet --no-usage-report --address '' -e BASE_URL="$BASE_URL" -e duration=1s -e sample=1 "$@"; }

# bats test_tags=quick
@test "smoke-documents: every cell measured, schema and sense hold, no invalid trial" {
  whole_run smoke-documents
  node tests/e2e/check-run.js "$WHOLE_RUN" 24
}

# bats test_tags=quick
@test "the report has the pairs of the index analysis and the plans of both twins" {
  local report text
  report=$(newest_run smoke-documents)/report.md
  for text in 'pairs of equal answers' '"indexed.age"' 'Seq Scan on unindexed'; do grep -F "$text" "$report"; done
}

@test "the index analysis from a pipe has the pairs, and how long each twin took" {
  target_up
  local pipe=scripts/findings/index-pairs/pipe.js
  bin/k6 run --quiet --no-usage-report --address '' -e BASE_URL="$BASE_URL" -e duration=3s --out hdr=/dev/stdout k6/documents-index-pairs.js |
    tee "$BATS_TEST_TMPDIR/raw" | node "$pipe" >"$BATS_TEST_TMPDIR/told"
  cat "$BATS_TEST_TMPDIR/told"
  grep -qE '^[0-9]+ pairs of equal answers: the index won [0-9]+' "$BATS_TEST_TMPDIR/told"
  grep -qE '^\| indexed \| [0-9]+ \| [0-9.]+ .?s \|' "$BATS_TEST_TMPDIR/told"
  [ "$(grep -oE '^\| (un)?indexed \| [0-9]+' "$BATS_TEST_TMPDIR/told" | awk '{ print $4 }' | sort -u | wc -l)" = 1 ] # both were asked equally often
  # what is not whole is not told
  local fault
  for fault in '/"type":"total"/d' '0,/"type":"second"/{/"type":"second"/d}' '/"type":"total"/s/}$//' 'p'; do
    run node "$pipe" < <(sed "$fault" "$BATS_TEST_TMPDIR/raw")
    echo "$output"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"output of"* ]]
  done
}

# bats test_tags=quick
@test "a trial that writes leaves nothing to the next: each starts from the same copy" {
  target_up
  [ "$(as_app 'select count(*) from collections.test')" = 100 ]
  k6_run -e vus=2 k6/documents-batch.js
  [ "$(as_app 'select count(*) from collections.test')" -gt 100 ]
  scripts/stack.sh up documents documents 3>&-
  [ "$(as_app 'select count(*) from collections.test')" = 100 ]
}

@test "every k6 workload runs by hand, with all its answers right" {
  target_up
  for workload in documents-{health,crud,batch,index-pairs,streaming,stress,stress-optimized}; do
    run k6_run -e vus=2 --no-thresholds "k6/$workload.js"
    [ "$status" -eq 0 ]
    grep -qE 'checks\.+: 100\.00%' <<<"$output"
    grep -qE 'http_req_failed\.+: 0\.00%' <<<"$output"
  done
}

# bats test_tags=quick
@test "a find that brings nothing is wrong where something must be found" {
  target_up
  port=$(free_port)
  node --input-type=module - "$port" "$BASE_URL" 3>&- <<'END' &
import http from 'node:http';
const [, , port, target] = process.argv;
const nothing = (url) => (url.includes('find_with_stream') ? '[]' : '{"documents":[],"has_next":false}');
http.createServer((request, response) => {
  const { method, headers, url } = request;
  if (/[?&]age=/.test(url)) return response.writeHead(200, { 'content-type': 'application/json' }).end(nothing(url));
  const forward = http.request(target + url, { method, headers }, (answer) => answer.pipe(response.writeHead(answer.statusCode, answer.headers)));
  return request.pipe(forward);
}).listen(port, '127.0.0.1');
END
  pid=$!
  until_true curl -fs -o /dev/null "http://127.0.0.1:$port/health"
  for workload in documents-{crud,stress,stress-optimized,index-pairs}; do
    BASE_URL=http://127.0.0.1:$port run k6_run -e vus=2 "k6/$workload.js"
    [ "$status" -eq 99 ]
    grep -qE '✗ (find: body|query: body|index: both found the same)' <<<"$output"
    ! grep -qE '✗ (insert|update|get|page): body' <<<"$output"
  done
  kill "$pid"
}

@test "a document that must be there and is not is an error" {
  target_up
  as_app 'delete from collections.test where id % 2 = 0'
  WRK_OUT=$BATS_TEST_TMPDIR/wrk.json wrk -t1 -c2 -d1s -s wrk/documents-update.lua "$BASE_URL" >/dev/null
  [ "$(jq .errors.status "$BATS_TEST_TMPDIR/wrk.json")" = 0 ] # it asks which are there
  cat >"$BATS_TEST_TMPDIR/gone.js" <<END
import { isDocument, operationOn, pathOf } from '$PWD/k6/lib/collections.js';
const get = operationOn('test', 'get');
export const options = { iterations: 1, thresholds: { http_req_failed: ['rate<0.01'] } };
export default () => get(pathOf('2'), isDocument('2'));
END
  run bin/k6 run --quiet --no-usage-report --address '' -e BASE_URL="$BASE_URL" "$BATS_TEST_TMPDIR/gone.js"
  [ "$status" -eq 99 ]
}

@test "wrk: the wrappers run alone, and the scripts honour the URL's path" {
  target_up
  for workload in documents-{insert,find,update}; do
    DURATION_S=1 CONNECTIONS=4 run "wrk/$workload.sh" "$BASE_URL"
    [ "$status" -eq 0 ]
    [[ $output == *"errors     status 0, timeout 0"* ]]
    run "wrk/$workload.sh" --help
    [[ $status -eq 0 && $output == Summary:* ]]
    run "wrk/$workload.sh" nonsense
    [ "$status" -eq 64 ]
  done
  wrk -t1 -c2 -d1s -s wrk/documents-insert.lua "$BASE_URL/collections/elsewhere" >/dev/null
  [ "$(as_app 'select count(*) from collections.elsewhere')" -gt 0 ]
  wrk -t1 -c2 -d1s -s wrk/documents-update.lua "$BASE_URL/collections/thousand" >/dev/null
  [ "$(as_app "select count(*) from collections.thousand where doc->>'score' !~ '[.]'")" -gt 100 ]
  wrk -t1 -c2 -d1s -s wrk/documents-update-hot-row.lua "$BASE_URL/collections/elsewhere" >/dev/null
  [ "$(as_app "select count(*) from collections.elsewhere where doc->>'score' !~ '[.]'")" = 1 ]
  run wrk -t1 -c2 -d1s -s wrk/documents-update.lua "$BASE_URL/collections/nowhere"
  [[ $status -ne 0 && $output == *documents-http.js* ]]
}

# bats test_tags=quick
@test "pgbench asks the target's own SQL: the same statements in pg_stat_statements" {
  scripts/stack.sh up documents documents 3>&-
  wrk -t1 -c2 -d1s -s wrk/documents-insert.lua "$BASE_URL" >/dev/null
  wrk -t1 -c2 -d1s -s wrk/documents-find.lua "$BASE_URL" >/dev/null
  (eval "$(scripts/database.sh env app)" && for script in insert find; do pgbench -n -c 2 -t 100 -M prepared -f "pgbench/$script.sql"; done)
  [ "$(as_admin "select count(distinct queryid) || ' ' || bool_and(calls > 200) from pg_stat_statements
    where dbid = (select oid from pg_database where datname = 'documents_0_01_run') and query ~ '^(insert into collections|select id, doc .* limit)'
      and calls > 50")" = '2 true' ]
}

@test "an external server is given the documents, and the suite runs against it" {
  target_up
  as_app 'drop schema collections cascade; create schema collections' 2>/dev/null
  run k6_run k6/documents-stress.js
  [[ $status -ne 0 && $output == *'/collections/test/find?limit=1000 answered 404'* ]]
  scripts/stack.sh down # a run does not start while a target is up by hand
  scripts/database.sh up documents --scale 0.01 3>&-
  as_app 'drop schema collections cascade; create schema collections' 2>/dev/null
  server=$(free_port)
  (eval "$(scripts/database.sh env app)" && PORT=$server exec node apps/lib/main.js documents) 3>&- &
  pid=$!
  until_true curl -fs -o /dev/null "http://127.0.0.1:$server/health"
  node scripts/datasets/documents-http.js "http://127.0.0.1:$server" 0.01
  scripts/database.sh check
  whole_run smoke-documents --stack external --url "http://127.0.0.1:$server" --workloads documents-crud,documents-find --duration 1
  kill "$pid"
  jq -e '[.cells[].trials[]] | length >= 2' "$WHOLE_RUN/results.json"
}

# bats test_tags=quick
@test "survival: durable loses nothing, unlogged loses all, no-fsync says that it cannot tell" {
  scripts/stack.sh down # a drill does not start while a target is up by hand
  scripts/drills/survival.sh --rounds 1 --seconds 1 --run "$BATS_TEST_TMPDIR" durable unlogged no-fsync 3>&-
  jq -e '.[0].lost == 0 and .[0].acknowledged > 0 and .[0].loaded_lost == 0
    and .[1].lost == .[1].acknowledged and .[1].loaded_lost == .[1].loaded
    and .[2].lost == null and (.[2].why | test("power failure"))' "$BATS_TEST_TMPDIR/survival.json"
}
