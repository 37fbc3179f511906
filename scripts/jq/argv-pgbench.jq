# How pgbench is called, see argv.jq.
include "argv-common";
include "profile";
include "tools";

# Of pgbench's own scripts simple-update is tpcb without the rows that all clients fight for.
def _script:
  tools.pgbench.builtins[.workload] as $builtin
  | if $builtin then ["-b", $builtin] else ["-f", "pgbench/\(.workload).sql"] end;

# A thread of pgbench opens its clients' connections one after another; to open one for each transaction (-C), each
# client has its own thread.
def _pgbench($args; $seconds; $seed; $cores):
  (if $args | index(["-C"]) then .level else threads(.level; $cores) end) as $threads
  | ["pgbench", "-n", "-c", "\(.level)", "-j", "\($threads)", "-T", "\($seconds)", "--random-seed=\($seed)"] + _script;

# Every transaction is a line of the log. Of a long trial a tenth is enough, unless connecting is to be seen between
# them.
def _sampled($args): .duration_s > 60 and ($args | index(["-C"]) | not);

# As driven, the load has a lead-in, and goes on for a second more: pgbench's time counts connecting, which comes
# before. A sample tells nothing of a window, so it has a warm-up of its own.
def _driven($args; $cores):
  _pgbench($args; if _sampled($args) then .duration_s else load_s + 1 end; .block; $cores)
  + ["-l", "--log-prefix={cell}/raw.pgbench\(if .generator then "-\(.generator.number)" else "" end)"]
  + (if _sampled($args) then ["--sampling-rate=0.1"] else [] end) + $args;

# The warm-up draws other numbers than the trial: it must not read the very rows beforehand.
def _warmup_seed: 1000000 + .block;

# input and output: as commands of argv.jq
def commands($args; $cores):
  part_of_load
  | {argv: (begin + _driven($args; $cores)),
     warmup_argv: (if _sampled($args) then _pgbench($args; .warmup_s; _warmup_seed; $cores) + $args else null end),
     spot_argv: null,
     by_hand: (_pgbench($args; .duration_s; .block; $cores) + $args)};
