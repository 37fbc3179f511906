#!/usr/bin/env bash
# Summary: installs and builds what the laboratory needs; what is there already is left alone.
# Usage: scripts/setup.sh [--tests]           install what is missing
#        scripts/setup.sh --check [--tests]   only list what is there; exit 2 when something is missing
#
#   --tests   also what only the tests need: shellcheck, shfmt, bats, chromium and tests/node_modules
#
# Node 20 and Go 1.24, or later, must be there. System packages come by apt-get (as root, or by sudo when it asks for no
# password) or by brew; elsewhere the command to type is printed. All else stays in the clone: bin/k6 is built from
# k6/build/, tpchgen-cli goes to .tools/venv/, packages to node_modules/. Afterwards no network is needed.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/datasets/tpch.bash
source "$REPO_ROOT/scripts/datasets/tpch.bash" # which tpchgen-cli, and where
# shellcheck source=scripts/lib/jvm.bash
source "$REPO_ROOT/scripts/lib/jvm.bash"
# shellcheck source=scripts/lib/native.bash
source "$REPO_ROOT/scripts/lib/native.bash"

SYSTEM=(curl jq wrk postgresql)
NPM=(apps apps/cube scripts)
SYSTEM_TESTS=(shellcheck shfmt bats chromium)
NPM_TESTS=(tests)
CHROMIUM=(chromium chromium-browser google-chrome google-chrome-stable) # any of these

# at_least WANTED FOUND: compares versions of up to two numbers, 1.24 with 1.26.8.
at_least() {
  local wanted found
  IFS=. read -r -a wanted <<<"$1.0"
  IFS=. read -r -a found <<<"$2.0"
  ((found[0] > wanted[0] || (found[0] == wanted[0] && ${found[1]%%[!0-9]*} >= wanted[1])))
}

# first_of COMMAND...: prints the first that is on the PATH; status 1 when none is.
first_of() {
  local command
  for command in "$@"; do
    if have "$command"; then
      printf '%s\n' "$command"
      return
    fi
  done
  return 1
}

# stamp_of FOLDER: prints what its node_modules/.pglab-lockfile should say.
stamp_of() { sha256_of "$REPO_ROOT/$1/package-lock.json"; }

# is_there THING: true when it is there and good enough.
is_there() {
  case $1 in
    node) have node && have npm && at_least 20 "$(node --version | tr -d v)" ;;
    go) have go && at_least 1.24 "$(go env GOVERSION | sed 's/^go//')" ;;
    postgresql) pg_find_bin >/dev/null ;;
    chromium) first_of "${CHROMIUM[@]}" >/dev/null ;;
    tpchgen-cli) [[ -x $TPCHGEN && $("$TPCHGEN" --version) == *" $TPCHGEN_VERSION" ]] ;;
    bin/k6) [[ -x $REPO_ROOT/bin/k6 && -z $(find "$REPO_ROOT/k6/build" -newer "$REPO_ROOT/bin/k6" -name '*go*' -type f) ]] ;;
    */node_modules)
      local stamp=$REPO_ROOT/$1/.pglab-lockfile
      [[ -f $stamp && $(<"$stamp") == $(stamp_of "${1%/node_modules}") ]]
      ;;
    *) have "$1" ;;
  esac
}

# version_of THING: what it says of itself, in one line.
version_of() {
  case $1 in
    node) node --version ;;
    go) go env GOVERSION ;;
    postgresql) "$(pg_find_bin)/postgres" --version ;;
    chromium) "$(first_of "${CHROMIUM[@]}")" --version ;;
    tpchgen-cli) "$TPCHGEN" --version ;;
    bin/k6) "$REPO_ROOT/bin/k6" version ;;
    wrk) wrk -v || (($? == 1)) ;; # 1 is how wrk ends after printing its version
    shellcheck) shellcheck --version | sed -n 's/^version: //p' ;;
    */node_modules) echo "as in ${1%/node_modules}/package-lock.json" ;;
    *) "$1" --version ;;
  esac 2>&1 | awk 'NR == 1 { print substr($0, 1, 80) }' # reads all, so that no writer meets a closed pipe
}

# check THING...: lists each with its version, exit 2 when one is missing.
check() {
  local thing missing=0 said
  for thing in "$@"; do
    if is_there "$thing"; then
      said=$(version_of "$thing") || die "$EXIT_FAILED" "$thing does not run: $said"
      printf '%-22s %s\n' "$thing" "$said"
    else
      printf '%-22s %s\n' "$thing" 'missing or out of date'
      missing=1
    fi
  done
  ((missing == 0)) || die "$EXIT_FAILED" "something is missing: run scripts/setup.sh"
}

# run COMMAND...: prints it, then runs it; all it says goes to stderr. Exit 2 when it fails.
run() {
  log "+ $*"
  "$@" >&2 || die "$EXIT_FAILED" "this failed, see above: $*"
}

# root_shell: prints how to start a shell of root's; status 1 when that takes a password.
root_shell() {
  if ((EUID == 0)); then
    echo sh
  else
    have sudo && sudo -n true 2>/dev/null && echo "sudo -n sh"
  fi
}

# install_packages THING...: by apt-get or brew; exit 2 with the command to type where that is not possible.
install_packages() {
  local -a packages=()
  local thing shell
  for thing in "$@"; do
    case $OSTYPE.$thing in
      darwin*.postgresql) packages+=(postgresql@17) ;;
      *.postgresql) packages+=(postgresql postgresql-contrib) ;;
      *.python) packages+=(python3 python3-venv) ;;
      *) packages+=("$thing") ;;
    esac
  done
  if [[ $OSTYPE == darwin* ]] && have brew; then
    run brew install "${packages[@]}"
  elif [[ $OSTYPE == darwin* ]]; then
    die "$EXIT_FAILED" "missing: $*. Install Homebrew (https://brew.sh), then: brew install ${packages[*]}"
  elif ! have apt-get; then
    die "$EXIT_FAILED" "missing: $*. Install them with this system's package manager, then run scripts/setup.sh again"
  elif shell=$(root_shell); then
    apt_install "$shell" "${packages[@]}"
  else
    die "$EXIT_FAILED" "missing: $*. Run this, then scripts/setup.sh again: sudo apt-get install -y ${packages[*]}"
  fi
}

# apt_install SHELL PACKAGE...: SHELL is a shell of root's.
# Debian's PostgreSQL package creates and starts a cluster on port 5432. For as long as this takes, it is told not to.
apt_install() {
  local -a shell
  read -r -a shell <<<"$1"
  shift
  log "+ apt-get install $*"
  # shellcheck disable=SC2016 # root's shell expands it
  "${shell[@]}" -euc '
    export DEBIAN_FRONTEND=noninteractive
    folder=/etc/postgresql-common/createcluster.d
    mkdir -p "$folder"
    trap "rm -f $folder/pglab.conf; rmdir --ignore-fail-on-non-empty $folder" EXIT
    echo "create_main_cluster = false" >"$folder/pglab.conf"
    apt-get -qq update
    apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >/dev/null
  ' apt-install "$@" >&2 || die "$EXIT_FAILED" "apt-get failed, see above: $*"
}

install_tpchgen() {
  run python3 -m venv --clear "$REPO_ROOT/.tools/venv"
  run "$REPO_ROOT/.tools/venv/bin/pip" install --quiet --disable-pip-version-check "tpchgen-cli==$TPCHGEN_VERSION"
}

build_k6() {
  mkdir -p "$REPO_ROOT/bin"
  run env CGO_ENABLED=0 go -C "$REPO_ROOT/k6/build" build -trimpath -buildvcs=false -o "$REPO_ROOT/bin/k6" .
  touch "$REPO_ROOT/bin/k6"
}

# install_npm FOLDER: packages as locked; none of ours needs install scripts, and Cube's would download a native add-on.
install_npm() {
  run npm --prefix "$REPO_ROOT/$1" ci --ignore-scripts --no-audit --no-fund --loglevel=error
  stamp_of "$1" | write_atomic "$REPO_ROOT/$1/node_modules/.pglab-lockfile"
}

# optional: builds what only some targets need. Without it they are skipped, and all else runs.
optional() {
  local shell
  if ! native_available && have apt-get && shell=$(root_shell); then
    (apt_install "$shell" "${NATIVE_PACKAGES[@]}") || log "(target native cannot have what it needs)"
  fi
  native_build || warn "pg-native does not compile: target native is skipped"
  jvm_build || warn "apps/jvm does not build: targets jdbc, adba and vertx are skipped"
}

# install THING...: whatever of it is missing.
install() {
  local thing
  local -a missing=()
  is_there node || die "$EXIT_FAILED" "Node.js 20 or later with npm is needed (found: $(node --version 2>&1)): https://nodejs.org"
  is_there go || die "$EXIT_FAILED" "Go 1.24 or later is needed (found: $(go version 2>&1)): https://go.dev/dl"
  for thing in "$@"; do
    [[ $thing == */* || $thing == tpchgen-cli ]] || is_there "$thing" || missing+=("$thing")
  done
  # Debian's python3 may lack both modules; which is missing does not matter
  is_there tpchgen-cli || python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python)
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
  for thing in "$@"; do
    is_there "$thing" && continue
    case $thing in
      tpchgen-cli) install_tpchgen ;;
      bin/k6) build_k6 ;;
      */node_modules) install_npm "${thing%/node_modules}" ;;
    esac
    is_there "$thing" || die "$EXIT_FAILED" "$thing is still missing after it was installed: see above"
  done
}

main() {
  help_if_asked "$@"
  local verb=install option
  local -a things=(node go "${SYSTEM[@]}" tpchgen-cli bin/k6 "${NPM[@]/%//node_modules}")
  for option in "$@"; do
    case $option in
      --check) verb=check ;;
      --tests) things+=("${SYSTEM_TESTS[@]}" "${NPM_TESTS[@]/%//node_modules}") ;;
      *) usage_error "unknown option $option" ;;
    esac
  done
  mkdir -p "$REPO_ROOT/.tools"
  exec 9>"$REPO_ROOT/.tools/setup.lock"
  lock_fd 9
  "$verb" "${things[@]}"
  [[ $verb == check ]] || optional
}

main "$@"
