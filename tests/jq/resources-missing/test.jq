include "samples";

def resources_of($key): .[$key] | resources({duration_s: 2}; null);

{
  "no lines": resources_of("no lines"),
  "one line": resources_of("one line"),
  "two lines": (resources_of("two lines")
    | [.seconds, .roles.generator.cpu_cores, .roles.target.cpu_cores, .waits, .database_active_mean]),
  "a system without /proc": resources_of("a system without /proc"),
  "a postmaster that was restarted": (resources_of("a postmaster that was restarted").roles
    | [.postgres.cpu_cores, .postgres.rss_max_bytes, .target.cpu_cores]),
  "target and database away": (resources_of("target and database away")
    | [.roles.target.elu, .roles.target.pool_waiting_mean, .waits, .database_active_mean]),
  "a first reading that was missed": (resources_of("a first reading that was missed").roles.target.elu),
  "the null responder": (resources_of("the null responder").roles | map_values(.elu)),
  "no event loop": (resources_of("no event loop").roles.target
    | [.elu, .event_loop_delay_p99_ms, .pool_waiting_mean, .pool_total_max]),
  "a cgroup": (resources_of("a cgroup").roles.target
    | [.cpu_cores, .rss_max_bytes, .ctx_switches_per_s, .cores_allowed])
}
