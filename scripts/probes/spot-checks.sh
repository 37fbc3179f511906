#!/usr/bin/env bash
# Summary: while a trial runs, asks the target as wrk or ab does, and compares its answers with those that were verified.
# Usage: scripts/probes/spot-checks.sh [--until FILE] [--path PATH] ANSWERS SECONDS [OPTION]...      (BASE_URL says where)
#
# ANSWERS is what scripts/probes/verify.sh --print printed; with --path only those to PATH count, if there are any. Within SECONDS, at moments that chance decides, asks for as many of them as take a hundredth
# of that time to answer, at five moments at most: each time twice, as the tool's connections are kept and a first answer need not be as those after it.
# With --until, of a trial that takes as long as its requests, at one moment of the first SECONDS, of the next as many, then of twice as many, and so
# on, until FILE is there: some four in ten seconds.
# Prints {"asked", "unanswered", "wrong": [{"path", "status", "body"}], "lengths": bytes of each second answer with its head, null where answers have
# several paths or are encoded}. OPTION is curl's: like the tool it sends a Host, the headers given by -H, and no other. A target that tells the tool
# apart tells this apart, too.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"

MOST=5
SHARE=0.01
UNTIL=''

# ask PATH BODY HEADER_OPTION...: twice over one connection. Adds a line to $ASKED for each: {answer, status, bytes, encoded}, of a wrong one path and
# body; status is null without an answer.
ask() {
  local status head_bytes body_bytes encoded=false answer=0
  rm -f "$FOLDER"/body.* "$FOLDER/outcomes"
  # its exit status is of the second alone; each says its own
  curl -q -s --noproxy '*' --globoff --path-as-is --compressed --max-time 10 -H 'Accept-Encoding:' -H 'User-Agent:' -H 'Accept:' "${@:3}" \
    -D "$HEAD" -w '%{http_code} %{size_header} %{size_download}\n' -o "$FOLDER/body.1" "$BASE_URL$1" -o "$FOLDER/body.2" "$BASE_URL$1" >"$FOLDER/outcomes" ||
    [[ -s $FOLDER/outcomes ]]
  ! grep -qiE '^(content|transfer)-encoding:' "$HEAD" || encoded=true
  while read -r status head_bytes body_bytes; do
    answer=$((answer + 1))
    BODY=$FOLDER/body.$answer
    [[ -e $BODY ]] || : >"$BODY" # curl makes no file of an empty body
    if [[ $status == 000 ]]; then
      echo '{"status": null}' >>"$ASKED"
    elif [[ $status == 200 ]] && printf '%b' "$2" | cmp -s - "$BODY"; then
      jq -nc --argjson answer "$answer" --argjson status "$status" --argjson bytes $((head_bytes + body_bytes)) --argjson encoded "$encoded" '$ARGS.named' >>"$ASKED"
    else
      jq -nc --arg path "$1" --argjson status "$status" --rawfile body "$BODY" '{$path, $status, body: $body[:200]}' >>"$ASKED"
    fi
  done <"$FOLDER/outcomes"
}

# drawn BEGAN SECONDS MOST: prints moments in microseconds, ascending: MOST within SECONDS, or with --until one in each of windows that grow, for a day.
drawn() {
  local i from=$1 long=$(($2 * 1000000))
  if [[ -z $UNTIL ]]; then
    for ((i = 0; i < $3; i++)); do echo "$(($1 + RANDOM * long / 32768))"; done | sort -n
    return
  fi
  for ((i = 0; i < 18; i++)); do
    echo "$((from + RANDOM * long / 32768))"
    from=$((from + long))
    ((i == 0)) || long=$((long * 2))
  done
}

is_over() { [[ -n $UNTIL && -e $UNTIL ]]; }

# sleep_until US: status 1 when it is over before.
sleep_until() {
  local left
  while left=$(($1 - $(now_us))) && ((left > 0)); do
    ! is_over || return 1
    [[ -z $UNTIL ]] || left=$((left < 50000 ? left : 50000))
    sleep "$(printf '%d.%06d' $((left / 1000000)) $((left % 1000000)))"
  done
  ! is_over
}

main() {
  help_if_asked "$@"
  local only=''
  [[ ${1:-} != --until ]] || { UNTIL=${2:-} && shift 2; }
  [[ ${1:-} != --path ]] || { only=${2:-} && shift 2; }
  (($# >= 2)) || usage_error "which answers, and for how many seconds?"
  require_cmd curl cmp jq awk
  local seconds=$2 most moments moment began path body
  local -a lines
  began=$(now_us)
  FOLDER=$(mktemp -d)
  trap 'rm -r "$FOLDER"' EXIT
  HEAD=$FOLDER/head ASKED=$FOLDER/asked
  touch "$HEAD" "$ASKED"
  awk -F '\t' -v only="$only" '$2 == only { print; found = 1 } { all = all $0 "\n" } END { if (!found) printf "%s", all }' "$1" >"$FOLDER/answers"
  mapfile -t lines <"$FOLDER/answers"
  most=$(awk -F '\t' -v seconds="$seconds" -v share="$SHARE" -v most="$MOST" \
    '{ took += $1 } END { n = took > 0 ? int((seconds * share * NR / took + 1) / 2) : most; print (n < most ? n : most) }' "$FOLDER/answers")
  moments=$(drawn "$began" "$seconds" "$most")
  for moment in $moments; do
    sleep_until "$moment" || break
    IFS=$'\t' read -r _ path body <<<"${lines[RANDOM % ${#lines[@]}]}"
    ask "$path" "$body" "${@:3}"
  done
  jq -s --argjson paths "$(cut -f 2 "$FOLDER/answers" | sort -u | wc -l)" '{
    asked: length,
    unanswered: map(select(.status == null)) | length,
    wrong: map(select(.body != null) | {path, status, body}),
    lengths: (map(select(.bytes)) | if $paths > 1 or any(.[]; .encoded) then null else map(select(.answer == 2) | .bytes) end)
  }' "$ASKED"
}

main "$@"
