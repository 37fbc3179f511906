#!/bin/sh
# start.sh cube|target: becomes that process of the target that TARGET names.
set -eu
command=$(node docker/start.js "$1")
# shellcheck disable=SC2086 # words: assignments and arguments
exec env $command
