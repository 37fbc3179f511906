#!/usr/bin/env bats
# The kubernetes stack on a real cluster, which tests/kubernetes.sh brings up: smoke, and faults. Each leaves nothing behind.
# Those tagged quick are part of scripts/test.sh --ci, all of --all.
bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  [[ -n ${KUBECONFIG:-} ]] || skip "there is no cluster; tests/kubernetes.sh brings one up"
  export PGLAB_DATA=$BATS_FILE_TMPDIR/data PGLAB_RESULTS=$BATS_FILE_TMPDIR/results KUBE_NAMESPACE=pglab-test KUBE_STORAGE=1Gi
}

setup() {
  source tests/lib/whole-run.bash
  source tests/lib/postgres.bash
}

teardown() {
  kubectl delete namespace somebodys --ignore-not-found
  run kubectl get all,pvc,configmap,secret --all-namespaces --selector app.kubernetes.io/part-of=pglab --output name
  [ -z "$output" ]
  run kubectl get namespace "$KUBE_NAMESPACE"
  [ "$status" -ne 0 ]
  again
}

# again: a volume that was used is another's to use, empty, as a provisioner would make it.
again() {
  local name
  for name in $(kubectl get pv --output json | jq -r '.items[] | select(.status.phase == "Released").metadata.name'); do
    find "$(dirname "$KUBECONFIG")/${name%-*}/volumes/${name##*-}" -mindepth 1 -delete
    kubectl patch pv "$name" --type json --patch '[{"op": "remove", "path": "/spec/claimRef"}]'
  done
}

# few ARGUMENT...: a run of one target, one workload, one trial.
few() { ./run-all-tests.sh smoke --stack kubernetes --targets pooled --workloads echo "$@" 3>&-; }

# long_trials: makes $BATS_TEST_TMPDIR/smoke.json, whose trials take ten seconds.
long_trials() { jq '.duration_s = 10 | .cells |= map(.duration_s = 10)' scripts/declared/experiments/smoke.json >"$BATS_TEST_TMPDIR/smoke.json"; }

# being_measured: returns once a trial is that asks the database; 1 where the driver ended before.
being_measured() {
  local _
  for _ in {1..1800}; do
    ! jq -e .roles.postgres "$PGLAB_DATA/stack/watch/cell.json" >/dev/null 2>&1 || return 0
    kill -0 "$DRIVER" || return 1
    sleep 0.1
  done
  return 1
}

# in_a_trial COMMAND...: runs it while a long trial of TARGETS, unless set pooled, is measured; leaves the run's exit code in CODE, what it said in $BATS_TEST_TMPDIR/said.
in_a_trial() {
  long_trials
  ./run-all-tests.sh "$BATS_TEST_TMPDIR/smoke.json" --stack kubernetes --targets "${TARGETS:-pooled}" --workloads echo >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
  DRIVER=$!
  being_measured || { cat "$BATS_TEST_TMPDIR/said" && return 1; }
  "$@"
  CODE=0
  wait "$DRIVER" || CODE=$?
  cat "$BATS_TEST_TMPDIR/said"
}

# noted: whether a load tool runs in the first generator's pod.
noted() { kubectl --namespace "$KUBE_NAMESPACE" exec job/generator --container generator -- bash -c 'compgen -G "/tmp/pglab-tools/*"'; }

# kill_driver: its guard stops what it leaves.
kill_driver() { kill -KILL "$DRIVER"; }

# cluster FUNCTION ARGUMENT...: of tests/kubernetes/cluster.bash, for the cluster that is there.
cluster() (
  source scripts/lib/common.bash
  source tests/kubernetes/programs.bash
  source tests/kubernetes/cluster.bash
  source tests/kubernetes/operator.bash
  "$@" "$(dirname "$KUBECONFIG")"
)

# node_of ROLE: prints on which node its pod is.
node_of() { kubectl --namespace "$KUBE_NAMESPACE" get pods --selector "app.kubernetes.io/name=$1" --output jsonpath='{.items[0].spec.nodeName}'; }

# ours: the namespace is there, as if a run on this data folder had made it.
ours() {
  mkdir -p "$PGLAB_DATA/stack"
  [ -s "$PGLAB_DATA/stack/owner" ] || echo test >"$PGLAB_DATA/stack/owner"
  kubectl create namespace "$KUBE_NAMESPACE"
  kubectl annotate namespace "$KUBE_NAMESPACE" "pglab/owner=$(<"$PGLAB_DATA/stack/owner")"
}

# somebodys_database: a database with TLS in a namespace of its own, with orders that role reader may read; sets DSN, without the password, which is
# SECRET, and TLS, the folder with its certificate.
somebodys_database() {
  SECRET="p@ss:else\\where'/1" TLS=$BATS_TEST_TMPDIR
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$TLS/tls.key" -out "$TLS/tls.crt" -subj /CN=shop -days 2
  kubectl create namespace somebodys
  kubectl --namespace somebodys create secret tls shop --key "$TLS/tls.key" --cert "$TLS/tls.crt"
  kubectl --namespace somebodys run shop --image "$(source scripts/lib/common.bash && pinned POSTGRES_IMAGE)" --image-pull-policy IfNotPresent \
    --port 5432 --expose --env POSTGRES_PASSWORD=none --env POSTGRES_INITDB_ARGS='--locale=C --encoding=UTF8' --override-type strategic --overrides '{"spec": {
      "securityContext": {"runAsUser": 999, "fsGroup": 999}, "volumes": [{"name": "tls", "secret": {"secretName": "shop", "defaultMode": 288}}],
      "containers": [{"name": "shop", "volumeMounts": [{"name": "tls", "mountPath": "/tls"}]}]}}' \
    -- postgres -c 'listen_addresses=*' -c ssl=on -c ssl_cert_file=/tls/tls.crt -c ssl_key_file=/tls/tls.key
  until_true kubectl --namespace somebodys exec shop -- pg_isready -q -h 127.0.0.1
  kubectl --namespace somebodys exec --stdin shop -- psql -XqAt -v ON_ERROR_STOP=1 -v password="$SECRET" -U postgres <<'SQL'
create role reader login password :'password';
create table orders (o_orderstatus text, o_orderdate date, o_totalprice numeric(12,2));
insert into orders values ('F', '1992-01-01', 10.50), ('O', '1993-01-01', 0.01);
grant select on orders to reader;
SQL
  DSN="host=$(kubectl --namespace somebodys get service shop --output jsonpath='{.spec.clusterIP}') user=reader dbname=postgres"
}

# went_on: the run that a fault was in came to its end, with figures of every cell.
went_on() {
  ((CODE == 0)) || { ((CODE == 1)) && jq -e '[.cells[].trials[] | select(.verdict != "invalid")] | length > 0' "$(newest_run smoke)/results.json"; }
  jq -e '.verdicts.not_run == 0' "$(newest_run smoke)/results.json"
}

# refuses TEXT ARGUMENT...: exit 2 and one line of error, which says TEXT.
refuses() {
  local text=$1
  shift
  run few "$@"
  echo "$output"
  [ "$status" -eq 2 ]
  [ "$(grep -c '^error: ' <<<"$output")" -eq 1 ]
  [[ $output == *"$text"* ]]
}

# invalid_because CHECK: a trial of the newest run is invalid, for that reason.
invalid_because() {
  jq -e --arg check "$1" '[.cells[].trials[] | select(.verdict == "invalid") | .reasons[].check] | any(. == $check)' "$(newest_run smoke)/results.json"
}

# on_one_machine RUN: all nodes are of one machine, by each trial whose pods told of theirs, and most did: on a busy machine the sampler may not cover a trial of a
# second. Prints which did not, or tell of another number.
on_one_machine() {
  jq -nre '[inputs | {cell: "\(.cell.block)/\(.cell.id)", machines: .resources.machines}]
    | map(select(.machines)) as $told
    | (.[] | select(.machines | length != 1) | "\(.cell): machines: \(.machines | tojson)"),
      (2 * ($told | length) > length and all($told[]; .machines | length == 1))' "$1"/cells/*/*/summary.json
}

# bats test_tags=quick
@test "smoke: every cell measured, schema and sense hold, no invalid trial; who was where is in the result" {
  run ./run-all-tests.sh smoke --stack kubernetes 3>&-
  echo "$output"
  [ "$status" -eq 0 ] || only_robbed "$(newest_run smoke)"
  node tests/e2e/check-run.js "$(newest_run smoke)" 24
  jq -e '(.nodes | length == 3) and (.cluster | .uid and .volume == {class: "local", size: "1Gi", capacity: "20Gi"})' "$(newest_run smoke)/environment.json"
  jq -se 'all(.[]; .processes | length > 0 and all(.[]; .nodes | length == 1))' "$(newest_run smoke)"/cells/*/*/status.json
  on_one_machine "$(newest_run smoke)"
}

# bats test_tags=quick
@test "a generator that is killed in a trial: that trial is invalid" {
  in_a_trial kubectl --namespace "$KUBE_NAMESPACE" delete pod --selector app.kubernetes.io/name=generator --grace-period 0 --force
  [ "$CODE" -eq 1 ]
  invalid_because exit_status
}

# bats test_tags=quick
@test "a database that is killed in a trial: that trial is invalid" {
  in_a_trial kubectl --namespace "$KUBE_NAMESPACE" delete pod postgres-0 --grace-period 0 --force
  [ "$CODE" -eq 1 ]
  invalid_because processes
}

@test "a target that is killed in a trial: that trial is invalid" {
  in_a_trial kubectl --namespace "$KUBE_NAMESPACE" delete pod --selector app.kubernetes.io/name=target --grace-period 0 --force
  [ "$CODE" -eq 1 ]
  invalid_because processes
}

@test "a node that is drained in a trial keeps its pods: the run goes on" {
  drain() {
    local node
    node=$(node_of postgres)
    run kubectl drain "$node" --force --delete-emptydir-data --timeout 5s
    kubectl uncordon "$node"
  }
  in_a_trial drain
  [[ $output == *"would violate the pod's disruption budget"* ]]
  [ "$CODE" -eq 0 ]
  went_on
}

@test "an image that no node has: one line" {
  refuses 'ErrImagePull: failed to pull and unpack image "registry.invalid/pglab/pglab-loadgen' --registry registry.invalid/pglab # at once, or in two minutes where no name server answers
}

@test "images that were not built from this clone: one line" {
  PGLAB_INPUTS=another refuses "image pglab-loadgen on the nodes was not built from this clone"
}

@test "a storage class that is not there: one line" {
  refuses '--storage-class nonesuch: this cluster has none of that name' --storage-class nonesuch
}

@test "a quota that leaves no room: one line" {
  ours
  kubectl --namespace "$KUBE_NAMESPACE" create quota tight --hard pods=0
  refuses 'exceeded quota: tight'
}

@test "a limit of cores that the namespace gives, and nobody asked for: one line" {
  ours
  kubectl --namespace "$KUBE_NAMESPACE" create --filename - <<<'{"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "half"},
    "spec": {"limits": [{"type": "Container", "default": {"cpu": "500m"}}]}}'
  refuses 'its limit of cpu is 500m, where none was asked for'
}

@test "a target's kubelet that stands still for 20 s in a trial: the run goes on" {
  stand_still() { cluster cluster_without_kubelet 20 "$(node_of target)"; }
  in_a_trial stand_still
  went_on
}

@test "an API server that is away for 20 s in a trial: the run goes on, and what is lost is said" {
  without_api() {
    until_true noted # else it would begin when the API server is back
    cluster cluster_without_api 20
  }
  in_a_trial without_api
  [ "$CODE" -eq 1 ]
  invalid_because exit_status
  went_on
}

@test "a driver that is killed in a trial: --resume takes up its run" {
  local run
  in_a_trial kill_driver
  run=$(newest_run smoke)
  [ ! -e "$run/results.json" ]
  ./run-all-tests.sh --resume "$run" 3>&-
  jq -e '.verdicts | .not_run == 0 and .invalid == 0' "$run/results.json"
}

@test "two generators share a load: their clocks are known, and the files of both are there" {
  local trial number
  whole_run smoke --stack kubernetes --targets pooled --workloads echo --levels 4 --generators 2
  jq -e '[.cells[] | select(.calibration | not) | .trials[].generators] | length > 0 and all(.[]; length == 2 and all(.[]; .complete and .began_after_ms != null and .clock_offset_ms != null))' \
    "$WHOLE_RUN/results.json"
  for trial in "$WHOLE_RUN"/cells/*/*; do
    for number in 1 2; do
      compgen -G "$trial/raw.*[.-]$number*"
    done
  done
}

@test "a target that uses up its limit of cores: its trials say so" {
  long_trials
  TARGET_CPUS=0.2 run ./run-all-tests.sh "$BATS_TEST_TMPDIR/smoke.json" --stack kubernetes --targets pooled --workloads echo 3>&-
  echo "$output"
  [ "$status" -le 1 ] # so slow a target may leave too few answers
  jq -se '[.[] | select(.cell.target == "pooled").resources.roles.target.throttled_share | values] | length > 0 and all(.[]; . > 0.02)' "$(newest_run smoke)"/cells/*/*/summary.json
  jq -e '[.cells[] | select(.calibration | not) | .trials[].reasons[].check] | any(.[]; . == "processor_taken")' "$(newest_run smoke)/results.json"
}

@test "roles are where they may be alone" {
  kubectl label node node3 pool=disk
  whole_run smoke --stack kubernetes --targets pooled --workloads echo --node-selector postgres=pool=disk
  kubectl label node node3 pool-
  jq -se 'any(.[]; .processes.postgres) and all(.[] | .processes.postgres // empty; .nodes == ["node3"])' "$WHOLE_RUN"/cells/*/*/status.json
}

@test "targets stay on the node of the first, though another is preferred by now" {
  prefer_another() { kubectl get nodes --output name | grep -v "/$(node_of target)\$" | xargs -I {} kubectl label {} pglab/role=target; }
  TARGETS=raw,pooled in_a_trial prefer_another
  kubectl label nodes --all pglab/role-
  went_on
  jq -se '[.[].processes.target // empty | .nodes[]] | unique | length == 1' "$(newest_run smoke)"/cells/*/*/status.json
}

@test "nodes that are tainted for their roles take them" {
  local -A role=([node1]=postgres [node2]=target [node3]=generator)
  local node
  for node in "${!role[@]}"; do
    kubectl label node "$node" "pglab/role=${role[$node]}"
    kubectl taint node "$node" "pglab/role=${role[$node]}:NoSchedule"
  done
  run few
  kubectl taint nodes --all pglab/role-
  kubectl label nodes --all pglab/role-
  echo "$output"
  [ "$status" -eq 0 ] || only_robbed "$(newest_run smoke)"
  jq -se 'any(.[]; .processes.target) and all(.[] | .processes.target // empty; .nodes == ["node2"])' "$(newest_run smoke)"/cells/*/*/status.json
}

@test "a database whose container is restarted in a trial: that trial is invalid, and the next target has a new one" {
  restart() {
    # shellcheck disable=SC2016 # the pod's shell expands them
    kubectl --namespace "$KUBE_NAMESPACE" exec postgres-0 --container postgres -- bash -euc 'kill -KILL "$(head -n 1 "$PGDATA/postmaster.pid")"'
  }
  TARGETS=raw,pooled in_a_trial restart
  [ "$CODE" -eq 1 ]
  invalid_because processes
  went_on
  grep "postgres has failed or was restarted: a new pod takes its place" "$BATS_TEST_TMPDIR/said"
}

@test "a load tool whose connection breaks in a trial is ended before the next" {
  exec_of_tool() { pgrep -f -- "kubectl .*--namespace $KUBE_NAMESPACE exec .*noted.sh .*timeout"; }
  cut_off() {
    local pid
    until_true noted
    pid=$(exec_of_tool)
    kill -KILL "$pid"
  }
  in_a_trial cut_off
  [ "$CODE" -eq 1 ]
  invalid_because exit_status
  grep "a load tool went on in generator-0-.* after its connection had broken, and was ended" "$BATS_TEST_TMPDIR/said"
}

@test "kubectl that is pointed elsewhere in a trial does not move the run" {
  jq '.clusters += [{name: "elsewhere", cluster: {server: "https://127.0.0.1:1"}}] | .contexts += [{name: "elsewhere", context: {cluster: "elsewhere", user: .users[0].name}}]' \
    "$KUBECONFIG" >"$BATS_TEST_TMPDIR/kubeconfig"
  elsewhere() { kubectl config use-context elsewhere; }
  KUBECONFIG=$BATS_TEST_TMPDIR/kubeconfig in_a_trial elsewhere
  went_on
}

# kubeconfig_of ACCOUNT: makes that service account; prints a kubeconfig of its.
kubeconfig_of() {
  local token
  kubectl create serviceaccount "$1" >&2
  token=$(kubectl create token "$1")
  jq --arg token "$token" '.users[0].user = {$token}' "$KUBECONFIG" >"$BATS_TEST_TMPDIR/kubeconfig"
  printf '%s\n' "$BATS_TEST_TMPDIR/kubeconfig"
}

@test "no rights: one line" {
  KUBECONFIG=$(kubeconfig_of nobody) refuses "is forbidden"
  kubectl delete serviceaccount nobody
}

# documented_rights: the roles of docs/kubernetes.md are there.
documented_rights() {
  # shellcheck disable=SC2016 # those are no commands
  sed -n '/^```yaml$/,/^```$/p' docs/kubernetes.md | sed '/^```/d' | kubectl apply --filename -
}

@test "the rights that docs/kubernetes.md lists are enough" {
  local role
  documented_rights
  for role in pglab pglab-namespaces; do
    kubectl create clusterrolebinding "$role" --clusterrole "$role" --serviceaccount default:driver
  done
  KUBECONFIG=$(kubeconfig_of driver) few --generators 1
  kubectl delete clusterrolebinding,clusterrole pglab pglab-namespaces
  kubectl delete serviceaccount driver
  jq -e '.nodes | length == 3' "$(newest_run smoke)/environment.json"
}

@test "in a namespace that is lent the rights in it are enough; what is ours goes, and it stays" {
  documented_rights
  kubectl create namespace somebodys
  kubectl annotate namespace somebodys pglab/owner=lent
  kubectl --namespace somebodys create configmap theirs
  kubectl --namespace somebodys label configmap theirs app.kubernetes.io/part-of=pglab # as another laboratory's
  kubectl --namespace somebodys create rolebinding pglab --clusterrole pglab --serviceaccount default:driver
  KUBE_NAMESPACE=somebodys KUBECONFIG=$(kubeconfig_of driver) few
  kubectl delete clusterrole pglab pglab-namespaces
  kubectl delete serviceaccount driver
  [ "$(kubectl --namespace somebodys get all,pvc,configmap,secret,pdb,networkpolicy --output name | grep -v '/kube-root-ca.crt$')" = configmap/theirs ]
  jq -e '.nodes == null and .cluster.uid' "$(newest_run smoke)/environment.json"
}

@test "a namespace that is not ours is neither used nor removed" {
  kubectl create namespace somebodys
  KUBE_NAMESPACE=somebodys refuses "is there and not ours"
  kubectl get namespace somebodys
}

@test "somebody's database that pods reach: it is only read, its settings are told, and its password is nowhere" {
  somebodys_database
  PGPASSWORD=$SECRET whole_run smoke --stack kubernetes --targets pooled --workloads analytics,echo --dsn "$DSN"
  node tests/e2e/check-run.js "$WHOLE_RUN" 6
  jq -e '.connection.user == "reader" and .connection.tls.version == "TLSv1.3" and (.databases.external | tojson | contains("default_transaction_read_only"))' "$WHOLE_RUN/environment.json"
  run ! grep -rFe "$SECRET" "$WHOLE_RUN" "$PGLAB_DATA"
}

@test "somebody's database: a wrong password, a file of TLS, an address where nobody is, and what may not be read are one line each" {
  somebodys_database
  PGPASSWORD=wrong refuses 'password authentication failed for user "reader"' --dsn "$DSN"
  PGPASSWORD=$SECRET run -64 few --dsn "$DSN sslmode=require sslrootcert=$TLS/tls.crt"
  [[ $output == *"error: --dsn: $TLS/tls.crt is a file of this machine"* ]]
  PGPASSWORD=$SECRET refuses "Connection refused" --dsn "host=127.0.0.1 port=1 user=reader dbname=postgres"
  kubectl --namespace somebodys exec shop -- psql -XqAt -U postgres -c 'revoke select on orders from reader'
  PGPASSWORD=$SECRET run ./run-all-tests.sh smoke --stack kubernetes --targets pooled --workloads analytics --dsn "$DSN" 3>&-
  [ "$status" -eq 2 ]
  [[ $output == *"error: --dsn: workload analytics cannot be asked: permission denied for table orders"* ]]
}

@test "a database that CloudNativePG's operator runs: the profile's settings and our roles" {
  cluster operator_up
  # which is 1500m to the API server
  POSTGRES_CPUS=1.5 ./run-all-tests.sh smoke --stack kubernetes --operator cloudnative-pg 3>&- || only_robbed "$(newest_run smoke)"
  node tests/e2e/check-run.js "$(newest_run smoke)" 24
  jq -se 'any(.[]; .processes.postgres) and all(.[] | .processes.postgres // empty; .alive_after and (.nodes | length == 1))' "$(newest_run smoke)"/cells/*/*/status.json
  jq -e '[.databases[].settings] | length > 0 and all(.[]; .shared_buffers == "1GB" and .wal_log_hints == "on")' "$(newest_run smoke)/environment.json"
}

@test "an operator that is not there, or that no one can be: one line each" {
  cluster operator_down
  refuses "--operator cloudnative-pg: the server doesn't have a resource type" --operator cloudnative-pg
  run -64 few --operator patroni
  [[ $output == *"--operator patroni: must be cloudnative-pg"* ]]
  run -64 few --operator cloudnative-pg --dsn host=127.0.0.1
  [[ $output == *"--operator or --dsn, not both"* ]]
}
