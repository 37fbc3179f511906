# input: {experiment, options, targets, unavailable, without, scripts, paths, databases, cores, renamed}
#   options: {levels, targets, workloads, blocks, duration_s, scale}, null where not given: they only narrow the
#   experiment;
#     url and dsn: the system under test is somebody else's server, or ours on somebody else's database;
#     suite: the suite that it is run for, which also narrows to what this experiment does not have
#   targets: every apps/*/target.json, workloads listed   unavailable: {target: reason}
#   without: {database profile: reason}   scripts: {tool: [workloads that it has a file for]}
#   paths: {workload: what its example asks for}, which a tool without scripts does
#   renamed: {old name: workload}: files and command lines of before may still use it
# output: the plan (scripts/declared/schema/plan.json); "open" holds the cells that phase 2 resolves, "searches" the
# capacities to be found; or {"fault": "one line"};
#   or, for a suite, {"nothing_left": "one line"}
include "experiment";
include "cells";
include "questions";
include "profile";
include "objective";
include "narrowing";
include "estimate";
include "tools";

# input: the plan's input   output: the blocks of the run
def run_blocks: [.options.blocks // infinite, (.experiment | most_blocks)] | min;

# input: how often a cell is measured in a run of $blocks
# output: in which of them: spread, so that it does not only meet what the machine does at first
def spread_over($blocks): ([., $blocks] | min) as $times | [range($times) | . * $blocks / $times | floor + 1];

# How many load generators share a level: what the entry of cells says, else the options: so many, or at most so many,
# as calibration has found, and for a suite, whose experiments are not all made for it. Of some tools it is always one.
def generators_of($entry; $options; $tool; $level):
  ($options.generators // {}) as $of
  | ($of.at_most // if $options.suite then $of.number else null end) as $most
  | if tools[$tool].cannot_share then 1
    elif $entry.generators then $entry.generators
    elif $entry | unshareable then 1
    elif $most then [$most, ($level | numbers)] | min
    else $of.number // 1 end;

# input: the plan's input   output: stream of bare cells of one block; a level may still be a share of the peak
def bare_cells($in; $block):
  ($in.targets | map({key: .name, value: .}) | from_entries) as $targets
  | $in.experiment as $e | $in.options as $o
  | $e.cells[] as $c
  | $c.databases[] as $database | $c.targets[] as $target | ($c | variants[]) as $variant
  | $c.tools[] as $tool | $c.workloads[] as $workload | $c.levels[] as $level
  | ($c.blocks // $e.blocks) as $blocks
  | select($blocks | spread_over($in | run_blocks) | index([$block]))
  | select($in.unavailable[$target] == null and $in.without[$database] == null)
  | select($targets[$target] | supports($tool; $workload))
  | select($in.scripts[$tool] | index([$workload]))
  | select($o.targets == null or ($o.targets | index([$target])))
  | select($o.workloads == null or ($o.workloads | index([$workload])))
  | select($o.levels == null or ($o.levels | index([$level])))
  | {variant: $variant, blocks: $blocks, cell: ({block: $block, database: $database,
      scale: (if $database | IN("none", "external") then null else $o.scale end),
      target: $target, variant: $variant.name, workload: $workload, tool: $tool,
      model: ($c.model // "closed"), level: $level,
      duration_s: (
        [$c.duration_s // $e.duration_s, if $c.requests then infinite else $o.duration_s // infinite end] | min),
      warmup_s: ([$c.warmup_s // $e.warmup_s, $o.duration_s // infinite] | min)}
      + ($c | profile_key)
      + if $o.script then {script: $o.script} else {} end
      + if tools[$tool].scripts then {} else {path: $in.paths[$workload]} end
      + if $c.requests then {requests: $c.requests} else {} end
      + (generators_of($c; $o; $tool; $level) | if . > 1 then {generators: .} else {} end))};

# input: bare cells of one block   output: with the generator's own ceiling: each load once against the null responder.
# A variant with arguments of its own for the tool (no keep-alive) is another load; one that only changes the target is
# not. A ceiling is a rate: a fixed number of requests has that of its tool and level.
def with_calibration($in):
  ($in.targets[] | select(.name == "null")) as $null
  | . + ([.[] | .cell |= del(.profile) | select(.cell.model == "closed" and .cell.target != "null")
     | select(.cell as $c | $null | supports($c.tool; $c.workload))
     | .variant |= if .args == [] then {name: "base", env: {}, args: []} else .env = {} end
     | .variant.name as $variant
     | .cell |= . + {database: "none", scale: null, target: "null", $variant,
         duration_s: ([.duration_s, $in.experiment.calibration_s // 2] | min), warmup_s: 1}
     | .cell |= del(.requests)]
    | unique_by(.cell | [.tool, .workload, .level, .variant, .generators])
    # by one generator and by several it is two loads, and has two names
    | group_by(.cell | [.tool, .workload, .level, .variant])
    | def apart: if .cell.generators then
          .variant.name = "\(.variant.name)-by-\(.cell.generators)" | .cell.variant = .variant.name else . end;
      map(if length == 1 then .[] else .[] | apart end));

# input: bare cells of one block   output: null, or the id under which two different cells were declared
def twice:
  map({id: (.cell | cell_id), is: {variant, cell}}) | group_by(.id)
  | first(.[] | select(map(.is) | unique | length > 1)[0].id) // null;

# input: a variant
# output: whether it sets something in the target, which cannot be done to a server that is already there
def sets_target: (.env // {}) != {};

# input: an experiment   output: the same cells, asked of what the user has
def external($options):
  (if $options.script then
      .questions = [] | .cells = ([.cells[] | select(.tools | index(["k6"]))
        | .tools = ["k6"] | .workloads = [$options.script.name] | del(.variants)] | unique)
    else . end)
  | if $options.url then
      .cells |= [.[] | .databases = [if $options.dsn then "external" else "none" end] | .targets = ["external"]
        | if (.variants // []) == [] then .
          else .variants |= map(select(sets_target | not)) | select(.variants != []) end]
  elif $options.dsn then .cells |= map(.databases = ["external"])
  else . end;

# input: the plan's input
# output: with a script of somebody's own among those of k6, which their server and the responder that does nothing can
# be asked
def with_script:
  .options.script.name as $name
  | if $name == null then .
    else
      .scripts.k6 += [$name]
      | .targets |= map(if .name | IN("external", "null") then .workloads += [$name] else . end)
    end;

# input: the plan's input   output: with today's names of workloads
def current_names:
  .renamed as $renamed
  | def current: if type == "array" then map(if type == "string" then $renamed[.] // . else . end) else . end;
  .options.workloads |= current
  | .experiment |= (if type == "object" and (.cells | type) == "array" then
      .cells |= map(if type == "object" then .workloads |= current else . end) else . end);

# input: the plan's input
# output: {"target T": reason, "database D": reason, "workload W": reason} of what the experiment asks for and cannot
# have. A server that is already there is only asked what an example shows; what drives the database itself is no
# question for it.
def skipped($asked):
  .unavailable as $unavailable | .without as $without | .scripts as $scripts
  | .options as $options | .experiment.cells as $cells
  | (.targets | map({key: .name, value: .}) | from_entries) as $targets
  | ([$cells[].targets[]] | unique | map(select($unavailable[.]) | {key: "target \(.)", value: $unavailable[.]})
    + ([$cells[].databases[]] | unique | map(select($without[.]) | {key: "database \(.)", value: $without[.]}))
    + if $options.url then
        [$asked.cells[] | select(any(.targets[]; $targets[.].answers != "none"))
         | (.tools[] | select(tools[.].over_http)) as $tool
         | (.workloads - (.workloads - $scripts[$tool]))[]
         | select(. as $w | $options.workloads == null or ($options.workloads | index([$w])))
         | select(. as $w | $targets.external | supports($tool; $w) | not)]
        | unique | map({key: "workload \(.)",
            value: "there is no scripts/sql/verify/\(.).json to show what its answers look like"})
      else [] end
    + if $options.url then [$asked.cells[].variants // [] | .[] | select(sets_target) | .name] | unique
        | map({key: "variant \(.)", value: "its settings cannot reach a server that is already there"})
      else [] end)
  | from_entries;

# input: bare cells
# output: null, or one at a share of a peak, or at a capacity, that cannot be looked for: the search begins at its
# throughput in the closed model
def without_closed:
  def place: .cell | [.database, .target, (.variant | original), .workload, .tool] | join(" ");
  (map(select(.cell.model == "closed") | place)) as $closed
  | first(.[] | select(.cell.level | type == "string") | select([place] - $closed != []) | .cell) // null;

# input: a search for the largest rate
# output: that for the most users, where they think; nothing where none is asked for
def thinking($in): ($in.options.think_s // $in.experiment.think_s) as $think_s
  | if $think_s then .cell |= . + {model: "closed", $think_s} else empty end;

# input: a plan   output: whether no question can be asked for what this machine lacks: what is left, nobody asked about
def lacks_all($options):
  ((.questions // []) | length > 0 and all(.[]; .why))
  and ($options | [.levels, .targets, .workloads, .url, .dsn, .objective] | any | not)
  and any(.skipped | keys[]; test("^(target|database) "));

# input: questions   output: those for a capacity only where it is looked for under the experiment's objective
def asked_under($options; $experiment):
  map(select(.metric != "capacity" or ($options.objective // $experiment.objective) == $experiment.objective));

# input: the plan's input   output: the same with nothing left out: what the experiment declares
def declared($asked):
  .experiment = $asked | .unavailable = {} | .without = {}
  | .options |= (.levels = null | .targets = null | .workloads = null);

with_script | current_names
| .options as $options
| .databases += ["none", "external"]
| .unavailable += (if $options.dsn and ($options.allow_writes | not) then
    [.targets[] | select(.writes) | {key: .name, value: "it writes to the database, which needs --allow-writes"}]
    | from_entries else {} end)
| .experiment as $asked
| .experiment |= (if type == "object" and (.cells | type) == "array" then external($options) else . end)
| . as $in
| ([.targets[].name]) as $names
| ($asked | experiment_fault($names; $in.databases; [$in.scripts[][]] | unique)) as $fault
| if $fault then {fault: "experiment \(.experiment.name // "?"): \($fault)"}
  elif .options.suite == null and narrowing_fault then {fault: narrowing_fault}
  # several targets asked for different times may all have become the server that is there: the longest time counts
  elif $options.url == null and ([bare_cells($in; 1) | select(.cell.level | type == "number")] | twice) then
    ([bare_cells($in; 1) | select(.cell.level | type == "number")] | twice) as $id
    | {fault: ("experiment \(.experiment.name): \($id) is declared twice, with other settings, seconds or generators: "
        + "the second needs a variant with a name of its own")}
  else
    run_blocks as $blocks
    | (if $options.script then [] else $asked.questions // [] end) as $asks
    | ({declared: [declared($asked) | bare_cells(.; 1)], planned: [bare_cells($in; 1)]} | resolved($asks))
      as {$questions, fault: $wrong}
    | ($questions // [] | asked_under($options; $asked)) as $questions
    | ($questions // [] | copied) as $copies
    | [range(1; $blocks + 1) as $b | [bare_cells($in; $b)]] as $bare
    | [$bare[] | map(select(.cell.level | type == "number"))
       | with_calibration($in) | with_copies($copies) | select(. != [])
       | ordered($in.experiment.seed + .[0].cell.block; $in.cores)] as $ordered
    | {experiment: .experiment.name, seed: .experiment.seed, blocks: $blocks,
       skipped: (skipped($asked)
         + ([$questions // [] | .[] | select(.why) | {key: "question \(.ask)", value: .why}] | from_entries)),
       questions: $questions,
       groups: ($ordered | add // []),
       open: [$bare[] | with_copies($copies)[]
         | select(.cell.level | type == "string" and . != "capacity") | del(.blocks)],
       searches: [$bare[] | with_copies($copies)[]
         | select(.cell.level == "capacity") | del(.blocks) | ., thinking($in)]}
      + ($in.options.generators // {} | if .sized then {sized} else {} end)
    | if .searches == [] then del(.searches)
      else .objective = ($options.objective // $in.experiment.objective | objective_with_errors) end
    | ($bare | add | without_closed) as $lost
    | if $wrong then {fault: "experiment \($in.experiment.name): \($wrong)"}
      elif $lost then
        (if $lost.level == "capacity" then "the capacity" else "\($lost.level) of the peak" end) as $what
        | "\($lost.target) (\($lost.variant), \($lost.workload))" as $of
        | {fault: ("experiment \($in.experiment.name): \($what) of \($of) needs it in the closed model, too: "
            + "there the search begins")}
      else . end
    | if .fault then .
      elif all(.groups[]; .target == "null") or lacks_all($options) then
        (if lacks_all($options) then "none of its questions can be asked here"
         else "nothing left to measure" end) as $what
        | ([.skipped | to_entries[] | "; \(.key): \(.value)"] | join("")) as $why
        | {(if $in.options.suite then "nothing_left" else "fault" end):
            "experiment \($in.experiment.name): \($what)\($why)"}
      else .estimate_s = estimate($in.targets; $options.stack) end
  end
