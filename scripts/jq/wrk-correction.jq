# Undoes wrk's correction for coordinated omission, which adds samples that were never measured, and more of them the
# faster the target is: it takes the mean time between two requests of a connection for the interval at which they
# should have left. Source: stats_correct in wrk's src/stats.c. With E the interval, the corrected count of v > E is
# c(v) + c(v + E) + c(v + 2E) + ..., c being what was measured; values up to E are as measured. Hence c(v) =
# corrected(v) - corrected(v + E) for v > E, exactly, in whole microseconds.

# input: {duration_us, requests, connections}
# output: E in microseconds, with the whole numbers of wrk's C; null where wrk corrected nothing
def correction_interval_us:
  (.requests / .connections | floor) as $rounds
  | if $rounds == 0 then null else .duration_us / $rounds | floor end;

# input: {duration_us, requests, connections, errors: {timeout}, counts}, counts in whole microseconds as wrk left them
# output: {counts, interval_us, added: how many samples the correction had added, fault: null, or why these cannot be
# the measured counts}
def without_correction:
  correction_interval_us as $interval
  | (.counts | map(.[1]) | add // 0) as $corrected
  | (.requests - .errors.timeout) as $measured
  | (if $interval == null then .counts
     else
       (.counts | map({key: (.[0] | tostring), value: .[1]}) | from_entries) as $at
       | .counts
         | map(.[0] as $v | if $v <= $interval then . else [$v, .[1] - ($at[$v + $interval | tostring] // 0)] end
             , if $v > 2 * $interval and $at[$v - $interval | tostring] == null then [$v - $interval, -.[1]]
               else empty end)
         | map(select(.[1] != 0))
     end) as $counts
  | ($counts | map(.[1]) | add // 0) as $restored
  | {
      $counts, interval_us: $interval, added: ($corrected - $restored),
      fault: (if any($counts[]; .[1] < 0) then "some counts come out negative"
        elif $restored != $measured then "\($restored) latencies are left of \($measured) answers" else null end)
    };
