# input: the trials that are done, "<block>/<cell>" each, block in two digits   $plan, $experiment, $options, slurped
# output: lines for people: the question, and what a run is about to do
include "words";
include "profile";
. as $done
| $plan[0] as $p
| [$p.groups[].cells[] | {key: "\(.block | if . < 10 then "0\(.)" else . end)/\(.id)", s: load_s}] as $closed
| [$p.open[].cell | load_s] as $open
| ($done - ($closed | map(.key)) | length) as $opened # levels, and so names, were not known when the plan was made
| ($closed | map(.s) + $open | add) as $all
| ($closed | map(select(.key | IN($done[]) | not).s) + $open[$opened:] | add // 0) as $left
| ([$p.groups[] | select(.target != "null") | .cells[].generators // 1] | unique) as $generators
| ($options[0].script.path // null | values |= split("/")[-1]) as $script
| "\($p.experiment): "
  + if $script then "How much does the server take, asked as \($script) asks it?" else $experiment[0].why end,
  ([$p.groups[].cells[]] + $p.open | length | counted("trial"))
  + (if $done == [] then "" else " (\($done | length) already done)" end)
  + "\($p | searches_text) in \($p.blocks | counted("block")) on stack \($options[0].stack)"
  + (if all($p.groups[].database; IN("none", "external")) then "" else ", data at scale \($options[0].scale)" end)
  + (if $generators - [1] == [] then ""
    else ", each load by \($generators | map(tostring) | join(" or ")) load generators" end)
  + (if $left == 0 and ($p.searches // []) != [] then ": the search goes on where it was"
    else
      ": about \($p.estimate_s * $left / $all | duration) "
      + if $done == [] then "of measuring" else "left to measure" end
      + if ($p.searches // []) == [] then ""
        else ", up to twice that where a server is slow or the machine not quiet" end
    end)
