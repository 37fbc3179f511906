# Adapter for the k6 output `hdr` (k6/build/README.md): NDJSON with lines for each second from the start of the load.
# The open model's window is the duration_s seconds after the lead-in: requests belong to the second in which their
# arrival was due, and each was followed to its end. The closed model's opens later when some user had no answer yet by
# the lead-in's end, and requests are sums of shares of lives; latencies are of those that began in it. Of a fixed
# number of requests it ends before the second in which the last began, for then users begin to be idle.
include "summary";
include "histogram";

def _version: 2;

# input: a line
# output: whether each of its histograms holds as many values as it says, and of the sum that it says, within what bins
# take from it
def _whole:
  def sums_up:
    (.sum_us // .sum_milli // 0) as $sum | .count as $n
    | ([.counts[] | .[0] * .[1]] | add // 0) - $sum | fabs <= 0.001 * $sum + $n;
  [.latency, .latency_from_send, .dispatch_lag, .connect, .trends[]?]
  | all(.counts == null or (.count == (.counts | total_count) and sums_up));

# input: the raw file's lines, one text each
# output: {lines: [objects], bad: how many were no JSON objects, or not whole}
def _parsed:
  map(fromjson? // false | objects // false | if . and _whole then . else false end)
  | {lines: map(select(.)), bad: map(select(. | not)) | length};

# input: what k6 knows at its end, where the workload wrote it down (-e out=FILE.ndjson)
# output: {quantity: number}, lead-in and lead-out included: microseconds, bytes, counts, shares, and per second. Its
# duration has no connecting.
def _table:
  {http_req_blocked: "blocked", http_req_connecting: "connecting", http_req_tls_handshaking: "tls",
    http_req_sending: "sending", http_req_waiting: "waiting", http_req_receiving: "receiving",
    http_req_duration: "latency", iteration_duration: "iteration"} as $times
  | .metrics as $metrics
  | ([$times | to_entries[] | .value as $quantity | $metrics[.key].values // empty
      | {mean: .avg, min, p50: .med, max, p90: .["p(90)"], p95: .["p(95)"]}
      | to_entries[] | {"\($quantity).\(.key)": (.value | values |= . * 1000)}]
    + [{"received.size": $metrics.data_received.values.count, "received.rate": $metrics.data_received.values.rate,
        "sent.size": $metrics.data_sent.values.count, "sent.rate": $metrics.data_sent.values.rate,
        "requests.count": $metrics.http_reqs.values.count, "throughput": $metrics.http_reqs.values.rate,
        "errors.count": $metrics.http_req_failed.values.passes, "errors.share": $metrics.http_req_failed.values.rate}])
  | add | map_values(values);

# input: a second's line
# output: whether it cannot be, as it lies before the load or after the tool's end: a clock was set
def _impossible($wall_s): .t < 0 or .t > $wall_s + 1;

# input: the total
# output: the first second of the window, the lead-in over. Where users had no answer before the window's end, the users
# are not the level, which a check finds. Users who think have their first answer when they will: from the beginning
# they are as they go on.
def _opens($cell; $lead_s; $end_s):
  if $cell.model == "open" or $cell.think_s or . == null or .users_answered < $cell.level then $lead_s
  else ([$lead_s, (.answered_by_s | ceil)] | max) as $opens | if $opens < $end_s then $opens else $lead_s end end;

# input: lines   output: the merged histogram at a path of theirs, or null
def _merged(f): map(f // empty) | merge_histograms;

# input: lines   output: the sum of a number of theirs
def _sum(f): map(f // 0) | add // 0;

# input: lines   output: errors by class
def _errors: reduce (.[].errors | to_entries[]) as {$key, $value} ({}; .[$key] += $value);

# input: a pause   output: how much of it lies in the window
def _overlap_ms($opens; $end_s): [([.from_ms + .ms, $end_s * 1000] | min) - ([.from_ms, $opens * 1000] | max), 0] | max;

# input: lines of the open model   output: arrivals that were due and never sent
def _never_sent: [_sum(.due) - _sum(.arrivals), 0] | max;

# input: lines
# output: {count, more_than_us, longest_us} of requests without an answer, or null. Arrivals that were never sent are
# among them, of which no wait is known. All rank above every answer, so they exceed the longest. Raw files of before do
# not tell the longest wait.
def _beyond($longest_us):
  (map(.unanswered // empty)) as $sent
  | {count: (($sent | _sum(.count)) + _never_sent),
     more_than_us: ([($sent | map(.least_us) | min), $longest_us, 0] | max),
     longest_us: ($sent | map(.most_us // .least_us) | max)}
  | if .count == 0 then null else . end;

# input: lines of the lead-in
# output: the longest that a request which began in them took, or was waited for, of those that may have lived on after
# them, or null
def _outlasting($opens):
  map({t, longest_us: ([.latency.max_us, .unanswered.most_us, .unanswered.least_us] | max)}) | outlasting($opens);

# input: lines   output: their latency object, or null
def _latency($kind):
  _merged(.latency) as $answered | _beyond($answered.max_us) as $beyond | $answered | shape($kind; $beyond);

# input: errors by class   output: {unanswered: how many were never answered}, where any were
def _unanswered: ((.transport // 0) + (.unanswered // 0)) | if . > 0 then {unanswered: thousandths(.)} else {} end;

# input: lines of the window   output: an entry per second, counted from the window's start
def _timeline($opens):
  group_by(.t) | map(
    (_merged(.latency) | .counts // []) as $counts
    | (($counts | total_count) + _sum(.unanswered.count) + _never_sent) as $total
    | {
      t_s: (.[0].t - $opens),
      requests: thousandths(_sum(.requests)),
      errors: thousandths(_errors | add // 0),
      answers: _sum(.answers),
      p50_us: ($counts | percentile(0.5; $total)),
      p95_us: ($counts | percentile(0.95; $total)),
      in_flight: thousandths(_sum(.in_flight))
    } + (_errors | _unanswered));

# input: lines   output: {trend: latency object} for the times that the workload kept, or null
def _operations($kind):
  . as $lines
  | [.[].trends // {} | to_entries[] | select(.value.sum_us).key] | unique
  | map({key: ., value: (. as $name | $lines | _merged(.trends[$name]) | shape($kind))})
  | if . == [] then null else from_entries end;

# input: lines
# output: {trends: {trend: [[value, times], ...] ascending}} of what the workload kept that is no time, in thousandths,
# where there is any
def _trends:
  [.[].trends // {} | to_entries[] | select(.value.sum_us | not)] | group_by(.key)
  | map({key: .[0].key, value: (map(.value.counts // []) | merge_counts)})
  | if . == [] then {} else {trends: from_entries} end;

$cell[0] as $cell | $status[0] as $status
| [inputs] | _parsed as {$lines, $bad}
| ($lines | map(select(.type == "meta")) | first) as $meta
| if $meta != null and $meta.version != _version then
    ("\($cell.id): the raw file has version \($meta.version) of k6's output, which can no longer be collected "
      + "(this is \(_version)); its summary.json can still be analysed\n") | halt_error(3)
  else . end
| ($lines | map(select(.type == "total")) | last) as $total
| ($lines | map(select(.type == "second"))) as $seconds
| (if $cell | has("warmup_argv") and .warmup_argv == null then $cell.warmup_s else 0 end) as $lead_s
| (if $cell.requests then [$seconds[] | select(.latency.count > 0).t, 1] | max
   else $lead_s + $cell.duration_s end) as $end_s
| ($total | _opens($cell; $lead_s; $end_s)) as $opens
| ($seconds | map(select(.t >= $opens and .t < $end_s))) as $window
| ($seconds | map(select(.t >= 0 and .t < $opens))) as $before
| (if $cell.model == "open" then "open" else "closed" end) as $kind
| (if $total == null then null else $total.requests - ($seconds | _sum(.requests)) | round + 0 end) as $missing
| ($lines | map(select(has("root_group"))) | last | values |= {figures: _table}) as $printed
| {
  complete: ($total != null and $bad == 0 and $missing == 0
    and $total.lines == ($seconds | length) and all($total.generators[]?; .complete)),
  bad_lines: $bad,
  impossible_seconds: ($seconds | map(select(_impossible($status.wall_s))) | length),
  missing_requests: $missing,
  interrupted_iterations: $total.interrupted_iterations,
  requests_total: $total.requests,
  successes_total: ($total | if . == null then null else .requests - (.errors | add // 0) end),
  rows_acknowledged: ($seconds | map(.trends.rows.sum_milli // empty) | if . == [] then null else add / 1000 end)
} + if $total.generators then {generators: [$total.generators[] | .number as $number
    | {$number, requests: thousandths($window | _sum(.each[$number - 1])), began_after_ms, complete}]} else {} end
+ if $printed then {$printed} else {} end + if $total == null then {} else {
  users: {count: $total.users, answered: $total.users_answered, answered_by_s: $total.answered_by_s},
  connections: {opened: $total.connections, repeated: $total.repeated, keep_alive: $total.keep_alive}
} end + if $total == null and $seconds == [] then {} else {
  window: {
    start: ($total.anchor // null | values |= seconds_after($opens)),
    end: ($total.anchor // null | values |= seconds_after($end_s)),
    seconds: ($end_s - $opens)
  },
  lead_in: {seconds: $opens,
    requests: thousandths($before | _sum(.requests)), errors: thousandths($before | _errors | add // 0),
    longest_us: ($before | _outlasting($opens))},
  requests: thousandths($window | _sum(.requests)),
  errors: ($window | _errors | map_values(thousandths(.)) | errors_object),
  latency_us: ($window | _latency(if $kind == "open" then "open-from-schedule" else $kind end)),
  latency_from_send_us: ($window | _merged(.latency_from_send) | shape("open")),
  dispatch_lag_us: ($window | _merged(.dispatch_lag) | shape("open")),
  connect_us: ($window | _merged(.connect) | shape($kind)),
  checked: thousandths($window | _sum(.checked)),
  operations: ($window | _operations($kind)),
  in_flight_mean: (
    if $total == null then null else ($window | _sum(.in_flight)) / ($end_s - $opens) | thousandths(.) end),
  longest_pause_ms: (if $window == [] or any($seconds[]; has("pause_ms")) then null
    else $seconds | map(.pause // empty | _overlap_ms($opens; $end_s)) | max // 0 end),
  dropped_iterations: (if $kind == "open" then $window | _never_sent else null end),
  timeline: ($window | _timeline($opens))
} + ($window | _trends) end
| summary($cell; $status)
