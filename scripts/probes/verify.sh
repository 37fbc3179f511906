#!/usr/bin/env bash
# Summary: compares a target's answers with SQL's own, byte by byte, before anything is timed.
# Usage: scripts/probes/verify.sh TARGET [WORKLOAD...]      all its workloads unless given
#
# Asks the target at BASE_URL (default http://127.0.0.1:$TARGET_PORT) what scripts/sql/verify/<workload>.sql prints for each of
# its workloads: requests, bad ones among them, and the right answers, as the database of PGHOST, PGPORT, PGUSER, PGPASSWORD
# and PGDATABASE gives them. Targets that have no database of ours (null, external) are asked for status and shape only; one
# that is the database itself ("answers": "none") has nobody to be compared with.
# Exit 0 when all agree; 2 at the first difference.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

# The path and, as a jq filter on the whole body as text, the shape of each workload's answer.
declare -A SHAPE_PATH=([hello]=/ [echo]=/echo/x [analytics]=/analytics)
declare -A SHAPE=(
  [hello]='length > 0'
  [echo]='fromjson | .value | type == "string"'
  [analytics]='fromjson | length > 0 and all(.[]; map_values(type) == {status: "string", year: "number", orders: "number", total: "string"})'
)
for workload in documents-{health,crud,batch,index-pairs,streaming,stress,stress-optimized,insert,find,find-indexed,update,update-hot-row}; do
  SHAPE_PATH[$workload]='/collections/test/find?limit=1'
  SHAPE[$workload]='fromjson | .documents[0]._id | type == "string"'
done
# Every error is JSON with three texts.
ERROR_SHAPE='fromjson | [.error, .message, .code] | all(type == "string")'

# get PATH: the body goes to $BODY, the status into STATUS.
get() {
  STATUS=$(curl -sS --globoff --path-as-is --max-time 60 -o "$BODY" -w '%{http_code}' "$BASE_URL$1" 2>&1) ||
    die "$EXIT_FAILED" "$TARGET does not answer $BASE_URL$1: ${STATUS%$'\n'*}"
}

# expect_status PATH STATUS
expect_status() {
  get "$1"
  [[ $STATUS == "$2" ]] || die "$EXIT_FAILED" "$TARGET answers $1 with status $STATUS, expected $2: $(head -c 200 "$BODY")"
}

# expect_shape PATH FILTER: of the body last fetched
expect_shape() {
  jq -eRs "$2" "$BODY" >/dev/null 2>&1 || die "$EXIT_FAILED" "$TARGET answers $1 in a shape that is not expected: $(head -c 200 "$BODY")"
}

# expect_body PATH BODY: of the body last fetched
expect_body() {
  local said at=0
  said=$(printf '%s' "$2" | cmp - "$BODY" 2>&1) && return
  if [[ $said =~ after\ byte\ ([0-9]+) ]]; then # one of them ends there
    at=${BASH_REMATCH[1]}
  elif [[ $said =~ differ:\ [a-z]+\ ([0-9]+) ]]; then
    at=$((BASH_REMATCH[1] - 1))
  fi
  die "$EXIT_FAILED" "$TARGET answers $1 otherwise than SQL, from byte $((at + 1)) on: expected '${2:at:60}', got '$(tail -c "+$((at + 1))" "$BODY" | head -c 60)'"
}

# verify_sql WORKLOAD: every request that its SQL prints
verify_sql() {
  local sql=$REPO_ROOT/scripts/sql/verify/$1.sql requests status path body
  [[ -r $sql ]] || die "$EXIT_FAILED" "$sql is missing: it prints the right answers of workload $1"
  requests=$(psql -XqAt -F $'\t' -v ON_ERROR_STOP=1 -f "$sql" 2>"$BODY") || die "$EXIT_FAILED" "$sql failed: $(tail -n 1 "$BODY")"
  while IFS=$'\t' read -r status path body; do
    expect_status "$path" "$status"
    case $body in
      '') expect_shape "$path" "$ERROR_SHAPE" ;;
      '*') ;;
      *) expect_body "$path" "$body" ;;
    esac
  done <<<"$requests"
}

# verify_shape WORKLOAD
verify_shape() {
  [[ -n ${SHAPE[$1]:-} ]] || die "$EXIT_FAILED" "verify.sh knows no shape for workload $1"
  expect_status "${SHAPE_PATH[$1]}" 200
  expect_shape "${SHAPE_PATH[$1]}" "${SHAPE[$1]}"
}

main() {
  help_if_asked "$@"
  (($# >= 1)) || usage_error "which target?"
  local file workload workloads verify=verify_sql
  TARGET=$1
  shift
  file=$(target_file "$TARGET")
  [[ $(jq -r .answers "$file") != none ]] || exit 0
  BASE_URL=${BASE_URL:-http://127.0.0.1:$TARGET_PORT}
  workloads=${*:-$(jq -r '.workloads | if type == "object" then [.[][]] | unique else . end | .[]' "$file")}
  # a target with an API of its own has all its answers in one file
  [[ ! -r $REPO_ROOT/scripts/sql/verify/$TARGET.sql ]] || workloads=$TARGET
  require_cmd curl cmp jq
  if [[ $TARGET == null || $TARGET == external ]]; then
    verify=verify_shape
  else
    require_cmd psql
    [[ -n ${PGHOST:-} ]] || die "$EXIT_FAILED" "PGHOST is not set: the database is asked for the right answers (scripts/database.sh env app prints it)"
  fi
  BODY=$(mktemp)
  trap 'rm -f "$BODY"' EXIT
  for workload in $workloads; do
    "$verify" "$workload"
  done
}

main "$@"
