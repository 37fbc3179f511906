# Adapter for pgbench: the block that it printed, and its per-transaction logs by the second as scripts/awk/pgbench.awk
# writes them. The load has a lead-in, and goes on after the window, so that the window is cut from the log as k6's is:
# it opens later when some client had ended no transaction by the lead-in's end, requests are sums of shares of lives,
# and latencies are of those that began in it. It ends early where pgbench's time, which counts connecting, was over
# before. When only a sample of the transactions was logged (--sampling-rate), or none, the warm-up was a process of its
# own, and totals are those that pgbench printed. A client that aborted leaves one transaction unfinished, which is an
# error; what was done before stands.
include "summary";
include "histogram";
include "pgbench";

# input: argv   output: the share of transactions that is logged
def _sampling_rate: first(.[] | capture("^--sampling-rate=(?<rate>[0-9.]+)$").rate | tonumber) // 1;

# input: seconds of the log   output: an entry each, of all transactions
def _timeline($opens; $rate):
  map((.metrics.latency.counts // [] | sort) as $counts | {
    t_s: (.t - $opens),
    requests: thousandths(.requests / $rate),
    errors: (.failed / $rate | round),
    answers: (.answers / $rate | round),
    p50_us: ($counts | percentile(0.5)),
    p95_us: ($counts | percentile(0.95)),
    in_flight: (.in_flight / $rate)
  });

# input: seconds of the log   output: the merged histogram of a metric as the summary has it, or null
def _metric($name; $kind): map(.metrics[$name] // empty) | merge_histograms | shape($kind);

# input: seconds of the log   output: transactions that were due and never begun, as the histogram's beyond, or null
def _skipped:
  (map(.skipped) | add // 0) as $count
  | if $count == 0 then null else {$count, more_than_us: (map(.metrics.from_schedule.max_us // 0) | max)} end;

# input: seconds of the log   output: latencies by script where there are several, or null
def _operations($scripts; $kind):
  . as $seconds
  | [$scripts // [] | to_entries[]
      | {key: .value.name, value: (.key as $n | $seconds | _metric("script_\($n)"; $kind))}]
  | if . == [] then null else from_entries end;

# input: the log's first line
# output: {opens, ends}: the window, in seconds from it. Of a sample it is not known who had ended what; arrivals on a
# schedule belong to when they were due.
def _window($cell; $open; $rate):
  (if $cell | has("warmup_argv") and .warmup_argv == null then $cell.warmup_s else 0 end) as $lead_s
  | ($lead_s + $cell.duration_s) as $end_s
  | if $open or $rate < 1 then {opens: $lead_s, ends: $end_s}
    else
      (.stopped_us / 1e6) as $stopped
      | ([$lead_s, (.answered_by_us / 1e6 | ceil)] | max) as $answered
      | (if .clients == $cell.level and $answered < ([$end_s, $stopped] | min) then $answered
         else $lead_s end) as $opens
      | {$opens, ends: (if $stopped > $opens then [$end_s, $stopped] | min else $end_s end)}
    end;

# output: what the logs say of the window
def _logged($anchor; $seconds; $cell; $printed; $rate):
  (if $printed.lag_average_ms then "open" else "closed" end) as $kind
  | ($anchor | _window($cell; $kind == "open"; $rate)) as {$opens, $ends}
  | ($seconds | map(select(.t >= $opens and .t < $ends))) as $window
  | ($seconds | map(select(.t < $opens))) as $before
  | ($anchor.anchor_s | todate | seconds_after($anchor.anchor_us / 1e6)) as $start
  | {
    window: {start: ($start | seconds_after($opens)), end: ($start | seconds_after($ends)), seconds: ($ends - $opens)},
    lead_in: (if $rate < 1 then null
      else {
        seconds: $opens, requests: thousandths($before | map(.requests) | add // 0),
        errors: ($before | map(.failed) | add // 0),
        longest_us: ($before | map({t, longest_us: (.metrics | (.from_schedule // .latency).max_us)})
          | outlasting($opens))} end),
    users: (if $rate < 1 then null
      else {count: $cell.level, answered: $anchor.clients, answered_by_s: ($anchor.answered_by_us / 1e6)} end),
    requests: thousandths($window | map(.requests) | add // 0),
    errors: {failed: ($window | map(.failed) | add // 0)},
    latency_us: ($window | if $kind == "closed" then _metric("latency"; $kind)
      else
        _skipped as $beyond
        | map(.metrics.from_schedule // empty) | merge_histograms | shape("open-from-schedule"; $beyond) end),
    latency_from_send_us: ($window | if $kind == "open" then _metric("latency"; $kind) else null end),
    dispatch_lag_us: ($window | _metric("lag"; $kind)),
    connect_us: ($window | _metric("connect"; $kind)),
    operations: ($window | _operations($printed.scripts; $kind)),
    in_flight_mean: (($window | map(.in_flight) | add // 0) / $rate / ($ends - $opens)),
    dropped_iterations: (if $printed.skipped == null then null
      elif $rate < 1 then $printed.skipped else $window | map(.skipped) | add // 0 end),
    timeline: ($window | _timeline($opens; $rate)),
    missing_requests: (if $printed.processed == null or $rate < 1 then null
      else $printed.processed - ($seconds | map(.answers) | add) end)
  };

# output: what the printed block says of the whole, {} when there is none
def _totals($printed; $cell):
  ($printed.tps_with_connecting // $printed.tps // 0) as $tps
  | if $printed.processed == null then {} else {
    window: {start: null, end: null, seconds: (if $tps > 0 then $printed.processed / $tps else $cell.duration_s end)},
    requests: ($printed.processed + ($printed.failed // 0)),
    errors: {failed: ($printed.failed // 0)}
  } end;

# input: what a generator printed   $logged: the lines of its log, null where nothing is logged
# output: whether it tells of all that it did, or of as large a sample as it should, within six standard deviations
def _is_whole($logged; $rate):
  .processed != null and (.aborted | not)
  and ($logged == null or ((.processed * $rate) as $expected
    | $logged >= $expected - if $rate < 1 then 6 * ($expected | sqrt) else 0 end));

$cell[0] as $cell | $status[0] as $status
| [inputs]
| map(select(startswith("{")) | fromjson? // empty) as $log
| (map(select(startswith("{") | not)) | printed_by_generator) as $by_generator
| ($cell.generators // 1) as $of
| [range(1; $of + 1) | $by_generator["\(.)"] // ([] | printed)] as $each
| ($each | printed_together) as $printed
| ($cell.argv // [] | _sampling_rate) as $rate
| ($log | map(select(has("t")))) as $seconds
| (if $seconds == [] then {} else _logged($log[0]; $seconds; $cell; $printed; $rate) end) as $logged
| (if $rate < 1 or $seconds == [] then $logged + _totals($printed; $cell) else $logged end)
| ([$each | to_entries[] | .key as $i | .value
    | _is_whole($log[0].logged | values |= (.["\($i + 1)"] // 0); $rate)]) as $whole
| . + {
  complete: (($whole | all) and ($printed.aborted | not) and (.missing_requests // 0) == 0),
  requests: ((.requests // 0) + $printed.aborted_clients),
  errors: ((.errors // {}) + {aborted: $printed.aborted_clients} | errors_object),
  printed: ($printed + {figures: ($printed | printed_figures)})
}
| . + (if $of == 1 then {}
  else {generators: [$each | to_entries[] | {number: (.key + 1),
    requests: (.value | (.processed // 0) + (.failed // 0)), began_after_ms: null, complete: $whole[.key]}]} end)
| . + if $printed.processed == null then {}
  else {
    requests_total: ($printed.processed + ($printed.failed // 0) + $printed.aborted_clients),
    successes_total: $printed.processed} end
| summary($cell; $status)
