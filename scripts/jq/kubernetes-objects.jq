# The objects of stack kubernetes. The input of each function that renders some is what scripts/stacks/kubernetes.bash
# knows,
#   {images: {postgres, target, loadgen}, pull, root, results, files, limits: {role: {cpus, memory}},
#    addresses: {postgres, cube}, port, external: whether the database is somebody else's,
#    selectors: {role: {label: value}}, placed: {role: node}},
# and what it is given besides. All pods run at Pod Security level "restricted". A start-up probe asks until it is
# answered, and then no more: what probes cost is not measured.

def _labels($role): {"app.kubernetes.io/part-of": "pglab", "app.kubernetes.io/name": $role};

# Selects that role's pods of ours, also where others use the namespace, too.
def _matching($role): {matchLabels: _labels($role)};

def _object($kind; $version; $name; $role):
  {apiVersion: $version, kind: $kind, metadata: {$name, labels: _labels($role)}};

def _service($role; $port):
  _object("Service"; "v1"; $role; $role) + {spec: {selector: _labels($role), ports: [{$port}]}};

# A node that is drained waits for the trials to end.
def _kept($role; $count):
  _object("PodDisruptionBudget"; "policy/v1"; $role; $role)
  + {spec: {minAvailable: $count, selector: _matching($role)}};

def _value($name; $value): {$name, value: ($value | tostring)};

def _password($name; $key): {$name, valueFrom: {secretKeyRef: {name: "credentials", $key}}};
def _password($name): _password($name; $name);

# input: 4g, as docker has it   output: 4Gi, as Kubernetes has it
def _quantity: sub("(?<unit>[mg])$"; "\(.unit | ascii_upcase)i");

# Requests equal limits: a pod of whole cores can be given them for itself. 0 cores are no limit.
def _resources($limits):
  ({memory: ($limits.memory | _quantity)} + if $limits.cpus == "0" then {} else {cpu: $limits.cpus} end) as $both
  | {requests: $both, limits: $both};

# Roles whose nodes a role may be on, too: a label or a taint has one value, so Cube may be where targets are, and what loads
# the dataset where load is generated.
def _homes($role): {cube: ["cube", "target"], dataset: ["dataset", "generator"]}[$role] // [$role];

# Rather on a node that is labelled so; then on one that has no other role of ours; where there are none, on any.
def _placed($role): {
  nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 100, preference: {matchExpressions: [{key: "pglab/role", operator: "In", values: _homes($role)}]}}]},
  podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
    {weight: 50, podAffinityTerm: {topologyKey: "kubernetes.io/hostname", labelSelector: {
      matchLabels: {"app.kubernetes.io/part-of": "pglab"},
      matchExpressions: [{key: "app.kubernetes.io/name", operator: "NotIn", values: [$role]}]}}}]}
};

# A node that is tainted so takes the role.
def _tolerated($role): _homes($role) | map({key: "pglab/role", operator: "Equal", value: .});

# input: an address   output: as it stands in a URL
def _in_url: if contains(":") then "[\(.)]" else . end;

def _container($name; $container):
  {$name, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}}} + $container;

# A pod's template. $user: who its processes are   $container: the one that has the role's name
# $others: those beside it, which see its processes
def _pod($role; $user; $container; $others; $volumes; $grace_s): {
  metadata: {labels: _labels($role), annotations: {"kubectl.kubernetes.io/default-container": $role}},
  spec: {
    automountServiceAccountToken: false, enableServiceLinks: false, shareProcessNamespace: ($others != []),
    terminationGracePeriodSeconds: $grace_s, affinity: _placed($role), tolerations: _tolerated($role),
    securityContext: {
      runAsNonRoot: true, runAsUser: $user, runAsGroup: $user, fsGroup: $user, fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: {type: "RuntimeDefault"}
    },
    containers: ([_container($role; $container)] + $others),
    $volumes
  }
};

def _until_it_answers($probe): {startupProbe: ({periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 600} + $probe)};

# input: an object   $selectors: {role: {label: value}}   $placed: {role: node}
# output: the same; pods of a role that is named are on nodes with those labels alone, or on that node
def selected($selectors; $placed): .metadata.labels["app.kubernetes.io/name"] as $role
  | if .spec.template and $selectors[$role] then .spec.template.spec.nodeSelector = $selectors[$role] else . end
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

# input: cores, as Kubernetes has them, 1.5 or 1500m   output: 1.5, in which the sampler counts
def _cores: if endswith("m") then rtrimstr("m") | tonumber / 1000 | tostring else . end;

# Tells at port 9100 what the processes of its pod use, which is no more than /proc shows to anybody.
def _sampler($of; $role; $container): _container("sampler"; {
  image: $of.images.target, imagePullPolicy: $of.pull, ports: [{containerPort: 9100}],
  resources: _resources({memory: "256m", cpus: (if $of.limits[$role].cpus == "0" then "0" else "250m" end)})
} + _with_files($of; ["root-of-sampler"];
    ["node", "scripts/probes/sampler/serve.js", "9100", ($of.limits[$role].cpus | _cores)])
  + $container);

# given namespace, and owner: whose it is, see docker/kubernetes/namespace.bash
def namespace: {
  apiVersion: "v1", kind: "Namespace",
  metadata: {
    name: .namespace, annotations: {"pglab/owner": .owner},
    labels: {"app.kubernetes.io/part-of": "pglab", "pod-security.kubernetes.io/enforce": "restricted"}
  }
};

# given owner: who uses the namespace, be it theirs or lent. Passwords come from the environment, and are in this Secret
# alone; roles.sql makes the roles where an operator does.
def credentials: . as $of
  | (_object("Secret"; "v1"; "credentials"; "credentials") | .metadata.annotations = {"pglab/owner": $of.owner})
  + {stringData: ((["PGLAB_ADMIN_PASSWORD", "PGLAB_MONITOR_PASSWORD", "PGLAB_APP_PASSWORD", "CUBEJS_API_SECRET"]
      | map({(.): env[.]}) | add)
    + {"roles.sql": "create role pglab_admin superuser login password \u0027\(env.PGLAB_ADMIN_PASSWORD)\u0027;
create role pglab_monitor login password \u0027\(env.PGLAB_MONITOR_PASSWORD)\u0027 in role pg_monitor;
create role pglab_app login password \u0027\(env.PGLAB_APP_PASSWORD)\u0027;"})};

# Somebody else's database: what the environment has of these variables.
def database: .variables as $variables
  | _object("Secret"; "v1"; "database"; "database")
    + {stringData: ($ENV | with_entries(select(.key | IN($variables[]))))};

def _from_database($of): if $of.external then {envFrom: [{secretRef: {name: "database"}}]} else {} end;

# Our pods hear our pods alone.
def fence: {matchLabels: {"app.kubernetes.io/part-of": "pglab"}} as $ours
  | _object("NetworkPolicy"; "networking.k8s.io/v1"; "ours-alone"; "fence")
  + {spec: {podSelector: $ours, policyTypes: ["Ingress"], ingress: [{from: [{podSelector: $ours}]}]}};

# given archive: scripts and data, by tar and gzip, as base64
def files: _object("ConfigMap"; "v1"; .files; "files") + {immutable: true, binaryData: {"files.tar.gz": .archive}};

# given conf and hba, of the profile; hash, of both; roles, the script that makes them; storage: {class, size}
def postgres: . as $of
  | (_object("ConfigMap"; "v1"; "postgres"; "postgres")
      + {data: {"postgresql.conf": .conf, "pg_hba.conf": .hba, "roles.sh": .roles}}),
    _service("postgres"; 5432),
    _kept("postgres"; 1),
    _object("StatefulSet"; "apps/v1"; "postgres"; "postgres") + {spec: {
      serviceName: "postgres", replicas: 1, selector: _matching("postgres"),
      template: (_pod("postgres"; 999; {
          image: $of.images.postgres, imagePullPolicy: $of.pull,
          args: ["postgres", "-c", "config_file=/etc/pglab/postgresql.conf"],
          ports: [{containerPort: 5432}], resources: _resources($of.limits.postgres),
          env: [_value("POSTGRES_USER"; "pglab_admin"), _password("POSTGRES_PASSWORD"; "PGLAB_ADMIN_PASSWORD"),
            _value("POSTGRES_DB"; "postgres"),
            _value("POSTGRES_INITDB_ARGS"; "--locale=C --encoding=UTF8"),
            _value("PGDATA"; "/var/lib/postgresql/data/pgdata"),
            _password("PGLAB_MONITOR_PASSWORD"), _password("PGLAB_APP_PASSWORD")],
          volumeMounts: [{name: "data", mountPath: "/var/lib/postgresql/data"},
            {name: "settings", mountPath: "/etc/pglab"},
            {name: "roles", mountPath: "/docker-entrypoint-initdb.d"}, {name: "shm", mountPath: "/dev/shm"}]
        # not by the socket, which is there before the roles are
        } + _until_it_answers({exec: {command: ["pg_isready", "-q", "-h", "127.0.0.1", "-p", "5432"]}});
        [_sampler($of; "postgres"; {})];
        _file_volumes($of; ["root-of-sampler"]) + [
          {name: "settings",
            configMap: {name: "postgres", items: (["postgresql.conf", "pg_hba.conf"] | map({key: ., path: .}))}},
          {name: "roles", configMap: {
            name: "postgres", defaultMode: 365, items: [{key: "roles.sh", path: "roles.sh"}]}}, # r-xr-xr-x
          {name: "shm", emptyDir: {medium: "Memory", sizeLimit: "1Gi"}}]; 60)
        | .metadata.annotations["pglab/settings"] = $of.hash), # with others it is another server
      volumeClaimTemplates: [{
        metadata: {name: "data", labels: _labels("postgres")},
        spec: ({accessModes: ["ReadWriteOnce"], resources: {requests: {storage: $of.storage.size}}}
          + if $of.storage.class then {storageClassName: $of.storage.class} else {} end)
      }]
    }};

# input: postgresql.conf   output: {name: value}
def _settings: [splits("\n") | capture("^(?<key>\\S+) = \u0027(?<value>.*)\u0027$")
  | .value |= gsub("\u0027\u0027"; "\u0027")] | from_entries;

# given what postgres is given, but roles: the same as a Cluster of CloudNativePG, whose operator adds settings of its
# own, and asks its pods how they are. Setting pglab.settings shows that the server has them all.
def cloudnative_pg: . as $of
  | _service("postgres"; 5432),
    (_object("NetworkPolicy"; "networking.k8s.io/v1"; "operator"; "fence") + {spec: {
      podSelector: _matching("postgres"), policyTypes: ["Ingress"],
      ingress: [{from: [{
        namespaceSelector: {}, podSelector: {matchLabels: {"app.kubernetes.io/name": "cloudnative-pg"}}}]}]}}),
    _object("Cluster"; "postgresql.cnpg.io/v1"; "postgres"; "postgres") + {spec: {
      instances: 1, imageName: $of.images.postgres, imagePullPolicy: $of.pull, postgresUID: 999, postgresGID: 999,
      smartShutdownTimeout: 1, # seconds; else a restart would wait for sessions that are idle, for three minutes
      inheritedMetadata: {labels: _labels("postgres")}, resources: _resources($of.limits.postgres),
      storage: ({size: $of.storage.size} + if $of.storage.class then {storageClass: $of.storage.class} else {} end),
      affinity: ({
        enablePodAntiAffinity: false, # of its instances, of which there is one
        tolerations: _tolerated("postgres"),
        nodeAffinity: _placed("postgres").nodeAffinity, additionalPodAntiAffinity: _placed("postgres").podAntiAffinity
      } + ($of.selectors.postgres | if . then {nodeSelector: .} else {} end)),
      bootstrap: {initdb: {
        localeCollate: "C", localeCType: "C", encoding: "UTF8",
        postInitSQLRefs: {secretRefs: [{name: "credentials", key: "roles.sql"}]}}},
      postgresql: {
        shared_preload_libraries: ["pg_stat_statements"],
        parameters: ($of.conf | _settings
          | del(.listen_addresses, .port, .unix_socket_directories, .hba_file, .shared_preload_libraries)
          | .["pglab.settings"] = $of.hash),
        pg_hba: ($of.hba | split("\n") | map(select(test("^host "))))
      }
    }};

# given profile, scale, target. What it prints, the database's name, is its last word, which the pod's status keeps.
def dataset: . as $of | _object("Job"; "batch/v1"; "dataset"; "dataset") + {spec: {
  backoffLimit: 0,
  template: (_pod("dataset"; 65534; {
      image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.loadgen),
      env: [_value("PGHOST"; $of.addresses.postgres), _value("PGPORT"; 5432),
        _value("PGOPTIONS"; "-c synchronous_commit=local"),
        _value("DATABASE"; $of.profile), _value("SCALE"; $of.scale), _value("TARGET"; $of.target),
        _password("PGLAB_ADMIN_PASSWORD"), _password("PGLAB_APP_PASSWORD")]
    } + _with_files($of; ["root"]; ["bash", "-c", "docker/load.sh >/dev/termination-log"]);
    []; _file_volumes($of; ["root"]); 1)
    | .spec.restartPolicy = "Never")
}};

# given target; database, null where it has none; environment: {name: value} of the target in its variant
def _server($role; $port; $health): . as $of
  | _service($role; $port),
    _kept($role; 1),
    _object("Deployment"; "apps/v1"; $role; $role) + {spec: {
      replicas: 1, strategy: {type: "Recreate"}, selector: _matching($role),
      template: _pod($role; 1000; {
          image: $of.images.target, imagePullPolicy: $of.pull, args: ["docker/start.sh", $role],
          ports: [{containerPort: $port}], resources: _resources($of.limits[$role]),
          env: ([_value("TARGET"; $of.target), _value("HOST"; "0.0.0.0"),
              _value("PORT"; $port), _password("CUBEJS_API_SECRET")]
            + (if $role == "target" and $of.addresses.cube then
                [_value("CUBE_URL"; "http://\($of.addresses.cube | _in_url):4000")] else [] end)
            + (if $of.database and ($of.external | not) then
                [_value("PGHOST"; $of.addresses.postgres), _value("PGPORT"; 5432), _value("PGUSER"; "pglab_app"),
                _password("PGPASSWORD"; "PGLAB_APP_PASSWORD"), _value("PGDATABASE"; $of.database)] else [] end)
            + ($of.environment | to_entries | map(_value(.key; .value))))
        } + (if $of.database then _from_database($of) else {} end)
          + _until_it_answers({httpGet: {path: $health, $port}});
        [_sampler($of; $role; {})]; _file_volumes($of; ["root-of-sampler"]); 15)
    }};
def target: _server("target"; .port; "/healthz");
def cube: _server("cube"; 4000; "/readyz");

# given count. A pod for each, which waits to be told what to run; one that ends is missing, and not replaced. The first
# one's sampler asks all others.
def generators: . as $of
  | _kept("generator"; $of.count),
    _object("Job"; "batch/v1"; "generator"; "generator") + {spec: {
      completionMode: "Indexed", parallelism: $of.count, completions: $of.count, backoffLimit: 0,
      template: (_pod("generator"; 65534; {
          image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.loadgen),
          env: ((["PGLAB_ADMIN_PASSWORD", "PGLAB_MONITOR_PASSWORD", "PGLAB_APP_PASSWORD"] | map(_password(.)))
            # an operator's server has TLS, which pgbench would speak and targets would not; a DSN says itself
            + if (env.KUBE_OPERATOR // "") == "" then [] else [_value("PGSSLMODE"; "disable")] end)
        } + _from_database($of) + _with_files($of; ["root", "results"]; ["sleep", "infinity"]);
        [_sampler($of; "loadgen"; {image: $of.images.loadgen, env: [_password("PGLAB_MONITOR_PASSWORD")]}
          + _from_database($of) + (_with_files($of; ["root-of-sampler", "results"]; []) | {volumeMounts}))];
        _file_volumes($of; ["root", "results", "root-of-sampler"]); 1)
        | .spec.restartPolicy = "Never")
    }};
