include "kubernetes-state";

# input: lists of a workload and its pods, by what they show
# output: the state of each, and of a pod whose cores are limited; and how far roles that came up are alive; which nodes
# roles stay on, first and later; what is not ours, what waits for a quota or has lost its sampler, and what events say;
# where generators tell of their clocks; whether an operator's pod has the limits that were asked for, and a volume its
# size, though in other words
def _up: {target: {pods: ["uid-target-1"], nodes: ["node1"], alive: true}};

# a pod that is ready, with these limits, for which $asked were asked, or of an operator's workload that asks for $cpu
def _given: .ready
  | .items[1].spec.containers = [{name: "target", resources: {limits: {cpu: "500m", memory: "1Gi"}}}];
def _limited($asked): _given | .items[1].metadata.annotations = {"pglab/limits": ($asked | tojson)} | state(1);
def _limited_by_operator($cpu): _given | .items[0].spec.resources.limits.cpu = $cpu | state(1);

# a pod whose sampler has ended, and a workload whose pods a quota forbids
def _unsampled: .ready
  | .items[1].status.containerStatuses[0].state = {terminated: {reason: "OOMKilled", exitCode: 137}} | state(1);
def _forbidden: .ready | .items |= .[:1]
  | .items[0].status.conditions = [{type: "ReplicaFailure", status: "True", message: "it exceeded quota"}]
  | state(1);

# why the pods of a role are not there, or not ready, by an event
def _event($name; $reason; $message; $state): {items: [{$reason, $message, involvedObject: {$name}}]}
  | refused("target"; $state);
def _event($reason; $message; $state): _event("target-5d9f8c7b6d"; $reason; $message; $state);

# a cluster of an operator's with these limits, and its pod, as an API server puts them
def _asked($limits): {items: [{kind: "Cluster", spec: {resources: {$limits}}},
  {kind: "Pod", spec: {containers: [{resources: {limits:
    {cpu: "500m", memory: "1Gi", "ephemeral-storage": "1Gi"}}}]}}]};

{unsampled: _unsampled, forbidden: _forbidden} as $waits
| [_limited({memory: "1Gi"}, {cpu: "0.5", memory: "1024Mi"}, {cpu: "1", memory: "1Gi"}, {cpu: "0.5", memory: "4Gi"}),
    _limited_by_operator(null, "500m")] as $limited
| map_values({state: state(1), status: (roles | status(_up; {target: 3000})), readers: readers(true)})
+ {$limited, $waits,
   refused: [_event("FailedCreate"; "admission webhook denied the request"; "0 of 1 pods are there"),
     _event("FailedCreate"; "exceeded quota"; "0 of 1 pods are ready"),
     _event("FailedMount"; "MountVolume.SetUp failed"; "0 of 1 pods are ready"),
     _event("FailedCreate"; "violates PodSecurity \"restricted\""; "0 of 1 pods are ready"),
     _event("ProvisioningFailed"; "access denied"; "0 of 1 pods are ready"),
     (("target-5d9f8c7b6d-x2x9k", "data-target-0", "target-0", "target-shop", "target-2-shop") as $name
       | _event($name; "FailedMount"; "MountVolume.SetUp failed"; "0 of 1 pods are ready")),
     ({items: [{involvedObject: {}}, {reason: "FailedMount", involvedObject: {name: "target-5d9f8c7b6d"}}]}
       | refused("target"; "0 of 1 pods are there"))],
   places: [({target: {nodes: ["node1"]}, postgres: {nodes: ["node3"]}} | places({})),
     ({target: {nodes: ["node2"]}, cube: {nodes: [null]}} | places({target: "node1"}))],
   same_limits: [({cpu: "0.5", memory: "1024Mi"}, {cpu: "500m", memory: "1G"}, {memory: "1Gi"})
     | _asked(.) | same_limits],
   volumes: [({storage: "20Gi"}, {storage: "20480Mi"}, {storage: "25Gi"}, null
     | {items: [{spec: {storageClassName: "a", resources: {requests: {storage: "20Gi"}}}, status: {capacity: .}}]}),
     {items: []} | volume],
   clocks: [.ready | .items[1] as $pod | .items = [("0", "2") as $index | $pod
     | .metadata.labels["app.kubernetes.io/name"] = "generator"
     | .metadata.labels["batch.kubernetes.io/job-completion-index"] = $index
     | .status |= (.containerStatuses[1].name = "generator" | .podIP = "10.1.0.\($index)")] | clocks],
   strangers: ["Service postgres 5e1f\nService shop shop\nSecret theirs \n", "Service postgres shop\n",
     "Service postgres \n" | stranger("5e1f")]}
