#!/usr/bin/env bats
# Lies, told for real: each must come out suspect or invalid for its own reason, and its honest twin without it.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/whole-run.bash
  export TARGET_FOLDERS="apps tests/liars"
  export LIARS SABOTAGED CLOCK STEPPED TRUNCATED
  has_invalid_trials tests/liars/liars.json
  LIARS=$(newest_run liars)

  cc -shared -fPIC -o "$BATS_FILE_TMPDIR/clock.so" tests/liars/clock.c -ldl
  SABOTAGED=$(doctored_plan)
  tests/liars/sabotage.sh tpch.pooled.base.echo.k6.closed-0002 kill-generator 3>&- &
  tests/liars/sabotage.sh tpch.pooled.base.echo.k6.closed-0003 kill-database 3>&- &
  tests/liars/sabotage.sh tpch.pooled.base.echo.k6.open-0200 starve-generator 3>&- &
  tests/liars/sabotage.sh tpch.pooled.base.echo.k6.closed-0004 halve-generator 3>&- &
  has_invalid_trials --resume "$SABOTAGED"

  CLOCK=$(doctored_raw clock 'fromjson | if .type == "second" and .t >= 2 then .t += 3600 else . end | tojson')
  STEPPED=$(doctored_raw stepped 'fromjson | if .type == "second" and .t >= 4 then .t -= 2 else . end | tojson')
  TRUNCATED=$(doctored_raw truncated '.[:-20]')
}

teardown_file() {
  rm -rf "$LIARS" "$SABOTAGED"
}

# has_invalid_trials ARGUMENT...: runs them to their end; exit 1 says that some trials are invalid, as they must be.
has_invalid_trials() {
  local code=0
  ./run-all-tests.sh "$@" >&2 3>&- || code=$?
  [ "$code" -eq 1 ]
}

# doctored_plan: prints a run whose plan was tampered with: a ramp under the name of a level, a wrk with a clock that is set back.
doctored_plan() {
  local run
  run=${PGLAB_RESULTS:-results/runs}/$(date -u +%Y%m%dT%H%M%SZ)-sabotaged
  mkdir -p "$run"
  cp tests/liars/sabotaged.json "$run/experiment.json"
  echo '{"levels":null,"targets":null,"workloads":null,"blocks":null,"duration_s":null,"scale":0.01,"stack":"local","url":null,"dsn":false,"allow_writes":false}' >"$run/options.json"
  scripts/stages/plan.sh "$run"
  # A graceful stop would need a scenario, which k6 does not take beside --stage.
  jq --arg clock "$BATS_FILE_TMPDIR/clock.so" 'def cell($suffix): .groups[] | select(.block == 1) | .cells[] | select(.id | endswith($suffix));
    cell("k6.closed-0005").argv |= (map({"vus=5": "vus=1", "graceful=60s": "sample=1"}[.] // .) | .[:-1] + ["--stage", "6s:10", .[-1]])
    | cell("wrk.closed-0005").argv |= ["env", "LD_PRELOAD=\($clock)"] + .
    ' "$run/plan.json" >"$run/plan.doctored"
  mv "$run/plan.doctored" "$run/plan.json"
  printf '%s\n' "$run"
}

# doctored_raw NAME FILTER: prints a copy of the run in which the raw lines of the honest cell went through a jq filter.
doctored_raw() {
  local copy=$BATS_FILE_TMPDIR/$1 raw
  cp -r "$SABOTAGED" "$copy"
  raw=$(echo "$copy"/cells/01/*.k6.closed-0006/raw.k6.ndjson)
  jq -Rr "$2" "$raw" >"$raw.doctored"
  mv "$raw.doctored" "$raw"
  scripts/stages/collect.sh "$copy" && scripts/stages/analyse.sh "$copy" >&2
  printf '%s\n' "$copy"
}

# verdict_of RUN CELL_SUFFIX: prints the verdict and the names of the checks that gave it.
verdict_of() {
  jq -r --arg cell "$2" '.cells[] | select(.id | endswith($cell)) | .trials[] | "\(.verdict) \(.reasons | map(.check) | join(" "))"' "$1/results.json"
}

# caught RUN CELL_SUFFIX CHECK...: the trial is not valid, for one of these reasons
caught() {
  local verdict check
  verdict=$(verdict_of "$1" "$2")
  echo "the liar $2: $verdict"
  [ -n "$verdict" ] && [[ $verdict != valid* ]] || return 1
  for check in "${@:3}"; do
    [[ " $verdict " != *" $check "* ]] || return 0
  done
  return 1
}

# honest RUN CELL_SUFFIX CHECK...: the trial ran and has none of these reasons; unless a hypervisor took the processor from it, which is named
honest() {
  local verdict check
  verdict=$(verdict_of "$1" "$2")
  echo "its twin $2: $verdict"
  [ -n "$verdict" ] || return 1
  [[ " $verdict " != *" processor_taken "* ]] || return 0
  for check in "${@:3}"; do
    [[ " $verdict " != *" $check "* ]] || return 1
  done
}

HONEST=liar.honest.echo.k6.closed-0004

# lies TOLD CHECK...: one of the liar's own lies beside its honest twin
lies() {
  caught "$LIARS" "liar.$1.echo.k6.closed-0004" "${@:2}"
  honest "$LIARS" "$HONEST" "${@:2}"
}

# sabotages CELL TWIN CHECK...
sabotages() {
  caught "$SABOTAGED" "pooled.base.echo.k6.$1" "${@:3}"
  honest "$SABOTAGED" "pooled.base.echo.k6.$2" "${@:3}"
}

@test "lie 1: a target that freezes for two seconds" { lies frozen frozen; }
@test "lie 2: answers that are wrong one time in a hundred" { lies wrong wrong_answers; }
@test "lie 3: HTTP 200 with an error in its body" { lies ok-error wrong_answers; }
@test "lie 4: a storm of 404" { lies not-found errors; }
@test "lie 5: answers from a cache, declared as one statement per request" { lies cached statements; }
@test "lie 6: a target slower by 3 ms each second, from 60 ms" {
  caught "$LIARS" liar.slower.echo.k6.closed-0003 drift
  honest "$LIARS" liar.honest.echo.k6.closed-0003 drift
}
@test "lie 7: a generator starved of its core" { sabotages open-0200 open-0201 dispatch_lag dropped; }
@test "lie 8: a target that is killed" { lies killed processes; }
@test "lie 9: a database that is killed" { sabotages closed-0003 closed-0006 processes; }
@test "lie 10: a k6 that is killed" { sabotages closed-0002 closed-0006 exit_status; }
@test "lie 11: too short a trial" {
  caught "$LIARS" liar.slow.echo.k6.closed-0001 samples
  honest "$LIARS" liar.slow.echo.k6.closed-0002 samples
}
@test "lie 12: a lead-in that fails" { lies cold warm_up; }
@test "lie 13: a ramp labelled as a level" { sabotages closed-0005 closed-0006 ramp littles_law; }
@test "lie 14: a clock that jumps in the raw file" {
  caught "$CLOCK" pooled.base.echo.k6.closed-0006 clock_jump timeline
  honest "$SABOTAGED" pooled.base.echo.k6.closed-0006 clock_jump timeline
}
@test "lie 23: a clock that is set back by 2 s" {
  caught "$STEPPED" pooled.base.echo.k6.closed-0006 clock_jump timeline ramp
  honest "$SABOTAGED" pooled.base.echo.k6.closed-0006 clock_jump timeline ramp
}
@test "lie 27: a wrk whose clock is set back by 2 s" {
  caught "$SABOTAGED" pooled.base.echo.wrk.closed-0005 window clock_jump
  honest "$SABOTAGED" pooled.base.echo.wrk.closed-0006 window clock_jump
}
@test "lie 28: a generator at half its speed" { sabotages closed-0004 closed-0006 stopped; }
@test "lie 15: a raw file cut short" {
  caught "$TRUNCATED" pooled.base.echo.k6.closed-0006 complete
  honest "$SABOTAGED" pooled.base.echo.k6.closed-0006 complete
}
@test "lie 16: answers first, and the work three seconds later" { lies behind statements; }
@test "lie 17: answers from memory, and a select 1 for each" { lies select-1 other_statements; }
@test "lie 18: an answer that grows during the trial" { lies grows wrong_answers; }
@test "lie 19: kept connections that are dropped" { lies dropped connections; }
@test "lie 20: a worker that dies, and nobody says so" { lies lost-worker processes; }
@test "lie 21: 3 % of the answers 20 s late" {
  caught "$LIARS" liar.late.echo.k6.open-0100 settled
  honest "$LIARS" liar.honest.echo.k6.open-0100 settled
}
@test "lie 24: redirects, for wrk alone" {
  caught "$LIARS" liar.redirects-wrk.echo.wrk.closed-0004 wrong_answers
  honest "$LIARS" liar.honest.echo.wrk.closed-0004 wrong_answers
}
@test "lie 25: garbage, for wrk alone" {
  caught "$LIARS" liar.garbage-for-wrk.echo.wrk.closed-0004 wrong_answers
  honest "$LIARS" liar.honest.echo.wrk.closed-0004 wrong_answers
}
@test "lie 26: batches of which half is stored" {
  caught "$LIARS" half.half.documents-batch.k6.closed-0002 rows
  honest "$LIARS" half.honest.documents-batch.k6.closed-0002 rows
}
@test "lie 22: a target that freezes for 0.7 s of each second" {
  caught "$LIARS" liar.freezes.echo.k6.closed-0004 paused
  honest "$LIARS" liar.quick.echo.k6.closed-0004 paused
}
