#!/usr/bin/env bats
# The kubernetes stack on a real cluster, which tests/kubernetes.sh brings up: smoke, and faults. Each leaves nothing behind.
# Those tagged quick are part of scripts/test.sh --ci; with --all the others are too.

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  [[ -n ${KUBECONFIG:-} ]] || skip "there is no cluster; tests/kubernetes.sh brings one up"
  export PGLAB_DATA=$BATS_FILE_TMPDIR/data PGLAB_RESULTS=$BATS_FILE_TMPDIR/results KUBE_NAMESPACE=pglab-test KUBE_STORAGE=1Gi
}

setup() {
  source tests/lib/whole-run.bash
}

teardown() {
  run kubectl get all,pvc,configmap,secret --all-namespaces --selector app.kubernetes.io/part-of=pglab --output name
  [ -z "$output" ]
  run kubectl get namespace "$KUBE_NAMESPACE"
  [ "$status" -ne 0 ]
  again
}

# again: a volume that was used is another's to use.
again() {
  kubectl get pv --output json | jq -r '.items[] | select(.status.phase == "Released").metadata.name' |
    xargs -r -I {} kubectl patch pv {} --type json --patch '[{"op": "remove", "path": "/spec/claimRef"}]'
}

# few ARGUMENT...: a run of one target, one workload, one trial.
few() { ./run-all-tests.sh smoke --stack kubernetes --targets pooled --workloads echo "$@" 3>&-; }

# being_measured: returns once a trial is that asks the database.
being_measured() {
  local _
  for _ in {1..1800}; do
    ! jq -e .roles.postgres "$PGLAB_DATA/stack/watch/cell.json" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  return 1
}

# in_a_trial COMMAND...: runs it while a long trial is measured; leaves the run's exit code in CODE, what it said in $BATS_TEST_TMPDIR/said.
in_a_trial() {
  local run
  jq '.duration_s = 10 | .cells |= map(.duration_s = 10)' scripts/declared/experiments/smoke.json >"$BATS_TEST_TMPDIR/smoke.json"
  ./run-all-tests.sh "$BATS_TEST_TMPDIR/smoke.json" --stack kubernetes --targets pooled --workloads echo >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
  run=$!
  being_measured
  "$@"
  CODE=0
  wait "$run" || CODE=$?
  cat "$BATS_TEST_TMPDIR/said"
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

# bats test_tags=quick
@test "smoke: every cell measured, schema and sense hold, no invalid trial; who was where is in the result" {
  run ./run-all-tests.sh smoke --stack kubernetes 3>&-
  echo "$output"
  [ "$status" -eq 0 ] || only_robbed "$(newest_run smoke)"
  node tests/e2e/check-run.js "$(newest_run smoke)" 24
  jq -e '.nodes | length == 3' "$(newest_run smoke)/environment.json"
  jq -se 'all(.[]; .processes | all(.[]; .nodes | length == 1))' "$(newest_run smoke)"/cells/*/*/status.json
}

# bats test_tags=quick
@test "a generator that is killed in a trial: that trial is invalid" {
  in_a_trial kubectl --namespace "$KUBE_NAMESPACE" delete pod --selector app.kubernetes.io/name=generator --grace-period 0 --force
  [ "$CODE" -eq 1 ]
  invalid_because exit_status
}

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

@test "an image that no node has: one line" {
  refuses "generator does not start: " --registry registry.invalid/pglab
}

@test "a storage class that is not there: one line" {
  refuses 'storageclass.storage.k8s.io "nonesuch" not found' --storage-class nonesuch
}

@test "no rights: one line" {
  local token
  kubectl create serviceaccount nobody
  token=$(kubectl create token nobody)
  jq --arg token "$token" '.users[0].user = {$token}' "$KUBECONFIG" >"$BATS_TEST_TMPDIR/kubeconfig"
  KUBECONFIG=$BATS_TEST_TMPDIR/kubeconfig refuses "is forbidden"
  kubectl delete serviceaccount nobody
}

@test "a namespace that is not ours is neither used nor removed" {
  kubectl create namespace somebodys
  KUBE_NAMESPACE=somebodys refuses "is there and not ours"
  kubectl get namespace somebodys
  kubectl delete namespace somebodys
}
