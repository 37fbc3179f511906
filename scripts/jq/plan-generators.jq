# input: a run's plan   $generators: a number   $cores   $plan: the plan of the rounds so far, slurped, or []
# output: the plan of the sizing, with another round, which is its block of that number: each load that can be shared at
# its highest level, by so many generators, against the responder that does nothing
include "cells";
include "experiment";
include "tools";

def sizing_s: 2;

([.groups[] | select(.target == "null") | .variant as $variant
    | .cells[] | select(tools[.tool].cannot_share == null and .level >= $generators) | {$variant, cell: .}]
  | map(select({variants: [.variant]} | unshareable | not))
  | group_by(.cell | [.tool, .workload, .variant]) | map(max_by(.cell.level))
  | map(.cell |= ((bare | del(.generators)) + {block: $generators, duration_s: sizing_s, warmup_s: 1}
      + if $generators > 1 then {$generators} else {} end))) as $loads
| {experiment: "sizing", seed: 1, blocks: $generators,
   groups: (($plan[0].groups // []) + if $loads == [] then [] else [$loads | ordered(1; $cores)[]] end)}
