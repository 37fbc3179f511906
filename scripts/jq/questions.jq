# What an experiment asks, and which cells of a plan answer it.
# A bare cell is as cells.jq has it, with the blocks that it is declared for: {variant, cell, blocks}.
include "cells";
import "experiment" as $experiment {search: "../declared/schema"};

def _parts: $experiment::experiment[0].properties.questions.items.properties;

# What a question's "where" can name.
def question_coordinates: _parts.where.properties | keys_unsorted;

# input: a question
# output: {kind, dimension, names}: names of the two sides of a pair; null where the cells say which there are
def question_kind:
  .compare | keys[0] as $key
  | if $key | IN("rank", "smallest") then {kind: $key, dimension: .[$key], names: null}
    elif $key | IN("index", "lost", "again") then {kind: $key, dimension: null, names: null}
    else {kind: "pair", dimension: $key, names: .[$key]} end;

# input: a question that is as the schema says   output: a line for each of its parts that does not go with another
def _question_faults($path):
  question_kind.kind as $kind
  | ($kind | IN("index", "lost", "again")) as $own
  | "\($path).metric is \(.metric | tojson):" as $metric
  | (select($own and .metric) | "\($metric) is not for a question of this kind"),
    (select(($own or .metric) | not) | "\($metric) must be one of \(_parts.metric.enum | join(", "))"),
    (select($kind == "smallest" and (.metric != "throughput" or .where.model == "open" or .where.level == "peak"))
      | "\($path) asks for the smallest pool: "
        + "its metric must be \"throughput\", and its \"where\" name a level of the closed model"),
    (select(.where.model == "open" and .where.level == "peak")
      | "\($path).where.level is \"peak\": in the open model the load is given, and has none"),
    (select((.metric == "capacity") != (.where.level == "capacity"))
      | "\($path): metric \"capacity\" goes with level \"capacity\", and with no other"),
    (select(.metric == "capacity" and .where.model != "open") | "\($path).where.model must be \"open\" for a capacity"),
    (select(.where.model == "open" and .metric == "throughput")
      | "\($metric) in the open model it is given, not measured");

# input: an experiment file that is as the schema says, and whose cells are sound
# output: null, or the first fault of its questions
def questions_fault:
  first(
    (.questions // [] | to_entries[] | .key as $i | .value | _question_faults(".questions[\($i)]")),
    (.questions // [] | group_by(.ask)[] | select(length > 1)
      | "two of .questions ask \(.[0].ask | tojson): their answers could not be told apart"),
    ([.questions[]? | select(.primary)] | select(length > 3)
      | ".questions: \(length) are primary; at most three may be, as each widens the intervals of the others"),
    (select(any(.questions[]?; .compare.lost) and .survival != true)
      | ".questions: one asks what was lost, and .survival is not true"))
  // null;

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
      # copies are no sides
      | ($left | map(.cell | select($by != "variant" or (.variant | original == .)) | .[$by]) | unique) as $measured
      | [($names // $measured)[] as $name
          | [$left[] | select(.cell[$by] == $name)] as $members
          | {$name, members: ($members | group_by(.cell | planned_id) | map(max_by(.blocks)))}]
      | [question_coordinates[] | select(. != $by and ($w.level != "peak" or . != "level"))] as $others
      | . as $sides
      | def pool_size: .members[0].variant.env.POOL_SIZE;
        first(
          (select($left == [])
            | if $w.variant == null and $dimension != "variant" then ", of variant base" else "" end
            | "no cell is what its \"where\" says\(.)"),
          (select($kind != "index" and length < 2) | "there is only \(.[0].name // "a copy") to compare"),
          (.[] | select(.members == []) | "\($by) \(.name) is not measured there"),
          ([.[].members[].cell] as $cells | $others[] | . as $key | [$cells[][$key]] | unique | select(length > 1)
            | "its \"where\" must say which \($key): there are \(map(level_text) | join(", "))"),
          (.[] | select($w.level == "peak" and (.members | length) < 2) | "\(.name) has one level, and no peak"),
          (.[] | select($kind == "smallest" and (pool_size // "" | test("^[1-9][0-9]*\\z") | not))
            | "variant \(.name) sets no POOL_SIZE"),
          (select($kind == "smallest" and (map(pool_size) | unique | length) < length)
            | "two of its variants set the same POOL_SIZE")
          | {why: .})
        // {sides: map({name, cells: [.members[].cell | planned_id]}
              + if $kind == "smallest" then {size: (pool_size | tonumber)} else {} end),
            blocks: ([$sides[].members[].blocks] | unique)}
    end;

# Blocks that an answer of a primary question needs.
def blocks_needed: if .metric | IN("p95", "p99") then 10 else 6 end;

# input: bare cells of the first block
# output: whether a target is measured twice, as declared or for a primary question of $questions
def is_copied($questions):
  any(.[]; .cell.variant | test("(^|-)again$"))
  or any($questions[]; .primary and (question_kind.kind | IN("pair", "rank")));

# input: {declared, planned}: bare cells of the first block, as declared and as narrowed   $questions
# output: {questions}: each with its sides, or why it is not asked in this run; or {fault}
def resolved($questions):
  . as {$declared, $planned}
  | [$questions[] as $q | $q | . + question_kind
     | ($declared | sides($q)) as $whole | ($planned | sides($q)) as $now
     | .fault = (if $whole.why then "no cell can answer it: \($whole.why)"
         elif .kind == "again" and ($declared | is_copied($questions) | not) then
           "no cell can answer it: no target is measured twice"
         elif .primary and ($whole.blocks // [] | length) > 1 then
           "it is primary, so all its cells need the same number of blocks, but they have "
           + ($whole.blocks | map(tostring) | join(" and "))
         elif .primary and ($whole.blocks[0] // infinite) < blocks_needed then
           "it is primary, so its cells need \(blocks_needed) blocks, and have \($whole.blocks[0])"
         else null end)
     | .sides = ($now.sides // []) | .why = $now.why
     | .where = (.where // {}) | .primary = (.primary // false) | .metric = (.metric // null)]
  | (first(.[] | select(.fault)) // null) as $wrong
  | if $wrong then {fault: "question \($wrong.ask | tojson): \($wrong.fault)"}
    else {questions: map(del(.compare, .names, .fault))} end;

# input: resolved questions
# output: ids of the cells that are measured a second time for A/A: the denominator of the first primary
def copied:
  first(.[] | select(.primary and (.kind | IN("pair", "rank")))) // {sides: []}
  | .sides[if .kind == "pair" then 1 else 0 end].cells // [];

# input: bare cells of one block
# output: with the copies beside them that are not there yet, under a variant named for what it is a copy of
def with_copies($ids):
  map(.cell | planned_id) as $there
  | . + [.[] | select((.cell | planned_id) as $id | $ids | index([$id]))
       | (.cell.variant | copy_name) as $name
       | .variant.name = $name | .cell.variant = $name
       | select((.cell | planned_id) as $id | $there | index([$id]) | not)];
