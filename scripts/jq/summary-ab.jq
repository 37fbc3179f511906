# Adapter for ab (ApacheBench): the report that it printed, and its percentiles and requests as scripts/awk/ab.awk
# writes them. ab knows no timeline finer than a second, no number in flight and no body: of an answer it knows the
# status and the length. Its window runs from its first connect to its last answer; with -t, requests that are under way
# when the time is over are counted nowhere.
include "summary";
include "histogram";
include "ab";

$cell[0] as $cell | $status[0] as $status
| [inputs]
| map(select(startswith("{")) | fromjson? // empty) as $log
| (map(select(startswith("{") | not)) | ab_report + {figures: ab_figures}) as $printed
| ($log | map(select(has("ms")) | [.ms, .count])) as $runs
| ($runs | total_count) as $listed
| ($printed.complete_requests // 0) as $done
| ($log | map(select(has("percentage")) | [.percentage, .us])) as $percentiles
| (if $listed == $done then $runs | ab_latencies($percentiles) else {counts: [], fault: null} end) as {$counts, $fault}
| {
  complete: ($printed.whole and $fault == null),
  requests: ($done + ($printed.failed.connect // 0)),
  errors: ($printed | ab_errors | errors_object),
  bytes_per_answer: (if $done > 0 then $printed.transferred_bytes / $done else null end),
  latency_us: (if $counts == [] then null
    else {sum_us: ($counts | map(.[0] * .[1]) | add), min_us: $percentiles[0][1], max_us: $percentiles[-1][1],
      counts: ($counts | map([(.[0] | round), .[1]]) | binned)}
      | shape("ab") | .p99_9 = null end), # beyond p99 a time is known to the millisecond
  bad_lines: ($log | map(.bad // empty) | add // 0),
  missing_requests: (if $printed.whole then $done - $listed else null end),
  $printed
} + ($printed | ab_window_s as $seconds | if $seconds == null then {} else {
  window: {
    start: ($status.started_at | seconds_after(0)), end: ($status.started_at | seconds_after($seconds)), $seconds}
} end)
| .printed.disagreement = $fault
| summary($cell; $status)
| without_rate_of_few($cell) # with -n the last ones find fewer connections busy
