#!/usr/bin/env bash
# Summary: while a trial runs, asks the target as wrk does, and compares its answers with those that were verified.
# Usage: scripts/probes/spot-checks.sh ANSWERS SECONDS      (BASE_URL says where)
#
# ANSWERS is what scripts/probes/verify.sh --print printed. Within SECONDS, at moments that chance decides, asks for as many of them as take a hundredth
# of that time, five at most. Prints {"asked", "unanswered", "wrong": [{"path", "status", "body"}], "bytes": of an answer with its head,
# null where answers have several paths}. Like wrk it sends a Host and no other header: a target that tells wrk apart tells this apart, too.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

MOST=5
SHARE=0.01

# ask PATH BODY: adds a line to $ASKED: {path, bytes, and of a wrong answer status and body}; bytes is null without an answer.
ask() {
  local said status=null head_bytes=0 body_bytes=0 wrong=false
  if said=$(curl -sS --globoff --path-as-is --max-time 10 -H 'User-Agent:' -H 'Accept:' -o "$BODY" -w '%{http_code} %{size_header} %{size_download}' "$BASE_URL$1" 2>&1); then
    read -r status head_bytes body_bytes <<<"$said"
    if [[ $status != 200 ]] || ! printf '%s' "$2" | cmp -s - "$BODY"; then wrong=true; fi
  fi
  jq -nc --arg path "$1" --argjson status "$status" --argjson wrong "$wrong" --argjson bytes "$((head_bytes + body_bytes))" --rawfile body "$BODY" \
    '{$path, $status, bytes: (if $status then $bytes else null end)} + if $wrong then {body: $body[:200]} else {} end' >>"$ASKED"
}

main() {
  help_if_asked "$@"
  (($# == 2)) || usage_error "which answers, and for how many seconds?"
  require_cmd curl cmp jq awk
  local seconds=$2 most moments moment began path body
  local -a lines
  began=$(now_us)
  FOLDER=$(mktemp -d)
  trap 'rm -r "$FOLDER"' EXIT
  BODY=$FOLDER/body ASKED=$FOLDER/asked
  touch "$BODY" "$ASKED"
  mapfile -t lines <"$1"
  most=$(awk -F '\t' -v seconds="$seconds" -v share="$SHARE" -v most="$MOST" \
    '{ took += $1 } END { n = took > 0 ? int(seconds * share * NR / took) : most; print n < most ? n : most }' "$1")
  moments=$(for ((i = 0; i < most; i++)); do echo "$((RANDOM * seconds * 1000000 / 32768))"; done | sort -n)
  for moment in $moments; do
    moment=$((moment - ($(now_us) - began)))
    ((moment <= 0)) || sleep "$(printf '%d.%06d' $((moment / 1000000)) $((moment % 1000000)))"
    IFS=$'\t' read -r _ path body <<<"${lines[RANDOM % ${#lines[@]}]}"
    ask "$path" "$body"
  done
  jq -s --argjson paths "$(cut -f 2 "$1" | sort -u | wc -l)" '{
    asked: length,
    unanswered: map(select(.status == null)) | length,
    wrong: map(select(.body != null) | {path, status, body}),
    bytes: (map(.bytes // empty) | if $paths == 1 and length > 0 then add / length else null end)
  }' "$ASKED"
}

main "$@"
