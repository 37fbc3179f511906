# input: $plan, $experiment, $options, slurped   output: lines for people: the question, and what a run is about to do
include "words";
$plan[0] as $p
| "\($p.experiment): \($experiment[0].why)",
  "\([$p.groups[].cells[]] + $p.open | length | counted("trial")) in \($p.blocks | counted("block")) on stack \($options[0].stack)\(if all($p.groups[].database; IN("none", "external")) then "" else ", data at scale \($options[0].scale)" end): about \($p.estimate_s | duration) of measuring"
