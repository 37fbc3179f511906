#!/usr/bin/env bash
# Summary: the stack by hand: brings one target up so that k6, wrk, pgbench and curl can be pointed at it.
# Usage: scripts/stack.sh up TARGET [DATABASE]     DATABASE: a profile in scripts/declared/databases; tpch, or documents for target documents, unless given
#        scripts/stack.sh check | status | down   check: does all that is up run and answer?
#
# A target that is up holds the same locks as a run: until `down` no run starts on its ports or data; `up` puts another target in its place.
# `down` also stops what a run that was killed has left.
#
# STACK (docker where it can run, else local) and SCALE (1) come from the environment, POOL_SIZE and other settings of the target too.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash" # which ports are the database's
# shellcheck source=scripts/lib/lock.bash
source "$REPO_ROOT/scripts/lib/lock.bash"

# at_base_url: prints the option by which k6 finds the target, where it is not at its usual place.
at_base_url() { [[ ${BASE_URL:-http://127.0.0.1:3000} == http://127.0.0.1:3000 ]] || printf -- ' -e BASE_URL=%s' "$BASE_URL"; }

# by_hand_variant: prints the variant that the shell's settings make.
by_hand_variant() {
  jq -cn '{name: "base", env: ([$ARGS.positional[] | select(env[.]) | {(.): env[.]}] | add // {}), args: []}' --args "${BY_HAND[@]}"
}

# up TARGET [DATABASE]
up() {
  local database=${2:-} settings=''
  [[ -n $database ]] || database=$(jq -r '.database // "tpch"' "$(target_file "$1")")
  stack_up "$database" "$1" "$(by_hand_variant)"
  stack_verify "$1"
  [[ -n ${BASE_URL:-} ]] || settings="eval \"\$(scripts/database.sh env app)\"; "
  log "up and verified: ${BASE_URL:-the database}   ${settings}bin/k6 run -e vus=10$(at_base_url) k6/$(targets | jq -r --arg name "$1" '.[] | select(.name == $name).workloads | if type == "object" then .k6 else . end | if index("echo") then "echo" else last end').js   stop: scripts/stack.sh down"
}

# check_dataset TARGET_FILE [DATABASE]: a target that has a dataset of its own is given that one, and others are not; what asks the database itself may have any.
check_dataset() {
  local usual of
  [[ -n $2 && -f $REPO_ROOT/scripts/declared/databases/$2.json ]] && jq -e '.processes != []' "$1" >/dev/null || return 0
  usual=$(jq -r '.database // "tpch"' "$1")
  of=$(json_get "$REPO_ROOT/scripts/declared/databases/$2.json" .dataset)
  [[ $(json_get "$REPO_ROOT/scripts/declared/databases/$usual.json" .dataset) == "$of" ]] ||
    usage_error "target $(jq -r .name "$1") cannot be asked on $2, which holds $of: its own is $usual"
}

# up_by_hand TARGET [DATABASE]: the same as a run's stage, whose locks are kept when it has succeeded; else nothing stays up. What can be seen to
# be wrong beforehand leaves alone what is up.
up_by_hand() {
  local file
  file=$(target_file "$1")
  check_targets "$file"
  check_dataset "$file" "${2:-}"
  [[ $SCALE =~ ^[0-9]+(\.[0-9]+)?$ && $SCALE =~ [1-9] ]] || usage_error "SCALE is $SCALE: must be a number above 0"
  lock_end_by_hand
  lock_acquire "target $1 by hand" join
  trap lock_release EXIT
  lock_note stack "$STACK"
  guarded "$REPO_ROOT/scripts/stack.sh" up "$@"
  lock_keep
}

# external_answers: whether somebody else's server answers, whatever it says; where none is named, whether a target is up by hand that has no
# process of ours.
external_answers() {
  local file data
  if [[ -n ${EXTERNAL_URL:-} ]]; then
    curl -q -s --max-time 5 -o /dev/null "$EXTERNAL_URL" || die "$EXIT_FAILED" "nothing answers at EXTERNAL_URL, $EXTERNAL_URL"
    return
  fi
  data=$(lock_data)
  for file in "$LOCKS"/*.run; do
    lock_read "$file" || continue
    [[ -n ${HOLDER[by_hand]:-} && ${HOLDER[data]} == "$data" && ${HOLDER[stack]:-} == external ]] || continue
    ! lock_lives || return 0
  done
  return 1
}

database_runs() { [[ $(scripts/database.sh status | jq .running) == true ]]; }

# anything_up STATUS: whether there is something that check can look at.
anything_up() {
  [[ $1 == '{}' ]] || return 0
  if has_private_database "$STACK"; then database_runs; elif [[ $STACK == external ]]; then external_answers; else return 1; fi
}

# check: exit 2, with a line, unless all that was brought up by hand runs and answers.
check() {
  local up
  up=$(stack_status)
  anything_up "$up" || die "$EXIT_FAILED" "nothing is up: scripts/stack.sh up TARGET"
  stack_check
  ! has_private_database "$STACK" || database_runs || die "$EXIT_FAILED" "the database has stopped: scripts/stack.sh up TARGET"
}

down() {
  lock_end_by_hand
  lock_acquire "scripts/stack.sh down" join
  trap lock_release EXIT
  stack_stop
}

main() {
  help_if_asked "$@"
  cd "$REPO_ROOT"
  export SCALE=${SCALE:-1}
  if [[ ${1:-} == up ]]; then STACK=$(choose_stack "${STACK:-}"); else STACK=$(current_stack); fi
  require_cmd jq # after the stack, which says what else it lacks
  stack_load "$STACK"
  case "${1:-} $#" in
    "up 2" | "up 3") if [[ -n ${PGLAB_LOCK:-} ]]; then up "${@:2}"; else up_by_hand "${@:2}"; fi ;;
    "check 1") check ;;
    "status 1") stack_status ;;
    "down 1") down ;;
    "up 1") usage_error "up which target? There are $(target_files | sed 's|.*/\(.*\)/target.json|\1|' | paste -sd ' ' -)" ;;
    *) usage_error "which verb? up TARGET, check, status or down" ;;
  esac
}

main "$@"
