include "counters";

map_values(. as $readings | database_counts | if . == null then null else
  {calls: .statements.calls,
   top: (if .statements then $readings | _statements_run[:5] | map([.query, .calls]) else null end),
   sessions, wal_bytes, bgwriter, buffer_hit_ratio, denied, reason} end)
