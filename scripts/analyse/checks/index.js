/**
 * The verdict of a trial. To add a check: write a function in this folder, list it here, put its limit in scripts/declared/limits.json.
 *
 * A check is called with one object:
 *   cell            the plan's cell (tool, model, level, duration_s, warmup_s, argv, warmup_argv, block, ...)
 *   summary         summary.json
 *   status          status.json, or null
 *   headroom        ceiling / throughput, or null
 *   reconciliation  see ../reconcile.js, or null
 *   limit(name)     the value in limits.json for this workload
 */
import { limitOf } from '../limits.js';
import * as answers from './answers.js';
import * as arithmetic from './arithmetic.js';
import * as clock from './clock.js';
import * as connections from './connections.js';
import * as database from './database.js';
import * as generator from './generator.js';
import * as generators from './generators.js';
import * as load from './load.js';
import * as machine from './machine.js';
import { NOT_MEASURED } from './outcome.js';
import * as process from './process.js';
import * as steadiness from './steadiness.js';

export const CHECKS = {
  exit_status: process.exitStatus,
  processes: process.processes,
  warm_up: process.warmUp,
  complete: arithmetic.complete,
  counts_agree: arithmetic.countsAgree,
  percentiles_ordered: arithmetic.percentilesOrdered,
  restored: arithmetic.restored,
  samples: answers.samples,
  duration: answers.duration,
  errors: answers.errors,
  wrong_answers: answers.wrongAnswers,
  answer_size: answers.answerSize,
  connections: connections.connections,
  users: load.users,
  littles_law: load.littlesLaw,
  latency_law: load.latencyLaw,
  ramp: load.ramp,
  dropped: load.dropped,
  dispatch_lag: load.dispatchLag,
  offered: load.offered,
  asks: load.asks,
  settled: load.settled,
  wall_clock: clock.wallClock,
  window: clock.window,
  clock_jump: clock.clockJump,
  timeline: clock.timeline,
  drift: steadiness.drift,
  frozen: steadiness.frozen,
  paused: steadiness.paused,
  generator_cpu: generator.generatorCpu,
  headroom: generator.headroom,
  generators_ended: generators.generatorsEnded,
  generators_began: generators.generatorsBegan,
  generators_clocks: generators.generatorsClocks,
  generators_shared: generators.generatorsShared,
  generators_cpu: generators.generatorsCpu,
  watched: machine.watched,
  stopped: machine.stopped,
  processor_taken: machine.processorTaken,
  other_programs: machine.otherPrograms,
  statements: database.statements,
  sessions: database.sessions,
  rows: database.rows,
  other_statements: database.otherStatements,
};

/** The checks that still make sense when there is no summary: they read status.json alone. */
const WITHOUT_SUMMARY = ['exit_status', 'processes', 'warm_up', 'wall_clock', 'generators_clocks'];

const worst = (reasons) => {
  if (reasons.some((reason) => reason.verdict === 'invalid')) return 'invalid';
  return reasons.length > 0 ? 'suspect' : 'valid';
};

function run(names, trial) {
  const reasons = [];
  const notMeasured = [];
  const limit = (name) => limitOf(name, trial.cell.workload);
  for (const name of names) {
    const outcome = CHECKS[name]({ ...trial, limit });
    if (typeof outcome === 'object') reasons.push({ check: name, ...outcome });
    else if (outcome === NOT_MEASURED) notMeasured.push(name);
  }
  return { reasons, notMeasured };
}

/**
 * Judges one trial.
 * @returns {{verdict: 'valid'|'suspect'|'invalid', reasons: {check, verdict, value, limit, text}[], not_measured: string[]}}
 */
export function judge(trial) {
  const { reasons, notMeasured } = run(Object.keys(CHECKS), trial);
  return { verdict: worst(reasons), reasons, not_measured: notMeasured };
}

/** Judges a trial that left no usable summary: invalid, with whatever status.json can explain. */
export function judgeWithoutSummary({ cell, status }, problem) {
  const { reasons } = run(WITHOUT_SUMMARY, { cell, status });
  reasons.push({ check: problem.check, verdict: 'invalid', value: null, limit: null, text: problem.text });
  const isAlone = (cell.generators ?? 1) === 1;
  const unseen = Object.keys(CHECKS).filter(
    (name) => !WITHOUT_SUMMARY.includes(name) && name !== problem.check && !(isAlone && name.startsWith('generators_')),
  );
  return { verdict: 'invalid', reasons, not_measured: unseen };
}
