# What a cell is: its id, whether a target supports it, and the order in which a block runs its cells.
# A bare cell is {variant: {name, env, args}, cell: {block, database, scale, target, variant, workload, tool, model,
# level, duration_s, warmup_s}}, the cell with a profile where its users are ramped (profile.jq); of a tool
# without scripts also path, which it asks for, requests, where it makes so many, generators, where there are several,
# think_s, where its users think between an answer and the next request, and of a probe users, k6's, where a slow
# objective takes more.
include "random";
include "argv";
include "tools";
include "profile";

def pad($n): tostring | ("0" * ($n - length) // "") + .;

# input: the name of a variant   output: what it is a copy of, or itself
def original: sub("(^|-)again$"; "") | if . == "" then "base" else . end;

# input: the name of a variant   output: that of its copy
def copy_name: if . == "base" then "again" else "\(.)-again" end;

# input: the name of a variant   output: under the profile; its own name, for ramped users are no others' equals
def _under($profile): if $profile != "ramp" then .
  else original as $of | ($of | if . == "base" then "ramp" else "\(.)-ramp" end) as $ramp
    | if . == $of then $ramp else $ramp | copy_name end end;

# input: an entry of an experiment's cells   output: its variants
def variants: .profile as $profile
  | if (.variants // []) | length > 0 then .variants else [{name: "base"}] end
  | map({name: (.name | _under($profile)), env: (.env // {}), args: (.args // [])});

# input: a target.json   output: true when it can be asked this workload by this tool
def supports($tool; $workload):
  if .workloads | type == "object" then .workloads[$tool] // [] | index([$workload]) != null
  else tools[$tool].over_http and (.workloads | index([$workload]) != null) end;

# Of a share the share, not the rate: two shares of a low peak may be one rate.
# The scale belongs to the database: nothing else that a name holds changes a figure a hundredfold.
def cell_id:
  "\(.database)\(if .scale then "@\(.scale)" else "" end).\(.target).\(.variant).\(.workload).\(.tool).\(.model)-"
  + if .share then .share | sub("%"; "pct") else .level | pad(4) end;

# input: a bare cell
# output: with its id, argv and time limit; where several generators share the load, argvs of each, of which argv is the
# first
def finished($args; $cores):
  . + {id: cell_id} + (if .generators then {argvs: generator_argvs($args; $cores)} else {} end)
  | commands($args; $cores) as {$argv, $warmup_argv, $spot_argv}
  | . + {argv: (if .argvs then .argvs[0] else $argv end), $warmup_argv, $spot_argv, by_hand: by_hand($args; $cores)}
  | .timeout_s = (if .warmup_argv == null then load_s else .duration_s end) + 75;

# input: a cell that is finished   output: the bare one
def bare: del(.id, .argvs, .argv, .warmup_argv, .spot_argv, .by_hand, .timeout_s);

# input: bare cells of one block   output: groups (one target up at a time) in seeded order, their cells too
def ordered($seed; $cores):
  group_by([.cell.database, .cell.target, .variant])
  | shuffle($seed)
  | to_entries | map(.key as $g | .value
    | {block: .[0].cell.block, database: .[0].cell.database, target: .[0].cell.target, variant: .[0].variant,
       cells: (map(.variant.args as $args | .cell | finished($args; $cores))
         | sort_by(-.duration_s) | unique_by(.id) | shuffle($seed * 31 + $g + 1))});
