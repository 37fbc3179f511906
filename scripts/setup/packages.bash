# shellcheck shell=bash
# System packages, by apt-get or brew. Source common.bash first.

ROOT=()      # a shell of root's, once become_root has found one
HINDRANCE='' # see packages_ready

# packages_of PART...: prints the names of the packages that hold these parts, on one line.
packages_of() {
  local part
  local -a names=()
  for part in "$@"; do
    case $OSTYPE.$part in
      darwin*.ab) names+=(httpd) ;;
      *.ab) names+=(apache2-utils) ;;
      darwin*.postgresql) names+=(postgresql@17) ;;
      *.postgresql) names+=(postgresql postgresql-contrib) ;;
      *.python) names+=(python3 python3-venv) ;; # Debian's python3 may lack venv
      *.compiler) names+=("${NATIVE_PACKAGES[@]}") ;;
      *) names+=("$part") ;;
    esac
  done
  printf '%s\n' "${names[*]}"
}

# become_root ask|quietly NAMES: sets ROOT; status 1 when that cannot be. With "ask" sudo may ask whoever sits at the terminal.
become_root() {
  ((${#ROOT[@]} == 0)) || return 0
  if ((EUID == 0)); then
    ROOT=(sh)
  elif ! have sudo; then
    return 1
  elif sudo -n true 2>/dev/null; then
    ROOT=(sudo -n sh)
  elif [[ $1 == ask ]] && in_foreground; then
    log "sudo may ask for your password, to install: $2"
    sudo -v && ROOT=(sudo -n sh)
  else
    return 1
  fi
}

# in_foreground: true when somebody at a terminal can answer; what reads from it in the background would only be stopped.
in_foreground() {
  local stat
  [[ -t 0 && -t 2 ]] || return 1
  [[ -r /proc/$$/stat ]] || return 0
  stat=$(<"/proc/$$/stat")
  read -r -a stat <<<"${stat##*) }" # state, parent, process group, session, terminal, its foreground group
  [[ ${stat[2]} == "${stat[5]}" ]]
}

# packages_ready ask|quietly PART...: true when they can be installed. Sets HINDRANCE: why not, and what to type instead.
packages_ready() {
  local names
  names=$(packages_of "${@:2}")
  HINDRANCE=''
  if [[ $OSTYPE == darwin* ]]; then
    have brew || HINDRANCE="missing: $names. Install Homebrew (https://brew.sh), then: brew install $names"
  elif ! have apt-get; then
    HINDRANCE="missing: $names. Install them with this system's package manager, then run the same command again"
  elif ! become_root "$1" "$names"; then
    HINDRANCE="missing: $names. Run this, then the same command again: sudo apt-get install -y $names"
  fi
  [[ -z $HINDRANCE ]]
}

# packages_install PART...: exit 2 when that fails.
packages_install() {
  local packages
  local -a names
  packages=$(packages_of "$@")
  read -r -a names <<<"$packages"
  if [[ $OSTYPE == darwin* ]]; then
    brew install "${names[@]}"
  else
    _apt_install "${names[@]}"
  fi
}

# Debian's PostgreSQL package creates and starts a cluster on port 5432. For as long as this takes, it is told not to.
# An installation that was interrupted is finished first.
_apt_install() {
  log "+ apt-get install $*"
  # shellcheck disable=SC2016 # root's shell expands it
  "${ROOT[@]}" -euc '
    export DEBIAN_FRONTEND=noninteractive
    folder=/etc/postgresql-common/createcluster.d
    mkdir -p "$folder"
    trap "rm -f $folder/pglab.conf; rmdir --ignore-fail-on-non-empty $folder" EXIT
    echo "create_main_cluster = false" >"$folder/pglab.conf"
    dpkg --configure -a
    apt-get -q -o Acquire::Languages=none update
    apt-get -q install -y --no-install-recommends -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
  ' apt-install "$@" || die "$EXIT_FAILED" "apt-get failed: $*"
}
