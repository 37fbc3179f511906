# shellcheck shell=bash
# The load generators of the kubernetes stack: pods, each with a container `generator`, where load tools run when they are told to, and a container `sampler`.

# _generators: prints the names of the generators' pods, in order. _generator INDEX: of one; status 1, and a line, where it does
# not run.
_generators() {
  _kubectl get pods --selector "$(_ours),app.kubernetes.io/name=generator" --output json | jq -r -L "$REPO_ROOT/scripts/jq" 'include "kubernetes-state"; pods | sort_by(.index)[].pod'
}
_generator() {
  local list
  list=$(_kubectl get pods --selector "$(_ours),app.kubernetes.io/name=generator" --output json) || return
  jq -er -L "$REPO_ROOT/scripts/jq" --argjson index "$1" 'include "kubernetes-state"; pods[] | select(.index == $index and .alive).pod' <<<"$list" ||
    { log "the pod of load generator $(($1 + 1)) does not run" && return 1; }
}

# _tell CONTAINER SCRIPT ARGUMENT...: has bash run it there, in the first generator's pod. Where that is gone the trial fails by itself.
_tell() {
  local pod
  { pod=$(_generator 0) && _kubectl exec --stdin "$pod" --container "$1" -- bash -euc "$TO_THE_END$2" bash "${@:3}"; } >>"$STACK_STATE/kubectl.log" 2>&1 ||
    warn "the first generator hears nothing: $(_fault)"
}

# _in_generator POD SCRIPT ARGUMENT...: has bash run it there, after it has ended a load tool whose connection broke, which would go on beside the next trial.
_in_generator() {
  local left
  left=$(_kubectl exec "$1" --container generator -- bash -euc "${TO_THE_END}cd \"\$0\"; scripts/generators/noted.sh; $2" "$REPO_ROOT" "${@:3}" 2>>"$STACK_STATE/kubectl.log") || return
  [[ -z $left ]] || warn "a load tool went on in $1 after its connection had broken, and was ended (process ${left//$'\n'/, })"
}

# _apply_generators: they are there, as many as are asked for. What a Job's pods are made from cannot be changed: where that is another by now, as with other limits,
# scripts or somebody else's database, or a pod has ended, all are made anew.
_apply_generators() {
  local objects made_from state
  objects=$(_render generators --argjson count "${GENERATORS:-1}")
  made_from=$(jq '.items[] | select(.kind == "Job").spec.template' <<<"$objects" | sha256_of -)
  state=$(_state job generator 1)
  if [[ $state == failed:* || ! -e $STACK_STATE/generators || $(<"$STACK_STATE/generators") != "$made_from" ]]; then
    _kubectl_logged delete job generator --ignore-not-found --cascade=foreground --timeout 60s
  fi
  _apply_these <<<"$objects"
  write_atomic "$STACK_STATE/generators" <<<"$made_from"
}

# _reached URL: each generator gets an answer there; a node learns of a service's pods a moment after these are ready.
_reached() {
  local pod
  local -a pods
  lines_of pods _generators || return
  for pod in "${pods[@]}"; do
    _in "$pod" generator curl -q -fsS --max-time 5 -o /dev/null "$1" || return
  done
}

# _generate INDEX COMMAND...: runs it in that generator's pod, to which the right answers go before. The image's k6 stands for bin/k6. A load tool, which is what has
# a time limit, is noted there.
_generate() {
  local pod
  local -a argv=("${@:2}")
  pod=$(_generator "$1")
  [[ " ${*:2} " != *' timeout '* ]] || argv=(scripts/generators/noted.sh "${argv[@]}")
  # shellcheck disable=SC2016 # the pod's shell expands it
  [[ ! -e $CELL_DIR/answers.tsv ]] || _kubectl_logged exec --stdin "$pod" -- bash -euc "$TO_THE_END"'cat >"$1/answers.$$" && mv "$1/answers.$$" "$1/answers.tsv"' bash "$CELL_DIR" <"$CELL_DIR/answers.tsv"
  _in "$pod" generator "${argv[@]/#bin\/k6/k6}"
}

# _fetched POD: the raw files that it has are here. Its two containers share them, and one may have died.
_fetched() { _fetched_from "$1" sampler || _fetched_from "$1" generator; }

# _fetched_from POD CONTAINER: they are here, and whole by their checksums.
_fetched_from() {
  local sums sum file
  local -a files=()
  # shellcheck disable=SC2016 # the pod's shell expands it
  sums=$(_kubectl_once exec "$1" --container "$2" -- bash -euc "$TO_THE_END"'cd "$1"; shopt -s nullglob; files=(raw.* began.* sampler.*); ((${#files[@]} == 0)) || sha256sum -- "${files[@]}"' bash "$CELL_DIR") || return
  [[ -n $sums ]] || return 0
  while read -r sum file; do
    files+=("$file")
  done <<<"$sums"
  _kubectl_once exec "$1" --container "$2" -- tar -C "$CELL_DIR" -cf - -- "${files[@]}" | tar -C "$CELL_DIR" --no-same-owner -xf - || return
  while read -r sum file; do
    [[ $(sha256_of "$CELL_DIR/$file") == "$sum" ]] || { echo "$file is not what it was" && return 1; }
  done <<<"$sums"
}
