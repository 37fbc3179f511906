#!/usr/bin/env bats
# The plan: pure, seeded, every cell once a block, one target up at a time.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  RUN=$BATS_TEST_TMPDIR
  cat >"$RUN/experiment.json" <<'JSON'
{"name": "tiny", "why": "test", "blocks": 3, "seed": 7, "duration_s": 5, "warmup_s": 1,
 "cells": [
   {"databases": ["tpch"], "targets": ["raw", "pooled"], "variants": [{"name": "base"}, {"name": "big", "env": {"POOL_SIZE": "50"}}],
    "workloads": ["hello", "echo"], "tools": ["k6", "wrk"], "levels": [1, 3, 16]},
   {"databases": ["tpch"], "targets": ["pooled"], "workloads": ["echo"], "tools": ["k6"], "model": "open", "levels": [100, "50%"]}]}
JSON
  options '{}'
}

options() { jq -n "{levels: null, targets: null, workloads: null, blocks: null, duration_s: null, url: null, dsn: false, allow_writes: false} + $1" >"$RUN/options.json"; }

# plan FILTER: a value of the plan, which is made again when something has been written since.
plan() {
  { [ "$RUN/plan.json" -nt "$RUN/experiment.json" ] && [ "$RUN/plan.json" -nt "$RUN/options.json" ]; } || scripts/stages/plan.sh "$RUN"
  jq -c "$1" "$RUN/plan.json"
}

@test "the same input makes the same plan; another seed another order" {
  scripts/stages/plan.sh "$RUN"
  cp "$RUN/plan.json" "$RUN/first.json"
  scripts/stages/plan.sh "$RUN"
  cmp "$RUN/first.json" "$RUN/plan.json"
  jq '.seed = 8' "$RUN/experiment.json" >"$RUN/other" && mv "$RUN/other" "$RUN/experiment.json"
  scripts/stages/plan.sh "$RUN"
  [ "$(jq -c '[.groups[].cells[].id] | sort' "$RUN/first.json")" = "$(jq -c '[.groups[].cells[].id] | sort' "$RUN/plan.json")" ]
  [ "$(jq -c '[.groups[].cells[].id]' "$RUN/first.json")" != "$(jq -c '[.groups[].cells[].id]' "$RUN/plan.json")" ]
}

# shellcheck disable=SC2016 # $b is jq's
@test "each block holds every cell once, in an order of its own; a target is up once a block" {
  [ "$(plan '[range(1; 4) as $b | [.groups[] | select(.block == $b) | .cells[].id] | sort] | unique | length')" = 1 ]
  [ "$(plan '[range(1; 4) as $b | [.groups[] | select(.block == $b) | .cells[].id]] | unique | length')" = 3 ]
  [ "$(plan '[.groups[] | select(.block == 1 and .target != "null") | .cells[]] | length')" = 49 ]
  [ "$(plan '[.groups[] | [.block, .database, .target, .variant]] | length == (unique | length)')" = true ]
}

@test "calibration: each load once in every block, against the null responder" {
  [ "$(plan '[.groups[] | select(.target == "null")] | group_by(.block) | map([.[].cells[] | [.tool, .workload, .level]] | length == (unique | length) and length == 12)')" = '[true,true,true]' ]
  [ "$(plan '[.groups[].block] | unique')" = '[1,2,3]' ]
}

@test "argv: wrk's threads divide the level and do not exceed the cores; the cell's folder and the address are left open" {
  cores=$(getconf _NPROCESSORS_ONLN)
  [ "$(plan "[.groups[].cells[] | select(.tool == \"wrk\") | (.argv[1][2:] | tonumber) as \$t | .level % \$t == 0 and \$t <= $cores] | all")" = true ]
  [ "$(plan '[.groups[].cells[] | select(.tool == "wrk") | .argv[-3:] == ["{origin}", "connections=\(.level)", "prefix={prefix}"]] | all')" = true ]
  [ "$(plan '[.groups[].cells[] | select(.tool == "k6") | .argv | index(["hdr={cell}/raw.k6.ndjson"]) != null] | all')" = true ]
}

@test "a ramp is k6's: its way up is the warm-up, its way down comes after what is measured, and its variants are told from those of a level" {
  jq '.duration_s = 30 | .warmup_s = 15 | .blocks = 6
    | .cells = [.cells[0] | .targets = ["pooled"] | .workloads = ["echo"] | .tools = ["k6"] | .levels = [16] | ., . + {profile: "ramp"}]
    | .questions = [{ask: "A ramp?", primary: true, compare: {variant: ["base", "ramp"]}, where: {target: "pooled", workload: "echo", level: 16}, metric: "throughput"}]' \
    "$RUN/experiment.json" >"$RUN/ramped" && mv "$RUN/ramped" "$RUN/experiment.json"
  [ "$(plan '[.groups[] | select(.block == 1 and .target == "pooled") | .variant.name] | sort')" = '["base","big","big-ramp","ramp","ramp-again"]' ]
  [ "$(plan '[.groups[] | select(.variant.name | test("ramp")).cells[] | .profile, .timeout_s, .warmup_argv] | unique | tojson')" = '"[null,135,\"ramp\"]"' ]
  [ "$(plan '[.groups[].cells[] | select(.profile) | .argv[.argv | index(["-e", "vus=16"]):][:8]] | unique')" = \
    '[["-e","vus=16","-e","profile=ramp","-e","ramp=14500ms","-e","duration=30500ms"]]' ]
  [ "$(plan '[.groups[].cells[] | select(.profile) | .by_hand | sub(" -e BASE_URL=[^ ]+"; "")] | unique')" = '["bin/k6 run -e vus=16 -e profile=ramp -e ramp=14500ms -e duration=30500ms k6/echo.js"]' ]
  [ "$(plan '[.groups[] | select(.target == "null").cells[] | has("profile") or .variant != "base"] | any')" = false ]
  # the ramps of three cells take 15 s more than their levels' lead-ins alone
  jq '.cells |= map(del(.profile)) | .cells |= .[:1] | del(.questions)' "$RUN/experiment.json" >"$RUN/level" && cp "$RUN/level" "$RUN/experiment.json"
  level=$(plan .estimate_s)
  jq '.cells[0].profile = "ramp"' "$RUN/level" >"$RUN/experiment.json"
  [ "$(plan .estimate_s)" = $((level + 6 * 2 * 15)) ]
}

@test "pgbench's load has a lead-in, and a second more than is measured; where only a sample is logged, a warm-up of its own" {
  jq '.duration_s = 100 | .cells = [.cells[0] | del(.variants) | .targets = ["postgres"] | .tools = ["pgbench"] | .workloads = ["echo"] | .levels = [3] | .blocks = 1]
    | .cells += [.cells[0] | .workloads = ["analytics"] | .duration_s = 5]' "$RUN/experiment.json" >"$RUN/long" && mv "$RUN/long" "$RUN/experiment.json"
  cells='[.groups[0].cells[] | [(.argv | .[index("-T") + 1]), (.warmup_argv // [] | .[index("-T") + 1]), (.argv | index("--sampling-rate=0.1") != null), .timeout_s]] | sort'
  [ "$(plan "$cells")" = '[["100","1",true,175],["7",null,false,81]]' ]
}

@test "a variant with arguments for the tool is calibrated with them; what a person pastes is quoted" {
  jq '.cells = [.cells[0] + {tools: ["wrk"], levels: [3], workloads: ["echo"],
    variants: [{name: "base"}, {name: "big", env: {POOL_SIZE: "50"}}, {name: "close", args: ["-H", "Connection: close"]}]}]' \
    "$RUN/experiment.json" >"$RUN/close" && mv "$RUN/close" "$RUN/experiment.json"
  [ "$(plan '[.groups[] | select(.block == 1 and .target == "null") | .variant.name] | sort')" = '["base","close"]' ]
  [ "$(plan '[.groups[] | select(.variant.name == "close") | .cells[].argv | index(["-H", "Connection: close"]) != null] | all')" = true ]
  env -u TARGET_PORT -u NULL_PORT scripts/stages/plan.sh "$RUN"
  jq -e --arg tail "-s wrk/echo.lua -H 'Connection: close' http://127.0.0.1:300" \
    '[.groups[] | select(.variant.name == "close") | (if .target == "null" then "1" else "0" end) as $at | .cells[].by_hand | endswith($tail + $at)] | all and length == 9' "$RUN/plan.json"
}

@test "a target that needs what is not here is skipped, and the plan says why" {
  mkdir -p "$BATS_TEST_TMPDIR/apps/needy" "$BATS_TEST_TMPDIR/apps/unbuilt"
  jq '.name = "needy" | .processes[0].argv[2] = "needy" | .needs = ["no-such-command"]' apps/pooled/target.json >"$BATS_TEST_TMPDIR/apps/needy/target.json"
  jq '.name = "unbuilt" | .processes[0].argv[2] = "unbuilt" | .needs = ["no/such/file"]' apps/pooled/target.json >"$BATS_TEST_TMPDIR/apps/unbuilt/target.json"
  jq '.cells[0].targets = ["pooled", "needy", "unbuilt"]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  TARGET_FOLDERS="apps $(realpath --relative-to=. "$BATS_TEST_TMPDIR")/apps"
  export TARGET_FOLDERS
  [ "$(plan .skipped)" = '{"target needy":"no-such-command was not found; scripts/setup.sh --check says what brings it","target unbuilt":"no/such/file is not built: scripts/setup.sh says what that takes"}' ]
  [ "$(plan '[.groups[] | .target] | unique')" = '["null","pooled"]' ]
}

@test "a target's manifest that is no JSON, or lacks what all have, is named in a line" {
  mkdir -p "$BATS_TEST_TMPDIR/apps/mine"
  TARGET_FOLDERS="apps $(realpath --relative-to=. "$BATS_TEST_TMPDIR")/apps"
  export TARGET_FOLDERS
  local mine=$BATS_TEST_TMPDIR/apps/mine/target.json
  unplanned() {
    run scripts/stages/plan.sh "$RUN"
    [[ $status -eq 64 && ${#lines[@]} -eq 1 && $output == *"apps/mine/target.json: $1"* ]]
  }
  cp apps/pooled/target.json "$mine"
  unplanned '.name must be "mine", as its folder is called'
  jq '.name = "mine" | .worklods = .workloads | del(.workloads)' apps/pooled/target.json >"$mine"
  unplanned '.worklods is not known'
  jq '.name = "mine" | del(.workloads)' apps/pooled/target.json >"$mine"
  unplanned '.workloads is missing: it must be "all" or "calibrated", a list or an object'
  jq '.name = "mine" | .processes[0].helth = "/"' apps/pooled/target.json >"$mine"
  unplanned '.processes[0].helth is not known'
  jq '.name = "mine"' apps/pooled/target.json >"$mine"
  unplanned 'argv starts pooled, not mine'
  jq '.name = "mine" | .expects.echo.statments_per_request = [7, 7]' apps/pooled/target.json >"$mine"
  unplanned '.expects.echo.statments_per_request is not known'
  jq '.name = "mine" | .processes[0].argv[2] = "mine" | .workloads += ["ecko"]' apps/pooled/target.json >"$mine"
  unplanned 'no tool has a script for workload ecko'
  sed '2s/,$//' apps/pooled/target.json >"$mine"
  unplanned 'Expected separator between values at line 3'
}

@test "somebody else's server is asked what has an example; the rest is named, but for what asks the database itself" {
  jq '.cells |= [.[0] + {workloads: ["hello", "documents-crud", "sql-echo"]}, .[0] + {targets: ["postgres"], workloads: ["sql-analytics"]}]' \
    "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  options '{url: "http://127.0.0.1:9"}'
  export EXTERNAL_URL=http://127.0.0.1:9
  [ "$(plan '[.groups[] | select(.target == "external") | .cells[] | .by_hand | contains("http://127.0.0.1:9")] | unique')" = '[true]' ]
  [ "$(plan '.skipped | keys')" = '["variant big","workload sql-echo"]' ]
  [ "$(plan '[.groups[].variant.name] | unique')" = '["base"]' ]
  [ "$(plan '[.groups[] | select(.target != "null") | .target, .cells[].workload] | unique')" = '["documents-crud","external","hello"]' ]
  [ "$(plan '[.groups[] | select(.target == "null") | .cells[].workload] | unique')" = '["hello"]' ]
}

@test "cells of several targets that become one server's are asked once, for the longest time" {
  cp scripts/declared/experiments/baseline.json "$RUN/experiment.json"
  options '{url: "http://127.0.0.1:9"}'
  [ "$(plan '[.groups[] | select(.block == 1 and .target == "external") | .cells[].id] | length > 3 and length == (unique | length)')" = true ]
  [ "$(plan '[.groups[].cells[] | select(.target == "external" and .workload == "analytics" and .level == 10) | .duration_s] | unique')" = '[10]' ]
}

@test "of somebody else's server, variants of the tool are measured, and those of the target are not" {
  jq '.cells = [.cells[0] + {tools: ["wrk"], variants: [{name: "big", env: {POOL_SIZE: "50"}}, {name: "close", args: ["-H", "Connection: close"]}]}]' \
    "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  options '{url: "http://127.0.0.1:9"}'
  [ "$(plan '[.groups[].variant.name] | unique')" = '["close"]' ]
  [ "$(plan '.skipped | keys')" = '["variant big"]' ]
  jq 'del(.cells[0].variants[1])' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -ne 0 ]
  [[ $output == *"nothing left to measure; variant big: its settings cannot reach a server that is already there"* ]]
}

# asks JSON: the experiment asks this, in six blocks.
asks() {
  jq --argjson questions "$1" '.blocks = 6 | .questions = $questions' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
}

POOLED='{"ask": "What does a pool save?", "primary": true, "compare": {"target": ["pooled", "raw"]}, "where": {"workload": "echo", "tool": "k6", "level": 3}, "metric": "throughput"}'

@test "a question: the cells that answer it, and a second copy of its denominator in each block" {
  asks "[$POOLED]"
  options '{scale: 0.5}'
  [ "$(plan '.questions[0] | [.kind, .dimension, .why, (.sides[] | .name, .cells[])]')" = '["pair","target",null,"pooled","tpch@0.5.pooled.base.echo.k6.closed-0003","raw","tpch@0.5.raw.base.echo.k6.closed-0003"]' ]
  [ "$(plan '[.groups[] | select(.variant.name == "again") | .cells[] | [.block, .id]] | sort_by(.[0]) | [.[0], length]')" = '[[1,"tpch@0.5.raw.again.echo.k6.closed-0003"],6]' ]
  [ "$(plan '[.groups[] | select(.target == "null") | .variant.name] | unique')" = '["base"]' ]
}

@test "questions: a ranking of all, each at its peak, and shares of a peak that is not known yet" {
  asks '[{"ask": "Which is fastest?", "compare": {"rank": "target"}, "where": {"workload": "echo", "tool": "wrk", "level": "peak"}, "metric": "throughput"},
    {"ask": "Which waits?", "compare": {"variant": ["big", "base"]}, "where": {"target": "pooled", "workload": "echo", "tool": "k6", "model": "open", "level": "50%"}, "metric": "p50"}]'
  jq '.cells[1].variants = .cells[0].variants' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ "$(plan '.questions[0].sides | map([.name, (.cells | length)])')" = '[["pooled",3],["raw",3]]' ]
  [ "$(plan '.questions[1].sides | map(.cells[])')" = '["tpch.pooled.big.echo.k6.open-50pct","tpch.pooled.base.echo.k6.open-50pct"]' ]
}

@test "a question that the options narrow away is not asked, and the plan says why" {
  asks "[$POOLED]"
  options '{targets: ["pooled"]}'
  [ "$(plan '[.questions[0].why, .questions[0].sides, .skipped]')" = '["target raw is not measured there",[],{"question What does a pool save?":"target raw is not measured there"}]' ]
  [ "$(plan '[.groups[].variant.name] | unique')" = '["base","big"]' ]
}

@test "an experiment none of whose questions this machine can answer is refused, and what it lacks is said; options may narrow it so" {
  asks '[{"ask": "What does JuiceFS cost?", "primary": true, "compare": {"database": ["tpch", "juicefs"]}, "where": {"target": "raw", "workload": "echo", "tool": "k6", "level": 3}, "metric": "throughput"}]'
  jq '.cells = [.cells[0] | .databases = ["tpch", "juicefs"] | .variants = [{name: "base"}]]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  options '{stack: "docker"}'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *"none of its questions can be asked here; database juicefs: the docker stack has no JuiceFS; question What does JuiceFS cost?: "* ]]
  options '{stack: "docker", levels: [1]}'
  [ "$(plan '[.groups[].database] | unique')" = '["none","tpch"]' ]
}

@test "cells with blocks of their own are measured as often, spread over the run; --blocks narrows them too" {
  jq '.cells[0].blocks = 5' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ "$(plan '[.blocks, ([.groups[] | select(.target != "null") | .block] | max), ([.open[].cell.block] | unique)]')" = '[5,5,[1,2,4]]' ]
  options '{blocks: 4}'
  [ "$(plan '[.blocks, ([.open[].cell.block] | unique)]')" = '[4,[1,2,3]]' ]
}

# refuses FILTER TEXT: no plan is made of the experiment as the filter leaves it
refuses() {
  local code=0
  cp "$RUN/experiment.json" "$BATS_TEST_TMPDIR/good"
  jq "$1" "$BATS_TEST_TMPDIR/good" >"$RUN/experiment.json"
  scripts/stages/plan.sh "$RUN" 2>"$BATS_TEST_TMPDIR/said" || code=$?
  cat "$BATS_TEST_TMPDIR/said"
  [ "$code" -eq 64 ]
  grep -qF "$2" "$BATS_TEST_TMPDIR/said"
  cp "$BATS_TEST_TMPDIR/good" "$RUN/experiment.json"
}

@test "a question that nothing could answer is refused" {
  asks '[{"ask": "How large a pool?", "compare": {"smallest": "variant"}, "where": {"target": "pooled", "workload": "echo", "tool": "k6", "level": 3}, "metric": "throughput"}]'
  refuses '.questions[0].where.level = "peak"' '.questions[0] asks for the smallest pool: its metric must be "throughput", and its "where" name a level of the closed model'
  refuses '.questions[0].metric = "p95"' '.questions[0] asks for the smallest pool'
  refuses '.questions[0].where.model = "open"' '.questions[0] asks for the smallest pool'
  refuses '.questions[0].where = false' '.questions[0].where is false: must be an object'
  refuses '.questions[0].ask = "One?\n"' 'must be a question, on one line'
  refuses '.questions[0].ask = "One?\n# Two?"' 'must be a question, on one line'
  refuses '.cells[0].variants = [{name: "one", env: {POOL_SIZE: "1"}}, {name: "uno", env: {POOL_SIZE: "1"}}]' 'two of its variants set the same POOL_SIZE'
  refuses '.cells[0].variants = [{name: "one", env: {POOL_SIZE: "abc"}}, {name: "two", env: {POOL_SIZE: "2"}}]' 'variant one sets no POOL_SIZE'
  refuses '.questions = [{ask: "Is it the same?", compare: {again: "target"}}]' 'no target is measured twice'
  refuses ".questions = [$POOLED] | .cells = [.cells[0] + {targets: [\"raw\"], blocks: 7}, .cells[0] + {targets: [\"pooled\"], blocks: 6}]" 'so all its cells need the same number of blocks, but they have 6 and 7'
  refuses '.questions[0] += {compare: {target: ["raw", "pooled"]}, metric: "p95", where: {model: "open", level: "peak"}}' '.questions[0].where.level is "peak": in the open model'
  refuses '.questions[0].compare = {targt: ["raw", "pooled"]}' '.questions[0].compare.targt is not known; there are target, variant'
  refuses '.questions[0].compare = {target: ["raw", "raw"]}' '.questions[0].compare.target is ["raw","raw"]: must be two different sides'
  refuses 'del(.questions[0].metric)' '.questions[0].metric is null: must be one of throughput, p50'
  refuses '.questions += .questions' 'two of .questions ask "How large a pool?"'
  refuses '.blocks = 1e8' '.blocks is 100000000: must be a whole number from 1 to 1000'
  refuses '.cells[0].duration_s = 1e15' '.cells[0].duration_s is 1000000000000000: must be a whole number from 1 to 86400'
}

@test "the first screen says how much of a run is done" {
  options '{stack: "local", scale: 1}'
  scripts/stages/plan.sh "$RUN"
  jq '[.groups[].cells[] | "0\(.block)/\(.id)"] | .[:-1]' "$RUN/plan.json" >"$RUN/done.json"
  run jq -r -L scripts/jq --slurpfile plan "$RUN/plan.json" --slurpfile experiment "$RUN/experiment.json" --slurpfile options "$RUN/options.json" \
    -f scripts/jq/first-screen.jq "$RUN/done.json"
  [ "${lines[0]}" = "tiny: test" ]
  [[ ${lines[1]} =~ \ trials\ \($(jq length "$RUN/done.json")\ already\ done\)\ in\ 3\ blocks\ on\ stack\ local,\ data\ at\ scale\ 1:\ about\ [0-9]+\ (s|min)\ left\ to\ measure$ ]]
}

@test "options narrow, and a fault says what there is" {
  options '{targets: ["raw"], levels: [16], blocks: 1, duration_s: 2}'
  [ "$(plan '[.groups[] | select(.target != "null") | .target] | unique')" = '["raw"]' ]
  [ "$(plan '[.groups[].cells[].level] | unique')" = '[16]' ]
  [ "$(plan '[.groups[].cells[].duration_s] | max')" = 2 ]
  options '{levels: [2]}'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *"--levels 2: experiment tiny has levels"* ]]
  options '{}'
  refuses '.cells[0].levels[1] = -3' '.cells[0].levels[1] is -3: must be a whole number'
  refuses '.cells[0].levels[1] = 1e20' '.cells[0].levels[1] is 1e+20: must be a whole number from 1 to 1000000'
  refuses '.duraton_s = 1' '.duraton_s is not known; there are name, why'
  refuses '.cells[0].level = [1]' '.cells[0].level is not known; there are databases'
  refuses '.cells[0].variants[1].environ = {}' '.cells[0].variants[1].environ is not known; there are name, env, args'
  refuses '.cells[0].variants[1].env.POOL_SIZE = 50' '.cells[0].variants[1].env.POOL_SIZE is 50: must be text, on one line'
  refuses '.cells[0].variants[1].env = {WRK_CLOSE: "1"}' '.cells[0].variants[1].env cannot set WRK_CLOSE: the load tools read it, and env reaches the target alone'
  refuses '.cells[0].variants[1].env = {"A=B": "1"}' 'env cannot set A=B: that is no name of an environment variable'
  refuses '.cells[0].variants[1].env = {"": "1"}' 'that is no name of an environment variable'
  refuses '.cells[0].variants[1].env = {K6_NO_CONNECTION_REUSE: "1"}' 'env cannot set K6_NO_CONNECTION_REUSE: the load tools read it'
  refuses '.cells[0].variants[1].env.PORT = "3005"' 'env cannot set PORT: the driver sets it itself'
  refuses '.cells[0].variants[1].env.PGUSER = "me"' 'env cannot set PGUSER: the driver sets it itself'
  refuses '.cells[0].variants[1].name = "x\n"' '.cells[0].variants[1].name is "x\n": must be a name in a-z, 0-9 and -'
  refuses '.cells[0].variants[1].env.POOL_SIZE = "1\n"' '.cells[0].variants[1].env.POOL_SIZE is "1\n": must be text, on one line'
  refuses '.cells[1].levels[1] = "50%\n"' '.cells[1].levels[1] is "50%\n": must be a whole number from 1 to 1000000, or in the open model a share of the peak'
  refuses '.cells[0].levels[1] = "50%"' '.cells[0].levels[1] is "50%": must be a whole number in the closed model'
  refuses '.cells[0].variants[0].args = "-C"' '.cells[0].variants[0].args is "-C": must be a list of arguments'
  refuses '.cells[0] += {model: "open", tools: ["k6", "wrk"], levels: [5]}' '.cells[0].tools is ["k6","wrk"]: must be ["k6"] in the open model'
  refuses '.cells[0].profile = "ramps"' '.cells[0].profile is "ramps": must be "level" or "ramp"'
  refuses '.cells[0].profile = "ramp"' '.cells[0].profile is "ramp": takes tools ["k6"] and the closed model'
  refuses '.cells[1].profile = "ramp"' '.cells[1].profile is "ramp": takes tools ["k6"] and the closed model'
  refuses '.cells[0] += {tools: ["k6"], profile: "ramp", variants: [{name: "again"}]}' 'variant "ramp-again" is named as a copy of ramp, which is not measured there'
  refuses '.cells[0].requests = 100' '.cells[0].tools is ["k6","wrk"]: must be ab or k6, closed and without a ramp, where there are requests'
  refuses '.cells[1].requests = 100' '.cells[1].tools is ["k6"]: must be ab or k6, closed and without a ramp'
  refuses '.cells[0] += {tools: ["k6"], requests: 15}' '.cells[0].levels[2] is 16: must not exceed the 15 requests'
  refuses '.cells[0] += {tools: ["ab"], requests: 1.5}' '.cells[0].requests is 1.5: must be a whole number from 1 to 10000000'
  refuses '.cells[0] += {tools: ["ab"], requests: 15}' '.cells[0].levels[2] is 16: must not exceed the 15 requests'
  refuses '.cells[0] += {tools: ["ab"], levels: [1, 20001]}' '.cells[0].levels[1] is 20001: must be 20000 at most, as ab keeps no more connections'
  refuses '.cells[0].workloads = ["echo", "eccho"]' '.cells[0].workloads[1] is "eccho": no such workload; there are analytics'
}

@test "two cells of one name are refused; the same cell twice is one" {
  refuses '.cells[0].variants += [{name: "big", env: {POOL_SIZE: "5"}}]' "is declared twice, with other settings, seconds or generators: the second needs a variant"
  refuses '.cells += [.cells[0] + {duration_s: 9}]' "is declared twice"
  refuses '.cells[0].variants += [{name: "again", env: {POOL_SIZE: "1"}}]' 'variant "again" is named as a copy of base, which has other settings there: tpch raw hello k6 closed-1'
  refuses '.cells[0].variants += [{name: "big-again"}]' 'variant "big-again" is named as a copy of big, which has other settings there'
  local copy='.cells[0] + {targets: ["pooled"], variants: [{name: "again"}]}'
  refuses ".cells = [.cells[0] + {targets: [\"raw\"], variants: [{name: \"base\"}]}, $copy]" 'named as a copy of base, which is not measured there: tpch pooled hello k6 closed-1'
  refuses ".cells = [.cells[0] + {levels: [1]}, $copy + {levels: [1, 16]}]" 'which is not measured there: tpch pooled hello k6 closed-16'
  refuses '.cells += [.cells[0] + {targets: ["raw"], variants: [{name: "base", env: {A: "1"}}], levels: [32]}] | .cells[0].variants += [{name: "again"}]' 'which has other settings there: tpch raw hello k6 closed-32'
  refuses ".cells = [.cells[0] + {variants: []}, $copy + {duration_s: 20}]" 'named as a copy of base, which has other seconds there: tpch pooled hello k6 closed-1'
  refuses ".cells = [.cells[0] + {variants: []}, $copy + {levels: [16], warmup_s: 4}]" 'which has other seconds there: tpch pooled hello k6 closed-16'
  refuses ".cells = [.cells[0] + {variants: [], tools: [\"ab\"], levels: [16], requests: 100}, $copy + {tools: [\"ab\"], levels: [16], requests: 200}]" \
    'which has another number of requests there: tpch pooled hello ab closed-16'
  refuses '.cells = [.cells[1] + {levels: ["50%"]}]' '50% of the peak of pooled (base, echo) needs it in the closed model, too'
  refuses '.cells[1] += {levels: ["50%"], variants: [{name: "again"}]}' 'named as a copy of base, which is not measured there: tpch pooled echo k6 open-50%'
  jq '.cells += [.cells[0]]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ "$(plan '[.groups[] | select(.block == 1 and .target != "null") | .cells[]] | length')" = 49 ]
}

@test "a database profile that the machine or the stack cannot have is left out, and said" {
  jq '.cells[0].databases = ["tpch", "juicefs"]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  options '{stack: "docker"}'
  [ "$(plan '.skipped["database juicefs"]')" = '"the docker stack has no JuiceFS"' ]
  [ "$(plan '[.groups[].database] | unique')" = '["none","tpch"]' ]
  jq '.cells[].databases = ["juicefs"]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *"nothing left to measure; database juicefs: the docker stack has no JuiceFS" ]]
}

@test "a copy may stand in another entry of cells than what it is a copy of" {
  jq '.cells = [.cells[0] + {variants: []}, .cells[0] + {targets: ["raw"], levels: [16], duration_s: 5, variants: [{name: "again"}]}]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ "$(plan '[.groups[] | select(.variant.name == "again") | .target] | unique')" = '["raw"]' ]
}

@test "a cell that two entries declare is measured in the blocks of the larger, and a primary question counts these" {
  asks "[$POOLED]"
  jq '.cells = [.cells[0] + {variants: [], blocks: 3}, .cells[0] + {variants: [], blocks: 6, levels: [3]}]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  local _
  for _ in larger-last larger-first; do
    [ "$(plan '[.questions[].sides[].cells | length]')" = '[1,1]' ]
    [ "$(plan '[.groups[].cells[] | select(.target == "raw" and .variant == "base" and .workload == "echo" and .tool == "k6" and .level == 3)] | length')" = 6 ]
    jq '.cells |= reverse' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  done
}

@test "what the report is asked to show must be something that it knows" {
  jq '.report = ["curves", "pool-map"]' "$RUN/experiment.json" >"$RUN/good" && mv "$RUN/good" "$RUN/experiment.json"
  scripts/stages/plan.sh "$RUN"
  jq '.report[1] = "pies"' "$RUN/experiment.json" >"$RUN/bad" && mv "$RUN/bad" "$RUN/experiment.json"
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *'.report[1] is "pies": must be "curves" or "pool-map"'* ]]
}

@test "of a suite, each experiment narrows to what it has, and says when nothing is left" {
  options '{suite: "all", levels: [16, 99], targets: ["raw", "documents"], blocks: 20}'
  [ "$(plan '[([.groups[].cells[].level] | unique), ([.groups[].target] | unique), .blocks]')" = '[[16],["null","raw"],3]' ]
  options '{suite: "all", levels: [99]}'
  [ "$(plan .)" = '{"nothing_left":"experiment tiny: nothing left to measure"}' ]
}

@test "quick: four blocks of one comparison, on the least data, in 90 seconds" {
  cp scripts/declared/experiments/quick.json "$RUN/experiment.json"
  options '{stack: "local"}'
  [ "$(plan '[.estimate_s <= 90, .blocks, ([.groups[] | select(.target != "null") | .target] | unique), ([.groups[].cells[].level] | unique | length <= 2)]')" = '[true,4,["pooled","raw"],true]' ]
  [ "$(jq .scale "$RUN/experiment.json")" = 0.01 ]
}

# planned_with JQ_FILE FILE PEAKS: the plan that it makes of what the search for peaks printed.
planned_with() {
  jq -c --slurpfile plan "$2" --slurpfile experiment "$RUN/experiment.json" --argjson cores 2 -L scripts/jq -f "scripts/jq/$1" <<<"$3"
}

# peak RATE [VARIANT]: the peak of pooled's echo, as the search for peaks prints it.
peak() {
  jq -cn --argjson rate "$1" --arg variant "${2:-base}" '{database: "tpch", target: "pooled", $variant, workload: "echo", tool: "k6",
    closed_rps: 1500, rate_rps: $rate, failed_rps: ($rate // 40 | . * 1.1 | ceil), probes: 8}'
}

@test "phase 2: a share of the peak becomes a rate; where there is no peak nothing is sent" {
  scripts/stages/plan.sh "$RUN"
  local cells='[.groups[].cells[] | [.block, .level, .share, .model]] | sort'
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 1001)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[[1,500,"50%","open"],[2,500,"50%","open"],[3,500,"50%","open"]]' ]
  [ "$(jq -c '.peaks | map([.target, .rate_rps, .probes])' <<<"$output")" = '[["pooled",1001,8]]' ]
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak null)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[]' ]
}

@test "phase 2: a copy is measured at the share of its own peak" {
  jq '.cells[1] += {levels: ["50%"], variants: [{name: "base"}, {name: "again"}]}' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  scripts/stages/plan.sh "$RUN"
  local cells='[.groups[].cells[] | [.variant, .level]] | unique'
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 1001), $(peak 950 again)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[["again",475],["base",500]]' ]
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 1001), $(peak null again)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[["base",500]]' ]
}

@test "phase 2: shares of a low peak are what whole rates make of them, and each has a cell of its own beside the same rate as declared" {
  jq '.cells = [.cells[0] + {tools: ["k6"], workloads: ["echo"]} | ., . + {targets: ["pooled"], variants: [], model: "open", levels: [2, "25%", "40%", "50%"]}]' \
    "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  scripts/stages/plan.sh "$RUN"
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 4)], \"probes\": []}"
  [ "$(jq -c '[.groups[].cells[] | [.block, .level, .share, (.id | split(".")[-1])]] | sort | .[:2]' <<<"$output")" = '[[1,1,"25%","open-25pct"],[1,2,"50%","open-50pct"]]' ]
  [ "$(jq -c '.became | map_values(split(".")[-1])' <<<"$output")" = '{"tpch.pooled.base.echo.k6.open-40pct":"open-25pct"}' ]
  [ "$(plan '[.groups[].cells[] | select(.model == "open") | .id | split(".")[-1]] | unique')" = '["open-0002"]' ]
}

@test "phase 2: a round of probes is added to those that were made; a second try of a rate is in a block of its own" {
  scripts/stages/plan.sh "$RUN"
  local probe
  echo '{}' >"$RUN/probes.json"
  for probe in '{level: 750, block: 0, duration_s: 3}' '{level: 1500, block: 0, duration_s: 3}' '{level: 1500, block: 1, duration_s: 3}'; do
    jq -c "{peaks: [], probes: [first(.open[]) | .cell += $probe]}" "$RUN/plan.json" >"$RUN/found"
    planned_with plan-probes.jq "$RUN/probes.json" "$(<"$RUN/found")" >"$RUN/new" && mv "$RUN/new" "$RUN/probes.json"
  done
  [ "$(jq -c '[.groups[].cells[] | [.block, .level, .duration_s, .model]]' "$RUN/probes.json")" = '[[0,750,3,"open"],[0,1500,3,"open"],[1,1500,3,"open"]]' ]
}

@test "phase 2: its trials, and twelve probes of each peak, are part of the estimate" {
  local whole
  whole=$(plan .estimate_s)
  jq 'del(.cells[1].levels[1])' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ $((whole - $(plan .estimate_s))) -ge 88 ] # 8 probes of 7.5 s, and in 3 blocks 2 s to bring the target up, and 7.5 s
}

@test "ab asks for the example of each workload that has one, and its fixed numbers of requests are no part of its calibration" {
  jq '.cells = [.cells[0] + {tools: ["ab"], levels: [16], variants: [], requests: 4000, duration_s: 30}]' "$RUN/experiment.json" >"$RUN/new" && mv "$RUN/new" "$RUN/experiment.json"
  [ "$(plan '[.groups[].cells[] | select(.block == 1 and .target == "pooled") | [.workload, .path, .requests, .duration_s]] | sort')" = \
    '[["echo","/echo/x",4000,30],["hello","/",4000,30]]' ]
  [ "$(plan '[.groups[].cells[] | select(.block == 1 and .target == "null") | [.workload, .path, .requests]] | sort')" = '[["echo","/echo/x",null],["hello","/",null]]' ]
  options '{"duration_s": 1}'
  [ "$(plan '[.groups[].cells[] | select(.target != "null") | .duration_s] | unique')" = '[30]' ] # the number alone ends it
  node tests/lib/conforms.js plan "$RUN/plan.json"
}
