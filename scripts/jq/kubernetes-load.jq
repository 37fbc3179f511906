# Targets, and what generates their load.
include "kubernetes-pods";

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
                [_value("CUBE_URL"; "http://\($of.addresses.cube):4000")] else [] end)
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
          image: $of.images.loadgen, imagePullPolicy: $of.pull, resources: _resources($of.limits.generator),
          env: ((["PGLAB_ADMIN_PASSWORD", "PGLAB_MONITOR_PASSWORD", "PGLAB_APP_PASSWORD"] | map(_password(.)))
            # an operator's server has TLS, which pgbench would speak and targets would not; a DSN says itself
            + if (env.KUBE_OPERATOR // "") == "" then [] else [_value("PGSSLMODE"; "disable")] end)
        } + _from_database($of) + _with_files($of; ["root", "results"]; ["sleep", "infinity"]);
        [_sampler($of; "generator"; {image: $of.images.loadgen, env: [_password("PGLAB_MONITOR_PASSWORD")]}
          + _from_database($of) + (_with_files($of; ["root-of-sampler", "results"]; []) | {volumeMounts}))];
        _file_volumes($of; ["root", "results", "root-of-sampler"]); 1)
        | .spec.restartPolicy = "Never")
    }};
