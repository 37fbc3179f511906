# Figures as people say them.

# input: seconds   output: as people say it: 80 s, 12 min, 3.5 hours
def duration:
  if . < 90 then "\(ceil) s" elif . < 5400 then "\(. / 60 | ceil) min" else "\(. / 360 | round | . / 10) hours" end;

# input: how many   output: 1 block, 2 blocks
def counted($thing): "\(.) \($thing)\(if . == 1 then "" else "s" end)";

# input: bytes   output: 80 MB, 2.1 GB
def megabytes: . / 1048576 | if . < 1000 then "\(ceil) MB" else "\(. / 102.4 | round | . / 10) GB" end;
