# What the sampler's lines (scripts/probes/sampler/cell.js) say of one cell, made into means over its seconds.

def _rounded: if . == null then null else . * 10000 | round / 10000 end;

# A part of the time says nothing of all of it: so much may be missing of what was measured.
def _missed_s: 1.5;

def _mean: if length == 0 then null else add / length | _rounded end;

# input: lines   f: a cumulative counter of a line, or null   output: [{clock_s, value}], where there was a reading
def _readings(f): map({clock_s, value: f} | select(.value != null));

# input: lines   f: a cumulative counter of a line, or null
# output: its readings; none where they are of a part of the time alone, as what fell silent may have been too busy
def _readings_of_all(f): (.[-1].clock_s - .[0].clock_s - _missed_s) as $least
  | _readings(f) | if length < 2 or .[-1].clock_s - .[0].clock_s < $least then [] else . end;

# input: lines   f: a cumulative counter of a line, or null   output: what it grew by per second, or null
# The largest reading counts, not the last: a child that ended, and is not waited for yet, is missing from a reading.
def _per_second(f): _readings_of_all(f)
  | if length < 2 or .[-1].clock_s <= .[0].clock_s then null
    else ((map(.value) | max) - .[0].value) / (.[-1].clock_s - .[0].clock_s) | _rounded end;

# input: as _readings   output: the most that it grew by per second between two readings half a second apart or more
def _max_per_second(f): _readings(f)
  | [range(1; length) as $i | {s: (.[$i].clock_s - .[$i - 1].clock_s), by: (.[$i].value - .[$i - 1].value)}
     | select(.s >= 0.5)]
  | map(.by / .s) | max | if . == null then null else [., 0] | max | _rounded end;

def _max(f): map(f | select(. != null)) | max;

# input: {clock_s, reading} of each line, reading with a network   output: what a generator's network carried
def _network_use:
  {received_bytes_per_s: _per_second(.reading.network.received_bytes),
   sent_bytes_per_s: _per_second(.reading.network.sent_bytes),
   segments_sent_per_s: _per_second(.reading.network.segments_sent),
   segments_retransmitted_per_s: _per_second(.reading.network.segments_retransmitted)};

# input: lines   output: in which share of the seconds some of the processes stood still; null where nothing tells
def _stopped_share:
  map(.reading.stopped | values) | if . == [] then null else (map(select(. > 0)) | length) / length | _rounded end;

# input: {clock_s, reading} of each line
# output: in which share of the time a pod was stopped, as its limit of cores was used up; empty where it does not tell.
# A sampler that began again counts from zero.
def _throttled:
  _readings_of_all(.reading.throttled_s)
  | if length < 2 then {}
    else [range(1; length) as $i | .[$i].value - .[$i - 1].value | select(. > 0)] as $grown
      | {throttled_share: (($grown | add // 0) / (.[-1].clock_s - .[0].clock_s) | _rounded)} end;

# input: {clock_s, reading} of each line, where several processes are a role
# output: what each of them used, in their order
def _each_use:
  . as $lines
  | ([.[].reading.each // [] | length] | max // 0) as $of
  | [range($of) as $i | $lines | map({clock_s, reading: .reading.each[$i]?})
      | {programs: ([.[].reading.programs // [] | .[]] | unique), cpu_cores: _per_second(.reading.cpu_s),
         cores_allowed: _max(.reading.cores_allowed), stopped_share: _stopped_share} + _network_use + _throttled];

# input: lines
# output: one role's use; of several processes also of each. Without two readings of one and the same process it is all
# null.
def _usage($role):
  map({clock_s, reading: .roles[$role]})
  | (if any(.[]; .reading.each? // null) then {each: _each_use} else {} end) as $each
  | (map(.reading.pid | select(. != null)) | unique | length) as $processes
  | if $processes > 1 then map(.reading = null) else . end
  | {
      cpu_cores: _per_second(.reading.cpu_s),
      cpu_cores_max: _max_per_second(.reading.cpu_s),
      cores_allowed: _max(.reading.cores_allowed),
      rss_max_bytes: _max(.reading.rss_bytes),
      threads_max: _max(.reading.threads),
      stopped_share: _stopped_share,
      ctx_switches_per_s: _per_second(.reading
        | if .ctx_switches_voluntary == null then null
          else .ctx_switches_voluntary + .ctx_switches_involuntary end),
      involuntary_ctx_switches_per_s: _per_second(.reading.ctx_switches_involuntary)
    }
  + _throttled
  + ([$each.each[]?.throttled_share | values] | if . == [] then {} else {throttled_share: max} end)
  + $each;

# input: what a target said of itself, in whatever shape   output: an object of its numbers
def _numbers: if type == "object" then with_entries(select(.value | type == "number")) else {} end;

# input: values of the seconds between first and last, null where none was told
# output: those told; none where more than half are missing, as the seconds in which a server is too busy to answer are
# not like the others
def _told: map(select(. != null)) as $told | if 2 * ($told | length) < length then [] else $told end;

# input: lines
# output: {"active:CPU": mean backends, ...} over the seconds between first and last, when the tool did not run; null if
# none
def _activity:
  (.[1:-1] | map(.activity) | _told) as $seen
  | if $seen == [] then null
    else ($seen | map(keys[]) | unique) as $names
      | reduce $names[] as $name ({};
          .[$name] = (($seen | map(.[$name] // 0) | add) / ($seen | length) | _rounded)) end;

# input: lines
# output: what the target said of itself. Each /stats covers interval_s since the one before it, so the first (which
# covers the warm-up) and any that reaches back before the cell are left out. Delay is that of the worst second. A
# target without an event loop, as on the JVM, tells null of it.
def _own_account:
  map(.stats |= _numbers + {pool: ((objects | .pool) // null | _numbers)})
  | .[0].clock_s as $start
  | [.[] | select(.stats.interval_s != null) | select(.stats.interval_s <= .clock_s - $start + 0.5) | .stats] as $stats
  | (.[1:-1] | map(.stats.pool)) as $pool
  | {
      elu: ($stats | map(select(.event_loop_utilization != null)) | (map(.interval_s) | add) as $s
        | if $s == null or $s <= 0 then null
          else (map(.event_loop_utilization * .interval_s) | add) / $s | _rounded end),
      event_loop_delay_p99_ms: ($stats | _max(.event_loop_delay_p99_us) | if . == null then null else . / 1000 end),
      pool_waiting_mean: ($pool | map(.waiting) | _told | _mean),
      pool_total_max: ($pool | _max(.total))
    };

def _share($used; $of): if $used == null or $of == null or $of <= 0 then null else $used / $of | _rounded end;

# input: lines   output: the share of its time that the core lost of which most was stolen; null in runs of before
def _steal_of_one_core:
  [range([.[].host.cpu.steal_by_core_s | values][0] // [] | length) as $i
    | _per_second(.host.cpu.steal_by_core_s[$i])] | max;

def _host:
  _per_second(.host.cpu.total_s) as $total
  | {
      cpu_busy_share: _share(_per_second(.host.cpu.busy_s); $total),
      cpu_steal_share: _share(_per_second(.host.cpu.steal_s); $total),
      cpu_steal_core_share: _steal_of_one_core,
      cpu_throttled_share: _share(_per_second(.host.throttled_s); 1),
      load1_max: _max(.host.load1),
      psi_cpu_some_share: _share(_per_second(.host.psi.cpu_some_us); 1e6),
      psi_memory_some_share: _share(_per_second(.host.psi.memory_some_us); 1e6),
      psi_io_some_share: _share(_per_second(.host.psi.io_some_us); 1e6),
      disk_read_bytes_per_s: _per_second(.host.disk.read_bytes),
      disk_written_bytes_per_s: _per_second(.host.disk.written_bytes)
    };

# input: numbers   output: their sum; null where one of them is
def _sum_known: if any(.[]; . == null) then null else add end;

# input: a line   output: the reading of a pod, {role, i}; none where it did not answer
def _reading($pod): .roles[$pod.role] | objects | (.each // [.])[$pod.i] | objects;

# input: lines
# output: the pods that tell of their machines, or should, {role, i, boot}: which machine that is, null where it is not
# known. Empty where no pod tells.
def _pods:
  . as $lines
  | [.[].roles | to_entries[] | .key as $role | (.value | objects | .each // [.]) | keys[] | {$role, i: .}] | unique
  | map(. as $pod | . + {boot: ([$lines[] | _reading($pod).machine.boot | values][0]),
      told: any($lines[]; [_reading($pod).machine | values] != [])})
  | if any(.[]; .told) then . else [] end;

# input: how far a clock was ahead of one that is never set, of each line, or null
# output: by how much it was set, at most: between the two readings that are farthest apart, back where it was farther
# behind the first than ahead of it; null with fewer than two
def _step:
  map(values) | if length < 2 then null
    else (max - .[0]) as $ahead | (min - .[0]) as $behind
      | if $ahead + $behind < 0 then $behind - $ahead else $ahead - $behind end | _rounded end;

# input: lines   $all: those of the whole cell
# output: what the machines did on which pods are, that tell of them, and what ours used there; a machine may be several
# nodes, and its boot says which it is. Empty where no pod tells. A pod that does not tell which machine it is on may be
# on any of them: what ours used is not known then.
def _machines($all):
  . as $lines
  | _pods as $pods
  | all($pods[]; .boot != null) as $all_known
  | $pods | map(select(.told)) | group_by(.boot // [.role, .i])
  | map(. as $here
    | def readings: _reading($here[]) | select(.machine);
      def used(f): [$here[] as $pod | $lines | _per_second(_reading($pod) | f)] | _sum_known;
      ($lines | map({clock_s, host: ([readings.machine.host][0])})) as $told
      | (if any(.role == "generator" and .i == 0) then $lines | _per_second(.sampler.cpu_s) else 0 end) as $own
      | {roles: (map(.role) | unique), cores: ([$told[].host.cores | values][0]),
         used_cores: (if $all_known then [used(.cpu_s), used(.machine.sampler_cpu_s), $own] | _sum_known else null end
           | _rounded),
         clock_step_s: ($all | map([readings.machine.clock_ahead_s][0]) | _step)}
        + ($told | _host | del(.cpu_throttled_share))); # that is each pod's own

# input: lines
# output: the same; where pods tell of themselves, the host is all of the machine on which the first generator is
def _of_machine:
  {role: "generator", i: 0} as $first
  | if any(.[]; [_reading($first).machine | values] == [] | not) then
      map(.host = ([_reading($first).machine.host | values][0]))
    else . end;

# input: ISO 8601 in UTC   output: seconds since the epoch
def _epoch: (.[:19] + "Z" | fromdateiso8601) + (.[19:-1] | if . == "" then 0 else tonumber end);

# input: lines
# output: those of the measured window: from the nearest to its start to the nearest to its end. Where the tool tells
# neither, those of the cell's seconds.
def _measured($cell; $window):
  if length == 0 then .
  elif $window.start == null then
    (.[0].clock_s + ($cell.duration_s // infinite) + 1) as $until | map(select(.clock_s <= $until))
  else
    . as $lines
    | (.[0].clock_s - (.[0].t | _epoch)) as $ahead
    | def _nearest($at):
        (($at | _epoch) + $ahead) as $s | [range($lines | length)] | min_by($lines[.].clock_s - $s | fabs);
    .[_nearest($window.start):_nearest($window.end) + 1]
  end;

# input: the sampler's lines of one cell   $window: {start, end} of what was measured
# output: summary.resources, or null with fewer than two lines. /stats is the account of role "target", or of the null
# responder.
def resources($cell; $window):
  _of_machine
  | . as $all
  | _measured($cell; $window)
  | if length < 2 or .[-1].clock_s - .[0].clock_s < ($window.seconds // 0) - _missed_s then null
    else . as $lines
      | (map(.roles | keys[]) | unique) as $roles
      | ([("target", "null") | select(. as $name | $roles | index([$name]))][0]) as $answers
      | _activity as $activity
      | ($activity | if . then with_entries(select(.key != "autovacuum worker")) else . end) as $waits
      | {
          cores: ([.[].host.cores | values][0]),
          seconds: (.[-1].clock_s - .[0].clock_s | _rounded),
          roles: (reduce $roles[] as $role ({};
            .[$role] = ($lines | _usage($role) + if $role == $answers then _own_account else {} end))),
          host: _host,
          waits: $waits,
          database_active_mean: (if $waits == null then null
            else [$waits | to_entries[] | select(.key | startswith("active:")) | .value] | add // 0 | _rounded end),
          autovacuum_workers_mean: (if $activity == null then null else $activity["autovacuum worker"] // 0 end),
          sampler_cpu_cores: _per_second(.sampler.cpu_s)
        }
      + (_machines($all) as $machines | if $machines == [] then {} else {$machines} end)
    end;
