# input: the trials that are done, "<block>/<cell>" each, block in two digits   $plan, $experiment, $options, slurped
# output: lines for people: the question, and what a run is about to do
include "words";
def seconds: .duration_s + .warmup_s;
. as $done
| $plan[0] as $p
| [$p.groups[].cells[] | seconds] as $all
| [$p.groups[].cells[] | select("\(.block | if . < 10 then "0\(.)" else . end)/\(.id)" | IN($done[]) | not) | seconds] as $left
| "\($p.experiment): \($experiment[0].why)",
  "\([$p.groups[].cells[]] + $p.open | length | counted("trial")) in \($p.blocks | counted("block")) on stack \($options[0].stack)\(if all($p.groups[].database; IN("none", "external")) then "" else ", data at scale \($options[0].scale)" end)\(if $done == [] then "" else ", \($done | length) of them done before" end): about \($p.estimate_s * (if $all == [] then 1 else ($left | add // 0) / ($all | add) end) | duration) of measuring"
