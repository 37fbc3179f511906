/** From a run folder to results.json. Offline, and always the same from the same files. */
import { basename } from 'node:path';
import { markedAnew } from '../findings/capacity/find.js';
import { FINDINGS } from '../findings/index.js';
import { cautions } from './cautions.js';
import { Cell, countVerdicts } from './cell.js';
import { compareAll, summariseAgain } from './comparisons.js';
import { leastEnough } from './enough.js';
import { busiestOf, comparable } from './figures.js';
import { Ceilings } from './generator.js';
import { isCalibration, placeKey, trialId } from './identity.js';
import { LIMITS, limitOf } from './limits.js';
import { groupBy } from './numbers.js';
import { placements } from './placement.js';
import { answered, answeredAnew } from './questions.js';
import { readOwnTrial } from './run-folder.js';
import { sessionCounts } from './sessions.js';
import { describeTrial } from './trial.js';
import { usableCells } from './usable.js';

/**
 * @param run see openRun
 * @returns {object} results.json, schema scripts/declared/schema/results.json
 */
export function analyse(run) {
  const { cells, notRun, provenance, trialsRun } = walk(run);
  const trials = cells.flatMap((cell) => cell.trials);
  const placed = placements(trialsRun);
  const comparisons = compareAll(cells);
  const again = summariseAgain(comparisons);
  const { capacities, ...findings } = Object.fromEntries(
    Object.entries(FINDINGS).map(([key, { find }]) => [key, find(run, cells)]),
  );
  const results = {
    schema: 'results/1',
    run: describeRun(run, trials, provenance),
    environment: run.environment,
    verdicts: { ...countVerdicts(trials), planned: run.cells.length, not_run: notRun.length },
    reasons: countReasons(trials),
    not_measured: countNotMeasured(trials),
    questions: answered(run.questions, {
      ...findings,
      cells: comparable({ cells, capacities }),
      comparisons,
      again,
      scale: run.environment?.scale,
      peaks: run.peaks,
    }),
    cautions: [],
    cells,
    comparisons,
    again,
    scaling: scaling(cells),
    ...(capacities.length > 0 && { capacities }),
    ...findings,
    sessions: sessionCounts(run),
    ...(placed.length > 0 && { placed }),
    not_run: notRun,
    unsustained: run.unsustained,
    peaks: run.peaks,
    limits: LIMITS,
  };
  results.cautions = cautions(results);
  return results;
}

/**
 * The same figures, with what is said of them by today's rules. @param {object} published results.json, of any age
 * @returns {object} results.json with `told_again`: whether something is said otherwise than when it was analysed
 */
export function retold(published) {
  const { capacities } = published;
  const results = { ...published, ...(capacities && { capacities: markedAnew(capacities) }) };
  results.questions = answeredAnew(results);
  results.cautions = cautions(results);
  const statements = ({ questions = [], cautions: of }) => [...questions.map(({ text, title }) => [text, title]), of];
  return { ...results, told_again: JSON.stringify(statements(results)) !== JSON.stringify(statements(published)) };
}

/** Reads every trial once; calibration comes first, so that each later trial knows its ceiling. */
function walk(run) {
  const ceilings = new Ceilings();
  const [cells, notRun, trialsRun] = [[], [], []];
  let provenance = run.provenance;
  for (const planned of groupBy(run.cells, (cell) => cell.id).values()) {
    const cell = new Cell(planned);
    const ceiling = isCalibration(planned[0]) ? null : ceilings.of(planned[0]);
    for (const plan of planned) {
      const files = readOwnTrial(plan, run.provenance);
      const trial = files && describeTrial(plan, files, ceiling);
      if (isCalibration(plan)) ceilings.add(plan, trial && trial.verdict !== 'invalid' ? trial.throughput_rps : null);
      if (!trial) {
        notRun.push(trialId(plan));
        continue;
      }
      provenance ??= files.summary;
      if (files.status) trialsRun.push({ target: plan.target, status: files.status });
      cell.add(trial, files.summary);
    }
    cells.push(cell.result(ceiling));
  }
  return { cells, notRun, provenance, trialsRun };
}

/** What a run of somebody's own script asks, whatever its experiment does; as scripts/jq/first-screen.jq has it. @returns {string|undefined} */
function ownQuestion({ groups = [], searches = [] }) {
  const cells = [...groups.flatMap((group) => group.cells), ...searches.map(({ cell }) => cell)];
  const path = cells.find(({ script }) => script)?.script.path;
  return path && `How much does the server take, asked as ${basename(path)} asks it?`;
}

function describeRun({ id, plan, experiment }, trials, provenance) {
  const started = trials
    .map((trial) => trial.started_at)
    .filter(Boolean)
    .sort();
  return {
    id,
    experiment: plan.experiment ?? experiment.name,
    why: ownQuestion(plan) ?? experiment.why ?? null,
    skipped: plan.skipped ?? {},
    ...(plan.sized && { sized: plan.sized }),
    seed: plan.seed ?? null,
    blocks: plan.blocks ?? Math.max(...trials.map((trial) => trial.block)),
    started_at: started[0] ?? null,
    last_trial_at: started.at(-1) ?? null,
    plan_hash: provenance?.plan_hash ?? null,
    git_commit: provenance?.git_commit ?? null,
    environment_hash: provenance?.environment_hash ?? null,
  };
}

function countReasons(trials) {
  const reasons = groupBy(
    trials.flatMap((trial) => trial.reasons),
    ({ check, verdict }) => `${verdict} ${check}`,
  );
  const counted = [...reasons.values()].map((same) => ({
    check: same[0].check,
    verdict: same[0].verdict,
    trials: same.length,
  }));
  return counted.sort((a, b) => b.trials - a.trials);
}

function countNotMeasured(trials) {
  const checks = groupBy(
    trials.flatMap((trial) => trial.not_measured),
    (check) => check,
  );
  return [...checks].map(([check, same]) => ({ check, trials: same.length })).sort((a, b) => b.trials - a.trials);
}

/** Throughput by users of each series of the closed model, its peak, and the knee: the fewest users that are shown to reach the best but for `pool_share`. */
function scaling(cells) {
  return [...groupBy(usableCells(cells), placeKey).values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const ordered = members.toSorted((a, b) => a.level - b.level);
      const points = ordered.map((cell) => ({ level: cell.level, throughput_rps: cell.throughput_rps.median }));
      const { database, workload, tool, target, variant } = members[0];
      const best = ordered.indexOf(busiestOf(ordered));
      const peak = points[best];
      const enough = leastEnough(ordered, { within: limitOf('pool_share'), best });
      const undecided = enough?.undecided.map((i) => points[i].level) ?? [];
      return { database, workload, tool, target, variant, points, peak, knee: points[enough?.at] ?? null, undecided };
    });
}
