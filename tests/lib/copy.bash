# shellcheck shell=bash
# For tests that add files to the project: a copy of the repository, which shares what set-up installed here.

# copy_repository FOLDER: makes FOLDER a copy of what git knows or would add.
copy_repository() {
  local folder
  mkdir -p "$1/.tools"
  git ls-files -co --exclude-standard -z | xargs -0 tar cf - | tar xf - -C "$1"
  ln -s "$PWD/bin" "$1/bin"
  for folder in apps apps/cube scripts; do ln -s "$PWD/$folder/node_modules" "$1/$folder/node_modules"; done
  [[ ! -e apps/jvm/target ]] || ln -s "$PWD/apps/jvm/target" "$1/apps/jvm/target"
}
