# shellcheck shell=bash
# pg-native, the add-on of target native: node-postgres on libpq, the C client. npm compiles it from what it has installed.

NATIVE_ADDON=apps/node_modules/libpq/build/Release/addon.node

# What compiling takes: commands, and the packages of Debian that hold them.
NATIVE_TOOLS=(pg_config c++ make python3)
NATIVE_PACKAGES=(libpq-dev g++ make python3)
# shellcheck disable=SC2034 # read by setup.sh
NATIVE_LACKS="target native is skipped: it needs libpq, a C++ compiler, make and Python (Debian: apt-get install ${NATIVE_PACKAGES[*]})"

# native_tools: true when it can be compiled.
native_tools() {
  local tool
  for tool in "${NATIVE_TOOLS[@]}"; do
    have "$tool" || return 1
  done
  [[ -f $(pg_config --includedir)/libpq-fe.h ]]
}

# native_loads: true when the add-on is there, and of a kind that this Node and this libpq take.
native_loads() {
  [[ -f $REPO_ROOT/$NATIVE_ADDON ]] && node -e 'require(process.argv[1])' "$REPO_ROOT/$NATIVE_ADDON" 2>/dev/null
}

# native_key: prints what the add-on follows from, beside the lockfile: the interface of this Node.
native_key() { node -p 'process.versions.modules'; }

# native_build: compiles it. Node's own headers are used where its installation has them; else npm fetches them.
native_build() {
  local prefix
  prefix=$(node -p 'require("node:path").dirname(require("node:path").dirname(process.execPath))')
  [[ ! -f $prefix/include/node/node.h ]] || export npm_config_nodedir=$prefix
  npm --prefix "$REPO_ROOT/apps" rebuild libpq --ignore-scripts=false --loglevel=error
}
