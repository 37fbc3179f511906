#!/usr/bin/env bash
# Summary: publishes a run, with a post to paste, in results/published/ and in the README.
# Usage: scripts/publish.sh RUN [--supersedes WHY] [--with-invalid]
#        scripts/publish.sh RUN --question N     prints the post of one question, the Nth of the run; publishes nothing
#        scripts/publish.sh --readme             only writes the generated parts of README.md and docs/ again
#        scripts/publish.sh --posts              writes the posts of all current runs again, too, as sentences are made now
#
#   --supersedes WHY   why this run replaces the published one of the same experiment and machine; needed where there is one
#   --with-invalid     publishes a run with invalid or missing trials, too; the post says so first
#
# Writes results/published/<YYYYMMDD>-<commit>/<machine>.<experiment>.json and, in the folder of that name:
#   post.md            the answers to the primary questions, at most 6 KB, and post.html, the same with its pictures inside
#   post.csv           what the pictures of the post show
#   details.md         the whole report: each table, ratio and percentile
#   charts/            the pictures of both as SVG, those of the post also as PNG at twice the size
# Enters the run in results/published/index.json as the current one. A published results.json is never rewritten.
#
# --question prints Markdown; the pictures go to RUN/charts (of a results.json alone to a new folder), which is named on stderr.
#
# Exit 2 when the run is damaged, has invalid trials, was run with options that narrow the experiment, has another plan or environment than
# was measured, or a results.json that is not what its other files give, was published already or was not measured from a clean commit,
# or when another run of that day and commit was published.
#
# PUBLISHED, README and DOCS name other places to write to (tests use them).
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

# check_environment RUN: it is the one that was noted when the run was measured.
check_environment() {
  [[ -e $1/environment.json && -e $1/provenance.json ]] || return 0 # what is missing is told with all else
  local hash
  hash=$(environment_hash "$1/environment.json" 2>/dev/null) || die "$EXIT_FAILED" "$1/environment.json: is not JSON"
  [[ $hash == $(jq -r .environment_hash "$1/provenance.json") ]] ||
    die "$EXIT_FAILED" "$1: environment.json is not the one that was noted when the run was measured"
}

main() {
  local run='' written_again='' question=''
  local -a options=()
  help_if_asked "$@"
  while (($# > 0)); do
    case $1 in
      --with-invalid) options+=(--with-invalid) ;;
      --readme | --posts)
        [[ -z $written_again ]] || usage_error "--readme or --posts, once"
        written_again=$1
        [[ $1 == --readme ]] || options+=(--posts)
        ;;
      --supersedes)
        [[ -n ${2:-} ]] || usage_error "--supersedes needs a reason"
        options+=("--supersedes=$2")
        shift
        ;;
      --question)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage_error "--question needs a number, from 1"
        question=$2
        shift
        ;;
      -*) usage_error "unknown option $1" ;;
      *)
        [[ -z $run ]] || usage_error "one run at a time"
        run=$(run_named "$1")
        ;;
    esac
    shift
  done
  [[ -n $run || -n $written_again ]] || usage_error "which run?"
  [[ -z $run || -z $written_again ]] || usage_error "$written_again takes no run"
  if [[ -n $question ]]; then
    [[ -n $run && -z ${options[*]} ]] || usage_error "--question takes a run, and nothing else"
    options=(--question "$question")
  fi
  require_node
  [[ -z $run ]] || check_environment "$run"
  node "$REPO_ROOT/scripts/report/publish.js" --root "${PUBLISHED:-$REPO_ROOT/results/published}" \
    --readme "${README:-$REPO_ROOT/README.md}" --docs "${DOCS:-$REPO_ROOT/docs}" "${options[@]}" ${run:+"$run"}
}

main "$@"
