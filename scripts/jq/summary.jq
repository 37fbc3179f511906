# The common shape of a cell's summary, whichever tool made the load. An adapter, summary-<tool>.jq, is called as
#   jq -n -R -L scripts/jq --slurpfile cell cell.json --slurpfile status status.json \
#     -f scripts/jq/summary-<tool>.jq RAW...
# reads the raw files as text, line by line, and prints summary.json without `resources` and `database`.

# input: ISO 8601 in UTC, with a fraction of a second or without   output: the same, $seconds later, to the millisecond
def seconds_after($seconds):
  capture("^(?<whole>[^.Z]+)(?<fraction>\\.[0-9]+)?Z$")
  | ((.whole + "Z" | fromdateiso8601) * 1000 + ((.fraction // "0" | tonumber) + $seconds) * 1000 | round)
  | "\(. / 1000 | floor | todate | rtrimstr("Z")).\("00\(. % 1000)" | .[-3:])Z";

# to three decimals, which is what sums of shares are good for
def thousandths(f): f * 1000 | round / 1000;

# input: {t, longest_us} of each second of a lead-in that ends at $opens
# output: the longest time of what began there and may have lived on, or null
def outlasting($opens): map(select(.longest_us and (.t + 1) * 1e6 + .longest_us > $opens * 1e6).longest_us) | max;

# input: errors by class   output: {total, by_class} without the classes in which there is none
def errors_object: with_entries(select(.value > 0)) | {total: (add // 0), by_class: .};

# input: what an adapter found: `complete`, and what else the tool can tell   output: the summary
# Requests that failed are requests, but neither successes nor throughput. What is missing was not measured, and is
# null; of a tool that left nothing to read there are no requests. A tool that makes requests only while it measures
# need not say how many it made in all.
def summary($cell; $status):
  {
    requests: 0, errors: ({} | errors_object), window: {start: null, end: null, seconds: $cell.duration_s},
    lead_in: null, users: null,
    latency_us: null, latency_from_send_us: null, dispatch_lag_us: null, connect_us: null, connections: null,
    checked: null, bytes_per_answer: null, rows_acknowledged: null,
    operations: null, in_flight_mean: null, longest_pause_ms: null, dropped_iterations: null,
    interrupted_iterations: null, timeline: null,
    correction: null, bad_lines: null, impossible_seconds: null, missing_requests: null
  } + .
  | .successes = thousandths(.requests - .errors.total)
  | {
    schema: "summary/2",
    run: $cell.run,
    plan_hash: $cell.plan_hash,
    git_commit: $cell.git_commit,
    environment_hash: $cell.environment_hash,
    cell: ($cell | {id, block, database, target, variant, workload, tool, model, level, duration_s, warmup_s}
      + if .requests then {requests} else {} end + if .generators then {generators} else {} end
      + if .think_s then {think_s} else {} end)
  } + {requests_total: .requests, successes_total: .successes} + .
    + {throughput_rps: (.successes / .window.seconds), $status};

# So many answers each connection must have had for completions to be a rate, where a tool does not see what is under
# way at the ends of the window.
def _answers_per_connection: 20;

# input: the summary of such a tool   output: the same; of fewer answers there is no throughput
def without_rate_of_few($cell):
  if .requests < _answers_per_connection * $cell.level then .throughput_rps = null else . end;
