# What the database counted during one cell: the difference of two readings of its counters (scripts/sql/counters.sql).

# How many statements a reading lists at most, those with the most calls.
def _listed: 50;

# The readings at the tool's end and after it are sessions too, and counted themselves. Runs of before have none at the
# end.
def _own_sessions($at_end): if $at_end == null then 1 else 2 end;

# output: $after - $before; null when either was not counted, or when the counter was reset in between
def _grown($before; $after):
  if $before == null or $after == null or $after < $before then null else $after - $before end;

# input: {before, after}, the same object of counters twice, or null   output: what each of its numbers grew by
def _all_grown: .before as $before | .after // {} | with_entries(.value = _grown($before[.key]; .value));

def _share($part; $rest):
  if $part == null or $rest == null or $part + $rest == 0 then null
  else $part / ($part + $rest) * 10000 | round / 10000 end;

def _same($statement): .query_id == $statement.query_id and .user == $statement.user;

# input: {before, after}   output: why the statements cannot be counted, or null
def _statements_fault:
  . as {$before, $after}
  | (($after.statements_evicted // 0) - ($before.statements_evicted // 0)) as $evicted
  | if $before.statements_total == null or $after.statements_total == null then
      ($after.denied // $before.denied // {}).statements // "statements were not counted"
    elif $evicted > 0 then "pg_stat_statements was full and forgot statements: raise pg_stat_statements.max"
    elif $evicted < 0 or $after.statements_total.calls < $before.statements_total.calls
      or any($after.statements[]; . as $now | any($before.statements[]; _same($now) and .calls > $now.calls)) then
      "pg_stat_statements was reset during the cell"
    elif ($after.statements | length) < _listed
      and any($before.statements[]; . as $was | $after.statements | all(_same($was) | not)) then
      "pg_stat_statements forgot statements during the cell"
    else null end;

# input: {before, after}
# output: [{query_id, query, calls, rows}] of the statements that were run in between, those with the most calls first.
# Where the first reading lists all that it may, one that is not listed may have had calls before; such a one is left
# out.
def _statements_run:
  . as {$before, $after}
  | [$after.statements[] | . as $now
      | ([$before.statements[] | select(_same($now))][0]
          // if ($before.statements | length) < _listed then {calls: 0, rows: 0} else null end) as $was
      | select($was != null)
      | {query_id, query, calls: (.calls - $was.calls), rows: (.rows - $was.rows)} | select(.calls > 0)]
  | sort_by(-.calls);

# input: {before, after}: readings before and after the answers were verified
# output: {"<query id>": rows per call} of the statements that were run in between; null when they were not counted, or
# not all listed
def statements_verified:
  if .before.statements == null or .after.statements == null or (.after.statements | length) >= _listed then null
  else _statements_run | map({key: .query_id, value: (.rows / .calls)}) | from_entries end;

# A statement is told by its id, in which constants do not count, and by how many rows it yields: with another constant
# it may yield none.
def _rows_alike: 0.05;

# input: _statements_run   $verified: as statements_verified
# output: {calls, query} of all others, the query that with the most calls; null where nothing was verified
def _unverified($verified):
  def is_verified:
    $verified[.query_id] as $rows
    | $rows != null and (.rows / .calls - $rows | fabs) <= _rows_alike * ([$rows, 1] | max);
  if ($verified | type) != "object" then null # runs of before have a list
  else map(select(is_verified | not)) | {calls: (map(.calls) | add // 0), query: (.[0].query // null)} end;

# input: {before, after}   output: why nothing can be counted, or null
def _fault:
  if .before == null then "the counters could not be read before the cell"
  elif .after == null then "the counters could not be read after the cell"
  elif .before.postmaster_started != .after.postmaster_started then "the server was restarted during the cell"
  else null end;

# input: {before, at_end, after, verified, expects, pods}: readings before the tool, at its end, and when no session
# was busy any more, null where
#   there was none; statements_verified of when its answers were verified; what it declares of this workload;
#   whether roles are pods, whose files are fetched between the last two: what the server does by
#   itself then is not the trial's
# output: summary.database: numbers are what was counted in between, null what could not be, with the reason; null where
# there is no
#   database. Statements are those of the targets' role. Sessions are the database's, WAL and
#   bgwriter the server's.
def database_counts:
  . as {$before, $at_end, $after, $verified, $expects, $pods}
  | if $before == null and $after == null then null
    else _fault as $fault
      | (if $fault then {before: {}, after: {}} else {$before, $after} end) as $readings
      | (if $pods and $at_end and ($fault | not) then $at_end else $readings.after end) as $ended
      | ($fault // ($readings | _statements_fault)) as $statements_fault
      | (if $statements_fault then null else $readings | _statements_run end) as $run
      | (if $statements_fault then null
         else {before: $before.statements_total, after: $after.statements_total} | _all_grown end) as $statements
      | ({before: $readings.before.database, after: $readings.after.database} | _all_grown) as $database
      | _grown($readings.before.wal.bytes; $readings.after.wal.bytes) as $wal_bytes
      | ($database.sessions | if . == null then null else [. - _own_sessions($at_end), 0] | max end) as $sessions
      | {
          statements: ($statements
            | if . == null then null
              else {calls, rows, rows_written, shared_blks_hit, shared_blks_read, shared_blks_dirtied, wal_bytes,
                total_exec_time_ms: (.total_exec_time_ms * 1000 | round / 1000)} end),
          statements_at_end: (if $statements then
            _grown($before.statements_total.calls; $at_end.statements_total.calls) else null end),
          unverified_statements: (if $run == null or ($readings.after.statements | length) >= _listed then null
            else $run | _unverified($verified) end),
          $sessions,
          autovacuums: _grown($readings.before.database.autovacuums; $ended.database.autovacuums),
          size_bytes: $readings.after.database.size_bytes,
          buffer_hit_ratio: (if $statements then _share($statements.shared_blks_hit; $statements.shared_blks_read)
            else _share($database.blks_hit; $database.blks_read) end),
          wal_bytes: $wal_bytes,
          bgwriter: (if $fault then null else {before: $before.bgwriter, after: $ended.bgwriter} | _all_grown end),
          $expects,
          denied: $readings.after.denied,
          reason: $statements_fault
        }
    end;
