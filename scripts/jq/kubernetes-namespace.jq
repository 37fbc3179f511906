# What is in the namespace before any pod is.
include "kubernetes-pods";

# given namespace: whose it is, see docker/kubernetes/namespace.bash
def namespace: {
  apiVersion: "v1", kind: "Namespace",
  metadata: {
    name: .namespace, annotations: {"pglab/owner": .owner},
    labels: {"app.kubernetes.io/part-of": "pglab", "pod-security.kubernetes.io/enforce": "restricted"}
  }
};

# The owner is who uses the namespace, be it theirs or lent. Passwords come from the environment, and are in this Secret
# alone; roles.sql makes the roles where an operator does.
def credentials: . as $of
  | (_object("Secret"; "v1"; "credentials"; "credentials") | .metadata.annotations = {"pglab/owner": $of.owner})
  + _secret((["PGLAB_ADMIN_PASSWORD", "PGLAB_MONITOR_PASSWORD", "PGLAB_APP_PASSWORD", "CUBEJS_API_SECRET"]
      | map({(.): env[.]}) | add)
    + {"roles.sql": "create role pglab_admin superuser login password \u0027\(env.PGLAB_ADMIN_PASSWORD)\u0027;
create role pglab_monitor login password \u0027\(env.PGLAB_MONITOR_PASSWORD)\u0027 in role pg_monitor;
create role pglab_app login password \u0027\(env.PGLAB_APP_PASSWORD)\u0027;"});

# Our pods hear our pods alone.
def fence: {matchLabels: _ours} as $ours
  | _object("NetworkPolicy"; "networking.k8s.io/v1"; "ours-alone"; "fence")
  + {spec: {podSelector: $ours, policyTypes: ["Ingress"], ingress: [{from: [{podSelector: $ours}]}]}};

# given archive: scripts and data, by tar and gzip, as base64
def files: _object("ConfigMap"; "v1"; .files; "files") + {immutable: true, binaryData: {"files.tar.gz": .archive}};
