# What a plan takes, in seconds.
include "profile";

# input: a search   $parts: of its objective
# output: seconds: some twelve probes, their lead-ins included, each enough for 4,000 answers, or for those that a share
# of errors needs, of 500 requests a second (scripts/analyse/capacity/probes.js)
def _search_s($parts):
  ($parts | map(if .metric == "error_share" then 3 / .limit / 500 else 30 * .limit / 1e6 end)) as $needed
  | (if .cell.think_s then [.cell.warmup_s, 4 * .cell.think_s] | max else 8 end) as $lead_in_s
  | 12 * (2 + ([8, 4 * (.cell.think_s // 0), $needed[]] | max) + $lead_in_s + 3.5);

# input: a plan
# output: seconds: each cell's, one and a half to start its tool and read the counters, one more where it warms up in a
# process of its own or, pgbench's, goes on after the window, and two to bring a target up, as runs on two cores took,
# with its own warm-up; those of the open model too, and twelve probes for each peak. A fixed number of requests is
# reckoned with all the seconds that it may take. By way of an API server seven more a trial, and fourteen to bring a
# target up.
def estimate($targets; $stack):
  (if $stack == "kubernetes" then {trial: 7, up: 14} else {trial: 0, up: 0} end) as $more
  | def seconds: load_s + $more.trial + if .tool == "k6" then 1.5 else 2.5 end;
  ($targets | map({key: .name, value: (2 + $more.up + (.warm_up.seconds // 0))}) | from_entries) as $up_s
  | (.objective.parts // []) as $parts
  | [.groups[] | $up_s[.target], (.cells[] | seconds)]
  + [.open | group_by(.cell | [.block, .database, .target, .variant])[] | $up_s[.[0].cell.target], (.[].cell | seconds)]
  + [.open | unique_by(.cell | [.database, .target, .variant, .workload, .tool])[] | 12 * (3 + .cell.warmup_s + 3.5)]
  + [.searches // [] | .[] | _search_s($parts)] | add | ceil;
