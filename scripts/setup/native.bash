# shellcheck shell=bash
# pg-native, the add-on of target native: node-postgres on libpq, the C client. npm compiles it from what it has installed.

NATIVE_ADDON=$REPO_ROOT/apps/node_modules/libpq/build/Release/addon.node

# What compiling takes: commands, and the packages of Debian that hold them.
NATIVE_TOOLS=(pg_config c++ make python3)
NATIVE_PACKAGES=(libpq-dev g++ make python3)

# native_available: true when it can be compiled.
native_available() {
  local tool
  for tool in "${NATIVE_TOOLS[@]}"; do
    have "$tool" || return 1
  done
  [[ -f $(pg_config --includedir)/libpq-fe.h ]]
}

# native_built: true when the add-on is there and loads.
native_built() {
  [[ -f $NATIVE_ADDON ]] && node -e 'require(process.argv[1])' "$NATIVE_ADDON" 2>/dev/null
}

# native_build: compiles the add-on unless that is done. Node's own headers are used where its installation has them; else npm
# fetches them. Without what compiling takes it says so in one line, and does nothing. Status 1 when compiling fails.
native_build() {
  local prefix
  native_built && return
  if ! native_available; then
    log "target native is skipped: it needs libpq, a C++ compiler, make and Python (Debian: apt-get install ${NATIVE_PACKAGES[*]})"
    return
  fi
  log "building pg-native"
  prefix=$(node -p 'require("node:path").dirname(require("node:path").dirname(process.execPath))')
  [[ ! -f $prefix/include/node/node.h ]] || export npm_config_nodedir=$prefix
  npm --prefix "$REPO_ROOT/apps" rebuild libpq --ignore-scripts=false --loglevel=error >&2
}
