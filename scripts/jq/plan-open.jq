# input: [cell parameters + throughput_rps] of every collected trial   $plan, $experiment: the run's files, slurped   $cores
# output: a plan of the cells that $plan left open, each share of the peak now in requests per second
include "cells";

def median: sort | if length == 0 then null elif length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def peak_key: "\(.database) \(.target) \(.variant) \(.workload) \(.tool)";

# The measured peak: the best level's median over blocks, of the closed model.
([.[] | select(.model == "closed")] | group_by(peak_key)
  | map({key: (.[0] | peak_key), value: (group_by(.level) | map(map(.throughput_rps) | median) | max)}) | from_entries) as $peaks
| [$plan[0].open[] | .cell.share = .cell.level | ($peaks[.cell | peak_key]) as $peak
   | select($peak != null) | .cell.level = ([1, $peak * (.cell.share | rtrimstr("%") | tonumber) / 100 | floor] | max)] as $open
| {experiment: $plan[0].experiment, seed: $plan[0].seed, blocks: $plan[0].blocks,
   groups: ([range(1; $plan[0].blocks + 1) as $b | [$open[] | select(.cell.block == $b)] | select(length > 0)
            | ordered($experiment[0].seed + 1000 + $b; $cores)] | add // [])}
