#!/usr/bin/env bats
# The plan: pure, seeded, every cell once a block, one target up at a time.

setup() {
  load ../lib/plan
  tiny_experiment
}

@test "the same input makes the same plan; another seed another order" {
  scripts/stages/plan.sh "$RUN"
  cp "$RUN/plan.json" "$RUN/first.json"
  scripts/stages/plan.sh "$RUN"
  cmp "$RUN/first.json" "$RUN/plan.json"
  change '.seed = 8'
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

@test "cells with blocks of their own are measured as often, spread over the run; --blocks narrows them too" {
  change '.cells[0].blocks = 5'
  [ "$(plan '[.blocks, ([.groups[] | select(.target != "null") | .block] | max), ([.open[].cell.block] | unique)]')" = '[5,5,[1,2,4]]' ]
  options '{blocks: 4}'
  [ "$(plan '[.blocks, ([.open[].cell.block] | unique)]')" = '[4,[1,2,3]]' ]
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
  change '.duration_s = 30 | .warmup_s = 15 | .blocks = 6
    | .cells = [.cells[0] | .targets = ["pooled"] | .workloads = ["echo"] | .tools = ["k6"] | .levels = [16] | ., . + {profile: "ramp"}]
    | .questions = [{ask: "A ramp?", primary: true, compare: {variant: ["base", "ramp"]}, where: {target: "pooled", workload: "echo", level: 16}, metric: "throughput"}]'
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
  change '.duration_s = 100 | .cells = [.cells[0] | del(.variants) | .targets = ["postgres"] | .tools = ["pgbench"] | .workloads = ["echo"] | .levels = [3] | .blocks = 1]
    | .cells += [.cells[0] | .workloads = ["analytics"] | .duration_s = 5]'
  cells='[.groups[0].cells[] | [(.argv | .[index("-T") + 1]), (.warmup_argv // [] | .[index("-T") + 1]), (.argv | index("--sampling-rate=0.1") != null), .timeout_s]] | sort'
  [ "$(plan "$cells")" = '[["100","1",true,175],["7",null,false,81]]' ]
}

@test "a variant with arguments for the tool is calibrated with them; what a person pastes is quoted" {
  change '.cells = [.cells[0] + {tools: ["wrk"], levels: [3], workloads: ["echo"],
    variants: [{name: "base"}, {name: "big", env: {POOL_SIZE: "50"}}, {name: "close", args: ["-H", "Connection: close"]}]}]'
  [ "$(plan '[.groups[] | select(.block == 1 and .target == "null") | .variant.name] | sort')" = '["base","close"]' ]
  [ "$(plan '[.groups[] | select(.variant.name == "close") | .cells[].argv | index(["-H", "Connection: close"]) != null] | all')" = true ]
  env -u TARGET_PORT -u NULL_PORT scripts/stages/plan.sh "$RUN"
  jq -e --arg tail "-s wrk/echo.lua -H 'Connection: close' http://127.0.0.1:300" \
    '[.groups[] | select(.variant.name == "close") | (if .target == "null" then "1" else "0" end) as $at | .cells[].by_hand | endswith($tail + $at)] | all and length == 9' "$RUN/plan.json"
}

@test "ab asks for the example of each workload that has one, and its fixed numbers of requests are no part of its calibration" {
  change '.cells = [.cells[0] + {tools: ["ab"], levels: [16], variants: [], requests: 4000, duration_s: 30}]'
  [ "$(plan '[.groups[].cells[] | select(.block == 1 and .target == "pooled") | [.workload, .path, .requests, .duration_s]] | sort')" = \
    '[["echo","/echo/x",4000,30],["hello","/",4000,30]]' ]
  [ "$(plan '[.groups[].cells[] | select(.block == 1 and .target == "null") | [.workload, .path, .requests]] | sort')" = '[["echo","/echo/x",null],["hello","/",null]]' ]
  options '{"duration_s": 1}'
  [ "$(plan '[.groups[].cells[] | select(.target != "null") | .duration_s] | unique')" = '[30]' ] # the number alone ends it
  node tests/lib/conforms.js plan "$RUN/plan.json"
}

@test "a target that needs what is not here is skipped, and the plan says why" {
  mkdir -p "$BATS_TEST_TMPDIR/apps/needy" "$BATS_TEST_TMPDIR/apps/unbuilt"
  jq '.name = "needy" | .processes[0].argv[2] = "needy" | .needs = ["no-such-command"]' apps/pooled/target.json >"$BATS_TEST_TMPDIR/apps/needy/target.json"
  jq '.name = "unbuilt" | .processes[0].argv[2] = "unbuilt" | .needs = ["no/such/file"]' apps/pooled/target.json >"$BATS_TEST_TMPDIR/apps/unbuilt/target.json"
  change '.cells[0].targets = ["pooled", "needy", "unbuilt"]'
  TARGET_FOLDERS="apps $(realpath --relative-to=. "$BATS_TEST_TMPDIR")/apps"
  export TARGET_FOLDERS
  [ "$(plan .skipped)" = '{"target needy":"no-such-command was not found; scripts/setup.sh --check says what brings it","target unbuilt":"no/such/file is not built: scripts/setup.sh says what that takes"}' ]
  [ "$(plan '[.groups[] | .target] | unique')" = '["null","pooled"]' ]
}

@test "a database profile that the machine or the stack cannot have is left out, and said" {
  change '.cells[0].databases = ["tpch", "juicefs"]'
  options '{stack: "docker"}'
  [ "$(plan '.skipped["database juicefs"]')" = '"the docker stack has no JuiceFS"' ]
  [ "$(plan '[.groups[].database] | unique')" = '["none","tpch"]' ]
  change '.cells[].databases = ["juicefs"]'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *"nothing left to measure; database juicefs: the docker stack has no JuiceFS" ]]
}

@test "somebody else's server is asked what has an example; the rest is named, but for what asks the database itself" {
  change '.cells |= [.[0] + {workloads: ["hello", "documents-crud", "sql-echo"]}, .[0] + {targets: ["postgres"], workloads: ["sql-analytics"]}]'
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
  change '.cells = [.cells[0] + {tools: ["wrk"], variants: [{name: "big", env: {POOL_SIZE: "50"}}, {name: "close", args: ["-H", "Connection: close"]}]}]'
  options '{url: "http://127.0.0.1:9"}'
  [ "$(plan '[.groups[].variant.name] | unique')" = '["close"]' ]
  [ "$(plan '.skipped | keys')" = '["variant big"]' ]
  change 'del(.cells[0].variants[1])'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -ne 0 ]
  [[ $output == *"nothing left to measure; variant big: its settings cannot reach a server that is already there"* ]]
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

@test "the first screen says how much of a run is done" {
  options '{stack: "local", scale: 1}'
  scripts/stages/plan.sh "$RUN"
  jq '[.groups[].cells[] | "0\(.block)/\(.id)"] | .[:-1]' "$RUN/plan.json" >"$RUN/done.json"
  run jq -r -L scripts/jq --slurpfile plan "$RUN/plan.json" --slurpfile experiment "$RUN/experiment.json" --slurpfile options "$RUN/options.json" \
    -f scripts/jq/first-screen.jq "$RUN/done.json"
  [ "${lines[0]}" = "tiny: test" ]
  [[ ${lines[1]} =~ \ trials\ \($(jq length "$RUN/done.json")\ already\ done\)\ in\ 3\ blocks\ on\ stack\ local,\ data\ at\ scale\ 1:\ about\ [0-9]+\ (s|min)\ left\ to\ measure$ ]]
}
