#!/usr/bin/env bash
# Summary: installs and builds what pglab needs; what is there already is left alone.
# Usage: scripts/setup.sh [VERB] [WHAT]
#
# WHAT is everything, but what only some experiments ask for, unless it is named:
#   PART...              such as jq, postgresql, bin/k6, apps/node_modules, and what it takes to build them; --check shows the names
#   --for FILE           what that experiment, suite or plan takes: a name that ./run-all-tests.sh --list shows, or a file
#     --stack external     ... without a database of ours
#     --targets A,B        ... with these targets only
#   --tests              everything, and what only the tests need
# VERB is to install, unless it is one of these:
#   --check              only list what is there; exit 2 when something is missing
#   --plan               only list what is missing: MB to download, MB on the disk, seconds; the last line is the total
#   --ask                only ask for the sudo password now, on a terminal; exit 2 where that cannot be done
#   --clean              empty the cache, and say how large it was
#
# Node 20 and Go 1.24, or later, must be there. System packages come by apt-get, as root or by sudo, or by brew; where that is not
# possible, the command to type is printed. All else stays in the clone, in bin/ and node_modules/; what was built is also kept in
# ${XDG_CACHE_HOME:-~/.cache}/pglab, for other clones. Parts are set up side by side. Afterwards no network is needed.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/jobs.bash
source "$REPO_ROOT/scripts/lib/jobs.bash"
# shellcheck source=scripts/setup/parts.bash
source "$REPO_ROOT/scripts/setup/parts.bash"

COSTS=$REPO_ROOT/scripts/setup/costs
VERB=install STACK_MEANT=local TARGETS='' FOR=()
ALL=(node go "${SYSTEM[@]}" "${BUILT[@]}" "${OPTIONAL[@]}")
NAMED=()    # parts, as asked for
WANTED=()   # those, and what it takes to build those of them that are missing
MISSING=()  # what is missing of it, in an order in which it can be built
PACKAGES=() # the parts among it that the package manager brings

parse() {
  while (($# > 0)); do
    case $1 in
      --check | --plan | --ask | --clean) VERB=${1#--} ;;
      --tests) NAMED+=("${ALL[@]}" "${TEST_SYSTEM[@]}" "${TEST_BUILT[@]}" "${TEST_OPTIONAL[@]}") ;;
      --for | --stack | --targets)
        (($# >= 2)) || usage_error "$1 needs a value"
        case $1 in
          --for) FOR+=("$2") ;;
          --stack) STACK_MEANT=$2 ;;
          --targets) TARGETS=$2 ;;
        esac
        shift
        ;;
      -*) usage_error "unknown option $1" ;;
      *)
        [[ -n $1 && -n ${PART_KIND[$1]:-} ]] || usage_error "no such part: $1; --check lists them"
        NAMED+=("$1")
        ;;
    esac
    shift
  done
}

# name_needs: adds what the files of FOR take to NAMED. A command that set-up does not bring is for the plan to miss.
name_needs() {
  local name file needs need part
  local -a files=()
  for name in "${FOR[@]}"; do
    for file in "$REPO_ROOT"/scripts/declared/{experiments,suites}/"$name.json" "$name"; do
      [[ ! -f $file ]] || break
    done
    [[ -f $file ]] || usage_error "no such experiment, suite or plan: $name"
    files+=("$file")
  done
  require node
  needs=$(node "$REPO_ROOT/scripts/setup/needs.js" "$STACK_MEANT" "$TARGETS" "${files[@]}") || exit "$EXIT_USAGE"
  for need in $needs; do
    for part in "${!PART_KIND[@]}"; do
      [[ $need != "$(part_path "$part")" ]] || NAMED+=("$part")
    done
  done
}

# version_or_none COMMAND...: what it prints of itself; "none" where it is not there.
version_or_none() { if have "$1"; then "$@" 2>&1; else echo none; fi; }

# require PART: exit 2 unless this prerequisite is there.
require() {
  ! part_there "$1" || return 0
  case $1 in
    node) die "$EXIT_FAILED" "Node.js 20 or later with npm is needed (found: $(version_or_none node --version), npm $(version_or_none npm --version)): https://nodejs.org" ;;
    go) die "$EXIT_FAILED" "Go 1.24 or later is needed (found: $(version_or_none go version)): https://go.dev/dl" ;;
  esac
}

# want PART...: they go to WANTED and, where they are missing, after what it takes to build them, to MISSING.
want() {
  local part need
  for part in "$@"; do
    [[ " ${WANTED[*]} " != *" $part "* ]] || continue
    WANTED+=("$part")
    for need in $(part_needs "$part"); do
      [[ ${PART_KIND[$need]} != prerequisite ]] || want "$need"
    done
    if [[ ${PART_KIND[$part]} == prerequisite ]]; then require "$part"; fi
    ! part_there "$part" || continue
    for need in $(part_needs "$part"); do
      if [[ ${PART_KIND[$need]} != @(system|compiler) ]] || ! cached "$part"; then want "$need"; fi
    done
    MISSING+=("$part")
  done
}

# cached PART: true when another clone has left it in the cache.
cached() { [[ ${PART_KIND[$1]} == @(built|optional) ]] && cache_has "$1" "$(part_key "$1")"; }

# sort_out ask|quietly: splits PACKAGES off MISSING, and drops from it what cannot be built here and need not be, with a line. Sets
# HINDRANCE when there is a package that cannot be installed.
sort_out() {
  local part hindrance=''
  for part in "${MISSING[@]}"; do
    [[ ${PART_KIND[$part]} != system ]] || PACKAGES+=("$part")
  done
  ((${#PACKAGES[@]} == 0)) || packages_ready "$1" "${PACKAGES[@]}" || hindrance=$HINDRANCE
  if missing compiler && ! { packages_ready "$1" compiler && have apt-get; }; then
    drop pg-native compiler
    log "$NATIVE_LACKS"
  fi
  if missing apps/jvm && ! jvm_tools; then
    drop apps/jvm
    log "$JVM_LACKS"
  fi
  drop "${PACKAGES[@]}"
  HINDRANCE=$hindrance
}

missing() { [[ " ${MISSING[*]} " == *" $1 "* ]]; }

drop() {
  local part
  local -a kept=()
  for part in "${MISSING[@]}"; do
    [[ " $* " == *" $part "* ]] || kept+=("$part")
  done
  MISSING=("${kept[@]}")
}

# check: lists each part with its version, exit 2 when one is missing.
check() {
  local part state missing=0
  for part in "${WANTED[@]}"; do
    if ! part_there "$part"; then
      state='missing or out of date'
      if [[ ${PART_KIND[$part]} == @(optional|compiler) ]]; then state='not built; some targets are skipped'; else missing=1; fi
    else
      state=$(part_version "$part") || die "$EXIT_FAILED" "$part does not run: $state"
    fi
    printf '%-22s %s\n' "$part" "$state"
  done
  ((missing == 0)) || die "$EXIT_FAILED" "something is missing: run scripts/setup.sh"
}

# plan: a line for each part to be had: MB to download, MB on the disk, seconds. The last is the total.
plan() {
  local part from
  {
    [[ -z ${PACKAGES[*]} ]] && ! missing compiler || echo package-lists
    for part in "${PACKAGES[@]}" "${MISSING[@]}"; do
      from=''
      ! cached "$part" || from=cache
      echo "$part $from"
    done
  } | awk '
    function line(name, download, disk, seconds) { printf "%-22s %8d MB to download %8d MB on the disk %6d s\n", name, download, disk, seconds }
    FNR == NR { if ($1 !~ /^#/ && NF == 5) { known[$1]; download[$1] = $2; disk[$1] = $3; clone[$1] = $4; seconds[$1] = $5 } next }
    !($1 in known) { print "no costs are declared for " $1 >"/dev/stderr"; exit 1 }
    $2 == "cache" { download[$1] = 0; disk[$1] = clone[$1]; seconds[$1] = 2 }
    { line($1, download[$1], disk[$1], seconds[$1]); a += download[$1]; b += disk[$1]; c += seconds[$1] }
    END { line("total", a, b, c) }' "$COSTS" -
}

# total: the plan's total in one line.
total() {
  local lines
  local -a total
  lines=$(plan)
  read -r -a total <<<"${lines##*$'\n'}"
  log "set-up: ${total[1]} MB to download, ${total[5]} MB on the disk, about $(((total[10] + 59) / 60)) min"
}

install() {
  local part need
  local -a after failed=()
  total
  ! missing bin/k6 || job bin/k6 # it takes the longest, so it begins first
  drop bin/k6
  [[ -z ${PACKAGES[*]} ]] || job packages
  for part in "${MISSING[@]}"; do
    after=()
    for need in $(part_needs "$part"); do
      [[ ${PART_KIND[$need]} != system ]] || need=packages
      after+=("$need")
    done
    [[ $part != compiler ]] || after=(packages)
    job "$part" "${after[@]}"
  done
  trap jobs_stop EXIT
  jobs_run "$REPO_ROOT/.tools/setup" 99 get
  for part in "${JOBS[@]}"; do
    ! job_done "$part" || continue
    if [[ ${PART_KIND[$part]:-} == @(optional|compiler) ]]; then
      warn "$part is not there: what needs it is skipped"
    else
      failed+=("$part")
    fi
  done
  ((${#failed[@]} == 0)) || die "$EXIT_FAILED" "not set up: ${failed[*]} (see above)"
}

# get JOB: runs in a shell of its own.
get() {
  local part
  local -a parts=("$1")
  [[ $1 != packages ]] || parts=("${PACKAGES[@]}")
  if [[ $1 != packages && $1 != compiler ]]; then
    part_get "$1"
    return
  fi
  packages_install "${parts[@]}"
  for part in "${parts[@]}"; do
    part_there "$part" || die "$EXIT_FAILED" "$part is still missing after $(packages_of "$part") was installed"
  done
}

# job_ends NAME EXIT_CODE SECONDS: as in jobs.bash, and where it came from.
job_ends() {
  if (($2 == 0)); then
    log "$(printf '  %-22s done in %s s%s' "$1" "$3" "$(sed -n 's/^from the cache$/, &/p' "$(job_log "$1")")")"
  else
    log "$(printf '  %-22s failed after %s s: %s (see %s)' "$1" "$3" "$(job_last_line "$1")" "$(job_log "$1")")"
  fi
}

main() {
  help_if_asked "$@"
  parse "$@"
  [[ $VERB != clean ]] || { cache_clean && exit; }
  [[ -z ${FOR[*]} ]] || name_needs
  [[ -n ${NAMED[*]} ]] || NAMED=("${ALL[@]}")
  if [[ $VERB == install ]]; then
    { mkdir -p "$REPO_ROOT/.tools" && : >>"$REPO_ROOT/.tools/setup.lock"; } 2>/dev/null || die "$EXIT_FAILED" "$REPO_ROOT: cannot be written by $(id -un)"
    exec 9>"$REPO_ROOT/.tools/setup.lock"
    lock_fd 9 try || { warn "another set-up of this clone is running; waiting for it" && lock_fd 9; }
  fi
  want "${NAMED[@]}"
  case $VERB in
    check) check ;;
    plan)
      sort_out quietly
      plan
      ;;
    ask | install)
      sort_out ask
      [[ -z $HINDRANCE ]] || die "$EXIT_FAILED" "$HINDRANCE"
      if [[ $VERB == install && -n ${PACKAGES[*]}${MISSING[*]} ]]; then install; fi
      ;;
  esac
}

main "$@"
