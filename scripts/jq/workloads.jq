# Which workloads a target can be asked, where its target.json leaves that to the examples.
# $examples: {name: {path, answer, calibrate}} of scripts/sql/verify/*.json   $targets: the names of all targets

# input: a workload
# output: the name of its example: its own, or that of the target whose name it bears (documents-crud: documents); null
# where there is none
def example_name($examples; $targets):
  [., (split("-")[0] | select(. as $api | $targets | index([$api])))] | map(select(in($examples)))[0];

# input: every target.json   output: the same, each with a list of workloads; $workloads: all there are
def with_workloads($workloads; $examples):
  map(.name) as $targets
  | [$workloads[] | {name: ., example: $examples[example_name($examples; $targets) // ""]} | select(.example)] as $shown
  | {all: $shown | map(.name), calibrated: $shown | map(select(.example.calibrate).name)} as $lists
  | map(if .workloads | type == "string" then .workloads |= $lists[.] else . end);
