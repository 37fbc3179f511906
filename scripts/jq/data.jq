# What a dataset takes of the machine.

# input: a profile
# output: bytes of one database of its dataset, as du showed them after loading (PostgreSQL 15; tpch: 1,477 MB at scale
# 1, 155 at 0.1, 23 at 0.01; documents: 148 at 1; pgbench: 382 for 25 branches). An empty database is 8 MB.
def database_bytes($scale):
  (if .dataset == "tpch" then 1470 elif .dataset == "documents" then 140
   else 15 * ([.table_options.branches * $scale | round, 1] | max) / $scale end) as $mb
  | (8 + $mb * $scale) * 1048576;

# input: a profile
# output: seconds that loading its dataset takes on two cores (tpch: 43 at scale 1; documents: 3; pgbench: 3 for 25
# branches), the start of the server included
def loading_s($scale):
  3 + (if .dataset == "tpch" then 43 * $scale elif .dataset == "documents" then 3 * $scale
      else 0.12 * .table_options.branches * $scale end)
    + if .topology == "replicated" then 8 else 0 end;
