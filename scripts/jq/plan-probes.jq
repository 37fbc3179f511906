# input: what scripts/analyse/open-peaks.js printed   $plan: the plan of the probes so far, slurped, or []   $cores
# output: the plan of the probes, with another round: a short trial of each, whose lead-in is that of the cells that the peak is for
include "cells";

def probe_s: 3;

([.probes[] | .cell.duration_s = probe_s] | if . == [] then [] else ordered(1; $cores) end) as $round
| {experiment: "probes", seed: 1, blocks: 1, groups: (($plan[0].groups // []) + $round)}
