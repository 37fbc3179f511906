# shellcheck shell=bash
# What the kubernetes stack runs in pods.

# Goes before the script of a shell in a pod, which then says on stderr that it has ended, and how: where the connection breaks, `kubectl exec` may exit 0
# (kubernetes/kubectl#1726). So that shell does not become its command, to which kubectl would pass no signals either.
TO_THE_END="trap 'echo pglab-ended \$? >&2' EXIT; "
BROKEN=255

# _last_word: passes on the lines of stdin without that word, and returns the status that it tells; $BROKEN when it did not come. What is before it may have no end of line.
_last_word() {
  local line code=$BROKEN
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line == *'pglab-ended '* && $line =~ ^(.*)pglab-ended\ ([0-9]+)$ ]]; then
      line=${BASH_REMATCH[1]} code=${BASH_REMATCH[2]}
      [[ -n $line ]] || continue
    fi
    printf '%s\n' "$line"
  done
  return "$code"
}

# _in_pod COMMAND...: runs it in the first generator's pod. _in POD CONTAINER COMMAND...: in that container.
_in_pod() {
  local pod
  pod=$(_generator 0) || return
  _in "$pod" generator "$@"
}

# With this shell's PG* and BASE_URL, and the password of PGUSER, which the pod has. Of somebody else's database it has all of libpq's variables.
_in() {
  local name
  local -a environment=()
  for name in BASE_URL WRK_OUT COUNTED_ROLE PGHOST PGPORT PGUSER PGDATABASE SAMPLER_PGDATABASE SAMPLER_ROLE; do
    [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
  done
  # shellcheck disable=SC2016 # the pod's shell expands them
  _kubectl_once exec --stdin "$1" --container "$2" -- bash -euc "$TO_THE_END"'cd "$1"; password=PGLAB_${2^^}_PASSWORD; [[ -z ${!password:-} ]] || export PGPASSWORD=${!password}; env "${@:3}"' \
    bash "$REPO_ROOT" "$(_role_of "${PGUSER:-}")" ${environment[@]+"${environment[@]}"} "${@:3}"
}

# _psql_unresolved POD ARGUMENT...: psql there with this shell's variables of libpq, which that pod has not; the password goes by stdin.
_psql_unresolved() {
  local name names
  local -a environment=()
  names=$(jq -r '.variables[] | select(IN("PGPASSWORD", "PGPASSFILE", "PGSERVICE") | not)' "$REPO_ROOT/apps/lib/drivers.json")
  for name in $names; do
    [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
  done
  # shellcheck disable=SC2016 # the pod's shell expands them
  _kubectl_once exec --stdin "$1" --container generator -- bash -euc "$TO_THE_END"'cd "$1"; PGPASSWORD=$(cat); export PGPASSWORD; env "${@:2}"' \
    bash "$REPO_ROOT" ${environment[@]+"${environment[@]}"} psql "${@:2}" <<<"${PGPASSWORD:-}"
}

# _role_of USER: prints the role of ours that it is; of somebody else's database none.
_role_of() {
  if [[ -n ${EXTERNAL_DATABASE:-} ]]; then echo none; elif [[ $1 == pglab_* ]]; then printf '%s\n' "${1#pglab_}"; else echo app; fi
}
