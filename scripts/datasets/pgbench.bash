# shellcheck shell=bash
# Dataset pgbench: the tables of pgbench's builtin scripts. Trials write to them; pgbench/lib/reset.sql undoes what matters.
# The functions are those that tpch.bash describes.
#
# table_options: {"branches": N} is pgbench's own scale at scale 1: N branches, N times 100,000 accounts, some N times 15 MB.

dataset_database() {
  jq -en --arg scale "$1" '$scale | test("^(0|[1-9][0-9]*)([.][0-9]*[1-9])?$") and (tonumber >= 0.01 and tonumber <= 100)' >/dev/null 2>&1 ||
    usage_error "pgbench: scale '$1' is not a number from 0.01 to 100, written like 1 or 0.25"
  printf 'pgbench_s%s\n' "$(pgbench_branches "$1")"
}

# pgbench_branches SCALE: prints pgbench's own scale, a whole number.
pgbench_branches() { jq --argjson scale "$1" '[.table_options.branches * $scale | round, 1] | max' "$PG_PROFILE"; }

# The tables are those of this very version of pgbench.
dataset_recipe() { sha256_of - "$REPO_ROOT/scripts/datasets/pgbench.bash" <<<"$("$PG_BIN/pgbench" --version)"; }

dataset_load_settings() {
  jq -n '{wal_level: "minimal", max_wal_senders: 0, max_wal_size: "8GB", checkpoint_timeout: "1h", autovacuum: "off",
    maintenance_work_mem: "256MB", synchronous_standby_names: "", "pglab.memory_bytes": null}'
}

# The app owns the tables, as a user of pgbench would. Only an administrator may bring pages into the buffers.
dataset_build() {
  pg_sql "$1" -c 'grant create on schema public to pglab_app'
  local told
  told=$( (pg_env app "$1" && exec "$PG_BIN/pgbench" --initialize --quiet --scale="$(pgbench_branches "$2")" --init-steps=dtgvp) 2>&1) ||
    die "$EXIT_FAILED" "$1: pgbench --initialize failed: ${told##*$'\n'}"
  log "  pgbench: ${told##*$'\n'}" # done in so many seconds, step by step
  pg_sql "$1" -c 'create extension pg_prewarm' || die "$EXIT_FAILED" "$1: pg_prewarm is missing: install PostgreSQL's contrib modules"
}

dataset_check() {
  local branches counts
  branches=$(pgbench_branches "$2")
  counts=$(pg_sql "$1" -c 'select (select count(*) from pgbench_branches) || $$ $$ || (select count(*) from pgbench_accounts)')
  [[ $counts == "$branches $((branches * 100000))" ]] || die "$EXIT_FAILED" "$1 is not pgbench's at scale $branches: branches and accounts are $counts"
}
