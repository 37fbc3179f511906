# shellcheck shell=bash
# For scripts that need the documents target running: a cluster, a target and ports of their own.
# Source scripts/lib/common.bash first.

# documents_up: the target on a fresh copy of the dataset; exports BASE_URL and PG* of role app, and what scripts/stack.sh and
# scripts/database.sh need to find it.
documents_up() {
  # shellcheck source=tests/lib/postgres.bash
  source "$REPO_ROOT/tests/lib/postgres.bash"
  private_postgres
  export BASE_URL=http://127.0.0.1:$TARGET_PORT
  "$REPO_ROOT/scripts/stack.sh" up documents documents
  local assignments
  assignments=$("$REPO_ROOT/scripts/database.sh" env app)
  use_exports "$assignments"
}

# documents_pid: prints the pid of the target.
documents_pid() { "$REPO_ROOT/scripts/stack.sh" status | jq .target.pid; }

# documents_down: stops and removes it all; may be called when nothing is up.
documents_down() {
  [[ -n ${PGLAB_DATA:-} && -n ${TARGET_PORT:-} ]] || return 0
  "$REPO_ROOT/scripts/stack.sh" down
  rm -rf "$PGLAB_DATA"
}
