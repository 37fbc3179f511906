# Options narrow an experiment, and never widen it.
include "experiment";
include "objective";
include "tools";

# input: an experiment   output: the blocks of its most repeated cells
def most_blocks: [.blocks, .cells[].blocks // empty] | max;

# input: the plan's input   output: null, or what an option asks for that the experiment does not have, in one line
def narrowing_fault:
  def others($known): .[] | select(. as $one | $known | index([$one]) | not);
  def listed: unique | map(tostring) | join(", ");
  .experiment as $e | .options as $o
  | [$e.cells[].levels[]] as $levels | [$e.cells[].targets[]] as $targets | [$e.cells[].workloads[]] as $workloads
  | first(
      ($o.levels // [] | others($levels) | "--levels \(.): experiment \($e.name) has levels \($levels | listed)"),
      ($o.targets // [] | others($targets) | "--targets \(.): experiment \($e.name) has targets \($targets | listed)"),
      ($o.workloads // [] | others($workloads)
        | "--workloads \(.): experiment \($e.name) has workloads \($workloads | listed)"),
      ($o.generators.number // 1 | . as $number
        | $e.cells[] | select(may_share and .generators == null) | .levels[] as $level
        | select($o.levels == null or ($o.levels | index([$level]))) | select($level | type == "number" and . < $number)
        | [$e.cells[] | select(.generators == null) | .levels[] | select(type == "number" and . >= $number)] as $left
        | (if $left == [] then "" else ", or --levels \($left | unique | map(tostring) | join(","))" end) as $instead
        | "--generators \($number): level \($level) has fewer users than that: take fewer\($instead)"),
      ($o.generators.number | values | $e.cells[] | select(.generators == null and may_share)
        | unshareable | values | "--generators \(.)"),
      ($o.objective | values | objective.fault | values | "--objective: \(.)"),
      (["objective", "think"][] as $option
        | select({objective: $o.objective, think: $o.think_s}[$option] and ($levels | index(["capacity"]) | not))
        | "--\($option): experiment \($e.name) looks for no capacity"),
      (select($o.think_s and $o.script.at_once)
        | "--think: \($o.script.path) makes several requests at once, and who thinks meanwhile is not known: "
          + "leave --think out"),
      ($o.blocks | select(. != null and . > ($e | most_blocks))
        | "--blocks \(.): experiment \($e.name) declares \($e | most_blocks); options only narrow; "
          + "to widen, copy scripts/declared/experiments/\($e.name).json and run the copy")) // null;
