# Reduces what ab wrote, which is too long for jq, to a line of JSON per percentile and per millisecond.
# Usage: awk -f scripts/awk/ab.awk stdout.log stderr.log raw.ab.percentiles.csv raw.ab.requests.tsv
#
# What ab printed (files whose name ends in .log) passes through. The others have a heading each:
#   Percentage served,Time in ms      0 to 100, to the microsecond: of n requests in ascending order, counted from 0, the one numbered
#                                     floor(0.5 + n * percentage / 100), or the last
#   starttime seconds ctime dtime ttime wait      a line per request, ascending by ttime: when it began, to the second, and how long it took
#                                     to connect, from then to the answer's end, both together, and from the send to the answer's first byte, each
#                                     rounded to the millisecond
# Printed are {"percentage","us"} for each, and {"ms","count"} for requests in a row whose ttime is the same, in the file's order; at the end
# {"bad"}: how many lines are neither, if any.

function flush() {
  if (count) printf "{\"ms\":%d,\"count\":%d}\n", ms, count
  count = 0
}

FILENAME ~ /[.]log$/ { print; next }
FNR == 1 { next }

FILENAME ~ /[.]csv$/ {
  if (split($0, f, ",") == 2 && f[1] ~ /^[0-9]+$/ && f[2] ~ /^[0-9]+[.][0-9]+$/) printf "{\"percentage\":%d,\"us\":%.0f}\n", f[1], f[2] * 1000
  else bad++
  next
}

{
  if (split($0, f, "\t") != 6 || f[5] !~ /^[0-9]+$/) { bad++; next }
  if (count && f[5] != ms) flush()
  ms = f[5]
  count++
}

END {
  flush()
  if (bad) printf "{\"bad\":%d}\n", bad
}
