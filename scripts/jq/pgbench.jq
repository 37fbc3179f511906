# The block that pgbench prints at its end, which no version of it prints as JSON. Versions 12 to 18 differ in what they
# tell and in a few words, so a line is known by its label, wherever it stands.

def _labels: {
  "transaction type": "script", "scaling factor": "scale", "query mode": "query_mode", "number of clients": "clients",
  "number of threads": "threads", "maximum number of tries": "tries", "duration": "duration_s",
  "number of transactions per client": "transactions_per_client",
  "number of transactions actually processed": "processed",
  "number of failed transactions": "failed", "number of serialization failures": "serialization_failures",
  "number of deadlock failures": "deadlock_failures", "number of transactions retried": "retried",
  "total number of retries": "retries",
  "number of transactions skipped": "skipped",
  "latency average": "latency_average_ms", "latency stddev": "latency_stddev_ms",
  "rate limit schedule lag": "lag_average_ms", "initial connection time": "initial_connection_ms",
  "average connection time": "average_connection_ms", "tps": "tps"
};

# input: text   output: the number that it begins with, else the text
def _value: . as $text | first(capture("^(avg )?(?<n>[0-9]+([.][0-9]+)?)").n | tonumber) // $text;

# input: a line   output: what it says as an object, {} when nothing
# tps is without connecting, but for --connect; versions 12 and 13 print it with and without.
def _fact:
  first(
    (capture("^(?<label>[a-z ]+)(:| =) (?<value>.*?) *$") | select(_labels[.label])
      | (if .value | test("including connections") then "tps_with_connecting" else _labels[.label] end) as $key
      | {($key): (.value | _value)}),
    (capture("^number of transactions above the (?<limit>[0-9.]+) ms latency limit: (?<late>[0-9]+)")
      | map_values(tonumber) | {late, latency_limit_ms: .limit}),
    (capture("^pgbench \\((?<version>[0-9][^ ,)]*)([^,]*, server (?<server>[0-9][^ )]*))?")
      | {version, server_version: .server}),
    (capture("client (?<client>[0-9]+) .*aborted") | {aborted_client: .client | tonumber}),
    (select(test("Run was aborted;")) | {aborted: true})
  ) // {};

# input: a line below "statement latencies", which said how many counts there are
# output: {latency_ms, failures, retries, text}, or null
def _statement($columns):
  first(
    capture("^ +(?<latency_ms>[0-9.]+)(?<counts>( +[0-9]+){\($columns)}) +(?<text>.*?) *$")
    | (.counts | [scan("[0-9]+") | tonumber]) as $counts
    | {latency_ms: (.latency_ms | tonumber), failures: $counts[0], retries: $counts[1], text}
  ) // null;

# input: {facts, scripts, columns}; the first script stands for the run   output: the same after one more line
def _next($line):
  ($line | test("^( - )?statement latencies in milliseconds")) as $heading
  | (if .columns == null then null else .columns as $columns | $line | _statement($columns) end) as $statement
  | if $heading then .columns = ($line | [scan("failures|retries")] | length)
    elif $statement then .scripts[-1].statements += [$statement]
    elif $line | test("^SQL script [0-9]+: ") then
      .columns = null | .scripts += [{name: ($line | sub("^SQL script [0-9]+: "; "")), statements: []}]
    elif ($line | startswith(" - ")) then
      .scripts[-1] += ($line | first(capture("^ - (?<transactions>[0-9]+) transactions ") | map_values(tonumber)) // {})
    else .columns = null | ($line | _fact) as $fact | .facts += $fact | .clients += [$fact.aborted_client | values]
    end;

# Statements of pgbench's own scripts, by how they begin.
def _statements: {
  "\\set aid": "set-aid", "\\set bid": "set-bid", "\\set tid": "set-tid", "\\set delta": "set-delta",
  "BEGIN": "begin", "UPDATE pgbench_accounts": "update-accounts",
  "SELECT abalance": "select-accounts", "UPDATE pgbench_tellers": "update-tellers",
  "UPDATE pgbench_branches": "update-branches",
  "INSERT INTO pgbench_history": "insert-history", "END": "end"};

# input: what printed gave   output: {quantity: number}: microseconds, counts, shares, and per second
def printed_figures:
  {"transactions.count": .processed, "errors.count": .failed,
    "errors.share": (
      if .processed > 0 and .failed != null then .failed / (.processed + .failed) else null end),
    "latency.mean": (.latency_average_ms | values |= . * 1000),
    "connecting.time": (.initial_connection_ms | values |= . * 1000), "throughput": .tps}
  + ([.statements[] | .text as $text
      | (first(_statements | to_entries[] | select(.key as $key | $text | startswith($key)).value) // null) as $name
      | select($name)
      | {"\($name).mean": (.latency_ms * 1000)}] | add // {})
  + {"statement-errors.count": ([.statements[].failures // empty] | add)}
  | map_values(values);

# input: lines
# output: what they say: keys as in _labels, and `aborted`, `aborted_clients`, `statements` of the whole run and, where
# there are several, `scripts`: [{name, transactions, statements}]. What was not printed is not there; lines that are
# something else, such as prompts, are passed over.
def printed:
  reduce .[] as $line ({facts: {aborted: false}, clients: [], scripts: [{statements: []}], columns: null}; _next($line))
  | (.facts | del(.aborted_client))
    + {aborted_clients: (.clients | unique | length), statements: .scripts[0].statements}
    + if .scripts[1:] == [] then {} else {scripts: .scripts[1:]} end;

# input: lines, of several generators after a line "# generator N" each
# output: {N: what it printed}, or {"1": what the only one did}
def printed_by_generator:
  reduce .[] as $line ({at: "1", lines: {}};
    ($line | capture("^# generator (?<number>[0-9]+)$").number // null) as $number
    | if $number then .at = $number else .lines[.at] += [$line] end)
  | .lines | map_values(printed);

# input: the sum of a number of each, null where one does not tell
def _sum_of(f): map(f) | if any(. == null) then null else add end;

# input: what several generators printed, one at least
# output: what one would have, had it made the whole load: sums, and means by transactions
def printed_together:
  if length == 1 then .[0]
  else . as $all
    | (["processed", "failed", "serialization_failures", "deadlock_failures", "retried", "retries", "skipped", "late",
        "tps", "tps_with_connecting", "clients", "threads"]
        | map(. as $key | {($key): ($all | _sum_of(.[$key]))}) | add | map_values(values)) as $sums
    | (map(.processed // 0) | if add == 0 then map(1) else . end) as $weights
    | def mean_of(f):
        map(f) | if any(. == null) then null
          else [., $weights] | transpose | (map(.[0] * .[1]) | add) / ($weights | add) | . * 1e6 | round / 1e6 end;
      (["latency_average_ms", "lag_average_ms", "initial_connection_ms", "average_connection_ms"]
        | map(. as $key | {($key): ($all | mean_of(.[$key]))}) | add | map_values(values)) as $means
    | (.[0] | del(.processed, .latency_stddev_ms)) + $sums + $means
      + {aborted: any(.aborted), aborted_clients: (map(.aborted_clients) | add),
         statements: (if any(.statements == []) then [] else . as $all | [range(.[0].statements | length) as $i
           | $all[0].statements[$i] + {latency_ms: ($all | mean_of(.statements[$i].latency_ms)),
               failures: ($all | _sum_of(.statements[$i].failures))}] end)}
  end;
