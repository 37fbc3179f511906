# shellcheck shell=bash
# For bats files whose tests share a server and runs of their own: to be loaded at the top of the file.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  private_postgres
  export PGLAB_RESULTS=$PGLAB_DATA/runs STACK=local
}

teardown_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  scripts/database.sh down
  rm -rf "$PGLAB_DATA"
}
