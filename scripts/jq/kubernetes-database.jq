# The database, and what loads it.
include "kubernetes-pods";

# Somebody else's database: what the environment has of these variables.
def database: .variables as $variables
  | _object("Secret"; "v1"; "database"; "database")
    + _secret($ENV | with_entries(select(.key | IN($variables[]))));

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
# own, and asks its pods how they are, at port 8000. Setting pglab.settings shows that the server has them all.
def cloudnative_pg: . as $of
  | _service("postgres"; 5432),
    (_object("NetworkPolicy"; "networking.k8s.io/v1"; "operator"; "fence") + {spec: {
      podSelector: _matching("postgres"), policyTypes: ["Ingress"],
      ingress: [{from: [{
        namespaceSelector: {}, podSelector: {matchLabels: {"app.kubernetes.io/name": "cloudnative-pg"}}}],
        ports: [5432, 8000 | {protocol: "TCP", port: .}]}]}}),
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
      image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.generator),
      env: [_value("PGHOST"; $of.addresses.postgres), _value("PGPORT"; 5432),
        _value("PGOPTIONS"; "-c synchronous_commit=local"),
        _value("DATABASE"; $of.profile), _value("SCALE"; $of.scale), _value("TARGET"; $of.target),
        _password("PGLAB_ADMIN_PASSWORD"), _password("PGLAB_APP_PASSWORD")]
    } + _with_files($of; ["root"]; ["bash", "-c", "docker/load.sh >/dev/termination-log"]);
    []; _file_volumes($of; ["root"]); 1)
    | .spec.restartPolicy = "Never")
}};
