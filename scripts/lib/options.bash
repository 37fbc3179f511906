# shellcheck shell=bash
# The command line of run-all-tests.sh. parse_options leaves: FROM (the first stage to run), RUN or EXPERIMENT, the flags
# DRY_RUN, GATE and WAIT, and OPTIONS, the JSON object that is frozen into the run as options.json (null: not given).

FROM=measure RUN='' EXPERIMENT='' DRY_RUN=false GATE=false WAIT=false
OPTIONS='{"levels":null,"targets":null,"workloads":null,"blocks":null,"duration_s":null,"scale":null,"stack":null,"url":null,"dsn":null,"allow_writes":false}'

# shellcheck disable=SC2034 # DRY_RUN, GATE and WAIT are read by run-all-tests.sh
parse_options() {
  while (($# > 0)); do
    case $1 in
      --help) usage_from_header && exit 0 ;;
      --list) list_experiments && exit 0 ;;
      --dry-run) DRY_RUN=true ;;
      --gate) GATE=true ;;
      --wait) WAIT=true ;;
      --allow-writes) _option allow_writes true ;;
      --from)
        (($# >= 3)) || usage_error "--from needs a stage and a run"
        [[ $2 =~ ^(measure|collect|analyse|report)$ ]] || usage_error "--from $2: stages are measure, collect, analyse and report"
        FROM=$2 RUN=$3
        shift 2
        ;;
      --?*)
        _known "$1" || usage_error "unknown option $1"
        (($# >= 2)) || usage_error "$1 needs a value"
        _value "$1" "$2"
        shift
        ;;
      -*) usage_error "unknown option $1" ;;
      *)
        [[ -z $EXPERIMENT ]] || usage_error "one experiment at a time: $EXPERIMENT or $1"
        EXPERIMENT=$1
        ;;
    esac
    shift
  done
  [[ -z $RUN || -z $EXPERIMENT ]] || usage_error "a run has its experiment already: drop $EXPERIMENT"
  EXPERIMENT=${EXPERIMENT:-baseline}
}

list_experiments() {
  jq -r '"\(.name)\t\(.why)"' "$REPO_ROOT"/scripts/declared/experiments/*.json |
    while IFS=$'\t' read -r name why; do printf '%-20s %s\n' "$name" "$why"; done
}

_known() { [[ $1 =~ ^--(levels|targets|workloads|blocks|duration|scale|stack|url|dsn|resume)$ ]]; }

# shellcheck disable=SC2034 # FROM is read by run-all-tests.sh
_value() {
  local json
  case $1 in
    --levels) json=$(_whole_numbers "$@") && _option levels "$json" ;;
    --targets) json=$(_names "$@") && _option targets "$json" ;;
    --workloads) json=$(_names "$@") && _option workloads "$json" ;;
    --blocks) json=$(_whole_numbers "$@") && _option blocks "$(jq '.[0]' <<<"$json")" ;;
    --duration) json=$(_whole_numbers "$@") && _option duration_s "$(jq '.[0]' <<<"$json")" ;;
    --scale) json=$(_above_zero "$@") && _option scale "$json" ;;
    --stack) json=$(_names "$@") && _option stack "$(jq '.[0]' <<<"$json")" ;;
    --url) json=$(_matching "$@" '^https?://[^[:space:]"]+$' 'must be http://host:port or https://host:port') && _option url "$json" ;;
    --dsn) json=$(_matching "$@" '^postgres(ql)?://[^[:space:]"]+$' 'must be postgresql://user:password@host:port/database') && _option dsn "$json" ;;
    --resume) FROM=measure RUN=$2 ;;
  esac
}

# _option KEY JSON
_option() { OPTIONS=$(jq -c --arg key "$1" --argjson value "$2" '.[$key] = $value' <<<"$OPTIONS"); }

_whole_numbers() {
  [[ $2 =~ ^[1-9][0-9]{0,6}(,[1-9][0-9]{0,6})*$ ]] || usage_error "$1 $2: must be whole numbers from 1 up, separated by commas"
  printf '[%s]\n' "$2"
}

_names() {
  [[ $2 =~ ^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*$ ]] || usage_error "$1 $2: must be names separated by commas"
  printf '["%s"]\n' "${2//,/\",\"}"
}

_above_zero() {
  [[ $2 =~ ^[0-9]+(\.[0-9]+)?$ && $2 =~ [1-9] ]] || usage_error "$1 $2: must be a number above 0"
  jq -n "$2"
}

_matching() {
  [[ $2 =~ $3 ]] || usage_error "$1 $2: $4"
  printf '"%s"\n' "$2"
}
