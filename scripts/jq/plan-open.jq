# input: what scripts/analyse/open-peaks.js printed   $plan, $experiment: the run's files, slurped   $cores
# output: a plan of the cells that $plan left open, each share of the peak now in whole requests per second, and the
# peaks. Where a rate is not within a tenth of the share, as half of 3 is 1, the share is what it has become; `became`
# leads from the id that was asked about to the cell's.
include "cells";

def peak_key: "\(.database) \(.target) \(.variant) \(.workload) \(.tool)";

.peaks as $peaks
| ($peaks | map({key: peak_key, value: .rate_rps}) | from_entries) as $rates
| [$plan[0].open[] | .cell.share = .cell.level | ($rates[.cell | peak_key]) as $peak
   | select($peak != null) | ($peak * (.cell.share | rtrimstr("%") | tonumber) / 100) as $rate
   | .cell.level = ([1, ($rate | floor)] | max)
   | .asked = (.cell | cell_id)
   | if $rate / .cell.level | . > 0.9 and . < 1.1 then .
     else .cell.share = "\(100 * .cell.level / $peak | round)%" end] as $open
| {experiment: $plan[0].experiment, seed: $plan[0].seed, blocks: $plan[0].blocks, $peaks,
   became: ($open | map({(.asked): (.cell | cell_id)} | select(keys != [.[]])) | add // {}),
   groups: ([range(1; $plan[0].blocks + 1) as $b | [$open[] | select(.cell.block == $b)] | select(length > 0)
            | ordered($experiment[0].seed + 1000 + $b; $cores)] | add // [])}
