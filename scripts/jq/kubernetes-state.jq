# What a cluster says of the objects of stack kubernetes: lists as `kubectl get --output json` prints them.

# input: a quantity, such as 1Gi, 500m or 2   output: how much that is: an API server may put it in other words
def amount: tostring | capture("^(?<number>[0-9.]+([eE][+-]?[0-9]+)?)(?<unit>[numkKMGTPE]?)(?<binary>i?)$")
  | (.number | tonumber)
    * pow(if .binary == "" then 1000 else 1024 end; {k: 1, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6}[.unit] // 0)
    / ({m: 1e3, u: 1e6, n: 1e9}[.unit] // 1);

# input: a list of pods and what they are made by   output: whether all of them have the same limits
def same_limits: [.items[].spec | (.containers[0] // .).resources.limits // {}
    | [.cpu, .memory | if . then amount else . end]]
  | unique | length == 1;

# input: why a container waits
# output: whether it may pass: a registry may fail once, but not say what it says again, and a node may be slow
def _may_pass:
  (test("^(ErrImagePull|ImagePullBackOff): ")
    and (test("not found|manifest unknown|unknown authority|denied|unauthorized|forbidden"; "i")
      or test("no such host|no match for platform") | not))
  or test("^(CreateContainer|RunContainer)\\w*: .*(timed out|deadline exceeded|failed to reserve|failed to sync)");

# input: a list with pods
# output: of ours [{role, pod, uid, node, address, index, revision, limits, asked, sampled, ready, alive, failed,
# waits}]; limits are what it was given, and asked what it should have been, null of an operator's; failed and waits say
# why, in one line, or are null; one that an operator made has no sampler, and those of its jobs have no container of
# that role
def pods: [.items[] | select(.kind == "Pod" and .metadata.deletionTimestamp == null)
  | select(.metadata.labels["app.kubernetes.io/part-of"] == "pglab")
  | .metadata.labels as $labels | .status as $status | $labels["app.kubernetes.io/name"] as $role
  | ([.spec.containers[]?, (.spec.initContainers[]? | select(.restartPolicy == "Always")) | .name]
      | if index($role) then . - [$role, "sampler"] else [] end) as $injected
  | first(($status.containerStatuses[]? | select(.name == $role)), {restartCount: 0}) as $container
  | first(($status.containerStatuses[]? | select(.name == "sampler")
      | .state.terminated, (select(.restartCount > 0) | .lastState.terminated) | values), null) as $unsampled
  | first(($status.containerStatuses[]?.state.waiting
      | select(.reason // "" | test("ImagePull|ErrImage|InvalidImage|CreateContainer|RunContainer"))
      | "\(.reason): \(.message // "")"), null) as $stuck
  | {
      $role, pod: .metadata.name, uid: .metadata.uid, node: .spec.nodeName, address: $status.podIP,
      index: ($labels["batch.kubernetes.io/job-completion-index"] // "0" | tonumber),
      revision: $labels["controller-revision-hash"],
      limits: first((.spec.containers[]? | select(.name == $role).resources.limits | values), {}),
      asked: (.metadata.annotations["pglab/limits"] // "null" | fromjson),
      sampled: any($status.containerStatuses[]?; .name == "sampler"),
      ready: any($status.conditions[]?; .type == "Ready" and .status == "True"),
      alive: ($container.state.running != null and $container.restartCount == 0),
      failed: (
        if $injected != [] then
          "\($injected | join(", ")) was put into its pod, by a service mesh perhaps, and would be measured with it: "
            + "keep it out of this namespace"
        elif .metadata.annotations["ambient.istio.io/redirection"] == "enabled" then
          "Istio's ambient mesh has its traffic, and would be measured with it: keep it out of this namespace"
        elif $stuck and ($stuck | _may_pass | not) then $stuck
        elif $container.restartCount > 0 or $container.state.terminated or $status.phase == "Failed" then
          [$status.reason, $container.state.terminated.reason, $container.lastState.terminated.reason]
          | "it ended: \(map(values)[0] // "why is not known")"
        elif $unsampled then
          "its sampler ended: \($unsampled | .reason // "why is not known"), exit status \($unsampled.exitCode)"
        else null end),
      waits: first(($status.conditions[]? | select(.type == "PodScheduled" and .status == "False")
        | "no node takes it: \(.message // "")"), $stuck)
    }];

# input: the list of a workload and its pods   $count: of its pods
# output: "ready", "failed: " and why it will not become so, or why it is not yet
def state($count):
  first((.items[] | select(.kind != "Pod")), null) as $workload
  | pods as $pods
  | first(($workload.status.conditions[]?
      | select((.type | IN("ReplicaFailure", "Failed")) and .status == "True") | .message
      | select(test("exceeded quota") | not)), null) as $failure # see refused
  | if $workload == null then "failed: it is gone"
    elif $failure then "failed: \($failure)"
    elif ($pods | length) == $count and all($pods[]; .ready and .failed == null)
      and ($workload.status.observedGeneration // $workload.metadata.generation) == $workload.metadata.generation
      and ($workload.status.updateRevision == null
        or all($pods[]; .revision == $workload.status.updateRevision)) then
      first($pods[] | .limits as $given
        | (.asked // $given + if $workload.spec.resources.limits.cpu then {} else {cpu: null} end) as $asked
        | ("cpu", "memory")
        | select([$given[.], $asked[.] | values | amount] | length == 1 or .[0] != .[-1])
        | "failed: its limit of \(.) is \($given[.] // "none"), where \($asked[.] // "none") was asked for, by a "
          + "LimitRange of the namespace perhaps: choose with POSTGRES_CPUS, POSTGRES_MEMORY and so on") // "ready"
    else first(($pods[].failed | values | "failed: \(.)"), ($pods[].waits | values),
      (if ($pods | length) < $count then "\($pods | length) of \($count) pods are there"
       else "\($pods | map(select(.ready)) | length) of \($count) pods are ready" end)
        + ($workload.status | .phaseReason // .phase | if . then ": \(.)" else "" end)) end;

# input: lines of kind, name and label pglab/owner   $owner: who we are
# output: kind and name of one that has a name of ours and is not ours, or null
def stranger($owner): first((splits("\n") / " "
  | select(.[2] != $owner)
  | select(.[1] | IN("postgres", "target", "cube", "generator", "dataset", "credentials", "database",
      "ours-alone", "operator", "data-postgres-0"))
  | "\(.[0]) \(.[1])"), null);

# What an event of that reason explains, as `state` tells it. Later it is of the past.
def _explains:
  {FailedCreate: " pods are there", ProvisioningFailed: "no node takes it| pods are ready"}
  + ({FailedMount, FailedAttachVolume, FailedCreatePodSandBox} | map_values(" pods are ready"));

# input: the name of a pod, its volume or what makes it
# output: whether it is of that role of ours: behind the role numbers, and words of which a cluster makes names alone
def _is_of($role):
  "[bcdfghjklmnpqrstvwxz2456789]" as $letter
  | test("^(data-)?\($role)(-[0-9]+)?(-initdb)?(-\($letter){6,10})?(-\($letter){5})?$");

# input: a list of events   $state: what the role's workload waits for, see state
# output: what forbids its pods or their volumes, or null; "failed: " goes before what will stay so: a quota may not
# know yet that the pods before have gone, and how long others forbid it nobody knows
def refused($role; $state): [.items[]
    | select(.involvedObject.name // "" | _is_of($role))
    | (.message // "" | test("failed quota|violates PodSecurity|usage per (Container|Pod) is")
        or test("^storageclass.* not found|no storage class is set")) as $stays
    | select($stays or (_explains[.reason // ""] as $while | $while and ($state | test($while))))
    | if $stays then "failed: \(.message)" else .message end]
  | last // null;

# input: a list with pods
# output: {role: {pods: [uid], nodes: [name], alive}}; a role is alive where all of its pods are
def roles: pods | map(select(.role | IN("generator", "target", "cube", "postgres"))) | group_by(.role)
  | map(sort_by(.index) | {(.[0].role): {pods: map(.uid), nodes: map(.node), alive: all(.[]; .alive)}}) | add // {};

# input: roles, as they are   $up: as they came up   $ports: {role: port}
# output: see stack_status; what is another pod than came up has stopped
def status($up; $ports): . as $now
  | $up | with_entries(.key as $role | .value = {
      pid: null, port: $ports[$role], nodes: .value.nodes,
      alive: (.value.pods == $now[$role].pods and $now[$role].alive)});

# input: roles, as they came up   $placed: {role: node}, where those were that came up before
# output: the same as $placed, with target and Cube in it
def places($placed): {target, cube} | map_values(.nodes[0]) | with_entries(select(.value)) | . + $placed;

# input: an object by roles   $target: what the role of the target's pod is called
def renamed($target): with_entries(if .key == "target" then .key = $target else . end);

# input: of pods   output: where its pod tells of itself
def _url: "http://\(.address | if contains(":") then "[\(.)]" else . end):9100/";

# input: a list of generators' pods   output: where each tells of itself, in order; "" for one that is gone
def clocks: pods as $generators
  | range($generators | map(.index) | max // -1 | . + 1) as $index
  | first(($generators[] | select(.index == $index and .alive and .sampled and .address) | _url), "");

# input: a list with pods   $database: whether the target has one
# output: for the sampler, {role: where its pod tells of itself, or a list of several}
def readers($database):
  pods
  | map(select(.address and .sampled and (.role | IN("generator", "target", "cube", "postgres"))
      and ($database or .role != "postgres")))
  | group_by(.role)
  | map({(.[0].role): (sort_by(.index)
      | map({url: _url})
      | if length == 1 then .[0] else . end)})
  | add // {};

# input: a list of volume claims   output: of the first {class, size}, and capacity where it was given another; or null
def volume: first((.items[] | .spec.resources.requests.storage as $size
  | {class: .spec.storageClassName, $size}
    + first((.status.capacity.storage | values | select(amount != ($size | amount)) | {capacity: .}), {})), null);

# input: a list of nodes   output: what the numbers may depend on
def nodes: [.items[] | .status as $status | .metadata.labels as $labels | {
  name: .metadata.name, cores: ($status.capacity.cpu | tonumber? // null), memory: $status.capacity.memory,
  instance_type: $labels["node.kubernetes.io/instance-type"],
  role: $labels["pglab/role"]}
  + ($status.nodeInfo | {kernel: .kernelVersion, os: .osImage, kubelet: .kubeletVersion,
      runtime: .containerRuntimeVersion, architecture})];
