# shellcheck shell=bash
# How the docker stack talks to Docker: settings, images, docker-compose, and containers, found by the labels that docker-compose gives them.
# The output of docker and docker-compose goes to $STACK_STATE/docker.log.

DOCKER_FOLDER=$REPO_ROOT/docker

# _missing_images: prints the official images that are needed and not here. Two of them are only needed to build ours.
_missing_images() {
  local image inputs stale
  local -a needed
  inputs=$(_inputs)
  stale=$(_stale_images "$inputs")
  needed=("$(pinned POSTGRES_IMAGE)")
  [[ -z $stale ]] || needed+=("$(pinned NODE_IMAGE)" "$(pinned GO_IMAGE)")
  for image in "${needed[@]}"; do
    docker image inspect "$image" >/dev/null 2>&1 || printf '%s\n' "$image"
  done
}

# _not_offered IMAGE...: prints those that no registry offers within two seconds.
_not_offered() {
  local image
  for image in "$@"; do
    (_within 2 docker manifest inspect "$image" >/dev/null 2>&1 || printf '%s\n' "$image") &
  done | sort
}

# _within SECONDS COMMAND...: its status; 124 when it took longer and was killed. (macOS has no timeout(1).)
_within() {
  local deadline pid
  deadline=$(($(now_us) + $1 * 1000000))
  "${@:2}" &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if (($(now_us) > deadline)); then
      kill -KILL "$pid"
      return 124
    fi
    sleep 0.05
  done
  wait "$pid"
}

# _stale_images INPUTS: prints which of our images are missing or out of date.
_stale_images() {
  local name
  for name in loadgen target; do
    [[ $(docker image inspect -f '{{index .Config.Labels "pglab.inputs"}}' "pglab-$name" 2>/dev/null) == "$1" ]] || printf '%s\n' "$name"
  done
}

# The images are built again when what goes into them has changed.
_ensure_images() {
  local image inputs name stale
  inputs=$(_inputs)
  stale=$(_stale_images "$inputs")
  for name in $stale; do
    image=pglab-$name
    log "building image $image: a few minutes the first time"
    docker build -t "$image" -f "$DOCKER_FOLDER/images/$name.Dockerfile" --build-arg "PGLAB_INPUTS=$inputs" \
      --build-arg "GO_IMAGE=$(pinned GO_IMAGE)" --build-arg "NODE_IMAGE=$(pinned NODE_IMAGE)" --build-arg "POSTGRES_IMAGE=$(pinned POSTGRES_IMAGE)" \
      --build-arg "TPCHGEN_VERSION=$(pinned TPCHGEN_VERSION)" \
      "$REPO_ROOT" >>"$STACK_STATE/docker.log" 2>&1 || die "$EXIT_FAILED" "image $image cannot be built: $(_fault)"
  done
}

# _inputs: prints what our images are built from, this clone and what others have made, for which architecture where one is named, or PGLAB_INPUTS,
# with which images are used as they are.
_inputs() {
  local clone
  [[ -z ${PGLAB_INPUTS:-} ]] || { printf '%s\n' "$PGLAB_INPUTS" && return; }
  clone=$(image_inputs)
  printf '%s,%s,%s,%s,%s%s\n' "$clone" "$(pinned POSTGRES_IMAGE)" "$(pinned NODE_IMAGE)" "$(pinned GO_IMAGE)" "$(pinned TPCHGEN_VERSION)" \
    "${DOCKER_DEFAULT_PLATFORM:+,$DOCKER_DEFAULT_PLATFORM}"
}

_compose() {
  local -a compose=(docker compose)
  docker compose version >/dev/null 2>&1 || compose=(docker-compose)
  POSTGRES_CONF=${POSTGRES_CONF:-$DOCKER_FOLDER/postgres} "${compose[@]}" -f "$DOCKER_FOLDER/docker-compose.yml" "$@"
}

# _docker_compose ARGUMENT...: its output goes to docker.log; exit 2 with one line when it fails.
_docker_compose() { _compose "$@" >>"$STACK_STATE/docker.log" 2>&1 || die "$EXIT_FAILED" "$(_fault)"; }

_engine_answers() { have docker && _within 5 docker version >/dev/null 2>&1; }

# _fault: prints one line that explains the end of docker.log.
_fault() {
  local tail
  tail=$(tail -n 30 "$STACK_STATE/docker.log")
  case $tail in
    *'Cannot connect to the Docker daemon'* | *'error during connect'*) echo "the Docker engine has stopped answering" ;;
    *[Nn]'o space left on device'*) echo "the disk that Docker keeps its images and volumes on is full (docker system df)" ;;
    *'port is already allocated'* | *'address already in use'*) echo "a port is taken: $(grep -oE '127\.0\.0\.1:[0-9]+' <<<"$tail" | tail -n 1); stop what listens there, or set another (TARGET_PORT, CUBE_PORT, PG_PORT)" ;;
    *) printf '%s (see %s)\n' "$(_last_line)" "$STACK_STATE/docker.log" ;;
  esac
}

# A bare number is an exit code.
_last_line() { grep -v -E '^ *[0-9]*$' "$STACK_STATE/docker.log" | tail -n 1 | sed 's/^error: //'; }

# _containers: prints {service: {"id","pid","alive"}} of ours, of the second of one service service-2; exit 2 when the engine does not answer.
_containers() {
  local -a ids
  lines_of ids docker ps -aq --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" --filter label=com.docker.compose.oneoff=False 2>/dev/null ||
    die "$EXIT_FAILED" "the Docker engine has stopped answering"
  ((${#ids[@]} > 0)) || { echo '{}' && return; }
  docker inspect "${ids[@]}" | jq 'map({(.Config.Labels | .["com.docker.compose.service"] + (.["com.docker.compose.container-number"] | if . == "1" then "" else "-\(.)" end)): {id: .Id, pid: .State.Pid, alive: .State.Running}}) | add'
}

# _role: prints the target's role in its target.json.
_role() { if [[ -e $STACK_STATE/role ]]; then cat "$STACK_STATE/role"; else echo target; fi; }

# _id SERVICE [NUMBER]: prints the id of its container, if there is one; of several that of a number, the first unless given.
_id() { _ids "$1" --filter "label=com.docker.compose.container-number=${2:-1}"; }

# _ids SERVICE [FILTER]...: prints the ids of its containers, one a line.
_ids() {
  docker ps -aq --no-trunc --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" \
    --filter "label=com.docker.compose.service=$1" --filter label=com.docker.compose.oneoff=False "${@:2}"
}

# _state ID: "running healthy"
_state() { docker inspect -f '{{.State.Status}}{{if .State.Health}} {{.State.Health.Status}}{{end}}' "$1"; }

_healthy() { [[ $(_state "$1") == "running healthy" ]]; }

_last_words() { docker logs --tail 20 "$1" 2>&1 | grep -v '^ *$' | tail -n 1; }

# _remove SERVICE...: stops and removes their containers; named volumes stay.
_remove() {
  local service
  local -a ids
  for service in "$@"; do
    lines_of ids _ids "$service" || return
    ((${#ids[@]} > 0)) || continue
    { docker stop -t 15 "${ids[@]}" && docker rm -fv "${ids[@]}"; } >>"$STACK_STATE/docker.log" 2>&1 || die "$EXIT_FAILED" "$service cannot be removed: $(_fault)"
  done
}

# _wait_healthy SERVICE SECONDS: waits until it is healthy; exit 2 when it does not become so.
_wait_healthy() {
  local id
  id=$(_id "$1")
  wait_until "$2" "$1 to be healthy" _settled "$id" || die "$EXIT_FAILED" "$1 does not become healthy: $(_last_words "$id")"
  _healthy "$id" || die "$EXIT_FAILED" "$1 stopped while starting: $(_last_words "$id")"
}

# Settled: it is healthy, or it is dead and waiting longer is pointless.
_settled() { [[ $(_state "$1") != @("running starting"|created) ]]; }

_need_port() {
  local variable=${1^^}_PORT
  [[ $1 != postgres ]] || variable=PG_PORT
  # bash says 'connection refused' of a free port, which is as it should be
  ! (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null || die "$EXIT_FAILED" "port $2 is taken: stop what listens there, or set another ($variable)"
}
