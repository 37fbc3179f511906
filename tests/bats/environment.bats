#!/usr/bin/env bats
# What environment.sh records of the operating system's limits, and what it says when they are too low. No database takes part.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  export STACK=local SCALE=1 PGLAB_DATA=$BATS_TEST_TMPDIR/data PROC_ROOT=$BATS_TEST_TMPDIR/proc
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN" "$PROC_ROOT"/sys/net/{ipv4,core}
  printf '32768\t60999\n' >"$PROC_ROOT/sys/net/ipv4/ip_local_port_range"
  echo 0 >"$PROC_ROOT/sys/net/ipv4/tcp_tw_reuse"
  echo 4096 >"$PROC_ROOT/sys/net/core/somaxconn"
  echo '{"url": null}' >"$RUN/options.json"
}

# plan TARGET TOOL LEVEL [ARG]: of one cell.
plan() {
  jq -n --arg target "$1" --arg tool "$2" --argjson level "$3" --arg arg "${4:-}" '{groups: [{$target, database: "none",
    variant: {name: "base", env: {}, args: [$arg]}, cells: [{workload: "echo", model: "closed", $tool, $level}]}]}' >"$RUN/plan.json"
}

limits() { jq -c ".system_limits$1" "$RUN/environment.json"; }

@test "limits that will do are recorded, and nothing is said" {
  plan pooled k6 64
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$(limits '')" = "{\"local_ports\":[32768,60999],\"tcp_tw_reuse\":0,\"somaxconn\":4096,\"open_files\":{\"soft\":$(ulimit -Sn),\"hard\":$(ulimit -Hn)},\"too_low\":[]}" ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
}

@test "a limit that is too low: recorded, and one line with the command that raises it" {
  plan pooled wrk 300
  ulimit -Sn 256
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [ "$status" -eq 0 ]
  [ "$stderr" = "warning: wrk, ab or pgbench will hold 300 connections, and may have 256 files open; to raise it, before the next run: ulimit -Sn 400" ]
  [ "$(limits '.too_low | map([.limit, .value, .needed])')" = '[["open_files.soft",256,400]]' ]
  [ "$(ulimit -Sn)" = 256 ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
}

@test "a connection per request, by the target's own declaration or by the variant: ports that rest for a minute" {
  plan raw k6 16
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [[ $stderr == *"allow 470; to raise it, before the next run: sudo sysctl -w net.ipv4.tcp_tw_reuse=1" ]]
  jq '.stack = "kubernetes"' "$RUN/environment.json" >"$RUN/other" && mv "$RUN/other" "$RUN/environment.json" # whose pods that command does not reach
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [[ $stderr == *"allow 470" ]]
  rm "$RUN/environment.json"
  plan pooled k6 16 keepalive=off
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [[ $stderr == *"sudo sysctl -w net.ipv4.tcp_tw_reuse=1" ]]
}

@test "a system that does not tell: null, and no warning" {
  plan raw k6 16
  rm -r "$PROC_ROOT"
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  [ "$(limits ' | [.local_ports, .tcp_tw_reuse, .somaxconn, .too_low]')" = '[null,null,null,[]]' ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
}

@test "whose server it was, and what asked it" {
  plan external k6 16
  echo '{"url": "http://127.0.0.1:9/api", "script": {"path": "shop.js", "sha256": "0a1b"}}' >"$RUN/options.json"
  STACK=external EXTERNAL_URL=http://127.0.0.1:9/api scripts/stages/environment.sh "$RUN"
  [ "$(jq -c .server "$RUN/environment.json")" = '{"url":"http://127.0.0.1:9/api","script":"0a1b"}' ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
}

@test "what has changed when a run is resumed is noted in the run" {
  plan pooled k6 16
  scripts/stages/environment.sh "$RUN"
  jq '.versions.node = "v1.0.0"' "$RUN/environment.json" >"$RUN/other" && mv "$RUN/other" "$RUN/environment.json"
  run --separate-stderr scripts/stages/environment.sh "$RUN"
  echo "$stderr"
  [ "$status" -eq 0 ]
  [[ $stderr == *"the environment has changed since this run began"* ]]
  [ "$(jq -c .changed "$RUN/environment.json")" = '["versions"]' ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
}

# engine: a Docker engine that has our images.
engine() {
  mkdir "$BATS_TEST_TMPDIR/bin"
  cat >"$BATS_TEST_TMPDIR/bin/docker" <<'SH'
#!/usr/bin/env bash
case "$1 $2" in
  "image inspect") if [[ $3 == -f ]]; then echo engine; else echo '[{"RepoTags": ["pglab-target"], "Id": "sha256:0"}]'; fi ;;
  "run --rm") if [[ $8 == sh ]]; then sh "${@:9}"; else echo "$8 1.0"; fi ;; # after --network none --label project image
esac
SH
  chmod +x "$BATS_TEST_TMPDIR/bin/docker"
  export STACK=docker PATH=$BATS_TEST_TMPDIR/bin:$PATH PGLAB_INPUTS=engine PGLAB_RESULTS=$BATS_TEST_TMPDIR/results
}

@test "limits of containers are recorded; with others a run is not resumed, but for one that has none" {
  plan pooled k6 16
  scripts/stages/environment.sh "$RUN"
  [ "$(jq .limits "$RUN/environment.json")" = null ]
  rm "$RUN/environment.json"
  engine
  TARGET_CPUS=1.5 CUBE_CPUS=500m LOADGEN_MEMORY=1g scripts/stages/environment.sh "$RUN"
  [ "$(jq -c '.limits | map_values([.cores, .memory])' "$RUN/environment.json")" = \
    '{"postgres":[null,"4g"],"target":[1.5,"1g"],"cube":["500m","2g"],"generator":[null,"1g"]}' ]
  node tests/lib/conforms.js environment "$RUN/environment.json"
  run --separate-stderr -2 scripts/stages/environment.sh "$RUN"
  [ "$stderr" = "error: containers are limited to other cores or memory than when the run began ($RUN/environment.diff): begin a run of its own" ]
  grep -q 1.5 "$RUN/environment.diff"
  jq 'del(.limits)' "$RUN/environment.json" >"$RUN/other" && mv "$RUN/other" "$RUN/environment.json"
  scripts/stages/environment.sh "$RUN"
}
