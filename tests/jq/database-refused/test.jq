include "counters";

map_values(database_counts | if . == null then null else
  {calls: .statements.calls, top: (.top_statements | if . then map([.query, .calls]) else null end),
   sessions, wal_bytes, bgwriter, buffer_hit_ratio,
   per_request: [.statements_per_request, .sessions_per_request], denied, reason} end)
