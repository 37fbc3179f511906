# What ab prints and writes.

def _number($name): first(.[] | capture("^\($name): +(?<n>[0-9.]+)").n | tonumber) // null;

# input: the lines that ab printed
# output: {whole: whether the report is there to its end, path, document_bytes, concurrency, seconds, complete_requests,
#   failed: {connect, receive, length, exceptions}, non_2xx, keep_alive_requests: null without -k, transferred_bytes,
#   requests_per_s}
# ab prints a number of failures only where there are any, and leaves -k's line out where it is not asked for it.
def ab_report:
  "^ +\\(Connect: (?<connect>[0-9]+), Receive: (?<receive>[0-9]+), " as $transport
  | "Length: (?<length>[0-9]+), Exceptions: (?<exceptions>[0-9]+)\\)" as $answers
  | (first(.[] | capture($transport + $answers)
    | map_values(tonumber)) // {connect: 0, receive: 0, length: 0, exceptions: 0}) as $failed
  | {
    whole: (any(.[]; startswith("Transfer rate:"))
      and (_number("Complete requests") < 2 or any(.[]; test("^ 100%.*longest request")))),
    path: (first(.[] | capture("^Document Path: +(?<path>.*)").path) // null),
    document_bytes: _number("Document Length"),
    concurrency: _number("Concurrency Level"),
    seconds: _number("Time taken for tests"),
    complete_requests: _number("Complete requests"),
    $failed,
    non_2xx: (_number("Non-2xx responses") // 0),
    keep_alive_requests: _number("Keep-Alive requests"),
    transferred_bytes: _number("Total transferred"),
    requests_per_s: _number("Requests per second")
  };

# input: the lines that ab printed
# output: {quantity: number} of its tables: microseconds, bytes, counts, and per second. ab rounds times to the
# millisecond.
def ab_figures:
  "^(?<row>Connect|Processing|Waiting|Total): +(?<min>[0-9]+) +(?<mean>[0-9]+) +" as $row_mean
  | "(?<sd>[0-9.]+) +(?<p50>[0-9]+) +(?<max>[0-9]+)$" as $spread
  | [.[] | capture($row_mean + $spread)
    | ({Connect: "connecting"}[.row] // (.row | ascii_downcase)) as $row | del(.row)
    | to_entries[] | {"\($row).\(.key)": (.value | tonumber * 1000)}]
  + [.[] | capture("^ +(?<p>[0-9]+)% +(?<ms>[0-9]+)")
    | {(if .p == "100" then "latency.max" else "latency.p\(.p)" end): (.ms | tonumber * 1000)}]
  + [.[] | capture("^Time per request: +(?<ms>[0-9.]+) \\[ms\\] \\(mean(?<all>, across all)?")
    | {(if .all then "interval.mean" else "latency.mean" end): (.ms | tonumber * 1000)}]
  + [{"document.size": _number("Document Length"),
      "window.time": (_number("Time taken for tests") | values |= . * 1e6),
      "requests.count": _number("Complete requests"), "errors.count": _number("Failed requests"),
      "kept-alive.count": _number("Keep-Alive requests"), "received.size": _number("Total transferred"),
      "bodies.size": _number("HTML transferred"), "throughput": _number("Requests per second"),
      "received.rate": (_number("Transfer rate") | values |= . * 1024)}]
  | add | map_values(values);

# input: a report
# output: errors by class. A connection that breaks ends a request that ab calls complete, and whose length is another
# than the first's; where it could not be opened, ab may count that twice. Such a request is counted once here. An
# answer of wrong status and another length is counted twice, by ab and here.
def ab_errors:
  (.complete_requests // 0) as $done
  | ([.failed.receive + .failed.exceptions, $done] | min) as $broken
  | ([.non_2xx, $done - $broken] | min) as $status
  | {
    transport: (.failed.connect + $broken),
    $status,
    length: ([([.failed.length - $broken, 0] | max), $done - $broken - $status] | min)
  };

# input: a report
# output: its window in seconds, or null. ab prints it to the millisecond; of less than half of one only the rate tells.
def ab_window_s:
  if .seconds > 0 then .seconds elif .requests_per_s > 0 then .complete_requests / .requests_per_s else null end;

# output: which request, counted from 0 in ascending order, a percentage of $n requests stands for (ab.c,
# output_results)
def _rank($percentage; $n): [$n - 1, (0.5 + $n * $percentage / 100 | floor)] | min;

# input: how many values   output: them, evenly between $low and $high: [value, count] pairs, eight at most
def _spread($low; $high):
  . as $count | ([$count, 8] | min) as $steps
  | range($steps) | [$low + ($high - $low) * (. + 0.5) / $steps,
      (($count * (. + 1) / $steps | floor) - ($count * . / $steps | floor))];

# input: [ms, count] of requests in ascending order, each time rounded to the millisecond
# $percentiles: [[percentage, microseconds], ...]
# output: {counts: [[microseconds, count], ...] ascending, fault: null, or why the two do not belong together}
# A request's time lies within half a millisecond of what is listed, and between the percentiles around it, which are
# exact. Those between two percentiles, one in a hundred, are spread evenly there.
def ab_latencies($percentiles):
  (map(.[1]) | add // 0) as $n
  | if $n == 0 then {counts: [], fault: null}
    elif ($percentiles | map(.[0])) != [range(101)] then {counts: [], fault: "not all percentiles are there"}
    else
      ([$percentiles[] | {rank: _rank(.[0]; $n), us: .[1]}] | unique_by(.rank)) as $exact
      | [foreach .[] as [$ms, $count] ({next: 0}; {first: .next, next: (.next + $count), $ms})] as $runs
      # cuts: before and after each exact request, and where the listed milliseconds change
      | ([$exact[].rank | ., . + 1] + [$runs[].first] | unique | map(select(. < $n))) as $cuts
      | reduce range($cuts | length) as $i ({run: 0, at: 0, counts: [], fault: null};
          $cuts[$i] as $from | ($cuts[$i + 1] // $n) as $to
          | until($runs[.run].next > $from; .run += 1)
          | until($exact[.at + 1] == null or $exact[.at + 1].rank > $from; .at += 1)
          | ($runs[.run].ms * 1000 - 500) as $least | ($runs[.run].ms * 1000 + 500) as $most
          | $exact[.at] as $below | $exact[.at + 1] as $above
          | if $below.rank == $from then
              if $below.us < $least or $below.us > $most then
                .fault //= ("request \($from) of \($n) took \($below.us) us among the percentiles "
                  + "and \($runs[.run].ms) ms in the list")
              else . end
              | .counts += [[$below.us, 1]]
            else
              .counts += [($to - $from) | _spread([$least, $below.us] | max; [$most, $above.us // infinite] | min)]
            end)
      | {counts, fault}
    end;
