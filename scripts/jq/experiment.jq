# Whether an experiment can be planned: its file is as the schema says, names what there is, and asks for nothing that
# contradicts itself. The first fault in one line that names the place and the value.
include "cells";
include "questions";
include "objective";
include "schema";
include "tools";
import "experiment" as $experiment {search: "../declared/schema"};

# output: the schema of an experiment, with the tools that there are
def _schema:
  $experiment::experiment[0] | .properties.cells.items.properties.tools.items.enum = (tools | keys_unsorted);

# input: an entry of cells   output: why several generators cannot share its load, or null
def unshareable:
  [.variants[]?.args[]?] as $args
  | if any($args[]; test("^(-[A-Za-z]*R|--rat?e?(=|\\z)|--rps)")) then
      "takes variants without a rate of the tool's own in their args (-R, --rate, --rps), "
      + "as each would keep to all of it"
    elif any($args[]; test("^--ran")) then
      "takes variants without a seed in their args (--random-seed), as all would draw the same"
    elif any($args[]; test("\\{cell\\}")) then
      "takes variants without {cell} in their args, as all would write one file"
    else null end;

# input: the name of a variable
# output: why a variant's env cannot set it, or null. What it sets reaches the target alone.
def _not_for_targets:
  if test("^[A-Za-z_][A-Za-z0-9_]*\\z") | not then "that is no name of an environment variable"
  elif test("^(K6_|WRK_|GO[A-Z]+$)") then
    "the load tools read it, and env reaches the target alone: what is meant for a tool goes into args"
  elif test("^PG") or IN("HOST", "PORT", "TARGET_PORT", "NULL_PORT", "CUBE_PORT", "BASE_URL") then
    "the driver sets it itself"
  else null end;

# input: an experiment
# output: null, or which variant is named as a copy of another that is not its like. Env and args belong to a variant at
# all levels, seconds and requests to a cell.
def copies_fault:
  . as $e
  | [.cells[] as $entry | $entry
   | .databases[] as $database | .targets[] as $target | .workloads[] as $workload
   | .tools[] as $tool | .levels[] as $level
   | variants[] + {at: [$database, $target, $workload, $tool, $entry.model // "closed"], $level,
       seconds: [$entry.duration_s // $e.duration_s, $entry.warmup_s // $e.warmup_s],
       requests: $entry.requests, generators: $entry.generators}] as $all
  | first($all[] | select(.name | test("(^|-)again$")) | . as $copy
      | (.name | original) as $of
      | [$all[] | select(.name == $of and .at == $copy.at)] as $same
      | ([$same[] | select([.env, .args] != ($copy | [.env, .args]))] | sort_by(.level != $copy.level)[0]) as $unlike
      | [$same[] | select(.level == $copy.level)] as $beside
      | (if $unlike then "has other settings"
         elif $beside == [] then "is not measured"
         elif any($beside[]; .seconds != $copy.seconds) then "has other seconds"
         elif any($beside[]; .requests != $copy.requests) then "has another number of requests"
         elif any($beside[]; .generators != $copy.generators) then "has another number of generators"
         else empty end) as $fault
      | "\($copy.at | join(" "))-\(($unlike // $copy).level)" as $where
      | "variant \($copy.name | tojson) is named as a copy of \($of), which \($fault) there: \($where)") // null;

# input: a list of names   output: a line for each that is none of those known
def _unknown($path; $known; $what):
  to_entries[] | select(.value as $name | $known | index([$name]) | not)
  | "\($path)[\(.key)] is \(.value | tojson): no such \($what); there are \($known | join(", "))";

# input: an entry of cells   output: a line for each level that does not go with what stands beside it
def _level_faults($path):
  (.model // "closed") as $model
  | (.generators // 1) as $generators
  | (.requests // infinite) as $requests
  | (.tools | map({tool: ., most: (tools[.].most_users // infinite)}) | min_by(.most)) as {$tool, $most}
  | .levels | to_entries[]
  | "\($path).levels[\(.key)] is \(.value | tojson): must" as $fault
  | .value
  | (strings | select($model == "closed") | "\($fault) be a whole number in the closed model"),
    (numbers
      | (select(. > $most) | "\($fault) be \($most) at most, as \($tool) keeps no more connections"),
        (select(. > $requests) | "\($fault) not exceed the \($requests) requests"),
        (select(. < $generators) | "\($fault) not be below the \($generators) generators that share it"));

# input: an entry of cells
# output: a line for each of its keys that names what there is not, or does not go with another
def _cell_faults($path; $targets; $databases; $workloads):
  def is($key): "\($path).\($key) is \(.[$key] | tojson):";
  ((.model // "closed") == "open") as $open
  | ((.generators // 1) > 1) as $shared
  | def all_can($what): .tools - tools_that_can($what) == [];
    (.databases | _unknown("\($path).databases"; $databases; "database profile")),
    (.targets | _unknown("\($path).targets"; $targets; "target")),
    (.workloads | _unknown("\($path).workloads"; $workloads; "workload")),
    (select($open and (all_can("open") | not))
      | "\(is("tools")) must be \(tools_that_can("open") | tojson) in the open model, "
        + "as no other tool sends requests on a schedule"),
    (select(.profile == "ramp" and ($open or (all_can("ramp") | not)))
      | "\(is("profile")) takes tools \(tools_that_can("ramp") | tojson) and the closed model, "
        + "as only users of \(tools_that_can("ramp") | one_of) are ramped"),
    (select(.requests and ($open or .profile == "ramp" or (all_can("requests") | not)))
      | "\(is("tools")) must be \(tools_that_can("requests") | sort | one_of), closed and without a ramp, "
        + "where there are requests, as nothing else makes a fixed number"),
    _level_faults($path),
    (select($shared) | sharing_none[0] as $tool | select($tool)
      | "\(is("tools")) must be without \($tool) where there are several generators, "
        + "as \(tools[$tool].cannot_share)"),
    (select($shared and unshareable) | "\(is("generators")) \(unshareable)"),
    (.variants // [] | to_entries[] | .key as $i | .value.env // {} | keys[] | . as $name | _not_for_targets | values
      | "\($path).variants[\($i)].env cannot set \($name): \(.)");

# input: an experiment file   output: null, or its first fault in one line
def experiment_fault($targets; $databases; $workloads):
  def is($key): ".\($key) is \(.[$key] | tojson):";
  first(
    (schema_fault(_schema; "") | values),
    (.cells | to_entries[] | .key as $i | .value | _cell_faults(".cells[\($i)]"; $targets; $databases; $workloads)),
    (.objective | values | objective.fault | values),
    (select((.objective != null) != any(.cells[].levels[]; . == "capacity"))
      | "\(is("objective")) must be there where a level is \"capacity\", and only there"),
    (select(.think_s and .objective == null) | "\(is("think_s")) must be there only where a level is \"capacity\""),
    (copies_fault | values),
    (questions_fault | values))
  // null;
