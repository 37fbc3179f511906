# input: a summary   $left: planned tenths of seconds that remain, times $scale    output: what a person is told when the cell ends

def ms: if . == null then "-" elif . < 1e6 then "\(. / 10 | round / 100) ms" else "\(. / 1e4 | round / 100) s" end;

def p95: if .p95 == null and .beyond != null then "more than \(.beyond.more_than_us | ms)" else .p95 | ms end;

if .throughput_rps == null then "nothing could be read from it"
else "\(.throughput_rps * 10 | round / 10) rps, p95 \(.latency_us | p95)" end
+ (if (.errors.total // 0) > 0 then ", \(.errors.total | ceil) errors" else "" end)
+ (if .status.timed_out then ", stopped at its time limit" elif .status.exit_code != 0 then ", exit \(.status.exit_code)" else "" end)
+ "  (\(([$left, 0] | max) * $scale / 10 | if . >= 90 then "\(. / 60 | round) min" else "\(round) s" end) left)"
