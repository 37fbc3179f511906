# Figures as people say them.

# input: seconds   output: as people say it: 80 s, 12 min, 3.5 hours
def duration:
  if . < 90 then "\(ceil) s" elif . < 5400 then "\(. / 60 | ceil) min" else "\(. / 360 | round | . / 10) hours" end;

# input: how many   output: 1 block, 2 blocks
def counted($thing): "\(.) \($thing)\(if . == 1 then "" elif $thing | endswith("ch") then "es" else "s" end)";

# input: bytes   output: 80 MB, 2.1 GB
def megabytes: . / 1048576 | if . < 1000 then "\(ceil) MB" else "\(. / 102.4 | round | . / 10) GB" end;

# input: a plan   output: what it looks for by probes, to follow the number of its trials; "" where it looks for nothing
def searches_text:
  (.searches // []) as $searches
  | ($searches | map(.cell.think_s // empty) | .[0]) as $think_s
  | ($searches | map(.cell | select(.think_s | not) | [.target, .variant, .workload, .database])
      | unique | length) as $places
  | if $searches == [] then ""
    else
      ", and in each block \($places | counted("search")) for the highest rate at which \(.objective.text) holds"
      + (if $think_s then " and as many for the most users, who think for \($think_s) s" else "" end)
      + ", by probes, 14 at most each,"
    end;
