#!/usr/bin/env bats
# The questions of an experiment, in its plan: the cells that answer each, and second copies of them.

setup() {
  load ../lib/plan
  tiny_experiment
}

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
  change '.cells[1].variants = .cells[0].variants'
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
  change '.cells = [.cells[0] | .databases = ["tpch", "juicefs"] | .variants = [{name: "base"}]]'
  options '{stack: "docker"}'
  run scripts/stages/plan.sh "$RUN"
  [ "$status" -eq 64 ]
  [[ $output == *"none of its questions can be asked here; database juicefs: the docker stack has no JuiceFS; question What does JuiceFS cost?: "* ]]
  options '{stack: "docker", levels: [1]}'
  [ "$(plan '[.groups[].database] | unique')" = '["none","tpch"]' ]
}

@test "a copy may stand in another entry of cells than what it is a copy of" {
  change '.cells = [.cells[0] + {variants: []}, .cells[0] + {targets: ["raw"], levels: [16], duration_s: 5, variants: [{name: "again"}]}]'
  [ "$(plan '[.groups[] | select(.variant.name == "again") | .target] | unique')" = '["raw"]' ]
}

@test "a cell that two entries declare is measured in the blocks of the larger, and a primary question counts these" {
  asks "[$POOLED]"
  change '.cells = [.cells[0] + {variants: [], blocks: 3}, .cells[0] + {variants: [], blocks: 6, levels: [3]}]'
  local _
  for _ in larger-last larger-first; do
    [ "$(plan '[.questions[].sides[].cells | length]')" = '[1,1]' ]
    [ "$(plan '[.groups[].cells[] | select(.target == "raw" and .variant == "base" and .workload == "echo" and .tool == "k6" and .level == 3)] | length')" = 6 ]
    change '.cells |= reverse'
  done
}
