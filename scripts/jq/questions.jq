# What an experiment asks, and which cells of a plan answer it.
# A bare cell is as cells.jq has it, with the blocks that it is declared for: {variant, cell, blocks}.
include "cells";

def question_metrics: ["throughput", "p50", "p95", "p99", "cpu_per_request", "capacity"];
def question_dimensions: ["target", "variant", "database", "workload"];
def question_coordinates: ["database", "target", "variant", "workload", "tool", "model", "level"];

# input: a question   output: {kind, dimension, names}: names of the two sides of a pair; null where the cells say which there are
def question_kind:
  .compare | keys[0] as $key
  | if $key | IN("rank", "smallest") then {kind: $key, dimension: .[$key], names: null}
    elif $key | IN("index", "lost", "again") then {kind: $key, dimension: null, names: null}
    else {kind: "pair", dimension: $key, names: .[$key]} end;

# input: a question's place in the file   output: null, or what is wrong with its shape
def question_fault($path; $reports):
  def bad($path; $must): "\($path) is \(. | tojson): \($must)";
  if type != "object" then bad($path; "must be an object")
  else first(
    (first(keys[] | select(IN("ask", "primary", "compare", "where", "metric") | not)) | "\($path).\(.) is not known; there are ask, primary, compare, where, metric"),
    (.ask | if type == "string" and test("^[^\n\r]*\\?\\z") then null else bad("\($path).ask"; "must be a question, on one line, that ends in a question mark") end),
    (.primary | if IN(null, true, false) then null else bad("\($path).primary"; "must be true or false") end),
    (.compare | if type == "object" and length == 1 then null else bad("\($path).compare"; "must be one of {\"target\": [A, B]}, {\"rank\": \"target\"}, {\"smallest\": \"variant\"}, {\"index\": \"documents\"}, {\"lost\": \"database\"}, {\"again\": \"target\"}") end),
    (question_kind | if .kind == "pair" then
        if (.dimension | IN(question_dimensions[]) | not) then .dimension | bad("\($path).compare"; "must compare by \(question_dimensions | join(", ")), rank, smallest, index, lost or again")
        elif (.names | type == "array" and length == 2 and .[0] != .[1] and all(.[]; type == "string")) then null
        else .names | bad("\($path).compare"; "must name two different sides") end
      elif .kind == "rank" and (.dimension | IN(question_dimensions[]) | not) then .dimension | bad("\($path).compare.rank"; "must be one of \(question_dimensions | join(", "))")
      elif .kind == "smallest" and .dimension != "variant" then .dimension | bad("\($path).compare.smallest"; "must be \"variant\", whose POOL_SIZE is the size")
      else null end),
    (.where | if . == null then {} else . end | if type == "object" then first(keys[] | select(IN(question_coordinates[]) | not) | "\($path).where.\(.) is not known; there are \(question_coordinates | join(", "))") // null
      else bad("\($path).where"; "must be an object") end),
    ((question_kind.kind | IN("index", "lost", "again")) as $own | .metric
      | if $own then (if . == null then null else bad("\($path).metric"; "is not for a question of this kind") end)
        elif IN(question_metrics[]) then null else bad("\($path).metric"; "must be one of \(question_metrics | join(", "))") end),
    (if question_kind.kind == "smallest" and (.metric != "throughput" or .where.model == "open" or .where.level == "peak") then
        "\($path) asks for the smallest pool: its metric must be \"throughput\", and its \"where\" name a level of the closed model" else null end),
    (if .where.model == "open" and .where.level == "peak" then "\($path).where.level is \"peak\": in the open model the load is given, and has none" else null end),
    (if (.metric == "capacity") == (.where.level == "capacity") then null else "\($path): metric \"capacity\" goes with level \"capacity\", and with no other" end),
    (if .metric == "capacity" and .where.model != "open" then "\($path).where.model must be \"open\" for a capacity" else null end),
    (if .where.model == "open" and .metric == "throughput" then "\($path).metric is \"throughput\": in the open model it is given, not measured" else null end)
    | select(. != null)) // null
  end;

# input: an experiment file whose cells are sound   output: null, or the first fault of its questions
def questions_fault:
  if .questions == null then null
  elif .questions | type != "array" then ".questions is \(.questions | tojson): must be a list"
  else . as $e | first(
    (.questions | to_entries[] | .key as $i | .value | question_fault(".questions[\($i)]"; $e)),
    (first(.questions | group_by(.ask)[] | select(length > 1) | "two of .questions ask \(.[0].ask | tojson): their answers could not be told apart") // null),
    ([.questions[] | select(.primary)] | if length > 3 then ".questions: \(length) are primary; at most three may be, as each widens the intervals of the others" else null end),
    (if any(.questions[]; .compare.lost) and .survival != true then ".questions: one asks what was lost, and .survival is not true" else null end)
    | select(. != null)) // null
  end;

def level_text: if type == "string" then . else tostring end;

# The id that the cell will have: of the open model, whose rates are not known yet, by the share.
def planned_id: if .level | type == "string" then .share = .level else . end | cell_id;

# input: bare cells of the first block   output: {sides: [{name, cells, size?}], blocks} or {why}
def sides($q):
  ($q | question_kind) as {$kind, $dimension, $names}
  | ($q.where // {}) as $w
  | if $kind | IN("lost", "again") then {sides: [], blocks: null}
    else
      map(select(.cell as $c
        | all($w | del(.level) | to_entries[]; .value == $c[.key])
          and ($w.variant != null or $dimension == "variant" or $c.variant == "base")
          and ($w.model // "closed") == $c.model
          and ($kind != "index" or ($c.workload == "documents-index-pairs" and $c.tool == "k6"))
          and ($w.level == null or $w.level == "peak" or $w.level == $c.level)))
      | (if $kind == "index" then map(.cell.index = "index") else . end) as $left
      | (if $kind == "index" then "index" else $dimension end) as $by
      | ($names // ($left | map(select($by != "variant" or (.cell.variant | original == .)) | .cell[$by]) | unique)) as $sides # copies are no sides
      | [$sides[] as $name | {$name, members: ([$left[] | select(.cell[$by] == $name)] | group_by(.cell | planned_id) | map(max_by(.blocks)))}]
      | [question_coordinates[] | select(. != $by and ($w.level != "peak" or . != "level"))] as $others
      | . as $found
      | first(
          (if $left == [] then {why: "no cell is what its \"where\" says\(if $w.variant == null and $dimension != "variant" then ", of variant base" else "" end)"} else null end),
          (if $kind != "index" and length < 2 then {why: "there is only \(.[0].name // "a copy") to compare"} else null end),
          (.[] | select(.members == []) | {why: "\($by) \(.name) is not measured there"}),
          ([.[].members[].cell] as $cells | $others[] | select(. as $key | $cells | map(.[$key]) | unique | length > 1)
            | . as $key | {why: "its \"where\" must say which \($key): there are \($cells | map(.[$key]) | unique | map(level_text) | join(", "))"}),
          (.[] | select($w.level == "peak" and (.members | length) < 2) | {why: "\(.name) has one level, and no peak"}),
          (.[] | select($kind == "smallest" and (.members[0].variant.env.POOL_SIZE // "" | test("^[1-9][0-9]*\\z") | not)) | {why: "variant \(.name) sets no POOL_SIZE"}),
          (if $kind == "smallest" and (map(.members[0].variant.env.POOL_SIZE) | unique | length) < length then {why: "two of its variants set the same POOL_SIZE"} else null end)
          | select(. != null))
        // {sides: map({name, cells: [.members[].cell | planned_id]} + if $kind == "smallest" then {size: (.members[0].variant.env.POOL_SIZE | tonumber)} else {} end),
            blocks: ([$found[].members[].blocks] | unique)}
    end;

# Blocks that an answer of a primary question needs.
def blocks_needed: if .metric | IN("p95", "p99") then 10 else 6 end;

# input: bare cells of the first block   output: whether a target is measured twice, as declared or for a primary question of $questions
def is_copied($questions): any(.[]; .cell.variant | test("(^|-)again$")) or any($questions[]; .primary and (question_kind.kind | IN("pair", "rank")));

# input: {declared, planned}: bare cells of the first block, as declared and as narrowed   $questions
# output: {questions}: each with its sides, or why it is not asked in this run; or {fault}
def resolved($questions):
  . as {$declared, $planned}
  | [$questions[] as $q | $q | . + question_kind
     | ($declared | sides($q)) as $whole | ($planned | sides($q)) as $now
     | .fault = (if $whole.why then "no cell can answer it: \($whole.why)"
         elif .kind == "again" and ($declared | is_copied($questions) | not) then "no cell can answer it: no target is measured twice"
         elif .primary and ($whole.blocks // [] | length) > 1 then "it is primary, so all its cells need the same number of blocks, but they have \($whole.blocks | map(tostring) | join(" and "))"
         elif .primary and ($whole.blocks[0] // infinite) < blocks_needed then "it is primary, so its cells need \(blocks_needed) blocks, and have \($whole.blocks[0])"
         else null end)
     | .sides = ($now.sides // []) | .why = $now.why
     | .where = (.where // {}) | .primary = (.primary // false) | .metric = (.metric // null)]
  | (first(.[] | select(.fault)) // null) as $wrong
  | if $wrong then {fault: "question \($wrong.ask | tojson): \($wrong.fault)"}
    else {questions: map(del(.compare, .names, .fault))} end;

# input: resolved questions   output: ids of the cells that are measured a second time for A/A: the denominator of the first primary
def copied: first(.[] | select(.primary and (.kind | IN("pair", "rank")))) // null | if . == null or .sides == [] then [] else (if .kind == "pair" then .sides[1] else .sides[0] end).cells end;

# input: bare cells of one block   output: with the copies beside them that are not there yet, under a variant named for what it is a copy of
def with_copies($ids):
  map(.cell | planned_id) as $there
  | . + [.[] | select((.cell | planned_id) as $id | $ids | index([$id]))
       | (if .cell.variant == "base" then "again" else "\(.cell.variant)-again" end) as $name
       | .variant.name = $name | .cell.variant = $name
       | select((.cell | planned_id) as $id | $there | index([$id]) | not)];
