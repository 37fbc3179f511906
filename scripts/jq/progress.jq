# input: a summary   output: what a person is told of the trial that has ended

def ms: if . == null then "-" elif . < 1e6 then "\(. / 10 | round / 100) ms" else "\(. / 1e4 | round / 100) s" end;

# As reports do: of fewer than ten answers beyond it, or twenty for each user who does not think, there is none.
def p95: .latency_us as $latency | (($latency.count // 0) + ($latency.beyond.count // 0)) as $samples
  | if $samples < 200 or (.cell.model == "closed" and .cell.think_s == null and $samples < 20 * .cell.level) then "-"
    elif $latency.p95 == null and $latency.beyond != null then "more than \($latency.beyond.more_than_us | ms)"
    else $latency.p95 | ms end;

def thousands: if length > 3 then (.[:-3] | thousands) + "," + .[-3:] else . end;

# As reports do.
def rate:
  if . >= 1000 then round | tostring | thousands
  else (if . >= 100 then 10 else 100 end) as $places | . * $places | round / $places end;

(if .cell.model == "open" then "/s" elif .cell.think_s then " users" else "" end) as $unit
| "\(.cell.target) at \(.cell.level)\($unit): " +
if .throughput_rps == null then
  if (.successes // 0) > 0 then
    "too few answers for a throughput, \(.successes) over \(.cell.level) connections"
  else "nothing could be read from it" end
else
  "\(.throughput_rps | rate) \(if .cell.model == "open" then "requests" else "answers" end)/s, p95 \(p95)"
end
+ (if (.errors.total // 0) > 0 then ", \(.errors.total | ceil) errors" else "" end)
+ (if .status.timed_out then ", stopped at its time limit"
  elif .status.exit_code != 0 then ", exit \(.status.exit_code)" else "" end)
