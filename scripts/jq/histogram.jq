# Histograms: counts are [[value, count], ...], ascending by value. The one definition of merging and of percentiles,
# for every tool; scripts/analyse/histogram.js holds the same, and a test holds the two equal.

# input: an array of counts   output: their sum, as counts
def merge_counts: add // [] | group_by(.[0]) | map([.[0][0], (map(.[1]) | add)]);

# input: counts   output: how many values they hold
def total_count: map(.[1]) | add // 0;

# input: counts
# output: the smallest value v such that at least p * $total values are <= v (nearest rank), p from 0 to 1. Values that
# are missing from the counts, up to $total, are greater than all of them: null where the rank falls there, or where
# there is nothing.
def percentile($p; $total):
  ($p * $total) as $rank
  | first(foreach .[] as [$value, $count] (0; . + $count; select(. >= $rank) | $value)) // null;

# input: counts   output: likewise, with none missing
def percentile($p): total_count as $total | percentile($p; $total);

# input: a value in whole microseconds
# output: the middle of its bin, as HdrHistogram has it at three significant digits: bins are 1 wide below 2,048, and
# twice as wide at each doubling
def bin_middle:
  if . < 2048 then . else . as $v | pow(2; ($v | log2 | floor) - 10) as $width | $v - $v % $width + ($width / 2) end;

# input: counts in whole microseconds, ascending   output: the same values in bins
def binned: [map([(.[0] | bin_middle), .[1]])] | merge_counts;

# input: an array of {count, sum_us, min_us, max_us, counts}   output: one such object for all of them, or null when
# there is nothing in them
def merge_histograms:
  map(select(.count > 0))
  | if length == 0 then null
    else {
      count: map(.count) | add,
      sum_us: map(.sum_us) | add,
      min_us: map(.min_us) | min,
      max_us: map(.max_us) | max,
      counts: map(.counts) | merge_counts
    } end;

# input: {sum_us, min_us, max_us, counts} or null
# $beyond: {count, more_than_us} of requests without an answer, or null where there
# are none   output: the latency object of a summary, or null
# A value is known to its bin, so a percentile may come out up to 0.05 % beyond an extreme, which is exact: it is then
# the extreme. Mean, minimum and maximum are of what is in the counts.
def shape($kind; $beyond):
  if . == null and $beyond == null then null
  else
    (. // {sum_us: 0, min_us: null, max_us: null, counts: []}) as {$sum_us, $min_us, $max_us, $counts}
    | ($counts | total_count) as $count
    | ($count + ($beyond.count // 0)) as $total
    | def at($p): $counts | percentile($p; $total) | values |= ([[., $min_us] | max, $max_us] | min);
    {
      kind: $kind,
      $count,
      $beyond,
      mean: (if $count == 0 then null else $sum_us / $count * 1000 | round / 1000 end),
      min: $min_us, max: $max_us,
      p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p99_9: at(0.999),
      histogram: {unit: "us", digits: 3, $counts}
    } end;

# likewise, with every request answered
def shape($kind): shape($kind; null);
