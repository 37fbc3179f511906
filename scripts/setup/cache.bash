# shellcheck shell=bash
# What set-up has built, kept for every clone of this user: CACHE/<name>-<key>.tar.gz, where the key is a hash of all that the
# content follows from. Source common.bash first.
#
# An entry is written aside and renamed, so it is whole or absent; gzip's checksum finds one that was damaged later, which is
# then removed and made again. An entry that nobody has used for CACHE_DAYS goes.

CACHE=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/pglab
CACHE_DAYS=60

# cache_entry NAME KEY: prints the path of the entry.
cache_entry() { printf '%s/%s-%s.tar.gz\n' "$CACHE" "${1//\//-}" "$2"; }

# cache_has NAME KEY: true when the entry is there.
cache_has() { [[ -f $(cache_entry "$@") ]]; }

# cache_writable: true when entries can be written.
cache_writable() { mkdir -p "$CACHE" 2>/dev/null && [[ -w $CACHE ]]; }

# cache_lock NAME KEY: nobody else makes this entry until the calling shell ends: a second clone waits, and then finds it made.
cache_lock() {
  cache_writable || return 0
  exec 7>"$(cache_entry "$@").lock"
  lock_fd 7
}

# cache_restore NAME KEY PATH...: the paths, relative to the clone, are as they were stored; what was there before is gone.
# Status 1, and the clone as it was, when there is no such entry or it is damaged.
cache_restore() {
  local entry aside path
  entry=$(cache_entry "$1" "$2")
  [[ -f $entry ]] || return 1
  aside=$REPO_ROOT/.tools/restored.$BASHPID
  rm -rf "$aside" && mkdir -p "$aside"
  if ! { gzip -dc "$entry" | tar -xf - -C "$aside"; } 2>/dev/null; then
    log "$entry is damaged: it is made again"
    rm -rf "$aside" "$entry"
    return 1
  fi
  for path in "${@:3}"; do
    [[ ! -d $REPO_ROOT/$path ]] || rm -rf "${REPO_ROOT:?}/$path"
    mkdir -p "$REPO_ROOT/${path%/*}"
    mv -f "$aside/$path" "$REPO_ROOT/$path" # a program is never absent
  done
  rm -rf "$aside"
  touch "$entry"
}

# cache_store NAME KEY PATH...: keeps these paths of the clone. A cache that cannot be written is no error: the next clone builds.
cache_store() {
  local entry aside
  entry=$(cache_entry "$1" "$2")
  aside=$entry.$BASHPID.tmp
  cache_writable || { log "$CACHE cannot be written: nothing is kept for other clones" && return; }
  if { tar -C "$REPO_ROOT" -cf - -- "${@:3}" | gzip -1 >"$aside"; } && mv -f "$aside" "$entry"; then
    # whole entries only: what others write aside may be gone before it is looked at
    find "$CACHE" -name '*.tar.gz' -mtime "+$CACHE_DAYS" -delete
  else
    rm -f "$aside"
    log "$entry cannot be written: nothing is kept for other clones"
  fi
}

# cache_clean: says how large it is, and empties it.
cache_clean() {
  local size=0
  if [[ -d $CACHE ]]; then
    size=$(du -sk "$CACHE" | cut -f 1)
    find "$CACHE" -name '*.tar.gz*' -delete
  fi
  log "$CACHE: $((size / 1024)) MB, now empty"
}
