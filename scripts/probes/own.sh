#!/usr/bin/env bash
# Summary: looks at a k6 script of somebody's own before anything is measured: what it runs, and what one iteration asks and is answered.
# Usage: scripts/probes/own.sh FILE.js URL [SCENARIO]
#
# Prints {path, exec, requests, objective, unread, answers}: exec is the function, null for the default; requests: of one iteration; objective, unread: what its
# thresholds say (scripts/jq/own.jq); answers: what each request got (scripts/probes/own/recorder.js). Exit 64, and one line, where it cannot be measured.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

SCRATCH=''
LIMIT_S=100 # for one iteration, its setup() included

on_exit() {
  local code=$?
  [[ -z ${RECORDER_PID:-} ]] || kill "$RECORDER_PID" 2>/dev/null
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  exit "$code"
}

refuse() { die "$EXIT_USAGE" "$FILE $1"; }

# first_error FILE: prints the first that k6 logged.
first_error() { sed -n 's/.*level=error msg="\(.*\)".*/\1/p' "$1" | head -n 1 | sed 's/\\n.*//; s/\\"/"/g'; }

# inspected: prints the script's options, as k6 understands them.
inspected() {
  timeout --kill-after=5 "$LIMIT_S" bin/k6 inspect --include-system-env-vars=true -e BASE_URL="$URL" "$FILE" 2>"$SCRATCH/inspect" ||
    refuse "cannot be read by k6: $(first_error "$SCRATCH/inspect")"
}

# recorded EXEC TLS: prints what one iteration was answered, and leaves in POINTS what k6 counted of it. TLS: the script's certificates, as JSON.
recorded() {
  local port said=$SCRATCH/k6 code=0 failed pipe asked
  local -a exec_args=()
  [[ -z $1 ]] || exec_args=(-e "exec=$1")
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  coproc RECORDER { TLS=$2 node scripts/probes/own/recorder.js "$URL" "$port"; }
  wait_until 10 "the recorder" curl -sS -o /dev/null --connect-timeout 1 "http://127.0.0.1:$port/" -X OPTIONS || die "$EXIT_FAILED" "$URL cannot be asked"
  timeout --kill-after=5 "$LIMIT_S" bin/k6 run --quiet --no-usage-report --no-thresholds --address '' --include-system-env-vars=true --vus 1 --iterations 1 --system-tags url,group,check --out "json=$POINTS" \
    -e BASE_URL="http://127.0.0.1:$port" -e script="$FILE" -e out="$SCRATCH/summary.json" "${exec_args[@]}" k6/own/main.js >"$said" 2>&1 || code=$?
  pipe=${RECORDER[1]}
  exec {pipe}>&-
  cat <&"${RECORDER[0]}"
  ((code != 124)) || refuse "has not ended one iteration after $LIMIT_S s"
  ((code == 0)) || refuse "fails: $(first_error "$said")"
  ! grep -q 'level=error' "$said" || refuse "throws: $(first_error "$said")"
  failed=$(jq -r '[.root_group | .. | objects | select(.fails? > 0 and .name) | .name] | unique | join(", ")' "$SCRATCH/summary.json")
  asked=$(jq -c 'select(.type == "Point")' "$POINTS" | jq -cs -L scripts/jq --arg recorder "http://127.0.0.1:$port" --arg url "$URL" 'include "own"; asked([$recorder, $url])')
  jq --arg failed "$failed" '. + {$failed}' <<<"$asked" >"$SCRATCH/asked"
}

main() {
  help_if_asked "$@"
  (($# == 2 || $# == 3)) || usage_error "which script, and which address?"
  FILE=$(realpath "$1") URL=$2
  cd "$REPO_ROOT"
  trap on_exit EXIT
  SCRATCH=$(mktemp -d)
  POINTS=$SCRATCH/points.json
  local options found exec answers requests tls fault
  options=$(inspected)
  found=$(jq -c -L scripts/jq --arg scenario "${3:-}" 'include "own"; own_script($scenario)' <<<"$options")
  fault=$(jq -r '.fault // empty' <<<"$found")
  [[ -z $fault ]] || refuse "$fault"
  exec=$(jq -r '.exec // empty' <<<"$found")
  tls=$(jq -c '{certificate: (.tlsAuth // [])[0], insecure: (.insecureSkipTLSVerify // false)}' <<<"$options")
  answers=$(recorded "$exec" "$tls")
  requests=$(jq '.requests // 0' "$SCRATCH/asked")
  fault=$(jq -r -L scripts/jq --slurpfile asked "$SCRATCH/asked" 'include "own"; answers_fault($asked[0]) // empty' <<<"$answers")
  [[ -z $fault ]] || refuse "$fault"
  jq -c -L scripts/jq --arg path "$FILE" --argjson requests "$requests" --argjson found "$found" --argjson answers "$answers" \
    'include "own"; $found + own_objective($requests) + {$path, $requests, $answers}' <<<"$options"
}

main "$@"
