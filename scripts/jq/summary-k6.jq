# Adapter for the k6 output `hdr`: NDJSON with a line per second. The window is the first duration_s seconds from the
# anchor; what ended later, in the graceful stop, is left out. Seconds that cannot be are left out too, but stand in the
# timeline, where a verdict finds them.
include "summary";
include "histogram";

# Trends that k6 itself keeps, or that k6/lib keeps of the schedule. All others are operations of the workload.
def _known_trends: [
  "http_req_duration", "http_req_connecting", "http_req_waiting", "iteration_duration", "dispatch_lag", "latency_from_schedule"
];

# input: the raw file's lines, one text each   output: {lines: [objects], bad: how many were no JSON objects}
def _parsed: map(fromjson? // false | objects // false) | {lines: map(select(.)), bad: map(select(. | not)) | length};

# input: a second's line   output: whether it cannot be, as it lies before the anchor or after the tool's end: a clock was set
def _impossible($wall_s): .t < 0 or .t > $wall_s + 1;

# input: a second's line   output: whether it belongs to the measured window
def _inside($duration_s): .t >= 0 and .t < $duration_s;

# input: a second's line   output: the same; of a script that asks the database without HTTP (k6/lib/sql.js), its questions are the requests
def _asked:
  if .metrics.sql_duration then .requests = .metrics.sql_duration.count | .metrics.http_req_duration = .metrics.sql_duration | del(.metrics.sql_duration)
  else . end;

# input: lines of seconds   output: the merged histogram of a trend, or null
def _trend($name): map(.metrics[$name] // empty) | merge_histograms;

# input: lines of seconds, some perhaps for the same   output: an entry per second
def _timeline($in_flight):
  group_by(.t) | map(
    .[0].t as $t
    | (_trend("http_req_duration") | .counts // []) as $counts
    | {
      t_s: $t,
      requests: (map(.requests) | add),
      errors: (map(.errors[]) | add // 0),
      p50_us: ($counts | percentile(0.5)),
      p95_us: ($counts | percentile(0.95)),
      in_flight: (if $t < 0 then null else $in_flight[$t] end)
    });

# input: the merged histogram of http_req_connecting, 0 where a connection was reused   output: of the opened ones, or null
def _opened:
  if . == null then null
  else .counts |= map(select(.[0] > 0)) | if .counts == [] then null else .min_us = .counts[0][0] end end;

# input: lines of seconds   output: {trend: latency object} for the trends of the workload, or null
def _operations($kind):
  . as $seconds
  | [.[].metrics | to_entries[] | select(.value.sum_us).key] | unique - _known_trends
  | map(. as $name | {key: ., value: ($seconds | _trend($name) | shape($kind))})
  | if . == [] then null else from_entries end;

$cell[0] as $cell | $status[0] as $status
| [inputs] | _parsed as {$lines, $bad}
| ($lines | map(select(.type == "total")) | last) as $total
| ($lines | map(select(.type == "second"))) as $seconds
| (if $total == null then null else $total.requests - ($seconds | map(.requests) | add // 0) end) as $missing
| ($seconds | map(_asked)) as $seconds
| ($seconds | map(select(_inside($cell.duration_s)))) as $window
| (if $cell.model == "open" then "open" else "closed" end) as $kind
| {
  complete: ($total != null and $bad == 0 and $missing == 0),
  bad_lines: $bad,
  impossible_seconds: ($seconds | map(select(_impossible($status.wall_s))) | length),
  missing_requests: $missing,
  late_requests: ($seconds | map(select(.t >= $cell.duration_s) | .requests) | add // 0),
  interrupted_iterations: $total.interrupted_iterations
} + if $total == null and $seconds == [] then {} else {
  window: {
    start: ($total.anchor // null | values |= seconds_after(0)),
    end: ($total.anchor // null | values |= seconds_after($cell.duration_s)),
    seconds: $cell.duration_s
  },
  requests: ($window | map(.requests) | add // 0),
  errors: (reduce ($window[].errors | to_entries[]) as {$key, $value} ({}; .[$key] += $value) | errors_object),
  latency_us: ($window | _trend("http_req_duration") | shape($kind)),
  latency_from_schedule_us: ($window | _trend("latency_from_schedule") | shape("open-from-schedule")),
  dispatch_lag_us: ($window | _trend("dispatch_lag") | shape($kind)),
  connect_us: ($window | _trend("http_req_connecting") | _opened | shape($kind)),
  operations: ($window | _operations($kind)),
  in_flight_mean: (if $total == null then null else ($total.in_flight[:$cell.duration_s] | add // 0) / $cell.duration_s end),
  dropped_iterations: ($window | map(.dropped_iterations) | add // 0),
  timeline: (
    $seconds | map(select(_inside($cell.duration_s) or _impossible($status.wall_s))) | _timeline($total.in_flight // [])
  )
} end
| summary($cell; $status)
