# Whether a target's manifest can be used: it is as the schema says, has the name of its folder, and asks for what there
# is.
include "schema";
import "target" as $target {search: "../declared/schema"};

# input: a target.json   $folder: the name of its folder   $workloads: those that some tool has a script for
# output: null, or its first fault in one line
def target_fault($folder; $workloads):
  def unknown: . - ["all", "calibrated"] - $workloads | .[];
  first(
    (select(type == "object" and .name != $folder) | ".name must be \($folder | tojson), as its folder is called"),
    (schema_fault($target::target[0]; "") | values),
    (.expects // {} | keys | unknown | ".expects.\(.) is no workload"),
    (select(.processes != [] and all(.processes[]; .role | IN("target", "null") | not))
      | ".processes: none has the role target, which is what is measured"),
    (.processes[] | select(.role == "target" and .port != 3000)
      | ".processes: a target's port is 3000, which TARGET_PORT moves, not \(.port)"),
    (.processes[].argv | select(.[:2] == ["node", "apps/lib/main.js"] and .[2] != $folder)
      | "argv starts \(.[2]), not \($folder)"),
    ([.workloads | .. | strings] | unknown | "no tool has a script for workload \(.)"))
  // null;
