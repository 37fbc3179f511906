#!/usr/bin/env bats
# The Kubernetes manifests, checked without a cluster, and the reading of a Job's log.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  export PGLAB_RESULTS=$BATS_TEST_TMPDIR/runs
}

@test "each regime's manifests fit the operator's types, and have the sizes and settings of its profile" {
  local regime
  for regime in inside larger equal; do
    docker/kubernetes/regimes.sh render "$regime" | bin/manifests >"$BATS_TEST_TMPDIR/$regime.json"
    jq -e --slurpfile profile "scripts/declared/databases/pgbench-$regime.json" '$profile[0] as $p
      | map(.kind) == ["Cluster", "Job"]
      and .[0].spec.postgresql.parameters == ($p.settings + {shared_buffers: "\($p.settings.shared_buffers.mb_per_scale)MB"})
      and .[0].spec.postgresql.synchronous == {method: "any", number: 1, dataDurability: "required"}
      and (.[1].spec.template.spec.containers[0].args[0] | contains("--scale=\($p.table_options.branches)"))' "$BATS_TEST_TMPDIR/$regime.json"
    run ! grep -F '{{' "$BATS_TEST_TMPDIR/$regime.json"
  done
  jq -e '.[1].spec.template.spec.containers[0].env[0] == {name: "PGHOST", value: "pglab-inside-rw"}' "$BATS_TEST_TMPDIR/inside.json"
}

@test "the storage class is a variable; the example of one fits its type" {
  [ "$(STORAGE_CLASS=juicefs docker/kubernetes/regimes.sh render equal | grep -c 'torageClass.*: juicefs$')" = 2 ]
  bin/manifests <docker/kubernetes/cnpg/juicefs.yaml
}

@test "a field that the operator does not know is found" {
  run bash -c 'docker/kubernetes/regimes.sh render equal | sed "s/dataDurability/durability/" | bin/manifests'
  [ "$status" -eq 1 ]
  [[ $output == *'unknown field "spec.postgresql.synchronous.durability"'* ]]
}

@test "the Job's script is bash that parses" {
  docker/kubernetes/regimes.sh render larger | bin/manifests | jq -r '.[1].spec.template.spec.containers[0].args[0]' | bash -n
}

# job_log EXIT_CODE BLOCK: what kubectl logs would print.
job_log() {
  echo '{"pglab":"begin","at":"2026-11-20T10:00:00.000Z","regime":"larger","clients":10,"duration_s":300,"warmup_s":30}'
  cat "$2"
  echo '{"pglab":"end","at":"2026-11-20T10:05:00.500Z","exit_code":'"$1"'}'
}

@test "collect makes a run of a Job's log: its figures, its statements, its verdict" {
  job_log 0 tests/fixtures/pgbench-17/small-by-statement.txt >"$BATS_TEST_TMPDIR/job.log"
  local run_folder
  run_folder=$(docker/kubernetes/regimes.sh collect "$BATS_TEST_TMPDIR/job.log")
  jq -e '.verdicts.valid == 1 and (.cells[0] | .trials[0].requests == 566549 and .statements[10].latency_ms.median == 1.445 and .level == 10)' "$run_folder/results.json"
  node tests/lib/conforms.js results "$run_folder/results.json"
  node tests/lib/conforms.js plan "$run_folder/plan.json"
}

@test "collect: an aborted Job is invalid, its figures kept" {
  job_log 2 tests/fixtures/pgbench-17/large-aborted.txt >"$BATS_TEST_TMPDIR/job.log"
  local run_folder
  run_folder=$(docker/kubernetes/regimes.sh collect "$BATS_TEST_TMPDIR/job.log")
  jq -e '.verdicts.invalid == 1 and (.cells[0].trials[0] | .successes == 137267 and .errors == 10
    and any(.reasons[]; .check == "exit_status"))' "$run_folder/results.json"
}

@test "bad arguments: exit 64, one line" {
  local words
  for words in "" "render" "render nonesuch" "render ../tpch" "collect /nonesuch" "collect README.md"; do
    # shellcheck disable=SC2086 # words are arguments
    run docker/kubernetes/regimes.sh $words
    [ "$status" -eq 64 ]
    [ "${#lines[@]}" -eq 1 ]
  done
}
