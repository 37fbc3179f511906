# Adapter for what wrk/lib/report.lua writes. wrk knows no timeline, no number in flight and no wrong answers; which
# status an error had it knows only when told to count them. A status above 399 is an error, and a redirect where they
# are counted. Requests that were never answered are counted nowhere.
include "summary";
include "histogram";
include "wrk-correction";

# input: the parsed file
# output: errors by class. A late answer is a `timeout`, and no latency; when late answers had a wrong status as well,
# wrk counts them twice.
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

# input: the parsed file
# output: what was measured, without the samples that wrk's correction added: {latency_us, correction}
# A file that does not say how many connections there were keeps the correction, and its kind says so.
def _latencies:
  if .counts == [] then {latency_us: null, correction: null}
  elif .connections == null then
    {latency_us: ({sum_us: (.latency_us.mean * (.counts | total_count)),
       min_us: .latency_us.min, max_us: .latency_us.max, counts: (.counts | binned)} | shape("wrk-corrected")),
     correction: null}
  else
    without_correction as {$counts, $interval_us, $added, $fault}
    | {latency_us: (if $fault then null
         else
           {sum_us: ($counts | map(.[0] * .[1]) | add), min_us: $counts[0][0], max_us: $counts[-1][0],
            counts: ($counts | binned)} | shape("wrk") end),
       correction: {$interval_us, added_samples: $added, $fault}}
  end;

# input: objects of numbers   output: their sum, key by key
def _sums: map(to_entries[]) | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | from_entries;

# input: what several processes left that shared a load
# output: the sum, and in `latencies` those of all, the correction taken from each by itself
def _added:
  map(_latencies) as $each
  | (first($each[].correction.fault // empty) // null) as $fault
  | .[0] + {
      duration_us: (map(.duration_us) | max), requests: (map(.requests) | add), bytes: (map(.bytes) | add),
      errors: (map(.errors) | _sums),
      statuses: (map(.statuses // empty) | if . == [] then null else _sums end),
      latencies: {
        latency_us: (if $fault then null
          else [$each[].latency_us // empty
              | {count, sum_us: (.mean * .count), min_us: .min, max_us: .max, counts: .histogram.counts}]
            | merge_histograms | values |= shape("wrk") end),
        correction: {interval_us: null, added_samples: ([$each[].correction.added_samples // 0] | add), $fault}}};

$cell[0] as $cell | $status[0] as $status
| ($cell.generators // 1) as $of
| [inputs] | (if $of == 1 then [join("\n")] else . end) | map(fromjson? // empty | objects)
| . as $left
| (if $of == 1 then {} else {generators: [range(1; $of + 1) as $number
    | (first($left[] | select(.generator == $number)) // null)
    | {$number, requests: (.requests // 0), began_after_ms: null, complete: (. != null)}]} end) as $generators
| if $left == [] then {complete: false} else (if $of == 1 then .[0] else _added end)
| {
  complete: (($left | length) == $of),
  window: {
    start: ($status.started_at | seconds_after(0)),
    end: (.duration_us as $us | $status.started_at | seconds_after($us / 1e6)),
    seconds: (.duration_us / 1e6)
  },
  bytes_per_answer: (if .requests > 0 and .one_request != false then .bytes / .requests else null end),
  requests: (.requests + .errors.connect + .errors.read + .errors.write),
  errors: _errors
} + (.latencies // _latencies) + $generators end
| summary($cell; $status)
| without_rate_of_few($cell) # what is under way at both ends of the window is not seen
