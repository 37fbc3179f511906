# The objects of stack kubernetes. The input of each function without a parameter is what scripts/stacks/kubernetes.bash knows,
#   {images: {postgres, target, loadgen}, pull, root, results, files, limits: {role: {cpus, memory}}, addresses: {postgres, cube}, port},
# and what it is given besides. All pods run at Pod Security level "restricted". A start-up probe asks until it is answered, and then no more: what probes
# cost is not measured.

def _labels($role): {"app.kubernetes.io/part-of": "pglab", "app.kubernetes.io/name": $role};

# input: 4g, as docker has it   output: 4Gi, as Kubernetes has it
def _memory: sub("(?<unit>[mg])$"; "\(.unit | ascii_upcase)i");

# Requests equal limits: a pod of whole cores can be given them for itself. No limit where none is set.
def _resources($limits):
  ({memory: ($limits.memory | _memory)} + (if $limits.cpus == "0" then {} else {cpu: $limits.cpus} end)) as $both
  | {requests: $both, limits: $both};

# Where nodes are labelled for the role, there; else on a node that has no other role of ours, where there are enough.
def _placed($role): {
  nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 100, preference: {matchExpressions: [{key: "pglab/role", operator: "In", values: [$role]}]}}]},
  podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 50, podAffinityTerm: {topologyKey: "kubernetes.io/hostname", labelSelector: {
      matchLabels: {"app.kubernetes.io/part-of": "pglab"},
      matchExpressions: [{key: "app.kubernetes.io/name", operator: "NotIn", values: [$role]}]}}}]}
};

# $user: who its processes are   $container: one, less what all have in common
def _pod($role; $user; $container; $volumes; $grace_s): {
  automountServiceAccountToken: false, enableServiceLinks: false, terminationGracePeriodSeconds: $grace_s,
  affinity: _placed($role),
  securityContext: {runAsNonRoot: true, runAsUser: $user, runAsGroup: $user, fsGroup: $user, fsGroupChangePolicy: "OnRootMismatch", seccompProfile: {type: "RuntimeDefault"}},
  containers: [{name: $role, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}}} + $container],
  volumes: $volumes
};

def _object($kind; $version; $name; $role): {apiVersion: $version, kind: $kind, metadata: {$name, labels: _labels($role)}};

def _value($name; $value): {$name, value: ($value | tostring)};
def _password($name; $key): {$name, valueFrom: {secretKeyRef: {name: "credentials", $key}}};

def _service($role; $port): _object("Service"; "v1"; $role; $role) + {spec: {selector: {"app.kubernetes.io/name": $role}, ports: [{$port}]}};

def _until_it_answers($probe): {startupProbe: ({periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 600} + $probe)};

# The database, by the way that every client has it.
def _client($of; $database):
  [_value("PGHOST"; $of.addresses.postgres), _value("PGPORT"; 5432), _value("PGUSER"; "pglab_app"), _password("PGPASSWORD"; "PGLAB_APP_PASSWORD"), _value("PGDATABASE"; $database)];

# given namespace, and owner: which clone, on which machine, it belongs to
def namespace: {
  apiVersion: "v1", kind: "Namespace",
  metadata: {name: .namespace, labels: {"app.kubernetes.io/part-of": "pglab", "pod-security.kubernetes.io/enforce": "restricted"}, annotations: {"pglab/owner": .owner}}
};

# Passwords come from the environment, and end in a Secret alone. Only our own pods reach ours.
def credentials: _object("Secret"; "v1"; "credentials"; "credentials")
  + {stringData: (["PGLAB_ADMIN_PASSWORD", "PGLAB_MONITOR_PASSWORD", "PGLAB_APP_PASSWORD", "CUBEJS_API_SECRET"] | map({(.): env[.]}) | add)};

def fence: _object("NetworkPolicy"; "networking.k8s.io/v1"; "ours-alone"; "fence")
  + {spec: {podSelector: {}, policyTypes: ["Ingress"], ingress: [{from: [{podSelector: {}}]}]}};

# given archive: scripts and data, tar and gzip, as base64
def files: _object("ConfigMap"; "v1"; .files; "files") + {immutable: true, binaryData: {"files.tar.gz": .archive}};

# Becomes its arguments in the folder $of.root, which has the files.
def _with_files($of; $command): {
  command: (["bash", "-euc", "tar -xzf /files/files.tar.gz -C \"$0\" && cd \"$0\" && exec \"$@\"", $of.root] + $command),
  volumeMounts: [{name: "files", mountPath: "/files"}, {name: "root", mountPath: $of.root}, {name: "results", mountPath: $of.results}]
};
def _file_volumes($of): [{name: "files", configMap: {name: $of.files}}, {name: "root", emptyDir: {}}, {name: "results", emptyDir: {}}];

# given conf and hba, of the profile; hash, of both; roles, the script that makes them; storage_class and storage_size
def postgres: . as $of
  | (_object("ConfigMap"; "v1"; "postgres"; "postgres") + {data: {"postgresql.conf": .conf, "pg_hba.conf": .hba, "roles.sh": .roles}}),
    _service("postgres"; 5432),
    _object("StatefulSet"; "apps/v1"; "postgres"; "postgres") + {spec: {
      serviceName: "postgres", replicas: 1, selector: {matchLabels: {"app.kubernetes.io/name": "postgres"}},
      template: {
        metadata: {labels: _labels("postgres"), annotations: {"pglab/settings": $of.hash}},
        spec: _pod("postgres"; 999; {
            image: $of.images.postgres, imagePullPolicy: $of.pull, args: ["postgres", "-c", "config_file=/etc/pglab/postgresql.conf"],
            ports: [{containerPort: 5432}], resources: _resources($of.limits.postgres),
            env: [_value("POSTGRES_USER"; "pglab_admin"), _password("POSTGRES_PASSWORD"; "PGLAB_ADMIN_PASSWORD"), _value("POSTGRES_DB"; "postgres"),
              _value("POSTGRES_INITDB_ARGS"; "--locale=C --encoding=UTF8"), _value("PGDATA"; "/var/lib/postgresql/data/pgdata"),
              _password("PGLAB_MONITOR_PASSWORD"; "PGLAB_MONITOR_PASSWORD"), _password("PGLAB_APP_PASSWORD"; "PGLAB_APP_PASSWORD")],
            volumeMounts: [{name: "data", mountPath: "/var/lib/postgresql/data"}, {name: "settings", mountPath: "/etc/pglab"},
              {name: "roles", mountPath: "/docker-entrypoint-initdb.d"}, {name: "shm", mountPath: "/dev/shm"}]
          } + _until_it_answers({exec: {command: ["pg_isready", "-q", "-h", "127.0.0.1", "-p", "5432"]}});
          [{name: "settings", configMap: {name: "postgres", items: [{key: "postgresql.conf", path: "postgresql.conf"}, {key: "pg_hba.conf", path: "pg_hba.conf"}]}},
           {name: "roles", configMap: {name: "postgres", defaultMode: 365, items: [{key: "roles.sh", path: "roles.sh"}]}},
           {name: "shm", emptyDir: {medium: "Memory", sizeLimit: "1Gi"}}]; 60)
      },
      volumeClaimTemplates: [{metadata: {name: "data", labels: _labels("postgres")}, spec: (
        {accessModes: ["ReadWriteOnce"], resources: {requests: {storage: $of.storage_size}}} + if $of.storage_class == "" then {} else {storageClassName: $of.storage_class} end)}]
    }};

# given profile, scale, target. What it prints, the database's name, is its last word, which the pod's status keeps.
def dataset: . as $of | _object("Job"; "batch/v1"; "dataset"; "dataset") + {spec: {
  backoffLimit: 0,
  template: {metadata: {labels: _labels("dataset")}, spec: (_pod("dataset"; 65534; {
      image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.loadgen),
      env: [_value("PGHOST"; $of.addresses.postgres), _value("PGPORT"; 5432), _value("PGOPTIONS"; "-c synchronous_commit=local"), _value("DATABASE"; $of.profile),
        _value("SCALE"; $of.scale), _value("TARGET"; $of.target), _password("PGLAB_ADMIN_PASSWORD"; "PGLAB_ADMIN_PASSWORD"), _password("PGLAB_APP_PASSWORD"; "PGLAB_APP_PASSWORD")]
    } + _with_files($of; ["bash", "-c", "docker/load.sh >/dev/termination-log"]); _file_volumes($of); 1) + {restartPolicy: "Never"})}
}};

# given target; database, null where it has none; environment: {name: value} of the target in its variant
def _server($role; $port; $health): . as $of |
  _service($role; $port),
  _object("Deployment"; "apps/v1"; $role; $role) + {spec: {
    replicas: 1, strategy: {type: "Recreate"}, selector: {matchLabels: {"app.kubernetes.io/name": $role}},
    template: {metadata: {labels: _labels($role)}, spec: _pod($role; 1000; {
        image: $of.images.target, imagePullPolicy: $of.pull, args: ["docker/start.sh", $role], ports: [{containerPort: $port}], resources: _resources($of.limits[$role]),
        env: ([_value("TARGET"; $of.target), _value("HOST"; "0.0.0.0"), _value("PORT"; $port), _password("CUBEJS_API_SECRET"; "CUBEJS_API_SECRET")]
          + (if $of.addresses.cube then [_value("CUBE_URL"; "http://\($of.addresses.cube):4000")] else [] end)
          + (if $of.database then _client($of; $of.database) else [] end) + ($of.environment | to_entries | map(_value(.key; .value))))
      } + _until_it_answers({httpGet: {path: $health, $port}}); []; 15)}
  }};
def target: _server("target"; .port; "/healthz");
def cube: _server("cube"; 4000; "/readyz");

# given count. One pod for each, which waits to be told what to run; one that ends is missing, and not replaced.
def generators: . as $of | _object("Job"; "batch/v1"; "generator"; "generator") + {spec: {
  completionMode: "Indexed", parallelism: $of.count, completions: $of.count, backoffLimit: 0,
  template: {metadata: {labels: _labels("generator")}, spec: (_pod("generator"; 65534; {
      image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.loadgen),
      env: [_password("PGLAB_ADMIN_PASSWORD"; "PGLAB_ADMIN_PASSWORD"), _password("PGLAB_MONITOR_PASSWORD"; "PGLAB_MONITOR_PASSWORD"), _password("PGLAB_APP_PASSWORD"; "PGLAB_APP_PASSWORD")]
    } + _with_files($of; ["sleep", "infinity"]); _file_volumes($of); 1) + {restartPolicy: "Never"})}
}};

# input: a list with pods   output: [{pod, uid, node, index, revision, ready, alive, failed, waits}]; failed and waits say why, in one line, or are null
def pods: [.items[] | select(.kind == "Pod" and .metadata.deletionTimestamp == null) | .status as $status | ($status.containerStatuses[0] // {restartCount: 0}) as $container | {
  pod: .metadata.name, uid: .metadata.uid, node: .spec.nodeName, index: (.metadata.labels["batch.kubernetes.io/job-completion-index"] // "0" | tonumber),
  revision: .metadata.labels["controller-revision-hash"],
  ready: any($status.conditions[]?; .type == "Ready" and .status == "True"),
  alive: ($container.state.running != null and $container.restartCount == 0),
  failed: (
    if ($container.state.waiting.reason // "" | test("ImagePull|ErrImage|InvalidImage|CreateContainer|RunContainer")) then "\($container.state.waiting.reason): \($container.state.waiting.message // "")"
    elif $container.restartCount > 0 or $container.state.terminated or $status.phase == "Failed" then
      "it ended: \($status.reason // $container.state.terminated.reason // $container.lastState.terminated.reason // "why is not known")"
    else null end),
  waits: first(($status.conditions[]? | select(.type == "PodScheduled" and .status == "False") | "no node takes it: \(.message)"), null)
}];

# input: the list of a workload and its pods   $count: of its pods   output: "ready", "failed: " and why it will not become so, or why it is not yet
def state($count):
  first((.items[] | select(.kind != "Pod")), null) as $workload
  | pods as $pods
  | first(($workload.status.conditions[]? | select((.type | IN("ReplicaFailure", "Failed")) and .status == "True") | .message), null) as $failure
  | if $workload == null then "failed: it is gone"
    elif $failure then "failed: \($failure)"
    elif ($pods | length) == $count and all($pods[]; .ready and .failed == null)
      and ($workload.status.observedGeneration // $workload.metadata.generation) == $workload.metadata.generation
      and ($workload.status.updateRevision == null or all($pods[]; .revision == $workload.status.updateRevision)) then "ready"
    else first(($pods[].failed | values | "failed: \(.)"), ($pods[].waits | values), "\($pods | map(select(.ready)) | length) of \($count) pods are ready") end;
