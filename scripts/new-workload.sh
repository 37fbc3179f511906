#!/usr/bin/env bash
# Summary: makes a k6 script of what you have: a HAR file, as a browser saves it, or a curl command line.
# Usage: scripts/new-workload.sh --har FILE [--host HOST[:PORT]] [--name NAME]
#        scripts/new-workload.sh --curl 'curl ...' [--name NAME]
#        scripts/new-workload.sh --curl - [--name NAME]      the line is read from standard input, so that no list of processes shows it
#
# Leaves k6/NAME.js, to be read and edited: one iteration asks at __ENV.BASE_URL what was asked there, in that order, and checks the status of each
# answer, and, as a HAR file holds answers, its keys. NAME is that of the file, or comes from the path that curl asks for, unless it is given; a script that is there is not overwritten.
#
#   --host HOST[:PORT]   of a HAR file with requests to several hosts: the one that is yours; what others were asked is left out
#
# Authorization, cookies, keys and passwords, as their names say (scripts/workload/secrets.js), do not get into the script: it takes them from the environment, by
# names that it shows. To measure with it:
#   ./run-all-tests.sh capacity --url http://127.0.0.1:8080 --script k6/NAME.js
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"

main() {
  help_if_asked "$@"
  local har='' curl='' host='' name='' made
  while (($# > 0)); do
    [[ $1 != --curl || ${2:-} != curl ]] || usage_error "--curl curl: the whole line goes between quotes, or to standard input, with --curl -"
    [[ $# -ge 2 && $1 =~ ^--(har|curl|host|name)$ ]] || usage_error "unknown argument, or one without a value: $1"
    declare "${1#--}=$2"
    shift 2
  done
  [[ -n $har$curl && (-z $har || -z $curl) ]] || usage_error "a HAR file, or a curl command line"
  [[ -z $har || (-f $har && -r $har) ]] || usage_error "--har $har: cannot be read"
  [[ -z $name || $name =~ ^[a-z0-9][a-z0-9-]*$ ]] || usage_error "--name $name: must be of a-z, 0-9 and -"
  { have jq && [[ -d $REPO_ROOT/scripts/node_modules ]]; } || "$REPO_ROOT/scripts/setup.sh" jq scripts/node_modules </dev/null
  require_node
  har=${har:+$(absolute "$har")}
  cd "$REPO_ROOT"
  made=$(node scripts/workload/main.js "${har:+har}${curl:+curl}" "$har$curl" "$name" "$host") || exit "$?"
  name=$(jq -r .name <<<"$made")
  [[ ! -e k6/$name.js ]] || usage_error "k6/$name.js is there already: --name gives this one another"
  jq -r .text <<<"$made" | write_atomic "k6/$name.js"
  log "made: k6/$name.js"
  jq -r '.told[] | "  \(.)"' <<<"$made" >&2
  [[ -x bin/k6 ]] || log "  bin/k6 is not there yet: scripts/setup.sh bin/k6 makes it"
}

main "$@"
