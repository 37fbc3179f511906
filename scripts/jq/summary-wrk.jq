# Adapter for what wrk/lib/report.lua writes. wrk knows no timeline, no number in flight and no wrong answers; which status
# an error had it knows only when told to count them. A status above 399 is an error, a redirect is not. Requests that
# were never answered are counted nowhere.
include "summary";
include "histogram";

# input: the parsed file   output: errors by class. A late answer is a `timeout`, and no latency; when late answers had a
# wrong status as well, wrk counts them twice.
def _errors:
  (.errors.connect + .errors.read + .errors.write) as $transport
  | ([.errors.timeout, .requests - .errors.status] | min) as $timeout
  | {$timeout, $transport} + (
      if .statuses == null then {status: .errors.status}
      else .statuses | to_entries | {
        status_4xx: (map(select(.key | test("^4")).value) | add // 0),
        status_5xx: (map(select(.key | test("^5")).value) | add // 0)
      } end)
  | errors_object;

# input: the parsed file   output: wrk's corrected latencies, or null
def _latency:
  if .latency_us == null then null
  else
    (.counts | total_count) as $count
    | {sum_us: (.latency_us.mean * $count), min_us: .latency_us.min, max_us: .latency_us.max, counts}
    | shape("wrk-corrected") end;

$cell[0] as $cell | $status[0] as $status
| [inputs] | join("\n") | (fromjson? // null | objects // null)
| if . == null then {complete: false} else {
  complete: true,
  window: {
    start: ($status.started_at | seconds_after(0)),
    end: (.duration_us as $us | $status.started_at | seconds_after($us / 1e6)),
    seconds: (.duration_us / 1e6)
  },
  requests: (.requests + .errors.connect + .errors.read + .errors.write),
  errors: _errors,
  latency_us: _latency
} end
| summary($cell; $status)
