# Reduces pgbench's per-transaction logs, which are too long for jq, to a line of JSON per second.
# Usage: awk -f scripts/awk/pgbench.awk stdout.log stderr.log raw.pgbench.*      of several generators stdout.N.log and raw.pgbench-N.*
#
# What pgbench printed (files whose name ends in .log) passes through, of several generators after a line "# generator N". A line of its own log is
#   client transaction time_us script epoch_s epoch_us [lag_us] [retries]
# where time_us may be a word instead: skipped, or how the transaction failed. Lag is there under --rate alone, which the
# printed block tells. Printed are
#   {"anchor_s","anchor_us","clients","answered_by_us","stopped_us","logged":{generator:lines}}
#       when the first transaction began: second 0 begins there; how many clients ended one, by when each of them had, and when the first of
#       them had none under way any more, as pgbench's time was over (null under --rate)
#   {"t","requests","answers","failed","skipped","in_flight","metrics":{name:{"count","sum_us","min_us","max_us","counts":[[value,count],...]}}}
# requests: of each transaction the share of its life that lies in the second, until stopped_us; under --rate, those that were due in it. What
# failed does not say how long it took, and counts where it ended. answers ended in the second. in_flight is the sum of overlap of every
# transaction with the second, in client-seconds. Metrics are of transactions that began in the second, or were due in it, to their end:
# latency, from the send; connect, lag and from_schedule where they exist; script_<n> where there are several. Values below 2048 are exact,
# others are the middle of a bin that is at most 0.1 % wide, as k6's output has them; counts are not sorted. Under --connect pgbench's own
# time leaves the connecting out. Here it belongs to the latency, as it does for an HTTP target: what lies between two transactions of a
# client is its connecting.

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

FNR == 1 && match(FILENAME, /[.][0-9]+[.]log$/) { print "# generator " substr(FILENAME, RSTART + 1, RLENGTH - 5) }

FILENAME ~ /[.]log$/ {
  if (/^rate limit schedule lag:/) throttled = 1
  if (/^average connection time =/) reconnects = 1
  if (/^SQL script 2:/) several = 1
  print
  next
}

# Each generator counts its clients from 0.
FNR == 1 { generator = match(FILENAME, /raw[.]pgbench-[0-9]+/) ? substr(FILENAME, RSTART + 12, RLENGTH - 12) : 1 }

{
  logged[generator]++
  client = generator SUBSEP $1
  end = ($5 - anchor_s) * 1000000 + $6 - anchor_us
  if (end < 0) end = 0
  t = second(end)
  if ($3 == "skipped") { skipped[t]++; next }
  known = client in ended
  before = known ? ended[client] : 0
  began[client] = ended[client] = end
  if (!known) {
    clients++
    if (end > answered_by) answered_by = end
  }
  if ($3 !~ /^[0-9]/) {
    requests[t]++
    failed[t]++
    next
  }
  answers[t]++
  latency = $3
  if (throttled) {
    t = second(end - latency)
    add("from_schedule", latency)
    add("lag", $7)
    latency -= $7
    requests[t]++
  }
  connect = reconnects && known ? end - latency - before : 0
  latency += connect
  begin = began[client] = end > latency ? end - latency : 0
  if (begin > latest) latest = begin
  if (!throttled) t = second(begin)
  if (reconnects && known) add("connect", connect)
  add("latency", latency)
  if (several) add("script_" $4, latency)
  if (!throttled && begin == end) requests[t]++
  live(begin, end, begin, 1)
}

# The second of a moment, in microseconds from the anchor.
function second(us,    s) {
  s = us < 0 ? 0 : int(us / 1000000)
  if (s > last) last = s
  return s
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

# Adds what a transaction from begin to end lived from a moment on to the seconds that it touches, or takes it away.
function live(begin, end, from, sign,    s, edge) {
  for (s = int(from / 1000000); from < end; s++) {
    edge = (s + 1) * 1000000 < end ? (s + 1) * 1000000 : end
    in_flight[s] += sign * (edge - from)
    if (!throttled) requests[s] += sign * (edge - from) / (end - begin)
    from = edge
  }
}

# When the first client had nothing under way any more. None begins later; one that aborted ended earlier.
function stop(    client, first) {
  first = -1
  for (client in ended) if (first < 0 || ended[client] < first) first = ended[client]
  return first < latest ? latest : first
}

END {
  if (!logs) exit
  stopped = stop()
  if (!throttled) for (client in ended) live(began[client], ended[client], began[client] < stopped ? stopped : began[client], -1)
  for (generator in logged) lines = lines (lines == "" ? "" : ",") sprintf("\"%d\":%d", generator, logged[generator])
  printf "{\"anchor_s\":%.0f,\"anchor_us\":%.0f,\"clients\":%d,\"answered_by_us\":%.0f,\"stopped_us\":%s,\"logged\":{%s}}\n", anchor_s, anchor_us, \
    clients, answered_by, throttled ? "null" : sprintf("%.0f", stopped), lines
  for (bin in bins) {
    split(bin, f, SUBSEP)
    key = f[1] SUBSEP f[2]
    pairs[key] = pairs[key] (key in pairs && pairs[key] != "" ? "," : "") sprintf("[%.0f,%d]", f[3], bins[bin])
  }
  for (t = 0; t <= last; t++) {
    printf "{\"t\":%d,\"requests\":%.6f,\"answers\":%d,\"failed\":%d,\"skipped\":%d,\"in_flight\":%.6f,\"metrics\":{", \
      t, requests[t], answers[t], failed[t], skipped[t], in_flight[t] / 1000000
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
