include "kubernetes-state";

# input: lists of a workload and its pods, by what they show
# output: the state of each, and of a pod whose cores are limited; and how far roles that came up are alive; which nodes
# roles stay on, first and later; and what is not ours
def _up: {target: {pods: ["uid-target-1"], nodes: ["node1"], alive: true}};
def _named($name; $part): {kind: "Service", metadata: {$name, labels: {"app.kubernetes.io/part-of": $part}}};

# a pod that is ready, and has a limit of cores, of a workload that asks for $asked at $path
def _limited($path; $asked): .ready
  | .items[1].spec.containers = [{name: "target", resources: {limits: {cpu: "500m"}}}]
  | .items[0] |= setpath($path + ["resources", "limits", "cpu"]; $asked) | state(1);

[_limited(["spec", "template", "spec", "containers", 0]; null, "500m"), _limited(["spec"]; null, "500m")] as $limited
| map_values({state: state(1), status: (roles | status(_up; {target: 3000})), readers: readers(true)})
+ {$limited, places: [({target: {nodes: ["node1"]}, postgres: {nodes: ["node3"]}} | places({})),
     ({target: {nodes: ["node2"]}, cube: {nodes: [null]}} | places({target: "node1"}))],
   strangers: [{items: [_named("postgres"; "pglab"), _named("shop"; "shop")]}, {items: [_named("postgres"; "shop")]}
     | stranger]}
