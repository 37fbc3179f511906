#!/usr/bin/env bats
# What is refused: an experiment, options and a target that have a fault, each named in a line.

setup() {
  load ../lib/plan
  tiny_experiment
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
  refuses '.cells[0].tools = ["wkr"]' '.cells[0].tools[0] is "wkr": must be "k6", "wrk", "ab" or "pgbench"'
  refuses '.cells[0].workloads = ["echo", "eccho"]' '.cells[0].workloads[1] is "eccho": no such workload; there are analytics'
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
  change '.cells += [.cells[0]]'
  [ "$(plan '[.groups[] | select(.block == 1 and .target != "null") | .cells[]] | length')" = 49 ]
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

@test "what the report is asked to show must be something that it knows" {
  change '.report = ["curves", "pool-map"]'
  scripts/stages/plan.sh "$RUN"
  change '.report[1] = "pies"'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *'.report[1] is "pies": must be "curves" or "pool-map"'* ]]
}
