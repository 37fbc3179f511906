# shellcheck shell=bash
# Helpers that every script shares. Source it right after `set -Eeuo pipefail`:
# it refuses a bash that is too old, then switches inherit_errexit on.

if ((BASH_VERSINFO[0] < 5)); then
  echo "error: bash $BASH_VERSION is too old; bash 5 is needed (macOS: brew install bash)" >&2
  exit 2
fi
shopt -s inherit_errexit
unset CDPATH                               # it makes cd print where it went
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE # of another repository
no_proxy=${no_proxy:-${NO_PROXY:-}}
export no_proxy=127.0.0.1,localhost,::1${no_proxy:+,$no_proxy}
export NO_PROXY=$no_proxy
{ : 3<&0; } 2>/dev/null || exec </dev/null # closed, it would be the next pipe that bash opens, from which nothing comes
export LC_ALL=C                            # one decimal point, one sort order, one language of messages

# Exit codes, the same in every script.
# shellcheck disable=SC2034 # read by the scripts that source this file
readonly EXIT_INVALID=1 EXIT_FAILED=2 EXIT_USAGE=64

REPO_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
readonly REPO_ROOT

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  readonly COLOUR_ERROR=$'\e[31m' COLOUR_WARN=$'\e[33m' COLOUR_OFF=$'\e[0m'
else
  readonly COLOUR_ERROR='' COLOUR_WARN='' COLOUR_OFF=''
fi

# log LINE...: one line for people, on stderr.
log() { printf '%s\n' "$*" >&2; }

# warn LINE...: as log, marked.
warn() { log "${COLOUR_WARN}warning:${COLOUR_OFF} $*"; }

# die EXIT_CODE LINE...: says what is wrong and what to do, and exits.
die() {
  local code=$1
  shift
  log "${COLOUR_ERROR}error:${COLOUR_OFF} $*"
  exit "$code"
}

# usage_error LINE...: bad arguments, exit 64.
usage_error() { die "$EXIT_USAGE" "$* (see ${HELP_OF:-${0##*/}} --help)"; }

# usage_from_header: prints the comment block at the top of the running script, which is its --help.
usage_from_header() {
  awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"
}

# help_if_asked ARGUMENT...: prints the help and exits when the first argument is --help.
help_if_asked() {
  [[ ${1:-} != --help && ${1:-} != -h ]] || { usage_from_header && exit 0; }
}

# run_named RUN: prints the run's folder or file; a bare name is that of a run in results/runs.
run_named() {
  local runs=${PGLAB_RESULTS:-$REPO_ROOT/results/runs}
  [[ -n $1 ]] || usage_error "which run? Its name is empty"
  if [[ -e $1 || $1 == */* || ! -d $runs/$1 ]]; then printf '%s\n' "$1"; else printf '%s\n' "$runs/$1"; fi
}

# have COMMAND: true when it is on the PATH.
have() { command -v "$1" >/dev/null 2>&1; }

# require_cmd COMMAND...: exit 2 when one is missing. Some are parts of set-up by the same name.
require_cmd() {
  local command part
  for command in "$@"; do
    [[ $command == @(curl|jq|wrk) ]] && part=" $command" || part=''
    have "$command" || die "$EXIT_FAILED" "$command is missing: run scripts/setup.sh$part, or install it"
  done
}

# require_node: exit 2 without Node.js, jq, or the libraries that analysis and reports are made with. The docker stack's Node.js has them in its image.
require_node() {
  require_cmd node jq
  [[ -d $REPO_ROOT/scripts/node_modules || $(command -v node) == "$REPO_ROOT/docker/bin/node" ]] ||
    die "$EXIT_FAILED" "scripts/node_modules is missing: run scripts/setup.sh scripts/node_modules"
}

# node_of_run PROGRAM ARGUMENT...: a whole stage that is one program of Node.js, which takes a run alone.
node_of_run() {
  help_if_asked "${@:2}"
  (($# == 2)) || usage_error "which run?"
  require_node
  node "$REPO_ROOT/$1" "$2"
}

# absolute PATH: prints it as it can be used after `cd "$REPO_ROOT"`.
absolute() { if [[ $1 == /* || $PWD -ef $REPO_ROOT ]]; then printf '%s\n' "$1"; else printf '%s\n' "$PWD/$1"; fi; }

# pinned NAME: prints a version or a setting of docker/.env, or the environment's own value of that name.
pinned() { if [[ -n ${!1:-} ]]; then printf '%s\n' "${!1}"; else sed -n "s/^$1=//p" "$REPO_ROOT/docker/.env"; fi; }

# use_exports LINES: sets the variables that these `export` lines name, in this shell; what a script prints so can be used by others and by people alike.
use_exports() { source /dev/stdin <<<"$1"; }

# lines_of ARRAY COMMAND...: ARRAY becomes the lines that the command prints: none where it prints nothing. When it fails, so does this; a function must tell by its
# status, as set -e is off in it.
lines_of() {
  local printed
  printed=$("${@:2}") || return
  if [[ -n $printed ]]; then mapfile -t "$1" <<<"$printed"; else mapfile -t "$1" </dev/null; fi
}

# json_get FILE FILTER [JQ_OPTION...]: prints one value, raw; exit 2 when it is absent, null or false.
json_get() {
  local file=$1 filter=$2
  shift 2
  [[ -r $file ]] || die "$EXIT_FAILED" "$file: cannot be read"
  jq -er "$@" "($filter) // empty" "$file" || die "$EXIT_FAILED" "$file: no value at $filter"
}

# is_json FILE: true when it holds JSON. Where jq is yet to be installed, Node.js says so.
is_json() {
  [[ -s $1 ]] || return 1 # which is an answer to jq
  if have jq; then
    jq -e . "$1" >/dev/null 2>&1
  elif have node; then
    node -e 'JSON.parse(require("node:fs").readFileSync(process.argv[1]))' "$1" >/dev/null 2>&1
  fi
}

# write_atomic FILE: stdin becomes FILE, all of it or nothing.
write_atomic() {
  local file=$1 tmp="$1.tmp.$BASHPID"
  if { cat >"$tmp" && mv -f "$tmp" "$file"; } 2>/dev/null; then
    return
  fi
  rm -f "$tmp"
  die "$EXIT_FAILED" "$file: cannot be written: is the disk full, or the folder missing or read-only?"
}

# wait_until SECONDS DESCRIPTION COMMAND...: repeats the command until it succeeds; after ten seconds it says what it waits for.
# Returns 1 after SECONDS, having printed the last thing that the command said.
wait_until() {
  local limit=$1 description=$2 answer now began told=false
  shift 2
  began=$(now_us)
  until answer=$("$@" 2>&1); do
    now=$(now_us)
    if ((now >= began + limit * 1000000)); then
      warn "waited $limit s for $description; last answer: ${answer:-(nothing)}"
      return 1
    fi
    if ! $told && ((limit > 10 && now >= began + 10000000)); then
      log "waiting for $description, $limit s at most; last answer: ${answer:-(nothing)}"
      told=true
    fi
    sleep 0.1
  done
}

# now_us: microseconds since the epoch.
now_us() { printf '%s\n' "${EPOCHREALTIME/./}"; }

# now_iso: the time in UTC with milliseconds, 2026-11-20T10:15:00.123Z.
now_iso() {
  local now=$EPOCHREALTIME
  local fraction=${now#*.}
  TZ=UTC printf '%(%Y-%m-%dT%H:%M:%S)T.%.3sZ\n' "${now%.*}" "$fraction"
}

# seconds_since START_US: seconds with one decimal, for progress lines.
seconds_since() {
  local tenths=$((($(now_us) - $1) / 100000))
  printf '%d.%d\n' $((tenths / 10)) $((tenths % 10))
}

# memory_bytes: prints the machine's memory.
memory_bytes() {
  if [[ -r /proc/meminfo ]]; then
    awk '$1 == "MemTotal:" { printf "%.0f\n", $2 * 1024 }' /proc/meminfo
  else
    sysctl -n hw.memsize
  fi
}

# frozen FILE: what of an environment.json does not change during a run.
frozen() { jq -S 'del(.beside, .changed)' "$1"; }

# environment_hash FILE: the hash of that, which provenance.json keeps.
environment_hash() { frozen "$1" | sha256_of -; }

# sha256_of FILE...: one hash over the contents of the files, in the order given.
sha256_of() {
  local sum=(sha256sum)
  have sha256sum || sum=(shasum -a 256)
  cat -- "$@" | "${sum[@]}" | cut -d ' ' -f 1
}

# lock_fd FD [try]: takes the exclusive lock on the file open at FD, waiting for whoever holds it; with try, status 1 when
# somebody does. It is held until every copy of FD is closed, so a daemon must be started with FD closed.
lock_fd() {
  if have flock; then
    flock ${2:+--nonblock} "$1"
  else # macOS has no flock(1), but a perl that can lock an inherited descriptor
    perl -e 'use Fcntl ":flock"; flock(STDOUT, LOCK_EX | (@ARGV ? LOCK_NB : 0)) or @ARGV ? exit 1 : die "flock: $!\n"' ${2:+"$2"} >&"$1"
  fi
}
