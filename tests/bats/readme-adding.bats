#!/usr/bin/env bats
# The README's section on adding, followed to the letter in a copy of the repository: its files, its commands, a real database.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return
  source tests/lib/postgres.bash
  private_postgres
  TARGET_PORT=$(free_port)
  export REPOSITORY=$PWD COPY=$BATS_FILE_TMPDIR/copy STACK=local SCALE=0.01 TARGET_PORT
  export BASE_URL=http://127.0.0.1:$TARGET_PORT # the README's reader has the default port free
  mkdir -p "$COPY/.tools"
  git ls-files -co --exclude-standard -z | xargs -0 tar cf - | tar xf - -C "$COPY"
  ln -s "$PWD/bin" "$COPY/bin"
  local folder
  for folder in apps apps/cube scripts; do ln -s "$PWD/$folder/node_modules" "$COPY/$folder/node_modules"; done
}

teardown_file() {
  cd "$COPY" || return
  scripts/stack.sh down
  rm -rf "$PGLAB_DATA"
}

setup() { cd "$COPY" || return; }

# followed README: writes the files that it names into the copy and prints what it says, as JSON.
followed() { node "$REPOSITORY/tests/lib/readme-files.js" "$1" Adding "$COPY"; }

# unfollowed: takes the files away again.
unfollowed() {
  local path
  jq -r '.files[].path' "$BATS_TEST_TMPDIR/said.json" | while read -r path; do rm "$path"; done
}

# lines_of PATTERN: how many lines the files have whose paths match.
lines_of() { jq --arg pattern "$1" '[.files[] | select(.path | test($pattern)) | .lines] | add' "$BATS_TEST_TMPDIR/said.json"; }

@test "a target and a workload take under 30 lines each, and every command of the section works" {
  followed README.md >"$BATS_TEST_TMPDIR/said.json"
  local target workload command
  target=$(lines_of '^apps/[^/]+/(db\.js|target\.json)$') workload=$(lines_of '^(k6|wrk|pgbench|scripts/sql/verify)/')
  echo "target: $target lines, workload: $workload lines"
  [ "$target" -gt 0 ]
  [ "$target" -lt 30 ]
  [ "$workload" -gt 0 ]
  [ "$workload" -lt 30 ]
  [ "$(jq '.commands | length' "$BATS_TEST_TMPDIR/said.json")" -ge 4 ]
  while IFS= read -r command <&4; do
    echo "+ $command"
    eval "$command" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- 4>&- || { cat "$BATS_TEST_TMPDIR/output" && false; }
    cat "$BATS_TEST_TMPDIR/output" >>"$BATS_TEST_TMPDIR/all"
  done 4< <(jq -r '.commands[]' "$BATS_TEST_TMPDIR/said.json")
  grep -q '^up and verified: ' "$BATS_TEST_TMPDIR/all"
  grep -q '✓ long-echo: body' "$BATS_TEST_TMPDIR/all"
  grep -q '  tpch\.unnamed\.base\.long-echo\.k6\.closed-0016 ' "$BATS_TEST_TMPDIR/all"
  unfollowed
}

@test "a wrong word in the README is found out" {
  sed 's/rows\[0\]\.value,$/rows[0].values,/' README.md >"$BATS_TEST_TMPDIR/README.md"
  grep -q 'rows\[0\]\.values,$' "$BATS_TEST_TMPDIR/README.md"
  followed "$BATS_TEST_TMPDIR/README.md" >"$BATS_TEST_TMPDIR/said.json"
  run scripts/stack.sh up unnamed 3>&-
  [ "$status" -eq 2 ]
  [[ $output == *'unnamed answers /echo/'* ]]
  unfollowed
}
