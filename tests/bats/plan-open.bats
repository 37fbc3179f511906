#!/usr/bin/env bats
# The second phase of a plan: levels that are a share of a peak which is not known yet.

setup() {
  load ../lib/plan
  tiny_experiment
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
  change '.cells[1] += {levels: ["50%"], variants: [{name: "base"}, {name: "again"}]}'
  scripts/stages/plan.sh "$RUN"
  local cells='[.groups[].cells[] | [.variant, .level]] | unique'
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 1001), $(peak 950 again)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[["again",475],["base",500]]' ]
  run planned_with plan-open.jq "$RUN/plan.json" "{\"peaks\": [$(peak 1001), $(peak null again)], \"probes\": []}"
  [ "$(jq -c "$cells" <<<"$output")" = '[["base",500]]' ]
}

@test "phase 2: shares of a low peak are what whole rates make of them, and each has a cell of its own beside the same rate as declared" {
  change '.cells = [.cells[0] + {tools: ["k6"], workloads: ["echo"]} | ., . + {targets: ["pooled"], variants: [], model: "open", levels: [2, "25%", "40%", "50%"]}]'
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
  change 'del(.cells[1].levels[1])'
  [ $((whole - $(plan .estimate_s))) -ge 88 ] # 8 probes of 7.5 s, and in 3 blocks 2 s to bring the target up, and 7.5 s
}
