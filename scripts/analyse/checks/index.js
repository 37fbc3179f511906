/**
 * The verdict of a trial. To add a check: write a function in a file of this folder, list it in `checks` there, say in `about` what it finds, and put its limit in
 * scripts/declared/limits.json.
 *
 * A check is called with one object:
 *   cell            the plan's cell (tool, model, level, duration_s, warmup_s, argv, warmup_argv, block, ...)
 *   summary         summary.json
 *   status          status.json, or null
 *   headroom        ceiling / throughput, or null
 *   reconciliation  see ../reconcile.js, or null
 *   limit(name)     the value in limits.json for this workload
 *
 * `about` says of a check, where it is so:
 *   finds             what it found, where a sentence names it: a text, or a function that makes it of the reasons that the check gave
 *   isOfGenerator     what it found is the generator's ceiling, which only makes a ratio a lower bound
 *   isDisturbing      something else than the target was at work, or the load was not that of the level: a probe so marked that failed says nothing
 *   isUnsent          an open load was not sent as planned: what the target would have made of it is unknown
 *   readsStatusAlone  it makes sense without a summary, too
 * Searches also look for single checks by name: ../open-peaks.js, ../capacity/probes.js.
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

/** All checks by name, in the order of reasons. Marked as pure, so that the bundles of pages, which need ABOUT, leave these functions out. */
export const CHECKS = /* @__PURE__ */ Object.assign(
  {},
  process.checks,
  arithmetic.checks,
  answers.checks,
  connections.checks,
  load.checks,
  clock.checks,
  steadiness.checks,
  generator.checks,
  generators.checks,
  machine.checks,
  database.checks,
);

/** What is said of them, by name; a check that nothing is said of is not there. */
export const ABOUT = {
  ...process.about,
  ...answers.about,
  ...connections.about,
  ...load.about,
  ...clock.about,
  ...steadiness.about,
  ...generator.about,
  ...generators.about,
  ...machine.about,
  ...database.about,
};

const readsStatusAlone = (name) => ABOUT[name]?.readsStatusAlone ?? false;

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
  const names = Object.keys(CHECKS);
  const { reasons } = run(names.filter(readsStatusAlone), { cell, status });
  reasons.push({ check: problem.check, verdict: 'invalid', value: null, limit: null, text: problem.text });
  const isAlone = (cell.generators ?? 1) === 1;
  const unseen = names.filter(
    (name) => !readsStatusAlone(name) && name !== problem.check && !(isAlone && name.startsWith('generators_')),
  );
  return { verdict: 'invalid', reasons, not_measured: unseen };
}
