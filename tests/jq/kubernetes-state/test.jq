include "kubernetes-state";

# input: lists of a workload and its pods, by what they show
# output: the state of each; and how far roles that came up are alive
def _up: {target: {pods: ["uid-target-1"], nodes: ["node1"], alive: true}};

map_values({state: state(1), status: (roles | status(_up; {target: 3000})), readers: readers(true)})
