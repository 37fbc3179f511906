#!/usr/bin/env bats
# The kubernetes stack, as far as it can be told without a cluster: whose the namespace is, and what is asked of kubectl. What only a cluster shows is in tests/kubernetes/.
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  source tests/lib/postgres.bash
  export CLUSTER=$BATS_TEST_TMPDIR/cluster PGLAB_DATA=$BATS_TEST_TMPDIR/data CELL_DIR=$BATS_TEST_TMPDIR
  STATE=$PGLAB_DATA/stack
  mkdir -p "$CLUSTER" "$STATE" "$BATS_TEST_TMPDIR/bin"
  ln -s "$PWD/tests/lib/kubectl-stub.sh" "$BATS_TEST_TMPDIR/bin/kubectl"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH
  unset KUBE_CONTEXT KUBE_NAMESPACE KUBE_OPERATOR STACK
  echo one >"$CLUSTER/context"
  printf '%s\n' one two >"$CLUSTER/contexts"
  echo uid-1 >"$CLUSTER/uid"
  echo '{"items": []}' | tee "$CLUSTER/pods" >"$CLUSTER/objects"
}

teardown() {
  if [ -n "${TOOL:-}" ] && kill "$TOOL" 2>/dev/null; then # it has ended, unless the test failed
    run wait "$TOOL"
  fi
}

# stack COMMAND...: as a script of a run would, with the stack's functions.
stack() {
  bash -c 'set -Eeuo pipefail
    source scripts/lib/common.bash
    source scripts/lib/stack.bash
    stack_load kubernetes
    "$@"' bash "$@"
}

claim() { stack eval '_choose; _claim'; }
of_another() { PGLAB_DATA=$BATS_TEST_TMPDIR/other "$@"; }
calls() { grep -c -e "$1" "$CLUSTER/calls"; }
owner_of() { jq -r '.metadata.annotations["pglab/owner"]' "$CLUSTER/$1"; }
namespace_of() { jq -n --arg owner "$1" '{kind: "Namespace", metadata: {name: "pglab", annotations: {"pglab/owner": $owner}}}' >"$CLUSTER/namespace"; }

# fails TEXT COMMAND...: exit 2, and one line, which says TEXT.
fails() {
  run "${@:2}"
  echo "$status: $output"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == *"$1"* ]]
}

# recorded CASE: what a cluster says of its pods, from the golden of that name.
recorded() { jq --arg case "$1" '.[$case]' tests/jq/kubernetes-state/in.json >"$CLUSTER/pods"; }

# a_generator: the pods are one that generates load.
a_generator() {
  recorded ready
  jq '.items[1].metadata |= (.name = "generator-0-x" | .labels["app.kubernetes.io/name"] = "generator") | .items[1].status.containerStatuses[1].name = "generator"
    | .items[1].status.containerStatuses[] += {image: "pglab-loadgen", imageID: "sha256:0"}' \
    "$CLUSTER/pods" >"$CLUSTER/new"
  mv "$CLUSTER/new" "$CLUSTER/pods"
}

@test "a namespace belongs to a data folder, whatever the clone is called" {
  claim
  [[ $(owner_of namespace) =~ ^[0-9a-f]{32}$ ]]
  [ "$(owner_of namespace)" = "$(<"$STATE/owner")" ]
  [ "$(owner_of secret)" = "$(<"$STATE/owner")" ]
  claim
  mkdir -p "$BATS_TEST_TMPDIR/other/stack"
  of_another fails "namespace pglab is in use by another clone" claim
  [ ! -e "$BATS_TEST_TMPDIR/other/stack/namespace" ]
  jq 'del(.metadata.annotations)' "$CLUSTER/namespace" >"$CLUSTER/new" && mv "$CLUSTER/new" "$CLUSTER/namespace"
  fails "namespace pglab is there and not ours" claim
}

@test "what is about to be made is remembered before it is, and another's that came first is not taken" {
  claim
  [ ! -e "$CLUSTER/unremembered" ]
  stack stack_stop
  jq -n '{kind: "Namespace", metadata: {annotations: {"pglab/owner": "rival"}}}' >"$CLUSTER/rival"
  fails "is in use by another clone" claim
  [ "$(owner_of namespace)" = rival ]
  [ ! -e "$STATE/namespace" ]
}

@test "stop removes the namespace that is ours, and forgets one that another has made since, or nobody" {
  claim
  touch "$STATE"/{pods,placed}
  namespace_of another
  stack stack_stop
  [ "$(calls "delete")" -eq 0 ]
  [ ! -e "$STATE/namespace" ]
  [ ! -e "$STATE/placed" ]
  rm "$CLUSTER"/{namespace,secret}
  printf '%s\n' pglab one '' >"$STATE/namespace" # as a driver leaves it that was killed before it made anything
  stack stack_stop
  [ "$(calls "delete")" -eq 0 ]
  claim
  stack stack_stop
  [ "$(calls "delete namespace pglab")" -eq 1 ]
}

@test "a copy of the data folder is another: what the original uses it neither uses nor removes" {
  local text="other/stack is a copy or has moved, and namespace pglab belongs to the original: "
  claim
  cp -r "$PGLAB_DATA" "$BATS_TEST_TMPDIR/other"
  of_another fails "$text" claim
  of_another fails "$text" stack stack_down
  of_another fails "$text" stack stack_stop
  [[ $(of_another stack stack_can_run) == *"$text"* ]]
  [ "$(calls "delete")" -eq 0 ]
  owner_of namespace >"$BATS_TEST_TMPDIR/before"
  stack stack_stop
  [ "$(calls "delete namespace pglab")" -eq 1 ]
  claim
  [ "$(owner_of namespace)" != "$(<"$BATS_TEST_TMPDIR/before")" ]
}

@test "stop forgets nothing where the cluster does not say whose it is" {
  claim
  echo 'Error from server (Forbidden): namespaces "pglab" is forbidden' >"$CLUSTER/fault"
  fails 'namespaces "pglab" is forbidden' stack stack_stop
  [ -e "$STATE/namespace" ]
}

@test "a namespace that is lent is used by one, who removes what is theirs, and leaves it" {
  namespace_of lent
  claim
  [ "$(owner_of namespace)" = lent ]
  [ "$(owner_of secret)" = "$(<"$STATE/owner")" ]
  mkdir -p "$BATS_TEST_TMPDIR/other/stack"
  of_another fails "is lent to another clone, too" claim
  printf '%s\n' pglab one '' >"$BATS_TEST_TMPDIR/other/stack/namespace"
  of_another stack stack_stop
  [ "$(calls "delete")" -eq 0 ]
  KUBE_OPERATOR=cloudnative-pg claim
  ours=app.kubernetes.io/part-of=pglab,pglab/owner=$(<"$STATE/owner")
  touch "$CLUSTER/operator"
  stack stack_stop
  [ "$(calls "get secret credentials .*--output json$")" -eq 0 ]
  [ "$(calls "delete namespace")" -eq 0 ]
  grep "delete deployment,statefulset,job,clusters.postgresql.cnpg.io --selector $ours " "$CLUSTER/calls"
  grep "delete service,.*persistentvolumeclaim --selector $ours,app.kubernetes.io/name!=credentials " "$CLUSTER/calls"
  [[ $(tail -n 1 "$CLUSTER/calls") == *"delete secret credentials"* ]]
}

@test "all that is made says whose it is, and selects no other's pods" {
  local owner
  # shellcheck disable=SC2016 # the stack's shell expands them
  stack eval '_apply() { _render "$@" >>"$CLUSTER/made"; }
    for role in target cube; do _apply "$role" --arg target pooled --argjson database null --argjson environment "{}"; done
    _apply generators --argjson count 1; _apply fence; _apply database --argjson variables "[]"; _apply dataset --arg profile a --arg scale 1 --arg target b
    for kind in postgres cloudnative_pg; do _apply "$kind" --arg conf "" --arg hba "" --arg hash 0 --arg roles "" --argjson storage "{\"size\": \"1Gi\"}"; done'
  owner=$(<"$STATE/owner")
  jq -se --arg owner "$owner" 'map(.items[]) | length > 15 and all(.[]; .metadata.labels["pglab/owner"] == $owner
    and ([.. | objects | .matchLabels, .inheritedMetadata.labels | values] + [.spec | objects | .template, .volumeClaimTemplates[]? | values | .metadata.labels]
      + (if .kind == "Service" then [.spec.selector] else [] end) | all(.[]; .["pglab/owner"] == $owner or .["app.kubernetes.io/name"] == "cloudnative-pg")))' "$CLUSTER/made"
}

@test "in a namespace that is lent nothing of somebody else's is written over, be it another laboratory's" {
  namespace_of lent
  jq -n '{items: [{kind: "ConfigMap", metadata: {name: "kube-root-ca.crt"}}, {kind: "Service", metadata: {name: "postgres", labels: {"app.kubernetes.io/part-of": "pglab"}}}]}' >"$CLUSTER/objects"
  fails "is lent to us, and has a Service postgres of somebody else's" claim
  [ ! -e "$CLUSTER/secret" ]
  [ ! -e "$STATE/namespace" ]
  jq -n '{items: [{kind: "Cluster", metadata: {name: "postgres"}}]}' >"$CLUSTER/objects"
  printf '%s\n' pglab one '' >"$STATE/namespace" # a run of ours is there
  KUBE_OPERATOR=cloudnative-pg fails "is lent to us, and has a Cluster postgres of somebody else's" claim
  run ! grep -E "get [^ ]*secret.* --output json$" "$CLUSTER/calls" # passwords, into a temporary file
  [ "$(calls "persistentvolumeclaim,clusters.postgresql.cnpg.io")" -eq 1 ]
  [ -e "$STATE/namespace" ]
}

@test "a run stays in the context that it began in; another is refused while it is up" {
  claim
  echo two >"$CLUSTER/context"
  stack _kubectl get pods
  claim
  [ "$(calls "--context two")" -eq 0 ]
  KUBE_CONTEXT=two fails "namespace pglab of context one is in use or left over" claim
  KUBE_NAMESPACE=other fails "namespace pglab of context one is in use or left over" claim
  KUBE_CONTEXT=two run -1 stack stack_can_run
  [[ $output == "namespace pglab of context one is in use"* ]]
  KUBE_CONTEXT=one claim
  stack stack_stop
  [[ $(tail -n 1 "$CLUSTER/calls") == "--context one "*"delete namespace pglab"* ]]
  claim
  [[ $(tail -n 1 "$CLUSTER/calls") == "--context two "* ]]
}

# lost WHY: what is left is neither used nor removed, nor forgotten, and one line says why and what to do.
lost() {
  local text="in context one, $1: set it right (KUBECONFIG?) and run STACK=kubernetes scripts/stack.sh down; where its cluster is gone, rm -f $STATE/{namespace,pods,placed,generators,owner}"
  : >"$CLUSTER/calls"
  fails "$text" stack stack_stop
  fails "$text" stack stack_down
  fails "$text" claim
  [[ $(stack stack_can_run) == *"$text"* ]]
  [ "$(calls "delete")" -eq 0 ]
  [ -e "$STATE/namespace" ]
}

@test "what was left in a context that is gone, or in the cluster that it was of, is said" {
  claim
  echo two >"$CLUSTER/contexts"
  lost "which kubectl does not know any more"
  echo one >"$CLUSTER/contexts"
  echo uid-2 >"$CLUSTER/uid"
  lost "where kube-system is another by now"
  rm "$CLUSTER/uid" # nothing tells
  claim
  stack stack_stop
  [ "$(calls "delete namespace")" -eq 1 ]
}

@test "a namespace that is lent tells of its cluster who may see no other" {
  rm "$CLUSTER/uid"
  namespace_of lent
  jq '.metadata.uid = "uid-of-lent"' "$CLUSTER/namespace" >"$CLUSTER/new" && mv "$CLUSTER/new" "$CLUSTER/namespace"
  claim
  [ "$(sed -n 4p "$STATE/namespace")" = pglab/uid-of-lent ]
  sed -i s/uid-of-lent/another/ "$CLUSTER/namespace"
  lost "where pglab is another by now"
}

@test "where the operator was uninstalled meanwhile, its pods go without it; a run that asks for it is told" {
  namespace_of lent
  KUBE_OPERATOR=cloudnative-pg claim
  stack stack_stop
  [ "$(calls "delete deployment,statefulset,job,pod --selector app.kubernetes.io/part-of=pglab,pglab/owner=[0-9a-f]* ")" -eq 1 ]
  echo 'error: the server doesn'"'"'t have a resource type "clusters"' >"$CLUSTER/fault"
  KUBE_OPERATOR=cloudnative-pg fails "--operator cloudnative-pg: the server doesn't have a resource type \"clusters\" (see $STATE/kubectl.log): it must be installed " stack _operator_knows
}

@test "target and Cube stay on the nodes where they came up first, and a node that takes them no more is named" {
  jq -n '{target: {nodes: ["node2"]}, cube: {nodes: ["node1"]}, postgres: {nodes: ["node3"]}}' >"$STATE/pods"
  stack _keep_places
  jq -n '{target: {nodes: ["node3"]}}' >"$STATE/pods"
  stack _keep_places
  jq -e '. == {target: "node2", cube: "node1"}' "$STATE/placed"
  KUBE_NODE_SELECTOR=target=pool=api stack _render target --arg target pooled --argjson database null --argjson environment '{}' |
    jq -e '.items[] | select(.kind == "Deployment").spec.template.spec | .nodeSelector == {pool: "api", "kubernetes.io/os": "linux"}
      and .affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values == ["node2"]'
  recorded "no node takes it"
  [ "$(stack _state deployment target 1)" = "node node2, where it was before in this run, does not take it: 0/3 nodes are available: 3 Insufficient cpu." ]
}

@test "a Secret holds what it is given and nothing of an earlier database's" {
  PGHOST=a PGPASSWORD="p'ss" run -0 stack _render database --argjson variables '["PGHOST", "PGPASSWORD", "PGSSLROOTCERT"]'
  jq -e --arg password "p'ss" '.items[0] | .stringData == null and (.data | map_values(@base64d)) == {PGHOST: "a", PGPASSWORD: $password}' <<<"$output"
  claim
  jq -e '.stringData == null and (.data | map_values(@base64d) | (.PGLAB_APP_PASSWORD | test("^[0-9a-f]{32}$")) and (.["roles.sql"] | contains("create role pglab_app login password")))' "$CLUSTER/secret"
}

@test "a pod that was given other limits than were asked for is refused, though what makes it asks for these" {
  TARGET_CPUS=2 TARGET_MEMORY=1g run -0 stack _render target --arg target pooled --argjson database null --argjson environment '{}'
  recorded ready
  given() {
    jq --argjson rendered "$1" --arg cpu "$2" '($rendered.items[] | select(.kind == "Deployment").spec.template | .spec.containers[0].resources.limits.cpu = $cpu) as $given
      | .items[0].spec.template = $given | .items[1] |= (.metadata.annotations = $given.metadata.annotations | .spec.containers = $given.spec.containers)' "$CLUSTER/pods" >"$CLUSTER/new"
    mv "$CLUSTER/new" "$CLUSTER/pods"
    stack _state deployment target 1
  }
  [ "$(given "$output" 2000m)" = ready ]
  [[ $(given "$output" 500m) == "failed: its limit of cpu is 500m, where 2 was asked for, "* ]]
}

@test "a pod whose traffic goes through Istio's ambient mesh is refused" {
  recorded ready
  jq '.items[1].metadata.annotations = {"ambient.istio.io/redirection": "enabled"}' "$CLUSTER/pods" >"$CLUSTER/new"
  mv "$CLUSTER/new" "$CLUSTER/pods"
  fails "error: target does not start: Istio's ambient mesh has its traffic, and would be measured with it: keep it out of this namespace; " stack _wait_ready deployment target 1 120
}

@test "of somebody else's database pods are given no password and no certificate that lie in the driver's home" {
  export HOME=$BATS_TEST_TMPDIR ALLOW_WRITES=true EXTERNAL_DSN=''
  mkdir "$HOME/.postgresql"
  touch "$HOME/.postgresql/root.crt"
  (umask 077 && echo '*:*:*:*:secret' | tee "$HOME/.pgpass" >"$HOME/other")
  # shellcheck disable=SC2016 # psql's stand-in prints it
  printf '%s\n' '#!/bin/sh' 'echo "SSL connection (protocol: TLSv1.3, cipher: TLS_AES_256_GCM_SHA384)"' \
    "echo '{\"host\": \"a\", \"port\": \"5432\", \"user\": \"u\", \"database\": \"d\", \"version\": \"17.5\", \"version_num\": 170005}'" >"$HOME/bin/psql"
  chmod +x "$HOME/bin/psql"
  given() { env "$@" scripts/probes/dsn.sh | grep -c -e PGPASSWORD= -e PGSSLROOTCERT=; }
  [ "$(given STACK=local)" -eq 2 ]
  [ "$(given STACK=kubernetes)" -eq 0 ]
  [ "$(given STACK=kubernetes PGPASSFILE="$HOME/other")" -eq 0 ]
  [ "$(given STACK=kubernetes PGPASSWORD=mine)" -eq 1 ]
}

@test "a node selector of no role, or without a label, is one line" {
  local selector
  [ "$(KUBE_NODE_SELECTOR=cube=a/b=c,cube=d=,target=e=f stack _selectors | jq -c .)" = '{"cube":{"a/b":"c","d":""},"target":{"e":"f"}}' ]
  for selector in database=pool=disk postgres=disk; do
    KUBE_NODE_SELECTOR=$selector run -64 stack _selectors
    [[ $output == "error: KUBE_NODE_SELECTOR is $selector: must be ROLE=LABEL=VALUE,"* ]]
  done
}

@test "a pod that was restarted where it is gives way to a new one, others stay" {
  recorded ready
  stack _renew target
  [ "$(calls "delete pod")" -eq 0 ]
  recorded "it was restarted"
  run -0 stack _renew target
  [ "$output" = "target has failed or was restarted: a new pod takes its place" ]
  [ "$(calls "delete pod target-1 ")" -eq 1 ]
}

@test "the API server that was away is asked again, as kubectl tells it; what it refuses is not" {
  local fault
  for fault in 'The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?' 'Unable to connect to the server: net/http: TLS handshake timeout' \
    'error: EOF' 'Error from server: etcdserver: leader changed'; do
    echo "$fault" >"$CLUSTER/fault"
    : >"$CLUSTER/calls"
    run -0 --separate-stderr stack _kubectl get pods
    [ "$output" = '{"items": []}' ]
    [ "$(calls "get pods")" -eq 2 ]
  done
  echo 'Error from server (Forbidden): pods is forbidden' >"$CLUSTER/fault"
  : >"$CLUSTER/calls"
  run -1 stack _kubectl get pods
  [ "$output" = 'Error from server (Forbidden): pods is forbidden' ]
  [ "$(calls "get pods")" -eq 1 ]
}

@test "why no cluster answers is said in kubectl's words; that it may not be asked is an answer" {
  printf '\nUnable to connect to the server: x509: certificate signed by unknown authority\nand more\n' >"$CLUSTER/unready"
  run -1 stack stack_can_run
  [ "$output" = "no cluster answers in kubectl's current context: Unable to connect to the server: x509: certificate signed by unknown authority" ]
  echo 'error: context "three" does not exist' >"$CLUSTER/unready"
  KUBE_CONTEXT=three run -1 stack stack_can_run
  [ "$output" = 'no cluster answers in context three: context "three" does not exist' ]
  echo 'Error from server (Forbidden): forbidden: User "me" cannot get path "/readyz"' >"$CLUSTER/unready"
  run -0 stack stack_can_run
  [ "$output" = "the cluster answers" ]
}

@test "a KUBECONFIG of relative paths is the one of the folder where the run was started" {
  local repo=$PWD
  cd "$BATS_TEST_TMPDIR"
  echo 'error: EOF' >"$CLUSTER/unready"
  KUBECONFIG="a b::/c:d/e" run -2 "$repo/run-all-tests.sh" smoke --stack kubernetes
  [ "$(<"$CLUSTER/kubeconfig")" = "$PWD/a b:/c:$PWD/d/e" ]
  run -2 env -u KUBECONFIG "$repo/run-all-tests.sh" smoke --stack kubernetes
  [ -z "$(<"$CLUSTER/kubeconfig")" ]
}

@test "what the cluster does not say is no empty word: nothing goes on without the database's address, or a generator" {
  echo 'Error from server (Forbidden): services is forbidden' >"$CLUSTER/fault"
  run -1 stack _export_role app tpch
  [ "$output" = "Error from server (Forbidden): services is forbidden" ]
  run -1 stack _in_pod true
  [ "$output" = "the pod of load generator 1 does not run" ]
  # shellcheck disable=SC2016 # the stack's shell expands it
  run -0 stack eval 'PGHOST=10.0.0.1 PGDATABASE=tpch; counters "$CLUSTER/counters.log"'
  [ "$output" = $'warning: no counters from the database: the pod of load generator 1 does not run\nnull' ]
  [ "$(calls " exec ")" -eq 0 ]
}

@test "files are fetched by the sampler, which outlives a generator that died, or else by the generator" {
  CELL_DIR=$BATS_TEST_TMPDIR stack _fetched generator-0-x
  [ "$(calls "exec generator-0-x --container sampler")" -eq 1 ]
  [ "$(calls "exec generator-0-x --container generator")" -eq 0 ]
  touch "$CLUSTER/sampler-died"
  CELL_DIR=$BATS_TEST_TMPDIR stack _fetched generator-0-x
  [ "$(calls "exec generator-0-x --container generator")" -eq 1 ]
}

@test "of the generators of a run those are watched that make the trial" {
  a_generator
  jq '.items[1].status.podIP = "10.1.0.0" | .items += [.items[1] | .metadata.labels["batch.kubernetes.io/job-completion-index"] = ("1", "2") | .status.podIP = "10.1.0.\(.metadata.labels["batch.kubernetes.io/job-completion-index"])"]' \
    "$CLUSTER/pods" >"$CLUSTER/new"
  mv "$CLUSTER/new" "$CLUSTER/pods"
  echo target >"$STATE/role"
  watched() { stack stack_roles | jq -c .generator; }
  [ "$(OF=1 watched)" = '{"url":"http://10.1.0.0:9100/"}' ]
  [ "$(OF=2 watched)" = '[{"url":"http://10.1.0.0:9100/"},{"url":"http://10.1.0.1:9100/"}]' ]
}

@test "what runs in a pod has its input, output and exit status here; where the connection breaks before, it has failed" {
  local cut="the connection to a pod broke before its command had ended"
  a_generator
  touch "$CLUSTER/here"
  for limit in '' 'timeout 9'; do
    # shellcheck disable=SC2086 # none or two words
    run -7 --separate-stderr stack _in generator-0-x generator $limit bash -c 'cat; printf "one\ntwo" >&2; exit 7' <<<"$(printf '1\n2')"
    [ "$output" = $'1\n2' ]
    # shellcheck disable=SC2154 # of run
    [ "$stderr" = $'one\ntwo' ]
  done
  touch "$CLUSTER/unheard" # the connection broke after that: kubectl exits 0
  run -7 stack _in generator-0-x generator bash -c 'exit 7'
  rm "$CLUSTER"/{here,unheard}
  touch "$CLUSTER/cut"
  run -1 stack stack_psql -c 'select 1'
  [ "$output" = "$cut" ]
  run -1 stack stack_verify pooled
  [ "$output" = "$cut" ]
  run -1 stack _fetched generator-0-x
  [ "$output" = "$cut"$'\n'"$cut" ] # of both containers
  fails "$cut (see $STATE/kubectl.log)" stack stack_writes "$CELL_DIR"
}

@test "a load tool, which has a time limit, is noted in its pod; what runs beside it is not" {
  a_generator
  stack _generate 0 timeout 5 bin/k6 run
  stack _generate 0 scripts/generators/clock.sh
  [ "$(calls " scripts/generators/noted.sh timeout 5 k6 run$")" -eq 1 ]
  [ "$(calls " scripts/generators/clock.sh$")" -eq 1 ]
  [ "$(calls "noted.sh")" -eq 1 ]
}

@test "a load tool that goes on after a trial, or when the next one begins, is told" {
  a_generator
  run -0 stack stack_over
  [ -z "$output" ]
  echo 4711 >"$CLUSTER/left"
  run -0 stack stack_over
  [ "$output" = "warning: a load tool went on in generator-0-x after its connection had broken, and was ended (process 4711)" ]
  run -0 stack stack_writes "$CELL_DIR"
  [ "$output" = "warning: a load tool went on in generator-0-x after its connection had broken, and was ended (process 4711)" ]
}

@test "a load tool that was noted and still runs is ended, with what it runs; others are left" {
  export TMPDIR=$BATS_TEST_TMPDIR
  scripts/generators/noted.sh timeout --foreground --kill-after=10 60 sleep 61 3>&- &
  TOOL=$!
  until_true pgrep -x -P "$TOOL" sleep
  local sleeper
  sleeper=$(pgrep -x -P "$TOOL" sleep)
  echo 1 >"$TMPDIR/pglab-tools/$$" # that pid is another process by now
  run -0 scripts/generators/noted.sh
  [ "$output" = "$TOOL" ]
  run ! kill -0 "$sleeper"
  run -0 scripts/generators/noted.sh true
  [ -z "$output" ]
  run -0 scripts/generators/noted.sh
  [ -z "$output" ]
}

@test "memory as Kubernetes has it is a limit, and what is none is one line" {
  POSTGRES_MEMORY=4Gi run -0 ./run-all-tests.sh smoke --stack kubernetes --dry-run
  POSTGRES_MEMORY="4 gigs" run -64 ./run-all-tests.sh smoke --stack kubernetes --dry-run
  [ "$output" = "error: POSTGRES_MEMORY is 4 gigs: must be a size, such as 4g or 4Gi" ]
}

@test "what the cluster was asked for, by a variable too, is recorded, and a run is not resumed with another" {
  local run=$BATS_TEST_TMPDIR/run
  a_generator
  touch "$CLUSTER/here"
  jq -n '{items: [{spec: {storageClassName: "standard", resources: {requests: {storage: "20Gi"}}}, status: {capacity: {storage: "25Gi"}}}]}' >"$CLUSTER/volumes"
  mkdir "$run"
  echo '{"url": null}' >"$run/options.json"
  jq -n '{groups: [{target: "pooled", database: "none", variant: {name: "base", env: {}, args: []}, cells: [{workload: "echo", model: "closed", tool: "k6", level: 1}]}]}' >"$run/plan.json"
  environment() { env STACK=kubernetes SCALE=1 PGLAB_INPUTS=any "$@" scripts/stages/environment.sh "$run"; }
  environment KUBE_NODE_SELECTOR=postgres=pool=disk
  jq -e '.cluster == {uid: "kube-system/uid-1", operator: null, node_selector: {postgres: {pool: "disk"}}, volume: {class: "standard", size: "20Gi", capacity: "25Gi"}}' "$run/environment.json"
  node tests/lib/conforms.js environment "$run/environment.json"
  sed -i s/standard/fast/ "$CLUSTER/volumes"
  run -2 environment KUBE_NODE_SELECTOR=postgres=pool=disk
  [ "${lines[-1]}" = "error: the volume, the operator or the nodes that roles may be on are others than when the run began ($run/environment.diff): begin a run of its own" ]
  [ "$(grep -c '^[<>]' "$run/environment.diff")" -eq 2 ]
  sed -i s/fast/standard/ "$CLUSTER/volumes"
  stack stack_stop
  echo uid-2 >"$CLUSTER/uid"
  : >"$CLUSTER/calls"
  KUBE_BEGAN_IN=kube-system/uid-1 run -2 environment KUBE_NODE_SELECTOR=postgres=pool=disk
  [ "${lines[-1]}" = "error: kube-system is another than the run began with, so this is another cluster: begin a run of its own" ]
  [ "$(calls " create ")" -eq 0 ]
  [ "$(calls " apply ")" -eq 0 ]
}

@test "what kills servers of this machine is refused with STACK=kubernetes" {
  local drill
  for drill in crash survival; do
    STACK=kubernetes run -64 "scripts/drills/$drill.sh"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "error: STACK is kubernetes: what is killed "* ]]
  done
}

@test "what an event forbade before the role's object was made is another's" {
  made_at_ten() {
    recorded "$1"
    jq '.items[0].metadata.creationTimestamp = "2026-11-28T10:00:00Z"' "$CLUSTER/pods" >"$CLUSTER/new"
    mv "$CLUSTER/new" "$CLUSTER/pods"
  }
  forbidden_at() {
    jq -n --arg at "$1" --arg why "$2" '{items: [{reason: "FailedCreate", lastTimestamp: $at, involvedObject: {name: "target-1"}, message: "Error creating: pods \"target-1\" is forbidden: \($why)"}]}' >"$CLUSTER/objects"
  }
  made_at_ten "no pod yet"
  forbidden_at 2026-11-28T09:59:59Z "violates PodSecurity"
  [ "$(stack _state deployment target 1)" = "0 of 1 pods are there" ]
  forbidden_at 2026-11-28T10:00:00Z "violates PodSecurity"
  [[ $(stack _state deployment target 1) == "failed: Error creating: "*"violates PodSecurity" ]]
  forbidden_at 2026-11-28T10:00:00Z "exceeded quota: tight" # which may not know yet that the pod before has gone
  [[ $(stack _state deployment target 1) == "Error creating: "*"exceeded quota: tight" ]]
  made_at_ten starting
  [ "$(stack _state deployment target 1)" = "0 of 1 pods are ready" ]
}

@test "an operator that is not known, or beside somebody else's database, is refused in one line; and so are a size and limits that are none" {
  KUBE_OPERATOR=patroni run -1 stack stack_can_run
  [ "$output" = "KUBE_OPERATOR is patroni: must be cloudnative-pg" ]
  KUBE_OPERATOR=cloudnative-pg EXTERNAL_DSN=host=a run -1 stack stack_can_run
  [ "$output" = "KUBE_OPERATOR makes a database, and --dsn names another: unset one of them" ]
  KUBE_STORAGE=lots run -1 stack stack_can_run
  [ "$output" = "KUBE_STORAGE is lots: must be a size, such as 20Gi" ]
  TARGET_CPUS=two run -64 stack _begin
  [ "$output" = "error: TARGET_CPUS is two: must be a number of cores, such as 2 or 0.5; 0 for no limit" ]
  LOADGEN_MEMORY=2gb5 run -64 stack _begin
  [ "$output" = "error: LOADGEN_MEMORY is 2gb5: must be a size, such as 512m or 2g" ]
  TARGET_PORT=9100 run -64 stack _begin
  [ "$output" = "error: TARGET_PORT is 9100, where the sampler of each pod listens: choose another" ]
  [ ! -e "$STATE/namespace" ]
}

@test "a storage class that the cluster does not have is refused before anything is made; who may not ask goes on, and none is asked for by an empty word" {
  echo fast >"$CLUSTER/classes"
  KUBE_STORAGE_CLASS=slow run -1 stack stack_can_run
  [ "$output" = "--storage-class slow: this cluster has none of that name" ]
  KUBE_STORAGE_CLASS=fast stack stack_can_run
  echo 'Error from server (Forbidden): storageclasses.storage.k8s.io "slow" is forbidden' >"$CLUSTER/fault"
  KUBE_STORAGE_CLASS=slow stack stack_can_run
  KUBE_STORAGE_CLASS='' stack stack_can_run
  [ "$(calls "get storageclass")" -eq 3 ]
}

@test "an image that a registry did not give at once is waited for; one that is missing ends the run" {
  recorded "no image"
  fails "error: target does not start: ErrImagePull: no such host; " stack _wait_ready deployment target 1 120
  sed -i 's,no such host,i/o timeout,' "$CLUSTER/pods"
  [ "$(stack _state deployment target 1)" = "ErrImagePull: i/o timeout" ]
}

@test "a file of another name makes other files of pods, and other images" {
  mkdir -p "$BATS_TEST_TMPDIR"/clone/{apps,k6/build}
  cp -r scripts docker "$BATS_TEST_TMPDIR/clone/"
  cd "$BATS_TEST_TMPDIR/clone"
  touch apps/target.json
  made() { stack eval 'KUBE_FILES=(apps); _files_name; image_inputs'; }
  made >../before
  mkdir apps/lib
  mv apps/target.json apps/lib/
  made >../after
  [ "$(sort -u ../before ../after | wc -l)" -eq 4 ]
}

@test "kubectl uses the proxy that the driver does, though a trial's tools use none, and nobody's habits" {
  rm "$BATS_TEST_TMPDIR/bin/kubectl"
  # shellcheck disable=SC2016 # kubectl's stand-in expands them
  printf '#!/bin/sh\necho "$no_proxy $NO_PROXY $KUBERC $KUBECTL_KUBERC"\n' >"$BATS_TEST_TMPDIR/bin/kubectl"
  chmod +x "$BATS_TEST_TMPDIR/bin/kubectl"
  no_proxy='' NO_PROXY=10.0.0.0/8 KUBE_CONTEXT=one run -0 stack eval 'export no_proxy="*" NO_PROXY="*"; _kubectl_once get pods'
  [ "$output" = "127.0.0.1,localhost,::1,10.0.0.0/8 127.0.0.1,localhost,::1,10.0.0.0/8 off false" ]
}
