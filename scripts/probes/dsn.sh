#!/usr/bin/env bash
# Summary: has libpq resolve a connection string, once; prints `export` lines of its variables for every tool and target.
# Usage: EXTERNAL_DSN='postgresql://...' scripts/probes/dsn.sh
#
# EXTERNAL_DSN is whatever libpq takes: a URI, keyword=value, service=name, or nothing at all; PG* variables are defaults. Sessions are
# read-only unless ALLOW_WRITES is true. psql connects by it, so libpq itself chooses the server and looks at certificates; what it chose
# is what is printed: PGHOST and its kin, and PGLAB_CONNECTION, the same as JSON without secrets. The password, from wherever libpq takes it,
# is in no argument, and on stdout alone. Exit 2 when the server does not answer within 2 s (connect_timeout), or not to these sessions;
# 64 when the connection string is wrong.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

# answer PSQL_OPTION...: what psql answers; what is warned of besides, by it or by what brings it there, is no part of that. One line of error when there is
# no connection. -w: nobody is there to type a password.
answer() {
  local errors out
  exec {out}>&1
  errors=$(psql -XwqAt -v ON_ERROR_STOP=1 "$@" 2>&1 >&"$out") || die "$EXIT_FAILED" "--dsn: $(one_line <<<"$errors")"
  exec {out}>&-
}

# one_line: psql's error as one line, without its hints and what kubectl adds.
one_line() { sed -e '/^[[:space:]]/d' -e '/^command terminated with exit code /d' -e 's/^psql: error: //' | paste -sd ';' -; }

# stays_read_only: an answer shows that options come through: a pooler in between may drop them.
stays_read_only() {
  local read_only
  read_only=$(answer -c 'show transaction_read_only')
  [[ $read_only == on ]] || die "$EXIT_FAILED" "--dsn: sessions cannot be kept read-only: what is in between drops options; see --allow-writes"
}

main() {
  help_if_asked "$@"
  local asked settled password endpoint notes note folder assignments read_only=true
  local -a without_home=()
  require_cmd node psql jq
  [[ -n ${EXTERNAL_DSN+given} ]] || usage_error "EXTERNAL_DSN is not set"
  [[ ${ALLOW_WRITES:-false} == false ]] || read_only=false
  cd "${EXTERNAL_FOLDER:-.}" # where its relative paths begin
  folder=${PGSYSCONFDIR:-$(! have pg_config || pg_config --sysconfdir)}
  asked=$(node "$REPO_ROOT/scripts/probes/dsn/main.js" ask "$folder")
  password=$(jq -r '.password // empty' <<<"$asked")
  endpoint=$(PGPASSWORD=$password answer -d "$(jq -r .conninfo <<<"$asked")" -f "$REPO_ROOT/scripts/sql/endpoint.sql")
  if in_cluster "${STACK:-}"; then # the libpq that answered was a pod's, which had no files of this user's
    asked=$(jq '.parameters.passfile = "/dev/null"' <<<"$asked")
    without_home=(env HOME=/dev/null)
  fi
  settled=$(jq --arg endpoint "$endpoint" --argjson read_only "$read_only" '. + {$endpoint, $read_only}' <<<"$asked" |
    "${without_home[@]}" node "$REPO_ROOT/scripts/probes/dsn/main.js" settle)
  notes=$(jq -r '.notes[]' <<<"$settled")
  while IFS= read -r note; do
    [[ -z $note ]] || warn "--dsn: $note"
  done <<<"$notes"
  assignments=$(jq -r '(.variables + {PGLAB_CONNECTION: (.connection | tojson)}) | to_entries[] | "export \(.key)=\(.value | @sh)"' <<<"$settled")
  unset_libpq
  use_exports "$assignments"
  ! $read_only || stays_read_only
  printf '%s\n' "$assignments"
}

main "$@"
