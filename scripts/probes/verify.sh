#!/usr/bin/env bash
# Summary: compares a target's answers with SQL's own, byte by byte, before anything is timed.
# Usage: scripts/probes/verify.sh [--print] TARGET [WORKLOAD...]      all its workloads unless given
#
# Sends the target at BASE_URL (default http://127.0.0.1:$TARGET_PORT) the requests that scripts/sql/verify/<workload>.sql prints, bad
# ones among them, and compares the answers with those that it prints, from the database of PGHOST, PGPORT, PGUSER, PGPASSWORD
# and PGDATABASE. A target without a database of ours ("answers": "shape") must answer in the shape of the example in
# scripts/sql/verify/<workload>.json instead, and give the same answer again. A target that is the database itself ("answers": "none") is not asked.
# Exit 0 when all agree; 2 at the first difference. --print prints, of each answer that has one right body, the seconds that it took, its path and
# its body, separated by tabs; \n, \t, \r and \\ stand for such characters in the body. Of an answer whose shape alone is known, the body is the one that came.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

ERROR='{"error": "Bad Request", "message": "what is wrong", "code": "BAD_REQUEST"}' # what every error looks like

# get PATH: the body goes to $BODY, the status into STATUS, the seconds that it took into TOOK_S.
get() {
  local outcome
  outcome=$(curl -q -sS --noproxy '*' --globoff --path-as-is --max-time 60 -o "$BODY" -w '%{http_code} %{time_total}' "$BASE_URL$1" 2>&1) ||
    die "$EXIT_FAILED" "$TARGET does not answer $BASE_URL$1: ${outcome%$'\n'*}"
  read -r STATUS TOOK_S <<<"$outcome"
}

# excerpt: prints how the body last fetched begins, on one line.
excerpt() { head -c 200 "$BODY" | tr '\000-\037\177' ' '; }

# one_line: prints the body last fetched, with \n, \t, \r and \\ for such characters.
one_line() { jq -Rrs '[.] | @tsv' "$BODY"; }

# expect_status PATH STATUS
expect_status() {
  get "$1"
  [[ $STATUS == "$2" ]] || die "$EXIT_FAILED" "$TARGET answers $1 with status $STATUS, expected $2: $(excerpt)"
}

# expect_shape PATH EXAMPLE: the body last fetched looks like this JSON, or this text
expect_shape() {
  jq -eRs -L "$REPO_ROOT/scripts/jq" --argjson example "$2" 'include "like"; body_like($example)' "$BODY" >/dev/null 2>&1 ||
    die "$EXIT_FAILED" "$TARGET's answer to $1 has an unexpected shape: $(excerpt); expected the shape of $(jq -c 'if type == "array" then .[:1] else . end' <<<"$2"); --workloads leaves a workload out"
}

# expect_body PATH BODY: the body last fetched is this one
expect_body() {
  local difference at=0
  difference=$(printf '%s' "$2" | cmp - "$BODY" 2>&1) && return
  if [[ $difference =~ after\ byte\ ([0-9]+) ]]; then # one of them ends there
    at=${BASH_REMATCH[1]}
  elif [[ $difference =~ differ:\ [a-z]+\ ([0-9]+) ]]; then
    at=$((BASH_REMATCH[1] - 1))
  fi
  die "$EXIT_FAILED" "$TARGET's answer to $1 differs from SQL's from byte $((at + 1)) on: expected '${2:at:60}', got '$(tail -c "+$((at + 1))" "$BODY" | head -c 60 | tr '\000-\037\177' ' ')'"
}

# verify_sql WORKLOAD: every request that its SQL prints
verify_sql() {
  local sql=$REPO_ROOT/scripts/sql/verify/$1.sql requests status path body
  [[ -r $sql ]] || die "$EXIT_FAILED" "scripts/sql/verify/$1.sql is missing: it prints the right answers of workload $1"
  requests=$(psql -XqAt -F $'\t' -v ON_ERROR_STOP=1 -f "$sql" 2>"$BODY") || die "$EXIT_FAILED" "$sql failed: $(head -n 1 "$BODY")"
  while IFS=$'\t' read -r status path body; do
    expect_status "$path" "$status"
    case $body in
      '') expect_shape "$path" "$ERROR" ;;
      '*') ;;
      *)
        expect_body "$path" "$body"
        ! $PRINTS || [[ $status != 200 ]] || printf '%s\t%s\t%s\n' "$TOOK_S" "$path" "${body//\\/\\\\}"
        ;;
    esac
  done <<<"$requests"
}

# verify_shape WORKLOAD: its example's path, and the shape of the answer; where that repeats what was asked for, values that nobody knows beforehand
verify_shape() {
  local examples example path first
  examples=$(examples | jq -c -L "$REPO_ROOT/scripts/jq" --arg workload "$1" --argjson targets "$TARGETS" '
    include "workloads"; include "like";
    .[. as $examples | $workload | example_name($examples; $targets | map(.name)) // ""] // empty | with_values($ARGS.positional)' \
    --args "$(printf 'a%05d' "$RANDOM")" "$(printf 'b%05d' "$RANDOM")")
  [[ -n $examples ]] || die "$EXIT_FAILED" "scripts/sql/verify/$1.json is missing: it shows what $TARGET's answer to workload $1 must look like"
  while IFS= read -r example; do
    path=$(jq -r .path <<<"$example")
    expect_status "$path" 200
    expect_shape "$path" "$(jq .answer <<<"$example")"
    jq -eRs -L "$REPO_ROOT/scripts/jq" --argjson example "$example" 'include "like"; $example.echoes == null or repeats($example)' "$BODY" >/dev/null ||
      die "$EXIT_FAILED" "$TARGET's answer to $path does not repeat what was asked for: $(excerpt); expected $(jq -c .answer <<<"$example")"
    first=$(one_line)
    expect_status "$path" 200
    [[ $first == "$(one_line)" ]] || die "$EXIT_FAILED" "$TARGET's answer to $path changes from one request to the next: $(excerpt); --workloads leaves a workload out"
    ! $PRINTS || printf '%s\t%s\t%s\n' "$TOOK_S" "$path" "$first"
  done <<<"$examples"
}

main() {
  help_if_asked "$@"
  PRINTS=false
  [[ ${1:-} != --print ]] || { PRINTS=true && shift; }
  (($# >= 1)) || usage_error "which target?"
  local target workload workloads verify=verify_sql
  TARGET=$1
  shift
  target_file "$TARGET" >/dev/null
  TARGETS=$(targets)
  target=$(jq -c --arg name "$TARGET" '.[] | select(.name == $name)' <<<"$TARGETS")
  workloads=${*:-$(jq -r '.workloads | if type == "object" then [.[][]] | unique else . end | .[]' <<<"$target")}
  case $(jq -r .answers <<<"$target") in
    none) exit 0 ;;
    shape) verify=verify_shape ;;
    *)
      require_cmd psql
      [[ -n ${PGHOST:-} ]] || die "$EXIT_FAILED" "PGHOST is not set: the database is asked for the right answers (scripts/database.sh env app prints it)"
      # a target with an API of its own has all its answers in one file
      [[ ! -r $REPO_ROOT/scripts/sql/verify/$TARGET.sql ]] || workloads=$TARGET
      ;;
  esac
  require_cmd curl cmp
  BASE_URL=${BASE_URL:-http://127.0.0.1:$TARGET_PORT}
  BODY=$(mktemp)
  trap 'rm -f "$BODY"' EXIT
  for workload in $workloads; do
    "$verify" "$workload"
  done
}

main "$@"
