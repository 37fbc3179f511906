# shellcheck shell=bash
# Summary: containers of a Docker engine on this machine
# Programs: containers
# Leaves: containers
# The docker stack: PostgreSQL, target, Cube and load tools run in the containers of docker/docker-compose.yml; the host needs
# Docker, bash and jq. $STACK_STATE holds their configuration (postgres-<profile>/, target.env), the target's role in `role`, and a file
# `containers` for as long as any may exist.

STANDBYS=(standby1 standby2)
DOCKER_PG=(-e PGHOST -e PGPORT -e PGUSER -e PGPASSWORD -e PGDATABASE) # passed on as they are, set or not
# shellcheck source=docker/engine.bash
source "$REPO_ROOT/docker/engine.bash"
# shellcheck source=scripts/lib/postgres.bash
source "$REPO_ROOT/scripts/lib/postgres.bash"
# shellcheck source=scripts/lib/containers.bash
source "$REPO_ROOT/scripts/lib/containers.bash"

COMPOSE_PROJECT_NAME=$(pinned COMPOSE_PROJECT_NAME)
PGLAB_ROOT=$REPO_ROOT
PGLAB_UID=$EUID PGLAB_GID=$(id -g)
((EUID != 0)) || PGLAB_UID=65534 PGLAB_GID=65534          # no container runs as root
[[ $STACK_STATE == /* ]] || STACK_STATE=$PWD/$STACK_STATE # docker takes a relative path for a volume's name
RESULTS=${PGLAB_RESULTS:-$REPO_ROOT/results/runs}         # the folder that containers may write to
[[ $RESULTS == /* ]] || RESULTS=$PWD/$RESULTS
RESULTS_MOUNT=$RESULTS
SERVER_MEMORY=$(pinned POSTGRES_MEMORY) # unless a profile limits it
TARGET_ENV_FILE=$STACK_STATE/target.env
export COMPOSE_PROJECT_NAME PGLAB_ROOT PGLAB_UID PGLAB_GID RESULTS RESULTS_MOUNT TARGET_ENV_FILE PG_PORT
PATH=$DOCKER_FOLDER/bin:$PATH # psql and node of the images, for scripts on the host

# stack_can_run: true when the engine answers and its images are here or can be pulled; prints one line that says which, or all that
# is missing. It takes two seconds at most where no registry answers.
stack_can_run() {
  local missing
  _engine_answers || { echo "no Docker engine answers" && return 1; }
  _compose version >/dev/null 2>&1 || { echo "there is neither docker compose nor docker-compose" && return 1; }
  have jq || { echo "Docker is here, but jq is missing" && return 1; }
  missing=$(_missing_images)
  [[ -n $missing ]] || { echo "its base images are here" && return; }
  # shellcheck disable=SC2086 # names of images, one a line
  missing=$(_not_offered $missing)
  [[ -n $missing ]] || { echo "its images can be pulled" && return; }
  echo "the engine lacks ${missing//$'\n'/, }, and no registry offered them within 2 s: docker pull fetches them where one can be reached"
  return 1
}

stack_lacks() {
  container_lacks
  [[ $(docker info -f '{{.MemoryLimit}}' 2>/dev/null) == true ]] || echo "memory the Docker engine cannot limit a container's memory"
}

# Two clones share an engine, and containers are told apart by their project alone.
stack_locks() { printf 'project %s\n' "$COMPOSE_PROJECT_NAME"; }

stack_prepare() {
  _begin
  _ensure_images
  [[ $1 == none ]] || _prepare "$1" '' >/dev/null
}

stack_up() {
  local database=$1 target=$2 variant=$3 file role
  local -a services=(target loadgen) several
  file=$(target_file "$target")
  stack_down
  _begin
  _ensure_images
  unset_libpq
  if [[ $database != none ]]; then
    PGDATABASE=$(_prepare "$database" "$target")
    use_exports "$(_export_role app "$PGDATABASE")"
  fi
  jq -r -L "$REPO_ROOT/scripts/jq" --argjson variant "$variant" 'include "variant"; environment_in($variant) | to_entries[] | "\(.key)=\(.value)"' "$file" |
    write_atomic "$TARGET_ENV_FILE"
  _need_port target "$TARGET_PORT"
  if jq -e 'any(.processes[]; .role == "cube")' "$file" >/dev/null; then
    _need_port cube "$CUBE_PORT"
    services=(cube "${services[@]}")
  fi
  role=$(jq -r '[.processes[].role] | map(select(. != "cube"))[0] // "null"' "$file")
  write_atomic "$STACK_STATE/role" <<<"$role"
  for service in "${services[@]}"; do
    several=()
    [[ $service != loadgen ]] || several=(--scale "loadgen=${GENERATORS:-1}")
    TARGET=$target PGDATABASE=${PGDATABASE:-postgres} _docker_compose --profile cube up -d --no-deps "${several[@]}" "$service"
    [[ $service == cube ]] || _wait_healthy "$service" 120
  done
  export BASE_URL=http://127.0.0.1:$TARGET_PORT
}

stack_check() {
  local containers dead
  containers=$(_containers)
  dead=$(jq -r 'to_entries | map(select(.value.alive | not))[0] | values | "\(.key) \(.value.id)"' <<<"$containers")
  [[ -z $dead ]] || die "$EXIT_FAILED" "${dead% *} has stopped: $(_last_words "${dead#* }")"
}

stack_verify() {
  docker exec -e BASE_URL "${DOCKER_PG[@]}" "$(_id loadgen)" scripts/probes/verify.sh "$@"
}

# Load tools live in the target's network, so they go with it.
stack_down() {
  [[ ! -e $STACK_STATE/containers ]] || _remove loadgen target cube
}

stack_status() {
  [[ -e $STACK_STATE/containers ]] || { echo '{}' && return; }
  _containers | jq --arg role "$(_role)" --argjson target "$TARGET_PORT" --argjson cube "$CUBE_PORT" '
    [(.target | values | {($role): {pid, port: $target, alive}}), (.cube | values | {cube: {pid, port: $cube, alive}})] | add // {}'
}

stack_settings() {
  [[ $1 == none ]] || (use_exports "$(_export_role monitor postgres)" && psql -qAtX -v ON_ERROR_STOP=1 -v profile="$1" -f scripts/sql/settings.sql)
}

# stack_counters ARGUMENT...: scripts/probes/counters.sh beside the target, or without one on the host, by the images' psql.
stack_counters() {
  local loadgen
  local -a where=()
  loadgen=$(_id loadgen)
  [[ -z $loadgen ]] || where=(docker exec "${DOCKER_PG[@]}" -e COUNTED_ROLE "$loadgen")
  (use_exports "$(_export_role monitor "$PGDATABASE")" && export COUNTED_ROLE=pglab_app && "${where[@]}" scripts/probes/counters.sh "$@")
}

# The engine's pids, where these are also the host's. Load tools are not children of their container's first process but of the
# engine's shim, as that process is; so the shim stands for all of them.
stack_roles() {
  local containers service id pid
  containers=$(_containers | jq -r 'to_entries | sort_by(.key | capture("^(?<service>[a-z]+)-?(?<number>[0-9]*)$") | [.service, (.number | tonumber? // 1)])[]
    | "\(.key) \(.value.id) \(.value.pid)"')
  while read -r service id pid; do
    grep -qs "$id" "/proc/$pid/cgroup" || continue
    case $service in
      target) printf '%s %s\n' "$(_role)" "$pid" ;;
      loadgen*) printf 'generator %s\n' "$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")" ;;
      postgres) [[ -z ${PGHOST:-} ]] || printf 'postgres %s\n' "$pid" ;; # it stays up beside a target that has no database
      *) printf '%s %s\n' "$service" "$pid" ;;
    esac
  done <<<"$containers" | jq -Rn --argjson of "${OF:-1}" '[inputs | split(" ") | {role: .[0], pid: (.[1] | tonumber)}] | group_by(.role)
    | map({(.[0].role): (map(.pid)[:$of] | if length == 1 then .[0] else . end)}) | {generator: null} + (add // {})'
}

# The sampler asks from the host.
stack_monitor() {
  _export_role monitor postgres
  printf 'export PGHOST=127.0.0.1 PGPORT=%q\n' "$PG_PORT"
}

stack_admin() { _export_role admin "$PGDATABASE"; }

# _export_role ROLE DATABASE: prints `export` lines of PG*, as containers reach the database.
_export_role() {
  printf 'export %s=%q\n' PGHOST postgres PGPORT 5432 PGUSER "pglab_$1" PGPASSWORD "$(pinned "PGLAB_${1^^}_PASSWORD")" PGDATABASE "$2"
}

# Volumes stay: the dataset is used again next time.
stack_stop() {
  [[ -e $STACK_STATE/containers ]] || return 0
  _engine_answers || { warn "the Docker engine does not answer; once it does, remove what is left with: STACK=docker scripts/stack.sh down" && return 1; }
  local -a left
  _docker_compose --profile cube --profile replicated down --remove-orphans -t 20
  lines_of left docker ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"
  ((${#left[@]} == 0)) || docker rm -fv "${left[@]}" >>"$STACK_STATE/docker.log" 2>&1
  rm -f "$STACK_STATE/containers"
}

# No container runs as root.
stack_writes() { ((EUID != 0)) || chown "$PGLAB_UID:$PGLAB_GID" "$1"; }

# stack_exec COMMAND...: becomes a load tool in the container beside the target. To be called in a subshell by run-cell,
# whose CELL_DIR the tool writes to, see stack_writes. The image's k6 stands for bin/k6.
stack_exec() { _exec_in "$(_id loadgen)" "$@"; }

# stack_generator NUMBER OF COMMAND...: each in a container of its own, kept to its cores where there are as many.
stack_generator() {
  local cores
  local -a keep=()
  cores=$(jq -nr -L "$REPO_ROOT/scripts/jq" --arg cores "${LOADGEN_CPUSET:-}" --argjson number "$1" --argjson of "$2" 'include "generators"; $cores | slice($number; $of)')
  [[ -z $cores ]] || keep=(taskset -c "$cores")
  (_exec_in "$(_id loadgen "$1")" "${keep[@]}" "${@:3}")
}

# _exec_in ID COMMAND...: becomes the command in a container.
_exec_in() { exec docker exec -i -e BASE_URL -e WRK_OUT "${DOCKER_PG[@]}" "${@/#bin\/k6/k6}"; }

# stack_tool COMMAND...: runs one of the tools that loads are driven with, to ask its version.
stack_tool() {
  case $1 in
    jq | bash) "$@" ;;
    *) docker run --rm --network none --label "com.docker.compose.project=$COMPOSE_PROJECT_NAME" pglab-loadgen "${1#bin/}" "${@:2}" ;;
  esac
}

# stack_images: {image: what it is: its digest in its registry, or its own id when it was made here}
stack_images() {
  docker image inspect pglab-loadgen pglab-target "$(pinned POSTGRES_IMAGE)" |
    jq 'map({(.RepoTags[0] // .Id): (.RepoDigests[0] // .Id)}) | add'
}

# _prepare DATABASE TARGET: the server is up with the profile's settings, its dataset is loaded, and its standbys stream; prints the
# database's name. Loading reports on screen, without docker-compose's own lines; an error is reported once, at the end.
_prepare() {
  _ensure_postgres "$1" >&2
  local database
  database=$(DATABASE=$1 TARGET=$2 _compose run --rm -T --no-deps dataset 2> >(tee -a "$STACK_STATE/docker.log" | grep -v -E '^(Creating|Container|Starting| Container|error: |[0-9]+$)' >&2)) ||
    die "$EXIT_FAILED" "the dataset of $1 could not be loaded: $(_fault)"
  [[ $(json_get "$PG_PROFILE" .topology) == single ]] || _ensure_standbys >&2
  printf '%s\n' "$database"
}

# Called before the engine is given anything to do. From here on `down` removes what is left, even of a run that was killed.
_begin() {
  mkdir -p "$STACK_STATE" || die "$EXIT_FAILED" "$STACK_STATE cannot be created: set PGLAB_DATA to a folder that can be written"
  _engine_answers || die "$EXIT_FAILED" "no Docker engine answers: start it, or use --stack local"
  mkdir -p "$RESULTS" || die "$EXIT_FAILED" "$RESULTS cannot be created: set PGLAB_RESULTS to a folder that can be written"
  touch "$STACK_STATE/containers" "$TARGET_ENV_FILE"
  _choose_cores
}

# The cores that scripts/probes/topology.sh gives each role, unless the environment says otherwise.
_choose_cores() {
  local topology role variable cores
  topology=$("$REPO_ROOT/scripts/probes/topology.sh")
  for role in postgres target cube generator; do
    variable=${role^^}_CPUSET
    [[ $role != generator ]] || variable=LOADGEN_CPUSET
    [[ -z ${!variable:-} ]] || continue
    cores=$(jq -r --arg role "$role" '.roles[$role] // empty' <<<"$topology")
    export "$variable=$cores"
  done
}

# _ensure_postgres PROFILE: running with exactly these settings, and healthy.
_ensure_postgres() {
  local id conf hba
  pg_profile "$1"
  POSTGRES_CONF=$STACK_STATE/postgres-$1
  export POSTGRES_CONF
  conf=$(container_pg_settings "${SCALE:?}")
  export POSTGRES_MEMORY=$SERVER_MEMORY
  [[ ! $conf =~ pglab\.memory_bytes\ =\ \'([0-9]+) ]] || POSTGRES_MEMORY=${BASH_REMATCH[1]}
  hba=$(container_pg_hba)
  id=$(_id postgres)
  if [[ -n $id && $(docker inspect "$id" | jq -r '.[0].Mounts[].Source') == *"$POSTGRES_CONF"* ]] && _healthy "$id" &&
    [[ $conf == "$(<"$POSTGRES_CONF/postgresql.conf")" && $hba == "$(<"$POSTGRES_CONF/pg_hba.conf")" ]]; then
    return
  fi
  _remove "${STANDBYS[@]}"
  [[ -n $id ]] || _need_port postgres "$PG_PORT"
  mkdir -p "$POSTGRES_CONF"
  write_atomic "$POSTGRES_CONF/postgresql.conf" <<<"$conf"
  write_atomic "$POSTGRES_CONF/pg_hba.conf" <<<"$hba"
  chmod -R a+rX "$POSTGRES_CONF"
  _docker_compose up -d --no-deps --force-recreate postgres
  _wait_healthy postgres 120
  [[ $POSTGRES_MEMORY == "$SERVER_MEMORY" ]] || _forget_cache
}

# _forget_cache: drops what the page cache holds of the server's files: it counts for the container that read it first, not for this one.
_forget_cache() {
  # shellcheck disable=SC2016 # the container's shell expands it
  docker exec "$(_id postgres)" sh -c 'dd if=/dev/null iflag=nocache count=0 status=none && find "$PGDATA" -type f -size +64k -print0 | xargs -0 -I {} dd if={} iflag=nocache count=0 status=none' >>"$STACK_STATE/docker.log" 2>&1 ||
    die "$EXIT_FAILED" "the page cache of $PG_PROFILE cannot be dropped: $(_fault)"
}

# _ensure_standbys: they run with the settings of the primary, which sends them what it writes. One that cannot follow is made anew.
_ensure_standbys() {
  local service
  for service in "${STANDBYS[@]}"; do
    _docker_compose --profile replicated up -d --no-deps "$service"
    wait_until 60 "$service to stream" _settled "$(_id "$service")" && _healthy "$(_id "$service")" && continue
    log "$service cannot follow, making it anew: $(_last_words "$(_id "$service")")"
    _remove "$service"
    docker volume rm "${COMPOSE_PROJECT_NAME}_$service" >>"$STACK_STATE/docker.log" 2>&1 || die "$EXIT_FAILED" "the volume of $service cannot be removed: $(_fault)"
    _docker_compose --profile replicated up -d --no-deps "$service"
    _wait_healthy "$service" 120
  done
}
