# shellcheck shell=bash
# CloudNativePG's operator in a test's cluster, from its module: its own manifests, but that nothing goes to its webhooks, which the API server of
# such a cluster cannot reach. Source common.bash, programs.bash and cluster.bash first.
#
#   operator_up STATE     it runs, and the cluster knows its kinds
#   operator_down STATE   they are gone, and so is it

operator_up() {
  local node
  _cluster_use "$1"
  operator_programs
  _operator_image >"$CLUSTER_STATE/operator.tar"
  for node in "${CLUSTER_NODES[@]}"; do
    nsenter --target "$(_cluster_kubelet "$node")" --mount ctr --namespace k8s.io images import --no-unpack - <"$CLUSTER_STATE/operator.tar" >>"$CLUSTER_STATE/log/operator"
  done
  rm "$CLUSTER_STATE/operator.tar"
  _operator_objects | _cluster_kubectl apply --server-side --filename - >>"$CLUSTER_STATE/log/operator"
  _cluster_kubectl --namespace cnpg-system rollout status deployment cnpg-controller-manager --timeout 180s
}

operator_down() {
  _cluster_use "$1"
  _operator_objects | _cluster_kubectl delete --ignore-not-found --timeout 120s --filename - >>"$CLUSTER_STATE/log/operator"
}

# _operator_image: prints it, as docker save would: instances are given the program that fits their processor.
_operator_image() {
  local folder
  folder=$(mktemp -d "$CLUSTER_STATE/image.XXXXXX")
  mkdir "$folder/operator"
  cp "$REPO_ROOT/$OPERATOR_PROGRAMS/manager" "$folder/operator/manager_amd64"
  ln -s operator/manager_amd64 "$folder/manager"
  _cluster_image pglab-operator:1 /manager "$folder" manager operator
  rm -r "$folder"
}

# _operator_objects: prints its objects, as JSON.
_operator_objects() {
  local folder
  folder=$(go -C "$KUBERNETES_SOURCES/operator" list -m -f '{{.Dir}}' github.com/cloudnative-pg/cloudnative-pg)
  _cluster_kubectl kustomize "$folder/config/default" 2>>"$CLUSTER_STATE/log/operator" | _cluster_kubectl create --dry-run=client --output json --filename - | jq -n '
    def image: "pglab-operator:1";
    {apiVersion: "v1", kind: "List", items: [inputs | .items[]? // .
      | if .kind == "Deployment" then
          .spec.template.spec.containers[0] |= (.image = image | .imagePullPolicy = "Never" | (.env[] | select(.name == "OPERATOR_IMAGE_NAME")).value = image)
        elif .webhooks then .webhooks[].namespaceSelector = {matchLabels: {nobody: "has-this"}}
        else . end]}'
}
