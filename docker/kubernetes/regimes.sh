#!/usr/bin/env bash
# Summary: pgbench's regimes on Kubernetes: prints the manifests, and turns a finished Job's log into a run.
# Usage: docker/kubernetes/regimes.sh render REGIME        inside, larger or equal: a CloudNativePG cluster, and a Job with pgbench
#        docker/kubernetes/regimes.sh collect LOGFILE      what `kubectl logs job/pglab-REGIME-pgbench` printed; prints the run's folder
#
#   STORAGE_CLASS=standard   PG_IMAGE=ghcr.io/cloudnative-pg/postgresql:17.5   CLIENTS=10   DURATION=300   WARMUP=30
#
# Sizes and settings are those of scripts/declared/databases/pgbench-REGIME.json at scale 1. docker/kubernetes/README.md tells the steps.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"

STORAGE_CLASS=${STORAGE_CLASS:-standard}
PG_IMAGE=${PG_IMAGE:-ghcr.io/cloudnative-pg/postgresql:17.5}
CLIENTS=${CLIENTS:-10}
DURATION=${DURATION:-300}
WARMUP=${WARMUP:-30}
TEMPLATES=$REPO_ROOT/docker/kubernetes/cnpg

render() {
  local profile=$REPO_ROOT/scripts/declared/databases/pgbench-$1.json
  [[ $1 =~ ^[a-z]+$ && -r $profile ]] || usage_error "no such regime: $1; there are inside, larger and equal"
  [[ $CLIENTS =~ ^[1-9][0-9]*$ && $DURATION =~ ^[1-9][0-9]*$ && $WARMUP =~ ^[1-9][0-9]*$ ]] || usage_error "CLIENTS, DURATION and WARMUP are whole numbers from 1"
  [[ $STORAGE_CLASS =~ ^[a-z0-9.-]+$ && $PG_IMAGE =~ ^[A-Za-z0-9./:@_-]+$ ]] || usage_error "STORAGE_CLASS and PG_IMAGE are names"
  jq -rRs --slurpfile profile "$profile" --arg regime "$1" --arg image "$PG_IMAGE" --arg storage_class "$STORAGE_CLASS" \
    --arg clients "$CLIENTS" --arg duration_s "$DURATION" --arg warmup_s "$WARMUP" -f "$REPO_ROOT/scripts/jq/kubernetes-regime.jq" \
    "$TEMPLATES/cluster.yaml" <(echo ---) "$TEMPLATES/job.yaml"
}

# marker LOGFILE begin|end: prints the line of JSON that the Job wrote then.
marker() {
  jq -eRn --arg which "$2" 'first(inputs | select(startswith("{")) | fromjson? | select(.pglab == $which))' "$1" ||
    die "$EXIT_USAGE" "$1 is not the log of a finished pgbench Job: it does not tell where the measured run $2s"
}

collect() {
  [[ -r $1 ]] || usage_error "$1 cannot be read"
  local log begin end run cell part parts
  log=$(realpath "$1")
  cd "$REPO_ROOT"
  begin=$(marker "$log" begin)
  end=$(marker "$log" end)
  run=${PGLAB_RESULTS:-results/runs}/$(TZ=UTC printf '%(%Y%m%dT%H%M%SZ)T' -1)-kubernetes-$(jq -r .regime <<<"$begin")
  parts=$(jq -n --argjson began "$begin" --argjson ended "$end" --arg run "$(basename "$run")" --arg hash "$(sha256_of "$log")" \
    -L scripts/jq -f scripts/jq/kubernetes-run.jq)
  cell=$run/cells/01/$(jq -r .cell.id <<<"$parts")
  mkdir -p "$cell"
  for part in experiment plan; do jq ".$part" <<<"$parts" >"$run/$part.json"; done
  for part in cell status; do jq ".$part" <<<"$parts" >"$cell/$part.json"; done
  for part in before after; do echo null >"$cell/counters-$part.json"; done
  cp "$log" "$cell/stdout.log"
  : >"$cell/stderr.log"
  "$REPO_ROOT/scripts/stages/collect.sh" "$cell"
  "$REPO_ROOT/scripts/stages/analyse.sh" "$run"
  "$REPO_ROOT/scripts/stages/report.sh" "$run"
  printf '%s\n' "$run"
}

main() {
  help_if_asked "$@"
  case "${1:-} $#" in
    "render 2") render "$2" ;;
    "collect 2") collect "$2" ;;
    *) usage_error "which verb? render REGIME or collect LOGFILE" ;;
  esac
}

main "$@"
