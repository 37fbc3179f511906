#!/usr/bin/env bats
# The picture of a request: with a curl that says what the test wants, and with a real one against the null responder.

bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  unset NO_COLOR COLUMNS
}

# curl_says JSON: a curl that asks nobody; what it is called with goes to $BATS_TEST_TMPDIR/arguments.
curl_says() {
  mkdir -p "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "$*" >%q\ncat %q\n' "$BATS_TEST_TMPDIR/arguments" "$BATS_TEST_TMPDIR/request.json" >"$BATS_TEST_TMPDIR/bin/curl"
  chmod +x "$BATS_TEST_TMPDIR/bin/curl"
  jq -n '{url_effective: "https://example.org/x", response_code: 200, size_download: 1234, remote_ip: "192.0.2.1", remote_port: 443,
    time_namelookup: 0.001, time_connect: 0.003, time_appconnect: 0.007, time_pretransfer: 0.007, time_starttransfer: 1.507, time_total: 2}'" + $1" \
    >"$BATS_TEST_TMPDIR/request.json"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

readonly PLAIN='{time_appconnect: 0, time_namelookup: 0.000025, time_connect: 0.0001, time_pretransfer: 0.0002, time_starttransfer: 0.0007, time_total: 0.0008}'

# on_terminal COLUMNS COMMAND: the command's output on a terminal so wide, with the line ends of a file.
on_terminal() { script -qec "stty cols $1; $2" /dev/null | tr -d '\r'; }

@test "every phase with its time, in the unit that suits it, and each bar begins where the one before ended" {
  curl_says '{}'
  run --separate-stderr scripts/trace.sh https://example.org/x
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  diff - <(cat <<<"$output") <<'TEXT'
GET https://example.org/x
200, 1234 bytes from 192.0.2.1 port 443

name lookup           1 ms  ▏
connect               2 ms  ▏
TLS                   4 ms  ▏
server processing    1.5 s  ███████████████████████████████████████
transfer            493 ms                                         ████████████▉
total                  2 s
TEXT
}

@test "without TLS there is no such phase; the phases add up to the whole" {
  curl_says "$PLAIN"
  COLUMNS=46 run scripts/trace.sh http://127.0.0.1:3000/
  [ "$status" -eq 0 ]
  diff - <(cat <<<"$output") <<'TEXT'
GET https://example.org/x
200, 1234 bytes from 192.0.2.1 port 443

name lookup          25 µs  ▋
connect              75 µs  █▊
server processing   600 µs    █████████████▌
transfer            100 µs                 ██▎
total               800 µs
TEXT
}

@test "no line is longer than the terminal is wide; where there is no room there are no bars" {
  curl_says '{time_namelookup: 0.3, time_connect: 0.6}'
  for width in 120 60 40 36 30; do
    COLUMNS=$width run scripts/trace.sh https://example.org/x
    [ "$status" -eq 0 ]
    jq -Rn --argjson width "$width" '[inputs | length] | max <= $width' <<<"$output" | grep -qx true
  done
  [[ $output != *█* ]]
}

@test "colours on a terminal alone, and not with NO_COLOR" {
  curl_says '{}'
  [[ $(on_terminal 80 "scripts/trace.sh https://example.org/x") == *$'\e['* ]]
  [[ $(on_terminal 80 "NO_COLOR=1 scripts/trace.sh https://example.org/x") != *$'\e['* ]]
  [[ $(scripts/trace.sh https://example.org/x) != *$'\e['* ]]
}

@test "a terminal's own width counts" {
  curl_says '{}'
  widest() { jq -Rn '[inputs | length] | max'; }
  [ "$(NO_COLOR=1 on_terminal 50 "scripts/trace.sh https://example.org/x" | widest)" -le 50 ]
  [ "$(NO_COLOR=1 on_terminal 110 "scripts/trace.sh https://example.org/x" | widest)" -gt 100 ]
}

@test "headers are shown, without what would command a terminal" {
  curl_says '{}'
  # shellcheck disable=SC2016 # for the script that it writes
  printf '#!/bin/sh\nwhile [ "$1" != -D ]; do shift; done\nprintf "HTTP/1.1 200 OK\\r\\nx-powered-by: \\033[31mExpress\\r\\n\\r\\n" >"$2"\ncat %q\n' "$BATS_TEST_TMPDIR/request.json" >"$BATS_TEST_TMPDIR/bin/curl"
  run scripts/trace.sh https://example.org/x
  [ "${lines[2]}" = 'x-powered-by: [31mExpress' ]
}

@test "a status of 400 or above is shown, and exit 1; a redirect is an answer" {
  curl_says '{response_code: 404}'
  run scripts/trace.sh https://example.org/x
  [ "$status" -eq 1 ]
  [[ $output == *"404, 1234 bytes"*"total "* ]]
  curl_says '{response_code: 302}'
  run scripts/trace.sh https://example.org/x
  [ "$status" -eq 0 ]
}

@test "the URL is asked for as it stands, once" {
  curl_says '{}'
  scripts/trace.sh 'http://127.0.0.1:3000/echo/[a-b]/../c'
  [[ $(<"$BATS_TEST_TMPDIR/arguments") == *'--globoff --path-as-is '*' http://127.0.0.1:3000/echo/[a-b]/../c' ]]
}

@test "bad usage: exit 64, and curl is not called" {
  curl_says '{}'
  for arguments in '' 'a b' 'example.org' 'ftp://example.org/' 'http://' '--what'; do
    # shellcheck disable=SC2086 # words
    run scripts/trace.sh $arguments
    [ "$status" -eq 64 ]
    [ "${#lines[@]}" -eq 1 ]
  done
  COLUMNS=wide run scripts/trace.sh https://example.org/x
  [ "$status" -eq 64 ]
  [ ! -e "$BATS_TEST_TMPDIR/arguments" ]
}

@test "nobody there: exit 2 and one line" {
  run scripts/trace.sh http://127.0.0.1:1/
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == "error: http://127.0.0.1:1/ does not answer: Failed to connect"* ]]
}

@test "the null responder, for real: times are sane, and a wrong path is told" {
  PORT=3127 node apps/null/server.js 3>&- &
  local responder=$!
  curl -sf --retry 50 --retry-delay 1 --retry-connrefused -o /dev/null http://127.0.0.1:3127/healthz
  run scripts/trace.sh http://127.0.0.1:3127/echo/abc
  local answered=$status picture=$output
  run scripts/trace.sh http://127.0.0.1:3127/nowhere
  kill "$responder"
  [ "$answered" -eq 0 ]
  [[ $picture == *"200, 15 bytes from 127.0.0.1 port 3127"*$'\n''content-type: application/json'* ]]
  [ "$(grep -cE '^(name lookup|connect|server processing|transfer) +[0-9.]+ (µs|ms)  ' <<<"$picture")" -eq 4 ]
  [[ $picture != *TLS* ]]
  [ "$status" -eq 1 ]
  [[ $output == *"404, "* ]]
}
