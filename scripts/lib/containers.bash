# shellcheck shell=bash
# What stacks whose programs are in images share. Source postgres.bash first.

# container_pg_settings SCALE: prints postgresql.conf of the profile, see pg_profile, in a container. The image's own tag is what docker/.env pins: a
# stand-in for it may have none.
container_pg_settings() {
  local major
  major=$(POSTGRES_IMAGE='' pinned POSTGRES_IMAGE | sed 's/^[^:]*:\([0-9]*\).*/\1/')
  pg_settings '{"listen_addresses": "*", "unix_socket_directories": "/var/run/postgresql", "hba_file": "/etc/pglab/pg_hba.conf"}' "$major" 5432 "$1"
}

# container_pg_hba: prints pg_hba.conf. Its local connections come from inside the container, while the cluster is created.
container_pg_hba() {
  echo "local all all trust"
  pg_hba all replicated
}

# container_lacks: prints, as stack_lacks does, what no server in a container has: JuiceFS, and whatever a profile says that nothing here reads yet.
container_lacks() {
  echo "storage=juicefs the $STACK stack has no JuiceFS"
  jq -nr --arg stack "$STACK" '[inputs | keys[]] | unique
    - ["auth", "compared_as", "dataset", "label", "memory", "name", "reset", "settings", "storage", "table_options", "topology", "why"]
    | .[] | "\(.) the \($stack) stack has no \(.)"' "$REPO_ROOT"/scripts/declared/databases/*.json
}

# container_limits: prints {role: {cores, memory}}: what docker/.env, or the environment, lets each container have. Cores are null where they are not
# limited; memory is as docker or Kubernetes has it. A profile may let its server have less.
container_limits() {
  local role cores memory
  local -a given=()
  for role in postgres target cube loadgen; do
    cores=$(pinned "${role^^}_CPUS") memory=$(pinned "${role^^}_MEMORY")
    [[ $cores =~ ^[0-9]*\.?[0-9]+m?$ ]] || die "$EXIT_USAGE" "${role^^}_CPUS is $cores: must be a number of cores, such as 2 or 0.5; 0 for no limit"
    [[ $memory =~ ^[0-9]+(\.[0-9]+)?([kKmMgGtT]i?)?[bB]?$ ]] || die "$EXIT_USAGE" "${role^^}_MEMORY is $memory: must be a size, such as 512m or 2g"
    given+=("${role/loadgen/generator}" "$cores" "$memory")
  done
  jq -n '[$ARGS.positional | range(0; length; 3) as $i
    | {(.[$i]): {cores: (.[$i + 1] | tonumber? // . | if . == 0 then null else . end), memory: .[$i + 2]}}] | add' --args "${given[@]}"
}

# image_inputs: prints a hash of what our images are built from in this clone: files, by name and content, and the versions that it pins.
image_inputs() {
  local paths
  local -a files
  paths=$(cd "$REPO_ROOT" && find apps docker/images k6/build scripts/package*.json scripts/sql/verify/*.json -type f -not -path '*/node_modules/*' -not -path 'apps/jvm/*' | sort)
  mapfile -t files <<<"$paths"
  { printf '%s\n' "$paths" && grep -E '^(POSTGRES_IMAGE|NODE_IMAGE|GO_IMAGE|TPCHGEN_VERSION)=' "$REPO_ROOT/docker/.env"; } | sha256_of - "${files[@]/#/$REPO_ROOT/}"
}

# require_image NAME COMMAND...: exit 2 unless that image was built from this clone, or from what PGLAB_INPUTS says; COMMAND... runs what follows it in a
# container of it. Which official images it was built on is not asked: the server's may be another than the load tools'.
require_image() {
  local built inputs=${PGLAB_INPUTS:-}
  # shellcheck disable=SC2016 # the container's shell expands it
  built=$("${@:2}" sh -c 'printf "%s\n" "${PGLAB_INPUTS:-}"' 2>&1) || die "$EXIT_FAILED" "image $1 cannot be asked what it was built from: ${built##*$'\n'}"
  [[ -n $inputs ]] || inputs=$(image_inputs)
  # one line of several: kubectl, or what it logs in with, may warn before and after
  [[ $'\n'$built, == *$'\n'"$inputs",* ]] || die "$EXIT_FAILED" "image $1 on the nodes was not built from this clone: docker/images.sh build (then push, or load it again)"
}
