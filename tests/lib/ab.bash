# shellcheck shell=bash
# Trials of ab against the stub (stub.bash), as the driver makes them. Those of tests/fixtures/ab-2.4.71/cells were made so.

# ab_cell FOLDER CELL [ARGS]: writes FOLDER/cell.json: CELL (JSON) over a default cell, with ARGS (a JSON list) as its variant's.
ab_cell() {
  mkdir -p "$1"
  jq -n -L scripts/jq --argjson cell "$2" --argjson args "${3:-[]}" 'include "cells";
    {block: 1, database: "none", scale: null, target: "external", variant: "base", workload: "hello", tool: "ab", model: "closed", level: 4,
     duration_s: 1, warmup_s: 1, path: "/"} + $cell | finished($args; 2)
    | . + {run: "20261120T101500Z-ab", plan_hash: "p1", git_commit: "c1", environment_hash: "e1", expects: null}' >"$1/cell.json"
}

# ab_trial BEHAVIOUR FOLDER CELL [ARGS]: a trial of the stub's BEHAVIOUR ("" for a good one) and its summary, in FOLDER.
ab_trial() {
  local url=$STUB${1:+/$1} folder=$2 data=${BATS_TEST_TMPDIR:?}/data
  ab_cell "${@:2}"
  mkdir -p "$data/stack/watch"
  echo '{"layout": "shared", "roles": {}}' >"$data/stack/topology.json"
  PGLAB_DATA=$data EXTERNAL_URL=$url BASE_URL=$url STACK=external scripts/stages/run-cell.sh "$folder"
  scripts/stages/collect.sh "$folder"
}
