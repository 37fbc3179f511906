#!/usr/bin/env bats
# The smoke experiment for real, and what the driver does when it is interrupted, misused or handed a broken target.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
}

setup() {
  source tests/lib/whole-run.bash
}

@test "smoke: every cell measured, schema and sense hold, no invalid trial" {
  whole_run smoke
  node tests/e2e/check-run.js "$WHOLE_RUN" 24
}

@test "nothing of ours runs afterwards" {
  [ "$(scripts/stack.sh status)" = "{}" ]
  [ "$(scripts/database.sh status | jq .running)" = false ]
}

@test "collect, analyse and report make the same results again from the raw files" {
  run_folder=$(newest_run smoke)
  before=$(jq -S 'del(.generated_at?, .analysed_at?)' "$run_folder/results.json")
  find "$run_folder" \( -name summary.json -o -name results.json -o -name report.md \) -delete
  ./run-all-tests.sh --from collect "$run_folder" || only_robbed "$run_folder"
  after=$(jq -S 'del(.generated_at?, .analysed_at?)' "$run_folder/results.json")
  [ "$before" = "$after" ]
}

@test "a planned trial that is gone: exit 1, and it is named" {
  local copy=$BATS_TEST_TMPDIR/robbed
  cp -r "$(newest_run smoke)" "$copy"
  rm -r "$copy"/cells/*/*.pooled.base.hello.k6.closed-*
  run ./run-all-tests.sh --from analyse "$copy"
  echo "$output"
  [ "$status" -eq 1 ]
  [[ $output == *"planned trial(s) were not run: the report says which"* ]]
  grep -q 'pooled.base.hello.k6.closed' <(jq -r '.not_run[]' "$copy/results.json")
}
