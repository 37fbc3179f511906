# shellcheck shell=bash
# A small experiment that is planned: what the tests of the plan begin with.

# shellcheck disable=SC2034 # tests ask it
POOLED='{"ask": "What does a pool save?", "primary": true, "compare": {"target": ["pooled", "raw"]}, "where": {"workload": "echo", "tool": "k6", "level": 3}, "metric": "throughput"}'

# tiny_experiment: goes to the clone, and writes it, without options, to RUN, which it sets.
tiny_experiment() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  RUN=$BATS_TEST_TMPDIR
  cat >"$RUN/experiment.json" <<'JSON'
{"name": "tiny", "why": "test", "blocks": 3, "seed": 7, "duration_s": 5, "warmup_s": 1,
 "cells": [
   {"databases": ["tpch"], "targets": ["raw", "pooled"], "variants": [{"name": "base"}, {"name": "big", "env": {"POOL_SIZE": "50"}}],
    "workloads": ["hello", "echo"], "tools": ["k6", "wrk"], "levels": [1, 3, 16]},
   {"databases": ["tpch"], "targets": ["pooled"], "workloads": ["echo"], "tools": ["k6"], "model": "open", "levels": [100, "50%"]}]}
JSON
  options '{}'
}

# options JSON: what a person asked for.
options() { jq -n "{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, url: null, dsn: false, allow_writes: false} + $1" >"$RUN/options.json"; }

# change FILTER: the experiment as the filter leaves it, from here on.
change() {
  jq "$1" "$RUN/experiment.json" >"$RUN/changed"
  mv "$RUN/changed" "$RUN/experiment.json"
}

# asks JSON: the experiment asks this, in six blocks.
asks() { change ".blocks = 6 | .questions = $1"; }

# plan FILTER: a value of the plan, which is made again when something has been written since.
plan() {
  { [ "$RUN/plan.json" -nt "$RUN/experiment.json" ] && [ "$RUN/plan.json" -nt "$RUN/options.json" ]; } || scripts/stages/plan.sh "$RUN"
  jq -c "$1" "$RUN/plan.json"
}

# refuses FILTER TEXT: no plan is made of the experiment as the filter leaves it, and a line says TEXT.
refuses() {
  local code=0
  cp "$RUN/experiment.json" "$RUN/good"
  change "$1"
  scripts/stages/plan.sh "$RUN" 2>"$RUN/said" || code=$?
  cat "$RUN/said"
  [ "$code" -eq 64 ]
  grep -qF "$2" "$RUN/said"
  cp "$RUN/good" "$RUN/experiment.json"
}
