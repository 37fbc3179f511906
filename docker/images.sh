#!/usr/bin/env bash
# Summary: builds the images of targets and load generators, and hands them to a cluster's nodes.
# Usage: docker/images.sh build               on this machine's Docker engine, unless they are there and up to date
#        docker/images.sh push REGISTRY       and pushes them, as REGISTRY/pglab-target and REGISTRY/pglab-loadgen: ./run-all-tests.sh --registry REGISTRY
#        docker/images.sh save FOLDER         and writes them, and PostgreSQL's, to FOLDER/<name>.tar, as docker save does, for nodes that load them
#
# kind, k3d and minikube load the images of this machine's engine by themselves: see docs/kubernetes.md.
set -Eeuo pipefail
# shellcheck source=scripts/lib/common.bash
source "$(dirname "$0")/../scripts/lib/common.bash"
# shellcheck source=scripts/lib/stack.bash
source "$REPO_ROOT/scripts/lib/stack.bash"

IMAGES=(pglab-target pglab-loadgen)

build() {
  stack_load docker
  _engine_answers || die "$EXIT_FAILED" "no Docker engine answers"
  mkdir -p "$STACK_STATE" || die "$EXIT_FAILED" "$STACK_STATE cannot be created: set PGLAB_DATA to a folder that can be written"
  _ensure_images
}

push() {
  local image
  for image in "${IMAGES[@]}"; do
    docker tag "$image" "$1/$image"
    docker push "$1/$image"
  done
}

save() {
  local image postgres
  postgres=$(pinned POSTGRES_IMAGE)
  mkdir -p "$1"
  docker image inspect "$postgres" >/dev/null 2>&1 || docker pull "$postgres"
  for image in "${IMAGES[@]}" "$postgres"; do
    docker save "$image" | write_atomic "$1/$(tr -c 'A-Za-z0-9\n' - <<<"$image").tar"
  done
}

main() {
  help_if_asked "$@"
  case "${1:-} $#" in
    "build 1") build ;;
    "push 2") build && push "$2" ;;
    "save 2") build && save "$2" ;;
    *) usage_error "build, push REGISTRY or save FOLDER" ;;
  esac
}

main "$@"
