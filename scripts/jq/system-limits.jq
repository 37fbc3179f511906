# The operating system's limits (scripts/probes/system-limits.sh) held against what a plan will ask of them. A limit
# that is not known is not judged, and "unlimited" is never too low: jq sorts text above every number.
include "tools";
include "schema";

def _spare_files: 100; # libraries, logs, histograms, and what Node and k6 open for themselves
def _time_wait_s: 60; # for how long Linux keeps the port of a closed connection; it cannot be configured
def _connection_s: 0.001; # what opening, one cheap question and closing take at least, on loopback
def _open_vus: 1000; # k6/lib/options.js gives the open model no more

# input: lines of system-limits.sh, as one text
# output: {local_ports: [low, high], tcp_tw_reuse, somaxconn, open_files: {soft, hard}}
def system_limits:
  (split("\n") | map(select(. != "") | split(" ") | {key: .[0], value: (.[1:] | map(tonumber? // .))})
    | from_entries) as $limits
  | {local_ports: ($limits.local_ports // null), tcp_tw_reuse: $limits.tcp_tw_reuse[0], somaxconn: $limits.somaxconn[0],
     open_files: {soft: $limits.open_files[0], hard: $limits.open_files[1]}};

# input: a cell   output: how many connections it holds at once, at most
def _connections: if .model == "open" then _open_vus else .level end;

# input: a cell   output: new connections per second, at most, when each request has one of its own
def _connection_rate: if .model == "open" then .level else .level / _connection_s end;

# input: a group of the plan, with `target`: its target.json
# output: its cells whose requests have each a connection of its own
def _closing_cells:
  any(.variant.args[]; . == "-C" or . == "keepalive=off" or test("^connection: *close$"; "i")) as $closing
  | .declared as $target
  | .cells[] | select($closing or ($target.expects[.workload].sessions_per_request[0] // 0) >= 1);

# input: {limit, value, needed, text, command}   $value: the limit, perhaps null
def _too_low($value): select($value != null and $value < .needed) | .value = $value;

# $targets: every target.json   $loopback: all connections stay on this machine
# input: {limits: as system_limits, plan}
# output: [{limit, value, needed, text, command}] of the limits that are too low for the plan, the command being what
# raises each
def too_low($targets; $loopback):
  .limits as $limits
  | ($targets | map({key: .name, value: .}) | from_entries) as $by_name
  | [.plan.groups[] | .declared = $by_name[.target]] as $groups
  | [$groups[].cells[]] as $cells
  | ($cells | map(_connections) | max) as $most
  | ([$cells[] | select(tools[.tool].raises_file_limit | not) | .level] | max // 0) as $most_inheriting
  | ([$groups[] | _closing_cells | _connection_rate] | max // 0) as $rate
  | ($limits.local_ports | if . then .[1] - .[0] + 1 else null end) as $ports
  | ($limits.tcp_tw_reuse | . == 1 or (. == 2 and $loopback)) as $reused
  | [ # Node, k6 and the JVM raise their soft limit to the hard one when they start; other tools do not.
      ({limit: "open_files.soft", needed: ($most_inheriting + _spare_files),
        command: "ulimit -Sn \($most_inheriting + _spare_files)",
        text: ("\([tools | to_entries[] | select(.value.raises_file_limit | not).key] | one_of) will hold "
          + "\($most_inheriting) connections, "
          + "and may have \($limits.open_files.soft) files open")}
       | select($most_inheriting > 0) | _too_low($limits.open_files.soft)),
      ({limit: "open_files.hard", needed: (2 * $most + _spare_files),
        command: "sudo prlimit --pid $$ --nofile=\(2 * $most + _spare_files)",
        text: ("a target will hold \($most) connections of users and as many to the database, "
          + "and may have \($limits.open_files.hard) files open")}
       | _too_low($limits.open_files.hard)),
      ({limit: "somaxconn", needed: $most, command: "sudo sysctl -w net.core.somaxconn=\($most)",
        text: "\($most) users may connect at once, and no more than \($limits.somaxconn) can wait to be let in"}
       | _too_low($limits.somaxconn)),
      ({limit: "local_ports", needed: $most, command: "sudo sysctl -w net.ipv4.ip_local_port_range=\"10240 65535\"",
        text: "\($most) connections will be open at once, and there are \($ports) ports for them"}
       | _too_low($ports)),
      ({limit: "tcp_tw_reuse", needed: 1, command: "sudo sysctl -w net.ipv4.tcp_tw_reuse=1",
        text: ("requests will have a connection each, up to \($rate | floor) a second, and \($ports) ports "
          + "that are each held for \(_time_wait_s) s after use allow \($ports // 0 | . / _time_wait_s | floor)")}
       | select($limits.tcp_tw_reuse != null and ($reused | not) and $ports != null and $rate > $ports / _time_wait_s)
       | .value = $limits.tcp_tw_reuse)
    ];
