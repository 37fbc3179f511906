# shellcheck shell=bash
# The command line of run-all-tests.sh. It is read by bash alone: a mistake is reported before anything is installed.
# parse_options leaves FROM (the first stage to run), RUN (a folder) or EXPERIMENT (the file of an experiment or a suite), the flags
# DRY_RUN, GATE and WAIT, and OPTION, the other options as they were typed; the DSN is in EXTERNAL_DSN alone, if one was given.

FROM=measure RUN='' EXPERIMENT='' DRY_RUN=false GATE=false WAIT=false
declare -A OPTION=()

DECLARED=$REPO_ROOT/scripts/declared
HIDDEN='(hidden)' # stands for the DSN in the arguments of a process

# hide_dsn ARGUMENT...: a DSN may hold a password, and everybody can see a process's arguments: it goes on in EXTERNAL_DSN, with the folder
# where its relative paths begin, and the script begins anew without it.
hide_dsn() {
  local -a arguments=("$@")
  local i hides=false
  for ((i = 1; i < $#; i++)); do
    [[ ${arguments[i - 1]} != --dsn || ${arguments[i]} != "$HIDDEN" || -n ${EXTERNAL_DSN+given} ]] || usage_error "--dsn: must be what libpq takes"
    [[ ${arguments[i - 1]} == --dsn && ${arguments[i]} != "$HIDDEN" ]] || continue
    [[ ${arguments[i]} =~ ^$|^postgres(ql)?://|= ]] || usage_error "--dsn: must be what libpq takes: postgresql://..., keyword=value ..., service=name"
    export EXTERNAL_DSN=${arguments[i]} EXTERNAL_FOLDER=$PWD
    arguments[i]=$HIDDEN hides=true
  done
  ! $hides || exec "$BASH" "$0" "${arguments[@]}"
}

# shellcheck disable=SC2034 # DRY_RUN, GATE and WAIT are read by run-all-tests.sh
parse_options() {
  hide_dsn "$@"
  while (($# > 0)); do
    case $1 in
      --help | -h) usage_from_header && list_commands && exit 0 ;;
      --list)
        (($# == 1)) || usage_error "--list takes nothing else"
        list_experiments && exit 0
        ;;
      --dry-run) DRY_RUN=true ;;
      --gate) GATE=true ;;
      --wait) WAIT=true ;;
      --allow-writes) OPTION[allow_writes]=true ;;
      --from)
        [[ ${2:-} =~ ^(measure|collect|analyse|report)$ ]] || usage_error "--from ${2:-}: the stages are measure, collect, analyse and report"
        [[ -n ${3:-} ]] || usage_error "--from needs a stage and a run"
        [[ -z $RUN ]] || usage_error "one run at a time: $RUN or $3"
        FROM=$2 RUN=$3
        shift 2
        ;;
      --?*)
        [[ -n ${VALUE_OF[${1#--}]:-} ]] || usage_error "unknown option ${1%%=*}$([[ $1 != *=* ]] || echo ": a value follows after a space")"
        [[ -n ${2:-} && $2 != --* ]] || usage_error "$1 needs a value"
        _check "${1#--}" "$2"
        if [[ $1 != --resume ]]; then
          OPTION[${1#--}]=$2
        else
          [[ -z $RUN ]] || usage_error "one run at a time: $RUN or $2"
          RUN=$2
        fi
        [[ $1 != --url ]] || OPTION[url]=${2%/}
        [[ $1 != --script ]] || OPTION[script]=$(absolute "$2")
        shift
        ;;
      -*) usage_error "unknown option $1" ;;
      *)
        [[ -n $1 ]] || usage_error "an empty argument; ./run-all-tests.sh --help says what there is"
        [[ -z $EXPERIMENT ]] || usage_error "one experiment at a time: $EXPERIMENT or $1"
        EXPERIMENT=$1
        ;;
    esac
    shift
  done
  [[ -n ${OPTION[dsn]:-} ]] || unset EXTERNAL_DSN
  if [[ -n $RUN ]]; then _check_run; else _check_experiment; fi
}

# list_experiments: prints each experiment and suite with its question.
list_experiments() {
  printf 'Experiments:\n'
  _with_reasons "$DECLARED"/experiments/*.json
  printf '\nSuites, several experiments in one go:\n'
  _with_reasons "$DECLARED"/suites/*.json
}

# list_commands: prints each stack, and each command that a person types, with its summary. A link is the old name of one.
list_commands() {
  local file
  printf '\nStacks, for --stack:\n'
  for file in "$REPO_ROOT"/scripts/stacks/*.bash; do
    _summarised "$(basename "$file" .bash)" "$file"
  done
  printf '\nOther commands, each with --help:\n'
  for file in "$REPO_ROOT"/scripts/*.sh; do
    [[ -L $file ]] || _summarised "scripts/${file##*/}" "$file"
  done
}

# _summarised NAME FILE: a line for it, with its summary.
_summarised() { printf '  %-20s %s\n' "$1" "$(sed -n 's/^# Summary: //p' "$2")"; }

# is_suite FILE: true when it names experiments rather than cells.
is_suite() { [[ $(<"$1") =~ \"experiments\"[[:space:]]*: ]]; }

# declared_file NAME: prints the file of an experiment or a suite: that of this name, or NAME itself when it is a JSON file.
declared_file() {
  local file
  for file in "$DECLARED/experiments/$1.json" "$DECLARED/suites/$1.json" "$1"; do
    if [[ $file == *.json && -f $file && -r $file ]]; then
      absolute "$file"
      return
    fi
  done
  usage_error "no such experiment: $1; ./run-all-tests.sh --list shows what there is"
}

# options_json SUITE: prints the options as JSON, null where not given; of the database's address only that there is one, as it may
# hold a password. SUITE is the name of the suite that the experiment is run for, if any.
options_json() {
  local key
  for key in "${!OPTION[@]}"; do
    [[ $key == dsn ]] || printf '%s\t%s\n' "$key" "${OPTION[$key]}"
  done | jq -Rn --argjson dsn "$([[ -n ${OPTION[dsn]:-} ]] && echo true || echo false)" --arg suite "${1:-}" -f "$REPO_ROOT/scripts/jq/options.jq"
}

# What -e sets for k6's scripts (NAMES of k6/lib/settings.js): a script of somebody's own sees the environment, and so would they.
LOAD_SETTINGS=(vus rate duration requests lead_in profile ramp graceful think sample keepalive prepared size seed generator begin script exec only)

NO_OPTIONS=$REPO_ROOT/k6/lib/no-options.json # what k6 reads in place of its options in the home folder

# forget_by_hand: a run measures what its experiment says, whatever the shell or the home folder has.
forget_by_hand() {
  local name
  local -a ignored=()
  for name in "${!K6_@}" "${!WRK_@}" SCALE "${BY_HAND[@]}"; do
    [[ -z ${!name+set} || ${!name} == "$NO_OPTIONS" ]] || ignored+=("$name")
  done
  for name in $(compgen -e); do
    [[ " ${LOAD_SETTINGS[*]} " != *" $name "* ]] || ignored+=("$name")
  done
  if ((${#ignored[@]} > 0)); then
    unset "${ignored[@]}"
    warn "ignored, as a run measures what its experiment says: ${ignored[*]}"
  fi
  export K6_CONFIG=$NO_OPTIONS
}

_check_experiment() {
  local stack=${OPTION[stack]:-${STACK:-}} option owned=i-own
  EXPERIMENT=$(declared_file "${EXPERIMENT:-baseline}")
  [[ -z $stack ]] || stack_file "$stack" >/dev/null
  [[ -z ${OPTION[url]:-} || ${OPTION[stack]:-external} == external ]] || usage_error "--url needs --stack external, not ${OPTION[stack]}"
  [[ -z ${OPTION[dsn]:-} || ${OPTION[stack]:-external} == @(external|kubernetes) ]] || usage_error "--dsn needs --stack external or kubernetes, not ${OPTION[stack]}"
  [[ -z ${OPTION[url]:-} || -z ${OPTION[dsn]:-} || -n ${OPTION[script]:-} ]] || usage_error "--url or --dsn, not both, unless --script says what your server is asked"
  [[ $stack != external || -n ${OPTION[url]:-}${OPTION[dsn]:-} ]] || usage_error "stack external needs --url URL or --dsn DSN"
  [[ -z ${OPTION[script]:-} || -n ${OPTION[url]:-} ]] || usage_error "--script needs --url URL: the server that it asks"
  [[ -z ${OPTION[pid]:-}${OPTION[container]:-} || -n ${OPTION[url]:-} ]] || usage_error "--pid and --container need --url URL: the server whose process it is"
  [[ -z ${OPTION[pid]:-} || -z ${OPTION[container]:-} ]] || usage_error "--pid or --container, not both"
  [[ -z ${OPTION[pid]:-} ]] || OPTION[pid_started]=$(kill -0 "${OPTION[pid]}" 2>/dev/null && process_started "${OPTION[pid]}") || usage_error "--pid ${OPTION[pid]}: there is no such process of this user"
  [[ -z ${OPTION[container]:-} || $(docker inspect -f '{{.State.Running}}' "${OPTION[container]}" 2>/dev/null) == true ]] || usage_error "--container ${OPTION[container]}: no container of this name runs on an engine here"
  [[ -z ${OPTION[scenario]:-} || -n ${OPTION[script]:-} ]] || usage_error "--scenario needs --script FILE.js"
  for option in context registry node-selector storage-class operator; do
    [[ -z ${OPTION[$option]:-} || $stack == kubernetes ]] || usage_error "--$option needs --stack kubernetes"
  done
  [[ -z ${OPTION[operator]:-} || -z ${OPTION[dsn]:-} ]] || usage_error "--operator or --dsn, not both: who runs the database?"
  [[ -z ${OPTION[context]:-} ]] || export KUBE_CONTEXT=${OPTION[context]}
  [[ -z ${OPTION[url]:-} ]] || _may_load "${OPTION[url]}" "${OPTION[$owned]:-}"
  [[ -z ${OPTION[allow_writes]:-} || -n ${OPTION[dsn]:-} ]] || usage_error "--allow-writes needs --dsn DSN"
}

# _may_load URL OWNED: load goes to this machine, to private addresses and to names without a dot, which a private network gives (a number is an address); anywhere else only where a person says
# that the host is theirs.
_may_load() {
  local host port yours keys='^(169\.254\.169\.254|metadata\.google\.internal|\[fd00:ec2::254\])$' # what tells a cloud's machine its keys
  [[ $1 =~ ^https?://(\[[^]]*\]|[^/:]*)(:([0-9]+))? ]]
  host=${BASH_REMATCH[1]} port=${BASH_REMATCH[3]:-80}
  ((10#$port > 0 && 10#$port < 65536)) || usage_error "--url $1: no port has the number $port"
  [[ $host != "$2" ]] || return 0
  yours="if it is yours, and may be loaded, say so with --i-own $host"
  [[ ! ${host,,} =~ $keys ]] || usage_error "$host tells a cloud's machine its keys: $yours"
  [[ ($host =~ ^[^.:]+$ && ! $host =~ ^([0-9]+|0[xX][0-9A-Fa-f]+)$) || $host =~ \.(localhost|local|internal|test)$ ]] && return
  [[ $host =~ ^(127|10)\.[0-9.]+$ || $host =~ ^192\.168\.[0-9.]+$ || $host =~ ^172\.(1[6-9]|2[0-9]|3[01])\.[0-9.]+$ || $host =~ ^169\.254\.[0-9.]+$ ]] && return
  [[ $host =~ ^\[(::1|[fF][cCdD][0-9A-Fa-f]{2}:.*|[fF][eE]80:.*)\]$ ]] && return
  usage_error "$host is neither this machine nor a private address: $yours"
}

# A run has its options already, but for the database's address.
_check_run() {
  local key runs=${PGLAB_RESULTS:-$REPO_ROOT/results/runs}
  [[ -z $EXPERIMENT ]] || usage_error "a run has its experiment already: drop $EXPERIMENT"
  ! $DRY_RUN || usage_error "--dry-run goes with an experiment, not with a run"
  for key in "${!OPTION[@]}"; do
    [[ $key == dsn ]] || usage_error "a run has its options already: drop --$key"
    [[ $FROM == measure ]] || usage_error "--from $FROM asks no database: drop --dsn"
  done
  [[ -d $RUN || $RUN == */* || ! -d $runs/$RUN ]] || RUN=$runs/$RUN
  [[ -d $RUN ]] || usage_error "no such run: $RUN is neither a folder nor a run in $runs"
  [[ $RUN == / ]] || RUN=${RUN%/}
  RUN=$(absolute "$RUN")
}

# What the value of each option must be: a pattern, and the same in words.
declare -A VALUE_OF=(
  [levels]='^[1-9][0-9]{0,6}(,[1-9][0-9]{0,6})*$ whole numbers from 1 up, separated by commas'
  [targets]='^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$ names separated by commas'
  [workloads]='^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$ names separated by commas'
  [blocks]='^[1-9][0-9]{0,6}$ a whole number from 1 up'
  [duration]='^[1-9][0-9]{0,6}$ a whole number from 1 up'
  [objective]='^[^[:cntrl:]]+$ such as p95<50ms, errors<0.1%'
  [think]='^[1-9][0-9]{0,4}ms$|^[1-9][0-9]{0,2}(\.[0-9]{1,3})?s$|^0\.[0-9]{0,2}[1-9]s$|^[1-9]m$ from 1ms to 999s, or 1m to 9m, with its unit, such as 5s or 500ms'
  [generators]='^(auto|[1-9][0-9]{0,2}|1000)$ a whole number from 1 to 1000, or auto'
  [scale]='^0*[1-9][0-9]*(\.[0-9]+)?$|^0+\.0*[1-9][0-9]*$ a number above 0'
  [stack]='.* the name of a stack'
  [context]='^[^[:cntrl:]]+$ a context of kubectl'
  [registry]='^[A-Za-z0-9][A-Za-z0-9.:/_-]*$ where images are, such as registry.example.com/pglab'
  ['node-selector']='^(generator|target|cube|postgres)=[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*(,(generator|target|cube|postgres)=[A-Za-z0-9./_-]+=[A-Za-z0-9._-]*)*$ ROLE=LABEL=VALUE, several separated by commas, and a role generator, target, cube or postgres'
  ['storage-class']='^[a-z0-9][a-z0-9.-]*$ the name of a storage class'
  [operator]='^cloudnative-pg$ cloudnative-pg'
  [url]='^https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?(/[^[:space:]"?#]*)?$|^https?://\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?(/[^[:space:]"?#]*)?$ http://host:port or https://host:port, and perhaps a path'
  [script]='\.js$ a k6 script, FILE.js'
  [scenario]='^[A-Za-z0-9_-]+$ the name of a scenario in the script'
  [pid]='^[1-9][0-9]{0,9}$ the number of one process'
  [container]='^[A-Za-z0-9][A-Za-z0-9_.-]*$ the name of a container'
  ['i-own']='^[^][:space:]"/?#@[]+$|^\[[0-9A-Fa-f:]+\]$ a host, as --url has it'
  [dsn]='.* what libpq takes'
  [resume]='.* a run'
)

# _check OPTION VALUE
_check() {
  local name rule=${VALUE_OF[$1]}
  [[ $2 =~ ${rule%% *} ]] || usage_error "--$1 $(sed -E 's|//[^/]*@|//***@|; s|([?&#][^=&]*=)[^&]*|\1***|g' <<<"$2"): must be ${rule#* }"
  case $1 in
    script) [[ -f $2 && -r $2 ]] || usage_error "--script $2: there is no such file, or it cannot be read" ;;
    targets) for name in ${2//,/ }; do target_file "$name" >/dev/null; done ;;
    workloads) for name in ${2//,/ }; do workload_exists "$name" || usage_error "no such workload: $name"; done ;;
  esac
}

# _with_reasons FILE...: a line for each, with its "why", which is a string on one line as JSON has it, or that it has none.
_with_reasons() {
  local file why='"why": *"(([^"\\]|\\.)*)"'
  for file in "$@"; do
    if [[ $(<"$file") =~ $why ]]; then
      printf '  %-20s %s\n' "$(basename "$file" .json)" "${BASH_REMATCH[1]//\\\"/\"}"
    else
      printf '  %-20s (broken: %s does not say why)\n' "$(basename "$file" .json)" "$file"
    fi
  done
}
