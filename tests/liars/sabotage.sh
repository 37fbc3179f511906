#!/usr/bin/env bash
# Summary: waits until the trial of one cell is being measured, then sabotages it.
# Usage: tests/liars/sabotage.sh CELL_ID kill-generator | kill-database | starve-generator | halve-generator
#
# Finds the processes by WATCH_FILE, as the sampler does. starve-generator stops the tool for nine tenths of its time, halve-generator for half.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../../scripts/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

being_measured() { [[ $(jq -r .cell "$WATCH_FILE" 2>/dev/null) == */"$1" ]]; }

# children PID: prints the pids of its children.
children() { cat "/proc/$1/task/$1/children"; }

# The shell that writes the file becomes timeout(1), whose child is the tool; before that its children are other programs.
tool_started() {
  local generator
  generator=$(jq .roles.generator "$WATCH_FILE")
  [[ $(</proc/"$generator"/comm) == timeout && -n $(children "$generator") ]]
}

# starve PID STOPPED_S RUNNING_S: the lie itself, how long it is kept from its core and how long it is not
starve() {
  while kill -STOP "$1" 2>/dev/null; do
    sleep "$2"
    kill -CONT "$1"
    sleep "$3"
  done
}

main() {
  local cell=$1 action=$2 tool
  wait_until 300 "cell $cell" being_measured "$cell"
  wait_until 10 "the tool to start" tool_started
  tool=$(children "$(jq .roles.generator "$WATCH_FILE")")
  case $action in
    kill-generator)
      sleep 3 # into the trial, so that it leaves something behind
      kill -KILL "$tool"
      ;;
    kill-database)
      sleep 2 # as above
      # shellcheck disable=SC2046 # one pid a word
      kill -KILL "$(jq .roles.postgres "$WATCH_FILE")" $(children "$(jq .roles.postgres "$WATCH_FILE")")
      ;;
    starve-generator) starve "$tool" 0.09 0.01 ;;
    halve-generator) starve "$tool" 0.05 0.05 ;;
    *) usage_error "what is $action?" ;;
  esac
}

main "$@"
