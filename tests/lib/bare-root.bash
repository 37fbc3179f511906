# shellcheck shell=bash
# A bare machine: the root of a minimal Debian with git, sudo, and this machine's Node.js and Go, and nothing else that the project takes.
# It is made once per recipe, and copied. For root only. Source common.bash first.
#
#   bare_root                       makes it unless it is there, and prints its folder, which is to be left as it is
#   bare_copy FOLDER                a copy to be used, with a clone of this repository in each user's pglab/, as the files are now
#   bare_run FOLDER USER COMMAND    runs it there by `bash -c`, in the clone; when it ends, whatever it started ends, and no mount is left
#
# How this machine reaches its package registries comes along: certificates, the settings of apt, pip and npm, and the environment.

BARE_FOLDER=${PGLAB_BARE:-/var/tmp/pglab-bare} # the roots, and what apt-get has downloaded for them
BARE_SUITE=bookworm
BARE_USER=visitor # may use sudo without a password

# What programs read to reach their registries, by name.
BARE_ENVIRONMENT='([a-z]+_proxy|[A-Z]+_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|[A-Z_]*CA_BUNDLE|GIT_SSL_CAINFO|NODE_EXTRA_CA_CERTS|PIP_CERT|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_TRUSTED_HOST|PIP_PROXY|PIP_DEFAULT_TIMEOUT)'
BARE_GO=(GOPROXY GOSUMDB GOPRIVATE GONOPROXY GONOSUMDB GOINSECURE) # these may also stand in a file

bare_root() {
  local root
  root=$BARE_FOLDER/root-$(_bare_key)
  if [[ ! -e $root/.complete ]]; then
    log "making a bare $BARE_SUITE in $root"
    mkdir -p "$BARE_FOLDER/archives/partial"
    chmod 700 "$BARE_FOLDER"
    rm -rf "$BARE_FOLDER"/root-*
    _bare_make "$root" >"$BARE_FOLDER/make.log" 2>&1 || die "$EXIT_FAILED" "no bare root can be made: $(tail -n 1 "$BARE_FOLDER/make.log") (see $BARE_FOLDER/make.log)"
    touch "$root/.complete"
  fi
  printf '%s\n' "$root"
}

bare_copy() {
  local root
  root=$(bare_root)
  rm -rf "$1"
  cp -a --reflink=auto "$root" "$1"
  _bare_connect "$1"
  _bare_clone "$1/root"
  _bare_clone "$1/home/$BARE_USER"
  chroot "$1" chown -R "$BARE_USER:" "/home/$BARE_USER"
}

# In namespaces of their own, so that neither mounts nor processes can be left behind. What apt-get downloads is kept for the next root.
# shellcheck disable=SC2016 # the inner shell expands it
bare_run() {
  local home=/root name
  local -a environment
  [[ $2 == root ]] || home=/home/$2
  environment=("HOME=$home" "USER=$2" LANG=C.UTF-8 PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  for name in $(compgen -e); do
    [[ ! $name =~ ^($BARE_ENVIRONMENT|(TARGET|NULL|CUBE|PG)_PORT|STANDBY_PORTS)$ ]] || environment+=("$name=${!name}")
  done
  for name in "${BARE_GO[@]}"; do
    environment+=("$name=$(go env "$name")")
  done
  unshare --mount --pid --fork --kill-child --propagation private sh -euc '
    root=$1 archives=$2 user=$3 clone=$4 command=$5
    shift 5
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs shm "$root/dev/shm"
    mount --bind "$archives" "$root/var/cache/apt/archives"
    chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups env -i "$@" bash -c "cd $clone && $command"
  ' bare "$1" "$BARE_FOLDER/archives" "$2" "$home/pglab" "$3" "${environment[@]}" </dev/null
}

# _bare_key: prints a hash of what the root is made from.
_bare_key() {
  { declare -f _bare_make && node --version && go env GOVERSION && uname -m; } | sha256_of - | cut -c 1-12
}

# shellcheck disable=SC2016 # apt-get expands it
_bare_make() {
  local go_root node_root mirror
  node_root=$(node -p 'require("node:path").dirname(require("node:path").dirname(process.execPath))')
  go_root=$(go env GOROOT)
  # where this machine's own Debian comes from, if it is the same
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | awk -v suite="$BARE_SUITE" '$2 == suite && !found { print $1; found = 1 }')
  debootstrap --variant=minbase --include=ca-certificates,git,sudo "$BARE_SUITE" "$1" ${mirror:+"$mirror"} || return # the caller asks whether this succeeds, so errexit is off
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*
  mkdir -p "$1"/usr/local/{bin,lib/node_modules,include}
  cp -L "$(node -p process.execPath)" "$1/usr/local/bin/node"
  cp -R "$(npm root -g)/npm" "$1/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/usr/local/bin/npx"
  [[ ! -d $node_root/include/node ]] || cp -R "$node_root/include/node" "$1/usr/local/include/"
  mkdir "$1/usr/local/go"
  tar -C "$go_root" --exclude=./test --exclude=./api --exclude=./doc -c . | tar -x -C "$1/usr/local/go"
  chroot "$1" useradd --create-home --shell /bin/bash "$BARE_USER"
  printf '%s\n' "$BARE_USER ALL=(ALL) NOPASSWD: ALL" 'Defaults env_keep += "http_proxy https_proxy no_proxy"' >"$1/etc/sudoers.d/$BARE_USER"
  chroot "$1" node --version
  GOROOT=/usr/local/go chroot "$1" /usr/local/go/bin/go version
}

# _bare_connect ROOT: package registries are reached as from here.
_bare_connect() {
  local file
  cp /etc/resolv.conf /etc/hosts "$1/etc/"
  if [[ -d /usr/local/share/ca-certificates ]]; then
    cp -R /usr/local/share/ca-certificates "$1/usr/local/share/"
    chroot "$1" update-ca-certificates >/dev/null 2>&1
  fi
  for file in /etc/apt/apt.conf.d/* /etc/apt/apt.conf; do
    [[ ! -f $file ]] || ! grep -qE '^Acquire::(https?|Check|AllowInsecure)' "$file" || cp "$file" "$1/etc/apt/apt.conf.d/"
  done
  cp -R /etc/apt/auth.conf.d "$1/etc/apt/"
  [[ ! -f /etc/pip.conf ]] || cp /etc/pip.conf "$1/etc/"
  mkdir -p "$1/usr/local/etc"
  for file in ~/.npmrc "$(npm config get globalconfig 2>/dev/null)"; do
    [[ ! -f $file ]] || sed '/^nodedir/d' "$file" >>"$1/usr/local/etc/npmrc" # Node's own headers lie elsewhere there
  done
}

# _bare_clone HOME: HOME/pglab is a clone, with the files that git tracks as they are in the working tree.
_bare_clone() {
  git clone -q --depth 1 "file://$REPO_ROOT" "$1/pglab"
  git -C "$REPO_ROOT" diff --quiet HEAD || git -C "$REPO_ROOT" diff --binary HEAD | git -C "$1/pglab" apply
}
