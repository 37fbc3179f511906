#!/usr/bin/env bash
# Summary: looks at a k6 script of somebody's own before anything is measured: what it runs, and what some iterations ask and are answered.
# Usage: scripts/probes/own.sh FILE.js URL ANSWERS [SCENARIO]
#        scripts/probes/own.sh --same RUN
#
# Prints {path, sha256, exec, requests, at_once, only, takes, objective, unread}, and writes to ANSWERS what each request got (scripts/probes/own/recorder.js). exec is the function, null
# for the default; requests: of one iteration; at_once: whether it makes some together; only: the addresses of the server; takes: the names of variables that
# it takes from the environment; objective, unread: what its thresholds say (scripts/jq/own.jq); sha256: of
# the script and all that it imports or opens. Exit 64, and one line, where it cannot be measured; with --same where these are not what they were when a run began.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

SCRATCH=''
LIMIT_S=100 # for ITERATIONS, setup() included
ITERATIONS=3

on_exit() {
  local code=$?
  [[ -z ${RECORDER_PID:-} ]] || kill "$RECORDER_PID" 2>/dev/null
  [[ -z $SCRATCH ]] || rm -rf "$SCRATCH"
  exit "$code"
}

# refuse REASON: what k6 says of a script may hold what nobody should read.
refuse() {
  printf '%s\n' "$1" >"$SCRATCH/reason"
  node scripts/probes/own/hidden.js "$FILE" "$SCRATCH/reason" || die "$EXIT_FAILED" "$FILE is refused, and the reason cannot be shown"
  die "$EXIT_USAGE" "$FILE $(<"$SCRATCH/reason")"
}

# first_error FILE: prints the first that k6 logged; what the script logs is none.
first_error() { sed -n '/ source=console/d; /.*level=error msg="\(.*\)".*/{s//\1/; s/\\n.*//; s/\\"/"/g; p; q}' "$1"; }

# inspected: prints the script's options, as k6 understands them.
inspected() {
  timeout --kill-after=5 "$LIMIT_S" bin/k6 inspect --include-system-env-vars=true -e BASE_URL="$URL" "$FILE" 2>"$SCRATCH/inspect" ||
    refuse "does not load in k6: $(first_error "$SCRATCH/inspect")"
}

# summed: prints a hash of the script and of all that it reads as k6 begins.
summed() {
  local paths
  local -a files
  timeout --kill-after=5 "$LIMIT_S" bin/k6 archive --include-system-env-vars=true -e BASE_URL="$URL" -O "$SCRATCH/archive" "$FILE" >"$SCRATCH/inspect" 2>&1 ||
    refuse "does not load in k6: $(first_error "$SCRATCH/inspect")"
  mkdir -p "$SCRATCH/files"
  tar -C "$SCRATCH/files" -xmf "$SCRATCH/archive" # with no times of k6's, which may lie ahead

  paths=$(find "$SCRATCH/files/file" -type f | LC_ALL=C sort) # without k6's own account of them
  mapfile -t files <<<"$paths"
  { printf '%s\n' "${files[@]#"$SCRATCH"}" && cat "${files[@]}"; } | sha256_of -
}

# addresses: prints those of the server, separated by commas.
addresses() {
  node -e 'const host = new URL(process.argv[1]).hostname.replace(/^\[|\]$/g, "");
    require("dns").lookup(host, { all: true }, (error, all) => { if (error) process.exit(1); console.log(all.map(({ address }) => address).join(",")); });' "$URL" ||
    die "$EXIT_FAILED" "the host of $URL is not known"
}

# answered POINTS: prints ', and was answered 401' where k6 had such answers, else nothing.
answered() {
  jq -rs '[.[] | select(.metric == "http_reqs" and .type == "Point").data.tags.status | select(. >= "400" or . == "0")]
    | unique | if . == [] then empty else ", and was answered \(join(", "))" end' "$1"
}

# recorded EXEC TLS ANSWERS: leaves in ANSWERS what some iterations were answered, and in $SCRATCH/asked what k6 counted of them. TLS: the script's certificates, as JSON.
recorded() {
  local port log=$SCRATCH/k6 code=0 thrown elsewhere pipe pid points=$SCRATCH/points.json
  local -a exec_args=()
  [[ -z $1 ]] || exec_args=(-e "exec=$1")
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  coproc RECORDER { TLS=$2 node scripts/probes/own/recorder.js "$URL" "$port" "$3"; }
  pid=$RECORDER_PID pipe=${RECORDER[1]}
  wait_until 10 "the recorder" bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" || die "$EXIT_FAILED" "the script cannot be looked at: port $port is taken"
  timeout --kill-after=5 "$LIMIT_S" bin/k6 run --quiet --no-usage-report --no-thresholds --address '' --include-system-env-vars=true --vus 1 --iterations "$ITERATIONS" \
    --system-tags url,group,scenario,check,iter,status,expected_response --out "json=$points" \
    -e BASE_URL="http://127.0.0.1:$port" -e EXTERNAL_URL="$URL" -e script="$FILE" -e only= -e out="$SCRATCH/summary.json" "${exec_args[@]}" k6/own/main.js >"$log" 2>&1 || code=$?
  exec {pipe}>&-
  wait "$pid"
  ((code != 124)) || refuse "has not ended $ITERATIONS iterations after $LIMIT_S s"
  ((code == 0)) || refuse "fails: $(first_error "$log")"
  # names of checks may have a secret in them, so they go by way of a file
  jq -j '[.root_group | .. | objects | select(.fails? > 0 and .name) | .name] | unique | join(", ")' "$SCRATCH/summary.json" >"$SCRATCH/failed"
  jq -c 'select(.type == "Point")' "$points" |
    jq -s -L scripts/jq --arg recorder "http://127.0.0.1:$port" --arg url "$URL" --rawfile failed "$SCRATCH/failed" 'include "own"; asked([$recorder, $url]) + {$failed, $url}' >"$SCRATCH/asked"
  thrown=$(first_error "$log")
  [[ -n $thrown ]] || return 0
  elsewhere=$(jq -r 'select(.elsewhere).fault' "$SCRATCH/asked") # what it throws then is that nobody was let answer
  refuse "${elsewhere:-throws: $thrown$(answered "$points")}"
}

# same RUN: what is left to measure of it is asked by the script that asked before.
same() {
  local script name
  script=$(jq -c '[.groups[].cells[], .searches[]?.cell | .script // empty][0] // empty' "$1/plan.json")
  [[ -n $script ]] || return 0
  FILE=$(jq -r .path <<<"$script") URL=${EXTERNAL_URL:-http://127.0.0.1}
  for name in $(jq -r '.takes // [] | .[]' <<<"$script"); do
    [[ -n ${!name:-} ]] || usage_error "$name is not set, and was when the run began: $FILE takes it from the environment"
  done
  [[ -f $FILE ]] || usage_error "$FILE is no longer there, and $1 is of it"
  cd "$REPO_ROOT"
  SCRATCH=$(mktemp -d)
  [[ $(summed) == "$(jq -r .sha256 <<<"$script")" ]] || refuse "or what it reads is not what it was when the run began: two scripts do not make one run"
}

main() {
  help_if_asked "$@"
  trap on_exit EXIT
  if [[ ${1:-} == --same ]]; then
    (($# == 2)) || usage_error "which run?"
    same "$2"
    return
  fi
  (($# == 3 || $# == 4)) || usage_error "which script, and which address?"
  FILE=$(realpath "$1") URL=$2
  cd "$REPO_ROOT"
  SCRATCH=$(mktemp -d)
  (umask 077 && : >"$3") # whoever removes it while the script is looked at wants no answers
  local options script exec tls fault sha256 only takes
  options=$(inspected)
  script=$(jq -c -L scripts/jq --arg scenario "${4:-}" 'include "own"; own_script($scenario)' <<<"$options")
  fault=$(jq -r '.fault // empty' <<<"$script")
  [[ -z $fault ]] || refuse "$fault"
  exec=$(jq -r '.exec // empty' <<<"$script")
  tls=$(jq -c '{certificate: (.tlsAuth // [])[0], insecure: (.insecureSkipTLSVerify // false)}' <<<"$options")
  only=$(addresses)
  recorded "$exec" "$tls" "$3"
  fault=$(jq -r -L scripts/jq --slurpfile asked "$SCRATCH/asked" 'include "own"; answers_fault($asked[0]) // empty' "$3")
  [[ -z $fault ]] || refuse "$fault"
  sha256=$(summed)
  takes=$(node scripts/probes/own/hidden.js --names "$FILE")
  jq -c -L scripts/jq --arg path "$FILE" --arg sha256 "$sha256" --arg only "$only" --slurpfile asked "$SCRATCH/asked" --argjson script "$script" --argjson takes "$takes" \
    'include "own"; $asked[0].requests as $requests | $script + own_objective($requests) + {$path, $sha256, $requests, at_once: $asked[0].at_once, $only, $takes}' <<<"$options"
}

main "$@"
