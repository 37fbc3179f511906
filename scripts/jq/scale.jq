# How large the dataset of an experiment is that says "scale": "auto", as the one about buffers does.

# Bytes at scale 1 of the largest profile: shared_buffers of 1.5 GB, a database of as much, and what the page cache
# needs to hold it.
def _bytes_at_one: 6e9;

# Seconds of load in which, at scale 1, a thousand transactions per second bring in about as many pages as the buffers
# hold, so that dirty ones must make room: a shorter trial would measure buffers that are still as it found them.
def _seconds_at_one: 150;

# input: of a container's memory, such as 4g, 512m, 4Gi or bytes   output: bytes; to Kubernetes 4G is 4 * 10^9
def _limit_bytes($stack):
  (capture("^(?<n>[0-9]+([.][0-9]+)?)(?<unit>[KkMmGgTt]?)(?<binary>i?)[Bb]?$")
    // ("error: POSTGRES_MEMORY is \(.): must be a size, such as 4g or 4Gi\n" | halt_error(64)))
  | (if $stack == "kubernetes" and .binary == "" and (.unit | test("[A-Z]")) then 1000 else 1024 end) as $step
  | (.n | tonumber) * pow($step; {"": 0, k: 1, m: 2, g: 3, t: 4}[.unit | ascii_downcase]);

# $machine: bytes of memory of the driver's machine   $limit: what a container of the database may have, or ""
# output: bytes that the database server can have; on a cluster it is not on the driver's machine
def server_bytes($stack; $machine; $limit):
  if $limit == "" then $machine elif $stack == "kubernetes" then $limit | _limit_bytes($stack)
  else [$machine, ($limit | _limit_bytes($stack))] | min end;

# input: an experiment
# output: its scale: as declared; "auto": as large as memory and the seconds of a trial allow, 1 at most
def dataset_scale($memory_bytes; $duration_s):
  if .scale == "auto" then
    [1, $memory_bytes / _bytes_at_one, ([.duration_s, $duration_s // infinite] | min) / _seconds_at_one] | min
    | [0.01, (. * 100 | floor / 100)] | max
  else .scale // 1 end;
