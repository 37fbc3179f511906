# What objects of stack kubernetes are made of. The input of each function that renders some, here and in other files of
# that name, is what scripts/stacks/kubernetes.bash knows,
#   {owner: who we are, images: {postgres, target, loadgen}, pull, root, results, files,
#    limits: {role: {cores, memory}},
#    addresses: {postgres, cube}, port, external: whether the database is somebody else's,
#    selectors: {role: {label: value}}, placed: {role: node}},
# and what it is given besides. All pods run at Pod Security level "restricted". A start-up probe asks until it is
# answered, and then no more: what probes cost is not measured.

# The label says whose an object is; in a namespace that is lent, another's may be called as ours are.
def _ours: {"app.kubernetes.io/part-of": "pglab", "pglab/owner": .owner};
def _labels($role): _ours + {"app.kubernetes.io/name": $role};

# Selects that role's pods of ours, also where others use the namespace, too.
def _matching($role): {matchLabels: _labels($role)};

def _object($kind; $version; $name; $role):
  {apiVersion: $version, kind: $kind, metadata: {$name, labels: _labels($role)}};

# What a Secret holds. Given as stringData, keys of an earlier one would stay beside these.
def _secret($values): {data: ($values | map_values(@base64))};

# Targets listen on IPv4 alone, which is not every cluster's first.
def _service($role; $port): _object("Service"; "v1"; $role; $role)
  + {spec: {selector: _labels($role), ports: [{$port}], ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"]}};

# A node that is drained waits for the trials to end.
def _kept($role; $count):
  _object("PodDisruptionBudget"; "policy/v1"; $role; $role)
  + {spec: {minAvailable: $count, selector: _matching($role)}};

# The kubelet has a meaning for $.
def _value($name; $value): {$name, value: ($value | tostring | gsub("[$]"; "$$"))};

def _password($name; $key): {$name, valueFrom: {secretKeyRef: {name: "credentials", $key}}};
def _password($name): _password($name; $name);

def _from_database($of): if $of.external then {envFrom: [{secretRef: {name: "database"}}]} else {} end;

# input: 4g, 4gb or 4Gi, as docker takes it, see container_limits   output: 4Gi, as Kubernetes has it
def _quantity: sub("[iI]?[bB]?$"; "") | sub("(?<unit>[kmgtKMGT])$"; "\(.unit | ascii_upcase)i");

# Requests equal limits: a pod of whole cores can be given them for itself.
def _resources($limits):
  ({memory: ($limits.memory | _quantity)} + if $limits.cores then {cpu: "\($limits.cores)"} else {} end) as $both
  | {requests: $both, limits: $both};

# Roles whose nodes a role may be on, too: a label or a taint has one value, so Cube may be where targets are, and what
# loads the dataset where load is generated.
def _homes($role): {cube: ["cube", "target"], dataset: ["dataset", "generator"]}[$role] // [$role];

# Rather on a node that is labelled so; then on one that has no other role of ours; where there are none, on any.
def _placed($role): {
  nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 100, preference: {matchExpressions: [{key: "pglab/role", operator: "In", values: _homes($role)}]}}]},
  podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 50, podAffinityTerm: {topologyKey: "kubernetes.io/hostname", labelSelector: {
      matchLabels: _ours,
      matchExpressions: [{key: "app.kubernetes.io/name", operator: "NotIn", values: [$role]}]}}}]}
};

# A node that is tainted so takes the role.
def _tolerated($role): _homes($role) | map({key: "pglab/role", operator: "Equal", value: .});

def _container($name; $container):
  {$name, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}}} + $container;

# A pod's template. $user: who its processes are   $container: the one that has the role's name
# $others: those beside it, which see its processes
def _pod($role; $user; $container; $others; $volumes; $grace_s): {
  metadata: {labels: _labels($role), annotations: {
    "kubectl.kubernetes.io/default-container": $role,
    "pglab/limits": ($container.resources.limits | tojson)}}, # as asked for: the cluster may give it others
  spec: {
    automountServiceAccountToken: false, enableServiceLinks: false, shareProcessNamespace: ($others != []),
    terminationGracePeriodSeconds: $grace_s, affinity: _placed($role), tolerations: _tolerated($role),
    securityContext: {
      runAsNonRoot: true, runAsUser: $user, runAsGroup: $user, fsGroup: $user, fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: {type: "RuntimeDefault"}
    },
    nodeSelector: {"kubernetes.io/os": "linux"},
    containers: ([_container($role; $container)] + $others),
    $volumes
  }
};

def _until_it_answers($probe): {startupProbe: ({periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 600} + $probe)};

# input: an object   $selectors: {role: {label: value}}   $placed: {role: node}
# output: the same; pods of a role that is named are on nodes with those labels alone, or on that node
def selected($selectors; $placed): .metadata.labels["app.kubernetes.io/name"] as $role
  | if .spec.template and $selectors[$role] then .spec.template.spec.nodeSelector += $selectors[$role] else . end
  | if .spec.template and $placed[$role] then
      .spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution = {nodeSelectorTerms: [
        {matchFields: [{key: "metadata.name", operator: "In", values: [$placed[$role]]}]}]}
    else . end;

# Becomes the command, in the folder $of.root, which has the files. Each container that does so has a volume for them:
# root, or root-of-sampler. What is written to $of.results is in volume results.
def _with_files($of; $volumes; $command): {
  command: (["bash", "-euc", "tar -xzf /files/files.tar.gz -C \"$0\" && cd \"$0\" && exec \"$@\"", $of.root]
    + $command),
  volumeMounts: [{name: "files", mountPath: "/files"},
    ($volumes[] | {name: ., mountPath: (if . == "results" then $of.results else $of.root end)})]
};
def _file_volumes($of; $volumes):
  [{name: "files", configMap: {name: $of.files}}, ($volumes[] | {name: ., emptyDir: {}})];

# Tells at port 9100 what the processes of its pod use, which is no more than /proc shows to anybody. It counts in
# cores: 1.5, not 1500m.
def _sampler($of; $role; $container): $of.limits[$role].cores as $cores | _container("sampler"; {
  image: $of.images.target, imagePullPolicy: $of.pull, ports: [{containerPort: 9100}],
  resources: _resources({memory: "256m", cores: ($cores | if . then "250m" else null end)})
} + _with_files($of; ["root-of-sampler"]; ["node", "scripts/probes/sampler/serve.js", "9100",
    ($cores // 0 | if type == "string" then rtrimstr("m") | tonumber / 1000 else . end | tostring)])
  + $container);
