# input: {clients, steps: [{step, at_us}], acknowledged: [[us when acknowledged] before the fail-over, [us] after],
# lost, in_doubt_kept, promoted}
# output: the drill's result: rates by step, and how long no write was acknowledged
def _longest_gap: [range(1; length) as $i | .[$i] - .[$i - 1]] | max // 0;

(.acknowledged | map(sort)) as [$before, $after]
| ($before + $after) as $all
| .steps as $steps
| .steps[0].at_us as $began
| {
  steps: [range(0; $steps | length - 1) as $i | $steps[$i].at_us as $from | $steps[$i + 1].at_us as $to
    | {step: $steps[$i].step,
       at_s: (($from - $began) / 1e4 | round / 100), seconds: (($to - $from) / 1e4 | round / 100),
       acknowledged_per_s: (($all | map(select(. >= $from and . < $to)) | length) / ($to - $from) * 1e6 | round)}],
  acknowledged: ($before | length),
  lost,
  in_doubt: .clients,
  in_doubt_kept,
  promoted,
  standstill_s: {
    without_standbys: ($before | _longest_gap / 1e4 | round / 100),
    failover: (($after[0] - $before[-1]) / 1e4 | round / 100)}
}
