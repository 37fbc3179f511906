# shellcheck shell=bash
# Set-up in a sandbox, with stubs on the PATH: nothing is downloaded, nothing on the machine changes. There is no jq.
# Every stub writes its name and arguments to calls.log.
# shellcheck disable=SC2016 # the stubs expand it

# sandbox: makes it, and goes there.
sandbox() {
  cd "$BATS_TEST_TMPDIR" || return
  local name
  new_clone clone
  mkdir -p bin postgres
  for name in awk basename bash cat chmod cp cut dirname du env find flock grep gzip id mkdir mkfifo mv rm sed setpriv sha256sum sleep sort tail \
    tar tr touch uname; do
    ln -s "$(command -v "$name")" "bin/$name"
  done
  for name in curl wrk; do stub "$name" 'echo 1.0'; done
  stub node "case \$1 in --version) echo v20.1.0 ;; *) exec $(command -v node) \"\$@\" ;; esac"
  stub go 'case $1 in env) echo go1.24.1 ;; -C) printf "#!/bin/sh\necho k6 v1\n" >"${7}"; chmod +x "${7}" ;; esac'
  stub npm 'mkdir -p "$2/node_modules"'
  stub python3 'case $2 in venv) mkdir -p "$4/bin"; cp "$TOOLS/pip" "$4/bin/pip" ;; esac'
  stub pip 'program=${7%%==*}; program=${program%-bin}; mkdir -p "$6/bin"
    printf "#!/bin/sh\necho $program 1\n" >"$6/bin/$program"; chmod +x "$6/bin/$program"'
  for name in initdb pg_ctl postgres psql pgbench; do
    stub "$name" 'echo "postgres (PostgreSQL) 15.1"'
    mv "bin/$name" postgres/
  done
  export TOOLS=$PWD/bin CALLS=$PWD/calls.log PG_BINDIR=$PWD/postgres XDG_CACHE_HOME=$PWD/cache
  : >"$CALLS"
}

# new_clone NAME: a clone in which nothing is built yet.
new_clone() {
  local name root=$BATS_TEST_DIRNAME/../..
  mkdir -p "$1"/{scripts/analyse,k6/build,docker,apps/cube,tests}
  cp -r "$root"/scripts/{setup.sh,setup,lib,declared} "$1/scripts/"
  cp "$root/scripts/analyse/tools.js" "$1/scripts/analyse/"
  cp "$root/docker/.env" "$1/docker/"
  for name in "$root"/apps/*/target.json; do
    mkdir -p "$1/apps/$(basename "${name%/*}")"
    cp "$name" "$1/apps/$(basename "${name%/*}")/"
  done
  touch "$1"/k6/build/{main.go,go.mod,go.sum} "$1/apps/cube/cube-server.js"
  mkdir "$1/apps/lib"
  touch "$1/apps/lib/main.js"
  for name in apps apps/cube scripts tests; do
    echo "{\"of\": \"$name\"}" >"$1/$name/package-lock.json"
  done
}

# stub NAME BODY: a program of that name on the PATH.
stub() {
  printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' "$1" "$2" >"bin/$1"
  chmod +x "bin/$1"
}

# installs NAME...: apt-get brings these, by root's shell or by sudo.
installs() {
  stub apt-get ''
  local bring="for tool in $*; do cp \"\$TOOLS/curl\" \"\$TOOLS/\$tool\"; done"
  stub sh "$bring"
  stub sudo "case \$* in *' sh'*) $bring ;; esac"
}

# set_up ARGUMENT...: scripts/setup.sh with nothing but the stubs on the PATH. What each test is about is not jq, so that is there.
set_up() {
  [ -e bin/jq ] || stub jq 'echo jq-1.6'
  PATH=$TOOLS run bash clone/scripts/setup.sh "$@"
}

# as_nobody COMMAND...: as a user who is not root.
as_nobody() {
  local -a become=()
  chmod -R a+rwX "$BATS_TEST_TMPDIR"
  if [ "$(id -u)" -eq 0 ]; then
    chmod a+x "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/test
    become=("$(command -v setpriv)" --reuid nobody --clear-groups --)
  fi
  "${become[@]}" "$@"
}

# called PATTERN: how many calls match.
called() { grep -c -E "$1" "$CALLS" || [ "$?" -eq 1 ]; }
