# Reduces pgbench's per-transaction logs, which are too long for jq, to a line of JSON per second.
# Usage: awk -f scripts/awk/pgbench.awk stdout.log stderr.log raw.pgbench.*
#
# What pgbench printed (files whose name ends in .log) passes through. A line of its own log is
#   client transaction time_us script epoch_s epoch_us [lag_us] [retries]
# where time_us may be a word instead: skipped, or how the transaction failed. Lag is there under --rate alone, which the
# printed block tells. Printed are
#   {"anchor_s","anchor_us"}     when the first transaction began: second 0 begins there
#   {"t","requests","failed","skipped","in_flight","metrics":{name:{"count","sum_us","min_us","max_us","counts":[[value,count],...]}}}
# A transaction counts in the second in which it ended. Metrics: latency, from the send; connect, lag and from_schedule where
# they exist; script_<n> where there are several. in_flight is the sum of overlap of every transaction with the second, in
# client-seconds. Values below 2048 are exact, others are the middle of a bin that is at most 0.1 % wide, as k6's output has
# them; counts are not sorted. Under --connect pgbench's own time leaves the connecting out. Here it belongs to the latency,
# as it does for an HTTP target: what lies between two transactions of a client is its connecting.

BEGIN {
  for (i = 1; i < ARGC; i++) {
    if (ARGV[i] !~ /[.]log$/ && (getline line < ARGV[i]) > 0) {
      split(line, f)
      took = f[3] ~ /^[0-9]+$/ ? f[3] : 0
      if (!logs++ || (f[5] - anchor_s) * 1000000 + f[6] - took < anchor_us) {
        anchor_s = f[5]
        anchor_us = f[6] - took
      }
      close(ARGV[i])
    }
  }
  while (anchor_us < 0) { anchor_us += 1000000; anchor_s-- }
}

FILENAME ~ /[.]log$/ {
  if (/^rate limit schedule lag:/) throttled = 1
  if (/^average connection time =/) reconnects = 1
  if (/^SQL script 2:/) several = 1
  print
  next
}

{
  end = ($5 - anchor_s) * 1000000 + $6 - anchor_us
  t = end < 0 ? 0 : int(end / 1000000)
  if (t > last) last = t
  if ($3 == "skipped") { skipped[t]++; next }
  requests[t]++
  if ($3 !~ /^[0-9]/) {
    failed[t]++
    ended[$1] = end
    next
  }
  latency = $3
  if (throttled) {
    add("from_schedule", latency)
    add("lag", $7)
    latency -= $7
  }
  if (reconnects && ($1 in ended)) {
    connect = end - latency - ended[$1]
    add("connect", connect)
    latency += connect
  }
  ended[$1] = end
  add("latency", latency)
  if (several) add("script_" $4, latency)
  overlap(end - latency, end)
}

# Records a value of second t.
function add(name, value,    key, width) {
  key = t SUBSEP name
  if (!(key in count)) { min[key] = max[key] = value; names[name] }
  count[key]++
  sum[key] += value
  if (value < min[key]) min[key] = value
  if (value > max[key]) max[key] = value
  for (width = 1; value >= 2048 * width; width *= 2) continue
  if (width > 1) value += int(width / 2) - value % width
  bins[key SUBSEP value]++
}

# Adds the time between begin and end, in microseconds from the anchor, to the seconds that it touches.
function overlap(begin, end,    s, edge) {
  if (begin < 0) begin = 0
  for (s = int(begin / 1000000); begin < end; s++) {
    edge = (s + 1) * 1000000 < end ? (s + 1) * 1000000 : end
    in_flight[s] += edge - begin
    begin = edge
  }
}

END {
  if (!logs) exit
  printf "{\"anchor_s\":%.0f,\"anchor_us\":%.0f}\n", anchor_s, anchor_us
  for (bin in bins) {
    split(bin, f, SUBSEP)
    key = f[1] SUBSEP f[2]
    pairs[key] = pairs[key] (key in pairs && pairs[key] != "" ? "," : "") sprintf("[%.0f,%d]", f[3], bins[bin])
  }
  for (t = 0; t <= last; t++) {
    printf "{\"t\":%d,\"requests\":%d,\"failed\":%d,\"skipped\":%d,\"in_flight\":%.6f,\"metrics\":{", t, requests[t], failed[t], skipped[t], in_flight[t] / 1000000
    comma = ""
    for (name in names) {
      key = t SUBSEP name
      if (!(key in count)) continue
      printf "%s\"%s\":{\"count\":%d,\"sum_us\":%.0f,\"min_us\":%.0f,\"max_us\":%.0f,\"counts\":[%s]}", comma, name, count[key], sum[key], min[key], max[key], pairs[key]
      comma = ","
    }
    print "}}"
  }
}
