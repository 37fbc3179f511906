# $began, $ended: the two marks in a Job's log (docker/kubernetes/cnpg/job.yaml)   $run, $hash: of the run, of the log
# output: {experiment, plan, cell, status}: a run of one trial. What is known of where it ran is the log, so its hash
# stands for it.
include "cells";

def _seconds($mark): $mark.at | capture("^(?<whole>[^.]+)[.](?<ms>[0-9]{3})Z$") | ("\(.whole)Z" | fromdateiso8601) + (.ms | tonumber) / 1000;

{
  block: 1, database: "pgbench-\($began.regime)", scale: null, target: "postgres", variant: "by-statement", workload: "tpcb", tool: "pgbench", model: "closed",
  level: $began.clients, duration_s: $began.duration_s, warmup_s: $began.warmup_s
}
| finished(["-r"]; 2)
| . as $cell
| {
  experiment: {
    name: "kubernetes-\($began.regime)", why: "pgbench in a Kubernetes Job, read from its log.", blocks: 1, seed: 1,
    duration_s: .duration_s, warmup_s: .warmup_s,
    cells: [{databases: [.database], targets: [.target], variants: [{name: .variant, args: ["-r"]}], workloads: [.workload], tools: [.tool], levels: [.level]}]
  },
  plan: {
    experiment: "kubernetes-\($began.regime)", seed: 1, blocks: 1,
    groups: [{block: 1, database, target, variant: {name: .variant, env: {}, args: ["-r"]}, cells: [$cell]}]
  },
  cell: ($cell + {run: $run, plan_hash: $hash, git_commit: null, environment_hash: $hash}),
  status: {
    started_at: $began.at, ended_at: $ended.at, wall_s: (_seconds($ended) - _seconds($began)), exit_code: $ended.exit_code, timed_out: false,
    warmup: {exit_code: 0, wall_s: $began.warmup_s}, processes: {postgres: null}
  }
}
