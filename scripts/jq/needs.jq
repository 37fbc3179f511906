# What a run needs of the machine, reckoned from its plan before any work.
# input: {plan, options, targets, databases, cube_elsewhere}
#   targets: every target.json   databases: {name: profile}
#   cube_elsewhere: true when CUBE_URL names a Cube that is not ours
# output: {processes, servers, disk, memory_bytes, load_s}
#   processes: [{role, port}], what will listen beside PostgreSQL   servers: how many of PostgreSQL run at once
#   disk: {cluster: bytes}, the most that each PostgreSQL cluster takes
#   load_s: what loading the data takes the first time

include "data";
include "profile";

def _mb: 1048576;

def _servers: if .topology == "replicated" then 3 else 1 end;

# What a cluster takes without any dataset (55 MB with its first WAL), what loading needs beyond what it leaves (du
# every half second showed 7 %), and the WAL that trials write until a checkpoint (110 MB after 30 s of pgbench).
def _empty_cluster: 55 * _mb;
def _while_loading: 1.1;
def _wal: 300 * _mb;

# input: profiles that share a cluster   output: bytes, each dataset once, and twice where trials work on a copy
def _cluster_bytes($scale):
  (map({key: "\(.dataset) \(.table_options.branches)",
      value: (database_bytes($scale) * (if .reset == "clone" then 2 else 1 end))})
    | from_entries | add * _while_loading) as $data
  | .[0] | _servers * (_empty_cluster + $data + if .dataset == "tpch" then 0 else _wal end);

# input: a profile   output: bytes of shared_buffers, as pg_settings reckons them
def _buffers($scale):
  .settings.shared_buffers
  | if type == "object" then .mb_per_scale * $scale * _mb
    else capture("^(?<n>[0-9]+)(?<unit>[MG])B$") | (.n | tonumber) * _mb * (if .unit == "G" then 1024 else 1 end) end;

# Node.js, k6, and Cube or a JVM took 300 to 450 MB together with few users; 64 users with a connection each 170 MB
# more, and 200 users of k6 with a pool 220 MB more (greatest resident sizes, seen by the sampler).
def _processes_bytes: 350 * _mb;
def _user_bytes: 3 * _mb;

# input: an open cell
# output: bytes that k6 takes: 25 KB a request, as it collects no garbage below 2.5 GiB, and 0.3 MB for each of its
# users
def _open_bytes:
  2560 * _mb as $most
  | if (.level | type) == "number" then
      [$most, .level * load_s * 25000 + ([.level, 1000] | min) * 0.3 * _mb] | min
    else $most end;

# Of users who think nobody knows yet how many there will be: 2,000 took 3 GB.
def _thinking_bytes: 3072 * _mb;

# input: a cell   output: bytes of what its load adds
def _load_bytes:
  if .model == "open" then _open_bytes elif .think_s then _thinking_bytes else .level * _user_bytes end;

.options.scale as $scale
| .cube_elsewhere as $elsewhere
| (.targets | map({key: .name, value: .}) | from_entries) as $declared
| [.plan.groups[].cells[], (.plan.open, .plan.searches)[]?.cell] as $cells
| [.databases[$cells | map(.database) | unique[]] | values] as $profiles
| [$profiles[] | [database_bytes($scale), _buffers($scale)] | min] as $cached
| {processes: ([$declared[$cells | map(.target) | unique[]].processes[]
     | select(.unless == null or ($elsewhere | not)) | {role, port}] | unique_by(.role)),
   servers: ([$profiles[] | _servers] | max // 0),
   disk: ($profiles | group_by([.dataset, .topology])
     | map({key: "\(.[0].dataset)-\(.[0].topology)", value: (_cluster_bytes($scale) | floor)}) | from_entries),
   memory_bytes: (_processes_bytes + ([$cells[] | _load_bytes] | max)
     + ([$profiles, $cached] | transpose | map((.[0] | _servers) * .[1]) | max // 0) | floor),
   load_s: ([$profiles | group_by([.dataset, .table_options.branches])[] | .[0] | loading_s($scale)] | add // 0)}
