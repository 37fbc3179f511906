# Adapter for what wrk/lib/report.lua writes. wrk knows no timeline, no number in flight and no wrong answers; which status
# an error had it knows only when told to count them. A status above 399 is an error, and a redirect where they are counted. Requests that
# were never answered are counted nowhere.
include "summary";
include "histogram";
include "wrk-correction";

# So many answers each connection must have had for completions to be a rate: the requests under way at both ends of the window are not seen.
def _answers_per_connection: 20;

# input: the parsed file   output: errors by class. A late answer is a `timeout`, and no latency; when late answers had a
# wrong status as well, wrk counts them twice.
def _errors:
  (.errors.connect + .errors.read + .errors.write) as $transport
  | ([.errors.timeout, .requests - .errors.status] | min) as $timeout
  | {$timeout, $transport} + (
      if .statuses == null then {status: .errors.status}
      else .statuses | to_entries | {
        status_3xx: (map(select(.key | test("^3")).value) | add // 0),
        status_4xx: (map(select(.key | test("^4")).value) | add // 0),
        status_5xx: (map(select(.key | test("^5")).value) | add // 0)
      } end)
  | errors_object;

# input: the parsed file   output: what was measured, without the samples that wrk's correction added: {latency_us, correction}
# A file that does not say how many connections there were keeps the correction, and its kind says so.
def _latencies:
  if .counts == [] then {latency_us: null, correction: null}
  elif .connections == null then
    {latency_us: ({sum_us: (.latency_us.mean * (.counts | total_count)), min_us: .latency_us.min, max_us: .latency_us.max, counts: (.counts | binned)} | shape("wrk-corrected")),
     correction: null}
  else
    without_correction as {$counts, $interval_us, $added, $fault}
    | {latency_us: (if $fault then null
         else {sum_us: ($counts | map(.[0] * .[1]) | add), min_us: $counts[0][0], max_us: $counts[-1][0], counts: ($counts | binned)} | shape("wrk") end),
       correction: {$interval_us, added_samples: $added, $fault}}
  end;

$cell[0] as $cell | $status[0] as $status
| [inputs] | join("\n") | (fromjson? // null | objects // null)
| if . == null then {complete: false} else {
  complete: true,
  window: {
    start: ($status.started_at | seconds_after(0)),
    end: (.duration_us as $us | $status.started_at | seconds_after($us / 1e6)),
    seconds: (.duration_us / 1e6)
  },
  bytes_per_answer: (if .requests > 0 and .one_request != false then .bytes / .requests else null end),
  requests: (.requests + .errors.connect + .errors.read + .errors.write),
  errors: _errors
} + _latencies end
| summary($cell; $status)
| if .requests < _answers_per_connection * $cell.level then .throughput_rps = null else . end
