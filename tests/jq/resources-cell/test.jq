include "samples";

. as $in
| {without: resources({duration_s: 2}; null),
 within: resources({duration_s: 2}; {start: "2026-11-20T10:00:00.900Z", end: "2026-11-20T10:00:02.900Z"}),
 "a core of which a third is stolen": (map(.host.cpu.steal_by_core_s = [.host.cpu.steal_s, (.clock_s - 100) / 3])
   | resources({duration_s: 2}; null).host
   | [.cpu_steal_share, .cpu_steal_core_share]),
 "a worker in one second of two": (.[1].activity["autovacuum worker"] = 1 | resources({duration_s: 2}; null)
   | [.autovacuum_workers_mean, .waits, .database_active_mean]),
 "pods on two machines, on two nodes of one, and one that was throttled": [["a", "b"], ["a", "a"] | . as $boots
   | $in | map(. as $line
     | def on($i): .machine = {boot: $boots[$i], host: $line.host, sampler_cpu_s: 0.5};
       .roles.generator |= on(0) | .roles.target |= (on(1) | .throttled_s = ($line.clock_s - 100) / 4)
       | del(.roles.postgres)) # else a pod that does not tell, beside which nothing is known of what ours used
   | resources({duration_s: 2}; null)
   | [(.machines | map([.roles, .cores, .used_cores, .cpu_busy_share])), .roles.target.throttled_share]],
 "told in two seconds of three, and in one": [[3], [2, 3] | . as $silent
   | $in | reduce $silent[] as $i (.; .[$i] += {stats: null, activity: null}) | resources({duration_s: 20}; null)
   | [.waits, .database_active_mean, .autovacuum_workers_mean, .roles.target.pool_waiting_mean]]}
