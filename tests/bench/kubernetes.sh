#!/usr/bin/env bash
# What stack kubernetes asks of an API server for each trial: prints calls, by verb and by resource, and bytes. The cluster is a test's own:
# tests/kubernetes.sh tests/bench/kubernetes.sh
set -Eeuo pipefail
cd "$(dirname "$0")/../.."

STATE=$(dirname "$KUBECONFIG")
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
export PGLAB_DATA=$SCRATCH/data PGLAB_RESULTS=$SCRATCH/results KUBE_STORAGE=1Gi

# passed: prints the bytes that went between this machine and the cluster, which is what kubectl sent and got, with the headers of each packet.
passed() { (cd "/sys/class/net/pglab$(cut -d. -f2 "$STATE/subnet")/statistics" && echo $(($(<rx_bytes) + $(<tx_bytes)))); }

lines=$(wc -l <"$STATE/log/audit") before=$(passed)
./run-all-tests.sh "${1:-smoke}" --stack kubernetes "${@:2}" >&2
after=$(passed)
trials=$(jq '[.cells[].trials[]] | length' "$PGLAB_RESULTS"/*/results.json)
tail -n "+$((lines + 1))" "$STATE/log/audit" | jq -s -r --argjson trials "$trials" --argjson bytes "$((after - before))" '
  def per: . / $trials * 10 | round / 10;
  def counts(f): group_by(f) | map("\(.[0] | f) \(length | per)") | join(", ");
  "\($trials) trials, loading and set-up included: \(length | per) calls and \($bytes / 1024 | per) KiB each",
  "by verb: \(counts(.verb))",
  "by resource: \(counts(.objectRef | "\(.resource // "other")\(if .subresource then "/\(.subresource)" else "" end)"))"'
