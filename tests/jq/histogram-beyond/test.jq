include "histogram";

def histogram:
  if . == null then null
  else {sum_us: map(.[0] * .[1]) | add, min_us: .[0][0], max_us: .[-1][0], counts: .} end;

map_values(.beyond as $beyond | .counts | histogram | shape("closed"; $beyond)
  | if . == null then null else del(.histogram) end)
