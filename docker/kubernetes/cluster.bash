# shellcheck shell=bash
# How the kubernetes stack talks to the cluster: objects, which scripts/jq/kubernetes-*.jq render, and pods, which labels tell. What kubectl
# says of changes goes to $STACK_STATE/kubectl.log.

# What of the repository pods have: load scripts, and the scripts that run beside the database or the target.
lines_of KUBE_FILES script_folders
KUBE_FILES+=(docker/load.sh docker/.env apps scripts/lib scripts/generators scripts/probes scripts/datasets scripts/sql scripts/jq scripts/declared)

# _kubectl_in ARGUMENT...: in the context that was chosen.
_kubectl_in() { no_proxy=$KUBE_NO_PROXY NO_PROXY=$KUBE_NO_PROXY command kubectl ${KUBE_CONTEXT:+--context "$KUBE_CONTEXT"} "$@"; }

# A subshell may have chosen the context. Where the last word does not come, see docker/kubernetes/exec.bash, the command has failed.
_kubectl_once() {
  local out
  local -a codes=(0 0)
  [[ -n ${KUBE_CONTEXT:-} ]] || _keep_to
  if [[ $* != *"$TO_THE_END"* ]]; then
    _kubectl_in --namespace "$KUBE_NAMESPACE" "$@"
    return
  fi
  exec {out}>&1
  _kubectl_in --namespace "$KUBE_NAMESPACE" "$@" 2>&1 >&"$out" {out}>&- | _last_word >&2 {out}>&- || codes=("${PIPESTATUS[@]}")
  exec {out}>&-
  ((codes[0] == 0)) || return "${codes[0]}"
  ((codes[1] != BROKEN)) || { echo "the connection to a pod broke before its command had ended" >&2 && return 1; }
  return "${codes[1]}"
}

# What kubectl says where the API server was away, though it may answer again by now.
API_AWAY='refused|connection reset|connection lost|broken pipe|EOF|TLS handshake timeout|i/o timeout|no route to host|Unable to connect|etcdserver: |deadline exceeded|currently unable'

# _kubectl ARGUMENT...: and once more where the API server was away and is back within a minute: for what may be done twice. What it printed before it failed is
# no answer: of a list that it cannot get, kubectl prints an empty one.
_kubectl() {
  local code=0 input='' complaint answer
  [[ " $* " != *' --filename - '* && " $* " != *' --stdin '* ]] || input=$(cat && echo .)
  answer=$(mktemp) || return
  complaint=$(_kubectl_once "$@" < <(printf '%s' "${input%.}") 2>&1 >"$answer") || code=$?
  if ((code != 0)) && { [[ $complaint =~ $API_AWAY ]] || ! _api_answers >/dev/null 2>&1; } && wait_until 60 "the API server" _api_answers; then
    rm "$answer"
    _kubectl_once "$@" < <(printf '%s' "${input%.}")
    return
  fi
  [[ $1 == get && $code != 0 ]] || cat "$answer"
  rm "$answer"
  [[ -z $complaint ]] || printf '%s\n' "$complaint" >&2
  return "$code"
}

# _api_answers: true where it does, were it only that this may not be asked; else prints one line that says why not.
_api_answers() {
  local complaint
  complaint=$(_kubectl_in get --raw /readyz --request-timeout 5s 2>&1 >/dev/null) || [[ $complaint == *'(Forbidden)'* ]] ||
    { grep -m 1 . <<<"$complaint" | sed 's/^error: //' && return 1; }
}

# _kubectl_logged ARGUMENT...: what it says goes to kubectl.log; exit 2 with one line when it fails.
_kubectl_logged() { _kubectl "$@" >>"$STACK_STATE/kubectl.log" 2>&1 || die "$EXIT_FAILED" "$(_fault)"; }

# _fault: prints one line that explains the end of kubectl.log.
_fault() { printf '%s (see %s)\n' "$(grep -v '^ *$' "$STACK_STATE/kubectl.log" | tail -n 1 | sed -E 's/^(error|Error from server[^:]*): //')" "$STACK_STATE/kubectl.log"; }

# _apply FUNCTION [JQ_OPTION...]: makes the objects of _render, or makes them so. _create: of what must not be there yet; status 1 when it cannot be made.
_apply() {
  local objects
  objects=$(_render "$@")
  _apply_these <<<"$objects"
}
_apply_these() { _kubectl_logged apply --server-side --field-manager pglab --force-conflicts --filename -; }
_create() { _render "$@" | _kubectl create --filename - >>"$STACK_STATE/kubectl.log" 2>&1; }

# _render FUNCTION [JQ_OPTION...]: prints the objects that this function of scripts/jq/kubernetes-*.jq makes; the options name what it is given.
_render() {
  local facts given
  facts=$(_facts)
  given=$(jq -n "${@:2}" '$ARGS.named')
  jq -s -L "$REPO_ROOT/scripts/jq" "include \"kubernetes-pods\"; include \"kubernetes-namespace\"; include \"kubernetes-database\"; include \"kubernetes-load\";
    add | .selectors as \$selectors | .placed as \$placed
    | {apiVersion: \"v1\", kind: \"List\", items: [$1 | selected(\$selectors; \$placed)]}" <<<"$facts $given"
}

# _facts: prints what objects are rendered from, see scripts/jq/kubernetes-pods.jq.
_facts() {
  local owner files at_postgres at_cube placed limits selectors
  owner=$(_owner)
  files=$(_files_name)
  at_postgres=$(_address postgres)
  at_cube=$(_address cube)
  placed=$(_places)
  limits=$(container_limits)
  selectors=$(_selectors)
  jq -n --arg owner "$owner" --arg root "$REPO_ROOT" --arg results "$RESULTS" --arg files "$files" --arg registry "${KUBE_REGISTRY:-}" --argjson selectors "$selectors" --arg postgres "$(pinned POSTGRES_IMAGE)" \
    --arg at_postgres "$at_postgres" --arg at_cube "$at_cube" --argjson port "$TARGET_PORT" --argjson external "$(_is_external)" --argjson placed "$placed" --argjson limits "$limits" '
    def ours: if $registry == "" then . else "\($registry)/\(.)" end;
    {images: {$postgres, target: ("pglab-target" | ours), loadgen: ("pglab-loadgen" | ours)}, pull: (if $registry == "" then "IfNotPresent" else "Always" end),
     $owner, $selectors, $root, $results, $files, $port, $external, $placed, $limits, addresses: {postgres: $at_postgres, cube: (if $at_cube == "" then null else $at_cube end)}}'
}

# _selectors: prints {role: {label: value}} of the nodes that roles may be on.
_selectors() {
  jq -n --arg given "${KUBE_NODE_SELECTOR:-}" '$given / "," | map(select(. != "")
      | capture("^(?<role>generator|target|cube|postgres|dataset)=(?<label>[^=]+)=(?<value>.*)$")
        // ("error: KUBE_NODE_SELECTOR is \($given): must be ROLE=LABEL=VALUE,... and a role generator, target, cube, postgres or dataset\n" | halt_error(64)))
    | group_by(.role) | map({(.[0].role): (map({(.label): .value}) | add)}) | add // {}'
}

# _places: prints {role: node} of those that stay where this run placed them first. _keep_places: target and Cube do, where all that is compared is on the same node.
_places() { if [[ -e $STACK_STATE/placed ]]; then cat "$STACK_STATE/placed"; else echo '{}'; fi; }
_keep_places() {
  local placed
  placed=$(_places)
  jq -L "$REPO_ROOT/scripts/jq" --argjson placed "$placed" 'include "kubernetes-state"; places($placed)' "$STACK_STATE/pods" | write_atomic "$STACK_STATE/placed"
}

# _address SERVICE: prints the address of that service, nothing where there is none.
_address() { _kubectl get service "$1" --ignore-not-found --output jsonpath='{.spec.clusterIP}'; }

# _file_list: prints the files that pods have, one a line. Of apps that is what targets are declared by.
_file_list() {
  (cd "$REPO_ROOT" && find "${KUBE_FILES[@]}" -type f -not -path '*/node_modules/*' -not -path 'k6/build/*' \( -not -path 'apps/*' -o -path 'apps/lib/*' -o -name target.json -o -name '*.sql' \) | sort)
}

# _files_name: prints the name of the object that has them, by their names and what they hold.
_files_name() {
  local list
  local -a files
  list=$(_file_list)
  mapfile -t files <<<"$list"
  printf 'files-%s\n' "$(sha256_of - "${files[@]/#/$REPO_ROOT/}" <<<"$list" | cut -c 1-12)"
}

_apply_files() {
  local name there
  name=$(_files_name)
  there=$(_kubectl get configmap "$name" --ignore-not-found --output name)
  [[ -z $there ]] || return 0
  _file_list | tar -C "$REPO_ROOT" -cf - -T - | gzip -9 | base64 | tr -d '\n' | write_atomic "$STACK_STATE/files"
  _apply files --rawfile archive "$STACK_STATE/files"
}

# _state KIND ROLE COUNT: prints "ready", "failed: ..." or why not yet, see scripts/jq/kubernetes-state.jq.
_state() {
  local list state node refused=''
  list=$(_kubectl get "$1,pods" --selector "$(_ours),app.kubernetes.io/name=$2" --output json)
  state=$(jq -r -L "$REPO_ROOT/scripts/jq" --argjson count "$3" 'include "kubernetes-state"; state($count)' <<<"$list")
  [[ $state == @(ready|failed:*) ]] ||
    refused=$(_refused "$2" "$state" "$(jq -r '[.items[] | select(.kind != "Pod").metadata.creationTimestamp][0] // ""' <<<"$list")")
  if [[ $state == "no node takes it: "* ]]; then
    node=$(_places | jq -r --arg role "$2" '.[$role] // empty')
    [[ -z $node ]] || state="node $node, where it was before in this run, does not take it: ${state#*: }"
  fi
  printf '%s\n' "${refused:-$state}"
}

# _refused ROLE STATE SINCE: prints what forbids its pods, or their volumes, which only an event says. Events outlive what they are about for an hour, in a namespace
# that stays: those before SINCE, when the role's object was made, are of another.
_refused() {
  _kubectl get events --output json | jq -r -L "$REPO_ROOT/scripts/jq" --arg role "$1" --arg state "$2" --arg since "$3" '
    include "kubernetes-state";
    .items |= map(select((.lastTimestamp // .eventTime // .metadata.creationTimestamp // $since)[:19] >= $since[:19]))
    | refused($role; $state) // empty'
}

# Settled: it is ready, or waiting longer is pointless.
_settled() {
  local state
  state=$(_state "$@")
  printf '%s\n' "$state"
  [[ $state == @(ready|failed:*) ]]
}

# _wait_ready KIND ROLE COUNT SECONDS: exit 2, with one line, when it does not become so.
_wait_ready() {
  local state
  wait_until "$4" "$2 to be ready" _settled "${@:1:3}" || die "$EXIT_FAILED" "$2 does not become ready: $(_state "${@:1:3}")"
  state=$(_state "${@:1:3}")
  [[ $state == ready ]] || die "$EXIT_FAILED" "$2 does not start: ${state#failed: }; its last words: $(_last_words "$2")"
}

# _last_words ROLE: the last line that its pod printed.
_last_words() {
  local role=$1 line
  [[ $role != null ]] || role=target
  line=$(_last_line "$role")
  [[ -n $line ]] || line=$(_last_line "$role" --previous) # of one that was restarted since
  printf '%s\n' "${line:-it printed nothing}"
}

# _last_line ROLE [OPTION...]: prints the last line that kubectl logs prints of it.
_last_line() { _kubectl logs --selector "$(_ours),app.kubernetes.io/name=$1" --tail 20 "${@:2}" 2>&1 | awk 'NF { last = $0 } END { print last }'; }

# _roles: prints which pods of ours there are, see scripts/jq/kubernetes-state.jq.
_roles() { _kubectl get pods --selector "$(_ours)" --output json | jq -c -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; roles'; }

# _export_role ROLE DATABASE: prints `export` lines of PG*, as pods reach the database; passwords stay in pods.
_export_role() {
  local host
  host=$(_address postgres) || return
  printf 'export %s=%q\n' PGHOST "$host" PGPORT 5432 PGUSER "pglab_$1" PGDATABASE "$2"
}

# _as ROLE DATABASE COMMAND...: runs it with that role's PG*.
_as() (
  assignments=$(_export_role "$1" "$2") || exit
  use_exports "$assignments"
  "${@:3}"
)
