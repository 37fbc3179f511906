#!/usr/bin/env bash
# What each stack costs: the same trials on local, docker and kubernetes, in rounds, one stack after another and each first in its turn; prints throughput,
# and the ratio to local with its 95 % interval over rounds. The cluster is a test's own, the engine the one that its images come from:
# tests/docker.sh tests/kubernetes.sh tests/bench/stacks.sh [ROUNDS]
set -Eeuo pipefail
cd "$(dirname "$0")/../.."

ROUNDS=${1:-6}
SCRATCH=$(mktemp -d)
chmod o+x "$SCRATCH" # for the user that PostgreSQL runs as
trap 'rm -rf "$SCRATCH"' EXIT
export PGLAB_DATA=$SCRATCH/data KUBE_STORAGE=1Gi
stacks=(local docker kubernetes)

for ((round = 0; round < ROUNDS; round++)); do
  for ((i = 0; i < ${#stacks[@]}; i++)); do
    stack=${stacks[(round + i) % ${#stacks[@]}]}
    PGLAB_RESULTS=$SCRATCH/$stack ./run-all-tests.sh tests/bench/stacks.json --stack "$stack" >&2 || (($? == 1)) # 1: a trial is invalid, which is left out
  done
done
node tests/bench/stacks.js "${stacks[@]/#/$SCRATCH/}"
