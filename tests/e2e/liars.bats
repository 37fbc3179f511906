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
  tests/liars/sabotage.sh tpch@0.01.pooled.base.echo.k6.closed-0002 kill-generator 3>&- &
  tests/liars/sabotage.sh tpch@0.01.pooled.base.echo.k6.closed-0003 kill-database 3>&- &
  tests/liars/sabotage.sh tpch@0.01.pooled.base.echo.k6.open-0200 starve-generator 3>&- &
  tests/liars/sabotage.sh tpch@0.01.pooled.base.echo.k6.closed-0004 halve-generator 3>&- &
  has_invalid_trials --resume "$SABOTAGED"

  CLOCK=$(doctored clock pooled k6.closed-0006 raw.k6.ndjson jq -c 'if .type == "second" and .t >= 2 then .t += 3600 else . end')
  STEPPED=$(doctored stepped pooled k6.closed-0006 raw.k6.ndjson jq -c 'if .type == "second" and .t >= 4 then .t -= 2 else . end')
  TRUNCATED=$(doctored truncated pooled k6.closed-0006 raw.k6.ndjson head -c -20)
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

# cell_of SUFFIX: prints the end of a cell's id: of workload echo unless the suffix names another.
cell_of() { if [[ $1 == hello.* ]]; then echo "$1"; else echo "echo.$1"; fi; }

# doctored NAME TARGET CELL_SUFFIX FILE COMMAND...: prints a copy of the run in which that file of the target's cell went through the command.
doctored() {
  local copy=$BATS_FILE_TMPDIR/$1 dir
  cp -r "$SABOTAGED" "$copy"
  dir=$(echo "$copy"/cells/*/*."$2".base."$(cell_of "$3")")
  "${@:5}" <"$dir/$4" >"$dir/$4.doctored"
  mv "$dir/$4.doctored" "$dir/$4"
  scripts/stages/collect.sh "$dir" >&2
  scripts/stages/analyse.sh "$copy" >&2
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
@test "lie 29: one request of the lead-in, of one user in twenty, outlasts the window" {
  caught "$LIARS" liar.once-late.echo.k6.closed-0020 settled
  honest "$LIARS" liar.honest.echo.k6.closed-0020 settled
}
@test "lie 22: a target that freezes for 0.7 s of each second" {
  caught "$LIARS" liar.freezes.echo.k6.closed-0004 paused
  honest "$LIARS" liar.quick.echo.k6.closed-0004 paused
}

# Every check, turned red by the smallest change to a file that a tool, the sampler or the database made, through collect and analyse. counts_agree
# is about adapters, and no raw file has them disagree with themselves; what lies 6, 13 to 15 and 27 turn red is not here again.
REDS='
answer_size         pooled hello.wrk.closed-0007 spot-checks.json .lengths |= map(100)
clock_jump          pooled k6.closed-0006 status.json         .wall_s += 0.9
connections         pooled k6.closed-0006 raw.k6.ndjson       if .repeated then .repeated = 1000 else . end
dispatch_lag        pooled k6.open-0201   raw.k6.ndjson       if .dispatch_lag then .dispatch_lag |= (.counts = [[499968, .count]] | .sum_us = .count * 500000) else . end
dropped             pooled k6.open-0201   raw.k6.ndjson       if .due then .due += 20 else . end
duration            pooled wrk.closed-0006 raw.wrk.json        .duration_us = 500000
errors              pooled k6.closed-0006 raw.k6.ndjson       if .type == "second" then .errors.status_5xx = .requests / 2 else . end
exit_status         pooled k6.closed-0006 status.json         .exit_code = 107
frozen              pooled k6.closed-0006 raw.k6.ndjson       if .t == 3 then .requests = 0 | .answers = 0 else . end
generator_cpu       pooled k6.closed-0006 sampler.ndjson      if .roles.generator then .roles.generator.cpu_s *= 100 else . end
headroom            null   k6.closed-0006 raw.k6.ndjson       if .requests then .requests /= 10 else . end
latency_law         pooled k6.closed-0006 raw.k6.ndjson       if .latency then .latency |= (.sum_us /= 2 | .counts[][0] /= 2) else . end
littles_law         pooled k6.closed-0006 raw.k6.ndjson       if .in_flight then .in_flight /= 2 else . end
other_programs      pooled k6.closed-0006 sampler.ndjson      (.roles[] | select(.cpu_s?).cpu_s) *= 0.1
offered             pooled k6.open-0201   raw.k6.ndjson       if .type == "second" then .answers = 0 else . end
other_statements    pooled k6.closed-0006 counters-after.json .statements += [.statements[0] + {query_id: "1", calls: 5000, query: "select 2"}]
paused              pooled k6.closed-0006 raw.k6.ndjson       if .t == 3 then .pause = {from_ms: 3000, ms: 900} else . end
percentiles_ordered pooled k6.closed-0006 raw.k6.ndjson       if .latency then .latency.min_us = 1e9 else . end
processes           pooled k6.closed-0006 status.json         .processes.target.children_lost = 1
processor_taken     pooled k6.closed-0006 sampler.ndjson      .host.cpu.steal_s = .clock_s
restored            pooled wrk.closed-0006 raw.wrk.json        .requests += 50
rows                pooled k6.closed-0006 raw.k6.ndjson       if .type == "second" then .trends = {rows: {count: 1, sum_milli: 1e9}} else . end
sessions            pooled k6.closed-0006 counters-after.json .database.sessions += 500
settled             pooled k6.open-0201   raw.k6.ndjson       if .latency then .latency.max_us = 9e7 else . end
statements          pooled k6.closed-0006 counters-after.json .statements_total.calls += 5000
statements          pooled k6.closed-0006 counters-end.json   .statements_total.calls -= 5000
stopped             pooled k6.closed-0006 sampler.ndjson      if .roles.generator then .roles.generator.stopped = 1 else . end
users               pooled k6.closed-0006 raw.k6.ndjson       if .users_answered then .users_answered -= 1 else . end
wall_clock          pooled k6.closed-0006 status.json         .wall_s = 1
window              pooled k6.closed-0006 raw.k6.ndjson       if .answered_by_s then .answered_by_s = 2.5 else . end
warm_up             pooled wrk.closed-0006 status.json         .warmup.exit_code = 1
watched             pooled k6.closed-0006 sampler.ndjson      empty
wrong_answers       pooled wrk.closed-0006 spot-checks.json    .wrong = [{path: "/", status: 302, body: ""}]
'

@test "each check is turned red by a file that a tool made, and hardly changed" {
  local check target cell file filter run missed=''
  while read -r check target cell file filter; do
    [ -n "$check" ] || continue
    run=$(doctored "$check" "$target" "$cell" "$file" jq -c "$filter")
    caught "$run" "pooled.base.$(cell_of "$cell")" "$check" || missed+=" $check"
    rm -r "$run"
  done <<<"$REDS"
  [ -z "$missed" ] || { echo "not turned red:$missed" && false; }
}

@test "where the counts at the tool's end are missing, it is not known whether answers came before the work" {
  local run
  run=$(doctored unread pooled k6.closed-0006 counters-end.json jq -c null)
  jq -e '.cells[] | select(.id | endswith("pooled.base.echo.k6.closed-0006")).trials[0].not_measured | index("statements")' "$run/results.json"
}

@test "a file that was cut short costs its last line, and one that is gone costs nothing that was made of it" {
  local run dir before
  run=$(doctored cut pooled k6.closed-0006 sampler.ndjson head -c -20)
  [ -n "$(verdict_of "$run" pooled.base.echo.k6.closed-0006)" ]
  jq -e '[.cells[] | select(.id | endswith("pooled.base.echo.k6.closed-0006")) | .resources.roles.target.cpu_cores] | .[0] > 0' "$run/results.json"
  printf '{"database": "tp' >>"$run/sessions.ndjson"
  scripts/stages/analyse.sh "$run"
  dir=$(echo "$run"/cells/*/*.pooled.base.echo.k6.closed-0006)
  before=$(sha256sum <"$dir/summary.json")
  rm "$dir"/raw.*
  scripts/stages/collect.sh "$dir"
  [ "$(sha256sum <"$dir/summary.json")" = "$before" ]
}
