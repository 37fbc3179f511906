# input: what a search printed that asks for probes   $plan: the plan of the probes so far, slurped, or []   $cores
# output: the plan of the probes, with another round, in an order that each round shuffles anew
include "cells";

($plan[0].groups // []) as $before
| {experiment: "probes", seed: 1, blocks: 1, groups: ($before + (.probes | ordered($before | length; $cores)))}
