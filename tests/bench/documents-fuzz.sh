#!/usr/bin/env bash
# Summary: fuzzes the documents API by its own /openapi.json (schemathesis) and counts answers that are its fault.
# Usage: tests/bench/documents-fuzz.sh [--cases N]    at least N requests, 2000 unless given; about two minutes
#
# Every answer must be no 5xx and as the schema describes it; invalid requests must be refused. That valid ones are accepted is
# not asked: PostgreSQL stores no NUL character in jsonb, which JSON allows. Schemathesis comes from PyPI into .tools/ at first use.
# Exit 1 when an answer is not as it must be, or when there were too few cases.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=tests/lib/documents.bash
source "$REPO_ROOT/tests/lib/documents.bash"

VERSION=4.32.5
VENV=$REPO_ROOT/.tools/schemathesis-$VERSION
CHECKS=not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection
OPERATIONS=12 # and the coverage phase makes some of its own

main() {
  help_if_asked "$@"
  local cases=2000 folder
  case "${1:-} $#" in
    " 0") ;;
    "--cases 2") cases=$2 ;;
    *) usage_error "unknown arguments: $*" ;;
  esac
  if [[ ! -x $VENV/bin/schemathesis ]]; then
    python3 -m venv "$VENV"
    "$VENV/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$VERSION"
  fi
  trap documents_down EXIT
  documents_up
  folder=$PGLAB_DATA/fuzz
  mkdir "$folder"
  cd "$folder"
  local code=0
  "$VENV/bin/schemathesis" run "$BASE_URL/openapi.json" --checks "$CHECKS" --phases examples,coverage,fuzzing --continue-on-failure \
    --max-examples $((cases / OPERATIONS + 20)) --seed 1 --no-color --report json --report-json-path report.json >log 2>&1 || code=$?
  ((code == 0)) || sed -n '/FAILURES/,$p' log
  jq -r --argjson pid "$(documents_pid)" '"\(.test_cases.generated) cases, \(.test_cases.unique_failures) failures; the target is still process \($pid)"' report.json
  curl -fsS "$BASE_URL/health" >/dev/null || die "$EXIT_INVALID" "the target does not answer any more"
  (($(jq .test_cases.generated report.json) >= cases)) || die "$EXIT_INVALID" "fewer than $cases cases"
  exit "$code"
}

main "$@"
