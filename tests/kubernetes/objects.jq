# What a cluster has beside its nodes, whose names are the arguments: a storage class, the default, and $volumes volumes
# of each for it.
def volume($node; $number): {
  apiVersion: "v1", kind: "PersistentVolume", metadata: {name: "\($node)-\($number)"},
  spec: {
    storageClassName: "local", capacity: {storage: "20Gi"}, accessModes: ["ReadWriteOnce"],
    persistentVolumeReclaimPolicy: "Retain",
    local: {path: "/run/node/volumes/\($number)"},
    nodeAffinity: {required: {nodeSelectorTerms: [
      {matchExpressions: [{key: "kubernetes.io/hostname", operator: "In", values: [$node]}]}]}}
  }
};

{
  apiVersion: "v1", kind: "List",
  items: ([{
    apiVersion: "storage.k8s.io/v1", kind: "StorageClass",
    metadata: {name: "local", annotations: {"storageclass.kubernetes.io/is-default-class": "true"}},
    provisioner: "kubernetes.io/no-provisioner", volumeBindingMode: "WaitForFirstConsumer"
  }] + [$ARGS.positional[] as $node | range($volumes) | volume($node; . + 1)])
}
