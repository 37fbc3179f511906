# Validation of an experiment: the first fault found, in words that name the place and the value.
include "cells";
include "questions";
include "objective";

def _whole: type == "number" and . == floor;

# input: an entry of cells   output: why several generators cannot share its load, or null
def unshareable:
  [.variants[]?.args[]?] as $args
  | if any($args[]; test("^(-[A-Za-z]*R|--rat?e?(=|\\z)|--rps)")) then "takes variants without a rate of the tool's own in their args (-R, --rate, --rps), as each would keep to all of it"
    elif any($args[]; test("^--ran")) then "takes variants without a seed in their args (--random-seed), as all would draw the same"
    elif any($args[]; test("\\{cell\\}")) then "takes variants without {cell} in their args, as all would write one file"
    else null end;

# input: the name of a variable   output: why a variant's env cannot set it, or null. What it sets reaches the target alone.
def _not_for_targets:
  if test("^[A-Za-z_][A-Za-z0-9_]*\\z") | not then "that is no name of an environment variable"
  elif test("^(K6_|WRK_|GO[A-Z]+$)") then "the load tools read it, and env reaches the target alone: what is meant for a tool goes into args"
  elif test("^PG") or IN("HOST", "PORT", "TARGET_PORT", "NULL_PORT", "CUBE_PORT", "BASE_URL") then "the driver sets it itself"
  else null end;

# input: an experiment   output: null, or which variant is named as a copy of another that is not its like. Env and args belong to a variant
# at all levels, seconds and requests to a cell.
def copies_fault:
  . as $e
  | [.cells[] as $entry | $entry
   | .databases[] as $database | .targets[] as $target | .workloads[] as $workload | .tools[] as $tool | .levels[] as $level
   | variants[] + {at: [$database, $target, $workload, $tool, $entry.model // "closed"], $level,
       seconds: [$entry.duration_s // $e.duration_s, $entry.warmup_s // $e.warmup_s], requests: $entry.requests, generators: $entry.generators}] as $all
  | first($all[] | select(.name | test("(^|-)again$")) | . as $copy
      | (.name | original) as $of
      | [$all[] | select(.name == $of and .at == $copy.at)] as $same
      | ([$same[] | select([.env, .args] != ($copy | [.env, .args]))] | sort_by(.level != $copy.level)[0]) as $unlike
      | [$same[] | select(.level == $copy.level)] as $beside
      | (if $unlike then "has other settings"
         elif $beside == [] then "is not measured"
         elif any($beside[]; .seconds != $copy.seconds) then "has other seconds"
         elif any($beside[]; .requests != $copy.requests) then "has another number of requests"
         elif any($beside[]; .generators != $copy.generators) then "has another number of generators" else empty end) as $fault
      | "\($copy.at | join(" "))-\(($unlike // $copy).level)" as $place
      | "variant \($copy.name | tojson) is named as a copy of \($of), which \($fault) there: \($place)") // null;

# input: an experiment file   output: null, or one line that says what is wrong and where
def experiment_fault($targets; $databases; $workloads):
  def bad($path; $must): "\($path) is \(. | tojson): \($must)";
  def names($path; $known; $what):
    if type != "array" or length == 0 then bad($path; "must be a list of \($what) names")
    else first(to_entries[] | select(.value as $v | $known | index([$v]) | not)
      | "\($path)[\(.key)] is \(.value | tojson): no such \($what); there are \($known | join(", "))") // null end;
  def known($path; $names): first(keys[] | select(IN($names[]) | not) | "\($path).\(.) is not known; there are \($names | join(", "))") // null;
  def level($path; $model):
    if _whole and . >= 1 and . <= 1e6 then null
    elif $model == "open" and type == "string" and test("^([1-9][0-9]?%|capacity)\\z") then null
    else bad($path; if $model == "open" then "must be requests per second, a whole number from 1 to 1000000, a share of the peak such as \"50%\", or \"capacity\""
      else "must be a whole number from 1 to 1000000" end) end;
  def cell($path):
    (.model // "closed") as $model
    | first(
        known($path; ["databases", "targets", "variants", "workloads", "tools", "model", "profile", "levels", "blocks", "duration_s", "warmup_s", "requests", "generators"]),
        (.databases | names("\($path).databases"; $databases; "database profile")),
        (.targets | names("\($path).targets"; $targets; "target")),
        (.workloads | names("\($path).workloads"; $workloads; "workload")),
        (.tools | names("\($path).tools"; ["k6", "wrk", "ab", "pgbench"]; "tool")),
        (if $model | IN("closed", "open") then null else $model | bad("\($path).model"; "must be \"closed\" or \"open\"") end),
        (if $model == "open" and .tools != ["k6"] then .tools | bad("\($path).tools"; "must be [\"k6\"] in the open model, as no other tool sends requests on a schedule") else null end),
        (if .profile | IN(null, "level", "ramp") then null else .profile | bad("\($path).profile"; "must be \"level\" or \"ramp\"") end),
        (if .profile == "ramp" and (.tools != ["k6"] or $model == "open") then .profile | bad("\($path).profile"; "takes tools [\"k6\"] and the closed model, as only users of k6 are ramped") else null end),
        (if .levels | type == "array" and length > 0 and (unique | length) == length then null else .levels | bad("\($path).levels"; "must be a list of different levels, at least one") end),
        (.levels | to_entries[] | .key as $i | .value | level("\($path).levels[\($i)]"; $model)),
        (.requests | if . == null or (_whole and . >= 1 and . <= 1e7) then null else bad("\($path).requests"; "must be a whole number from 1 to 10000000") end),
        (if .requests == null or (.tools - ["ab", "k6"] == [] and $model == "closed" and .profile != "ramp") then null
         else .tools | bad("\($path).tools"; "must be ab or k6, closed and without a ramp, where there are requests, as nothing else makes a fixed number") end),
        (.requests as $requests | (.tools | index(["ab"])) as $ab | first(.levels | to_entries[]
          | .key as $i | .value | if $ab and . > 20000 then bad("\($path).levels[\($i)]"; "must be 20000 at most, as ab keeps no more connections")
            elif type == "number" and . > ($requests // infinite) then bad("\($path).levels[\($i)]"; "must not exceed the \($requests) requests") else empty end) // null),
        (.generators | if . == null or (_whole and . >= 1 and . <= 1000) then null else bad("\($path).generators"; "must be a whole number from 1 to 1000") end),
        (if (.generators // 1) > 1 and (.tools | index(["ab"])) then .tools | bad("\($path).tools"; "must be without ab where there are several generators, as its tables cannot be added") else null end),
        (.generators as $generators | first(.levels | to_entries[] | .key as $i | .value
          | if type == "number" and . < ($generators // 1) then bad("\($path).levels[\($i)]"; "must not be below the \($generators) generators that share it") else empty end) // null),
        (unshareable as $why | if (.generators // 1) > 1 and $why then .generators | bad("\($path).generators"; $why) else null end),
        (["duration_s", "warmup_s"][] as $key | .[$key] | if . == null or (_whole and . >= 1 and . <= 86400) then null
          else bad("\($path).\($key)"; "must be whole seconds from 1 to 86400") end),
        (.blocks | if . == null or (_whole and . >= 1 and . <= 1000) then null else bad("\($path).blocks"; "must be a whole number from 1 to 1000") end),
        (.variants // [] | to_entries[] | .key as $i | .value
          | if type == "object" and (.name | type == "string" and test("^[a-z0-9][a-z0-9-]*\\z")) then null
            else bad("\($path).variants[\($i)]"; "must be {\"name\",\"env\",\"args\"}, the name in a-z, 0-9 and -") end,
            (select(type == "object") | known("\($path).variants[\($i)]"; ["name", "env", "args"])),
            (select(type == "object") | (.env // {}) | if type == "object" and all(.[]; type == "string" and (test("\n") | not)) then null else bad("\($path).variants[\($i)].env"; "must be {\"NAME\": \"value\"}, each on one line") end),
            (select(type == "object") | .env | objects | keys[] | . as $name | _not_for_targets
              | values | "\($path).variants[\($i)].env cannot set \($name): \(.)"),
            (select(type == "object") | (.args // []) | if type == "array" and all(.[]; type == "string" and (test("\n") | not)) then null else bad("\($path).variants[\($i)].args"; "must be a list of arguments for the tool, each on one line") end))
        | select(. != null)) // null;
  . as $e
  | if type != "object" then "the file does not hold a JSON object"
  else first(
    known(""; ["name", "why", "blocks", "seed", "duration_s", "warmup_s", "calibration_s", "scale", "objective", "think_s", "report", "survival", "questions", "cells"]),
    (if .name | type == "string" and test("^[a-z0-9][a-z0-9-]*\\z") then null else .name | bad(".name"; "must be a name in a-z, 0-9 and -") end),
    (if .why | type == "string" then null else .why | bad(".why"; "must say what question the experiment answers") end),
    ({blocks: 1000, duration_s: 86400, warmup_s: 86400} | to_entries[] as {$key, $value} | $e[$key] | if _whole and . >= 1 and . <= $value then null else bad(".\($key)"; "must be a whole number from 1 to \($value)") end),
    (.calibration_s | if . == null or (_whole and . >= 1) then null else bad(".calibration_s"; "must be whole seconds >= 1") end),
    (.survival | if IN(null, true, false) then null else bad(".survival"; "must be true or false") end),
    (if .seed | _whole and fabs < 1e9 then null else .seed | bad(".seed"; "must be a whole number below 1e9") end),
    (if .scale == null or .scale == "auto" or (.scale | type == "number" and . > 0) then null else .scale | bad(".scale"; "must be a number above 0, or \"auto\"") end),
    (.report | if . == null then null else names(".report"; ["curves", "pool-map"]; "report") end),
    (if .cells | type == "array" and length > 0 then null else .cells | bad(".cells"; "must be a list of cross products") end),
    (.cells | to_entries[] | .key as $i | .value | cell(".cells[\($i)]")),
    (.objective | values | if type == "string" then objective.fault else bad(".objective"; "must be such as \"p95<50ms, errors<0.1%\"") end),
    (if (.objective == null) == ([.cells[].levels[]] | index(["capacity"]) | not) then null
     else .objective | bad(".objective"; "must be there where a level is \"capacity\", and only there") end),
    (.think_s | if . == null or (type == "number" and . > 0 and . <= 600) then null else bad(".think_s"; "must be seconds above 0, 600 at most") end),
    (if .think_s and .objective == null then .think_s | bad(".think_s"; "must be there only where a level is \"capacity\"") else null end),
    copies_fault,
    questions_fault
    | select(. != null)) // null
  end;
