#!/usr/bin/env bats
# The front door on a machine where nothing is installed yet: what can be wrong is refused before anything is installed, and what only
# prints installs nothing. Whatever could install, download or build is a stub that records its call.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  local name GO # what was built is up to date by the version of the real one
  GO=$(command -v go)
  BIN=$BATS_TEST_TMPDIR/bin CALLS=$BATS_TEST_TMPDIR/calls.log
  cp -rs /usr/bin/. "$BIN"
  rm -f "$BIN"/{jq,wrk,psql,pgbench,pg_config,curl,docker}
  ln -sf "$(command -v node)" "$BIN/node"
  for name in apt-get dpkg sudo brew npm go python3 pip; do
    rm -f "$BIN/$name"
    printf '#!/bin/sh\necho "%s $*" >>"%s"\ncase %s in go) exec "%s" "$@" ;; dpkg) ;; *) exit 1 ;; esac\n' "$name" "$CALLS" "$name" "$GO" >"$BIN/$name"
    chmod +x "$BIN/$name"
  done
  : >"$CALLS"
  unset STACK
}

teardown() {
  [ -z "${LISTENER:-}" ] || kill "$LISTENER"
}

# front ARGUMENT...: the driver, with nothing else on the PATH.
front() {
  PATH=$BIN run ./run-all-tests.sh "$@"
  echo "$* -> $status: $output"
}

with_jq() { ln -sf "$(command -v jq)" "$BIN/jq"; }

# refuses EXIT_CODE TEXT ARGUMENT...: one line, which holds the text, and nothing was called
refuses() {
  front "${@:3}"
  refused_with "$1" "$2"
  [ ! -s "$CALLS" ]
}

mistakes() {
  refuses 64 "no such experiment: nonsense" nonsense
  refuses 64 "unknown option --nonsense" smoke --nonsense
  refuses 64 "unknown option -x" -x
  refuses 64 "needs a value" smoke --levels
  refuses 64 "--levels 0: must be whole numbers from 1 up" smoke --levels 0
  refuses 64 "--levels many: must be whole numbers" smoke --levels many
  refuses 64 "--blocks 0: must be a whole number from 1 up" smoke --blocks 0
  refuses 64 "--duration 1,2: must be a whole number" smoke --duration 1,2
  refuses 64 "--scale 0.0: must be a number above 0" smoke --scale 0.0
  refuses 64 "no such target: nonsense; there are" smoke --targets pooled,nonsense
  refuses 64 "no such workload: nonsense" smoke --workloads nonsense
  refuses 64 "no such stack: moon; there are docker, external, kubernetes and local" smoke --stack moon
  refuses 64 "no such stack: ../stacks/local" smoke --stack ../stacks/local
  refuses 64 "--resume needs a value" --resume ""
  refuses 64 "--from needs a stage and a run" --from report ""
  refuses 64 "--url http://***@127.0.0.1:9: must be http" smoke --url http://me:secret@127.0.0.1:9
  [[ $output != *secret* ]]
  refuses 64 "--url http://127.0.0.1:9/?token=***: must be http" smoke --url 'http://127.0.0.1:9/?token=secret'
  [[ $output != *secret* ]]
  TARGET_PORT=70000 refuses 64 "TARGET_PORT is 70000: must be the number of a port" smoke
  STACK=moon refuses 64 "no such stack: moon" smoke
  refuses 64 "stack external needs --url URL or --dsn DSN" smoke --stack external
  refuses 64 "--url nonsense: must be http" smoke --url nonsense
  for keys in 169.254.169.254 Metadata.Google.Internal '[fd00:ec2::254]'; do
    refuses 64 "$keys tells a cloud's machine its keys: if it is yours" smoke --url "http://$keys"
  done
  refuses 64 "--url http://127.0.0.1:99999: no port has the number 99999" smoke --url http://127.0.0.1:99999
  refuses 64 "--url needs --stack external, not local" smoke --stack local --url http://127.0.0.1:9
  refuses 64 "--url or --dsn, not both" smoke --url http://127.0.0.1:9 --dsn postgresql://127.0.0.1:9/x
  refuses 64 "--allow-writes needs --dsn" smoke --allow-writes
  refuses 64 "one experiment at a time" smoke baseline
  refuses 64 "--from moon: the stages are" --from moon
  refuses 64 "--from moon: the stages are" --from moon results/runs/nowhere
  refuses 64 "--from needs a stage and a run" --from report
  refuses 64 "no such run: nowhere" --resume nowhere
  refuses 64 "no such run: nowhere" --from report nowhere
}

damaged_runs() {
  local run=$BATS_TEST_TMPDIR/run
  mkdir -p "$run/cells/01" "$BATS_TEST_TMPDIR/suite"
  refuses 2 "is damaged: experiment.json" --resume "$run"
  refuses 64 "is not the folder of a run" --resume "$BATS_TEST_TMPDIR/suite"
  echo '{"name"' >"$run/experiment.json"
  refuses 2 "is damaged: experiment.json" --resume "$run"
  echo '{}' | tee "$run/experiment.json" >"$run/options.json"
  refuses 2 "is damaged: plan.json" --from report "$run"
  echo '{}' >"$run/plan.json"
  refuses 2 "is damaged: environment.json" --from report "$run"
  echo '{"machine"' >"$run/environment.json"
  refuses 2 "is damaged: environment.json" --resume "$run"
  echo '{}' >"$run/environment.json"
  echo '{"trials"' >"$run/plan-open.json"
  refuses 2 "is damaged: plan-open.json" --resume "$run"
  echo '{}' >"$run/plan-open.json"
  mkdir -p "$run/capacity/01"
  : >"$run/capacity/01/plan.json"
  refuses 2 "is damaged: capacity/01/plan.json" --resume "$run"
  [ -d "$run/cells/01" ]
  echo '{"runs"' >"$BATS_TEST_TMPDIR/suite/suite.json"
  refuses 2 "is damaged: suite.json" --resume "$BATS_TEST_TMPDIR/suite"
  refuses 64 "a run has its options already: drop --levels" --resume "$run" --levels 1
  refuses 64 "a run has its experiment already: drop smoke" smoke --resume "$run"
  refuses 64 "--dry-run goes with an experiment" --dry-run --resume "$run"
}

@test "mistakes are refused before anything is installed" {
  mistakes
}
@test "mistakes are refused where jq is there" {
  with_jq
  mistakes
}
@test "a damaged run is refused before anything is installed" {
  damaged_runs
}
@test "a damaged run is refused where jq is there" {
  with_jq
  damaged_runs
}

@test "a command's lines become an array: none of one that prints nothing, and one that fails is not hidden" {
  source scripts/lib/common.bash
  local -a lines_there
  lines_of lines_there jq -rn '"two words", "", "*"'
  [ "$(printf '<%s>' "${lines_there[@]}")" = '<two words><><*>' ]
  lines_of lines_there jq -rn empty
  [ "${#lines_there[@]}" -eq 0 ]
  run lines_of lines_there jq -rn '"one", error("broken")'
  [ "$status" -eq 5 ]
}

@test "two runs of one second have a folder each" {
  source scripts/lib/common.bash
  source scripts/lib/prepare.bash
  local name
  for name in half half-2 half-3; do
    new_folder "$BATS_TEST_TMPDIR/runs/half"
    [ "$RUN" = "$BATS_TEST_TMPDIR/runs/$name" ] && [ -d "$RUN" ]
  done
}

@test "an address where nothing answers is refused before anything is installed" {
  refuses 2 "--url http://127.0.0.1:9: the connection is refused" smoke --url http://127.0.0.1:9
  refuses 2 "--dsn 127.0.0.1:9: the connection is refused" smoke --dsn postgresql://someone:secret@127.0.0.1:9/x
  [[ $output != *secret* ]]
}

@test "with jq, what the experiment does not have is refused before anything is installed" {
  with_jq
  refuses 64 "--levels 999: experiment smoke has levels 1, 4" smoke --levels 999
  refuses 64 "--blocks 7: experiment smoke declares 1" smoke --blocks 7
  refuses 64 "--targets documents: experiment smoke has targets" smoke --targets documents
  refuses 64 "--workloads documents-crud: experiment smoke has workloads" smoke --workloads documents-crud
  refuses 64 "nothing left to measure" smoke --targets rollup --workloads hello
  refuses 64 "scale '0.05' is neither" smoke --scale 0.05
  echo '{"name"' >"$BATS_TEST_TMPDIR/broken.json"
  refuses 64 "broken.json is not JSON" "$BATS_TEST_TMPDIR/broken.json"
  refuses 2 "--url http://127.0.0.1:9: the connection is refused" smoke --workloads hello --url http://127.0.0.1:9
}

@test "going on with a run on a database of one's own takes its address, which is not kept" {
  local run=$BATS_TEST_TMPDIR/run
  with_jq
  mkdir "$run"
  for file in experiment plan; do echo '{"groups": []}' >"$run/$file.json"; done
  echo '{"stack": "external", "dsn": true}' >"$run/options.json"
  refuses 64 "is on a database of yours: give its address again, with --dsn" --resume "$run"
}

@test "what the shell has for runs by hand is named and ignored" {
  K6_RPS=5 WRK_CLOSE=1 STATEMENTS=unnamed keepalive=off run ./run-all-tests.sh quick --dry-run
  [[ $output == *"warning: ignored, as a run measures what its experiment says: K6_RPS WRK_CLOSE STATEMENTS keepalive"* ]]
  # all that k6's scripts can be told is known here
  diff <(node -p '/const NAMES = (\[.*?\])/s.exec(fs.readFileSync("k6/lib/settings.js", "utf8"))[1].match(/\w+/g).filter((name) => name !== "BASE_URL").join("\n")') \
    <(source scripts/lib/common.bash && source scripts/lib/options.bash && printf '%s\n' "${LOAD_SETTINGS[@]}")
}

@test "with jq, a port that is taken is refused before anything is installed" {
  with_jq
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => console.log(s.address().port))' >"$BATS_TEST_TMPDIR/port" 3>&- &
  LISTENER=$!
  until [ -s "$BATS_TEST_TMPDIR/port" ]; do sleep 0.05; done
  TARGET_PORT=$(<"$BATS_TEST_TMPDIR/port")
  export TARGET_PORT
  refuses 2 "port $TARGET_PORT is taken: stop what listens there, or set another (TARGET_PORT)" smoke --stack local
}

@test "--help and --list install nothing; help names every command that a person types, with its summary" {
  front --help
  [ "$status" -eq 0 ]
  for file in scripts/*.sh; do
    if [ -L "$file" ]; then
      [[ $output != *"$file "* ]]
    else
      [[ $output == *"$file "*"$(sed -n 's/^# Summary: //p' "$file")"* ]]
    fi
  done
  refuses 64 "--list takes nothing else" --list --foo
  front --list
  [ "$status" -eq 0 ]
  for file in scripts/declared/{experiments,suites}/*.json; do
    grep -qxF "$(jq -r '.name as $n | "  \($n)\(" " * (20 - ($n | length))) \(.why)"' "$file")" <<<"$output"
  done
  [ ! -s "$CALLS" ]
}

@test "--dry-run installs nothing: it plans as if set-up were done, or says that jq is missing" {
  refuses 2 "jq is missing: run scripts/setup.sh" smoke --dry-run
  with_jq
  front smoke --dry-run
  [ "$status" -eq 0 ]
  [[ $output == *"trials in 1 block, about"* && $output != *skipped* ]]
  [ ! -s "$CALLS" ]
}

@test "a target that set-up would build counts as there before set-up" {
  with_jq
  mkdir -p "$BATS_TEST_TMPDIR/apps/unbuilt"
  jq '.name = "unbuilt" | .processes[0].argv[2] = "unbuilt" | .needs = ["no/such/file"]' apps/pooled/target.json >"$BATS_TEST_TMPDIR/apps/unbuilt/target.json"
  jq '.name = "unbuilt" | del(.questions) | .cells = [.cells[3] | .targets = ["unbuilt"]]' scripts/declared/experiments/smoke.json >"$BATS_TEST_TMPDIR/unbuilt.json"
  TARGET_FOLDERS="apps $(realpath --relative-to=. "$BATS_TEST_TMPDIR")/apps" front "$BATS_TEST_TMPDIR/unbuilt.json" --dry-run
  [ "$status" -eq 0 ]
  [[ $output == *"tpch@0.01.unbuilt.base.hello.wrk"* ]]
}

@test "making files again installs nothing: one line says what is missing" {
  local run=$BATS_TEST_TMPDIR/run
  mkdir "$run"
  for file in experiment options plan environment; do echo '{}' >"$run/$file.json"; done
  refuses 2 "jq is missing: run scripts/setup.sh" --from report "$run"
  with_jq
  rm "$BIN/node"
  echo '{"stack": "local"}' >"$run/options.json"
  refuses 2 "node is missing" --from report "$run"
}

@test "what is right goes on to set-up, which installs" {
  front quick
  [ "$status" -eq 2 ]
  grep -q '^apt-get ' "$CALLS"
}
