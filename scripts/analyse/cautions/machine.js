/** Cautions about the machine, and how it changed while a run lasted: rules of cautions.js. */

import { isCalibration } from '../identity.js';
import { groupBy, mean } from '../numbers.js';
import { capital } from '../phrases.js';
import { nodesOfRole } from '../placement.js';
import { usedTrials } from '../usable.js';
import { plural } from '../words.js';
import { listed, rowName } from './rows.js';

/** From the slowest trial of a cell to its fastest. */
const UNSTEADY = 1.5;
/** By how much all rows together were slower or faster in the last block than in the first. */
const SLOWED = 0.1;
/** Of the rows, that changed the same way. */
const MOST = 0.75;
/** Between two trials of a block. Bringing up another target or database hardly takes as long. */
const PAUSE_S = 300;

const isTarget = ({ calibration, model, trials_used }) => !calibration && model === 'closed' && trials_used > 1;

/** Throughput in a row's last block over that in its first; null where it has no two. */
function lastOverFirst(cell) {
  const timed = usedTrials(cell)
    .filter(({ throughput_rps }) => throughput_rps > 0)
    .toSorted((a, b) => a.block - b.block);
  return timed.length < 2 ? null : timed.at(-1).throughput_rps / timed[0].throughput_rps;
}

export function slowed({ cells }) {
  const changes = cells
    .filter(isTarget)
    .map(lastOverFirst)
    .filter((change) => change !== null);
  if (changes.length < 2) return false;
  const by = Math.exp(mean(changes.map(Math.log)));
  const same = changes.filter((change) => change < 1 === by < 1).length;
  if (Math.abs(by - 1) < SLOWED || same < MOST * changes.length) return false;
  return `In the last block throughput was ${Math.round(100 * Math.abs(by - 1))} % ${by < 1 ? 'lower' : 'higher'} than in the first (on average, and so in ${same} of ${changes.length} rows), by chance or because the machine, or what all targets share, changed during the run. A ratio compares trials of the same block, so it changes little with that; the figures of a row would be others at another time.`;
}

/** Other programs that were seen beside the responder that does nothing, where nothing tells them from somebody's own server. */
export function seenAtCalibration({ cells }) {
  const trialsOf = (calibration) =>
    cells.filter((cell) => cell.calibration === calibration).flatMap(({ trials }) => trials);
  const seen = trialsOf(true).filter(({ reasons }) => reasons.some(({ check }) => check === 'other_programs')).length;
  return (
    seen > 0 &&
    trialsOf(false).every(({ not_measured: unchecked }) => unchecked.includes('other_programs')) &&
    `Other programs were at work in ${seen} of ${plural(trialsOf(true).length, 'trial')} that calibrated the load generator. Whether they were beside targets, too, was not looked for: what they took would look like the targets' own limit.`
  );
}

export function varied({ cells }) {
  const rowsOfTargets = cells.filter(isTarget).map((cell) => ({
    name: rowName(cell),
    by: cell.throughput_rps ? cell.throughput_rps.max / cell.throughput_rps.min : 0,
  }));
  const most = rowsOfTargets.reduce((a, b) => (b.by > a.by ? b : a), { by: 0 });
  const unsteady = rowsOfTargets.filter(({ by }) => by >= UNSTEADY).length;
  return (
    unsteady > 0 &&
    `Throughput varied by half or more from block to block in ${unsteady} of ${plural(rowsOfTargets.length, 'row')}, most (by a factor of ${most.by.toFixed(1)}) in ${most.name}. Ratios are taken within blocks, and their intervals are as wide as that makes them.`
  );
}

/** Of trials in a cluster that are compared and tell of it: on how many machines the pods were that tell, whether all did, and the cores of the first generator's. */
const machinesOfTrials = (cells) =>
  cells
    .filter(({ calibration }) => !calibration)
    .flatMap((cell) =>
      usedTrials(cell).map(({ machine_count = cell.resources?.machine_count, not_measured = [] }) => ({
        machine_count, // runs of before tell of the cell alone
        all: !not_measured.includes('other_programs'), // which needs what each pod tells
        cores: cell.resources?.cores ?? null,
      })),
    )
    .filter(({ machine_count }) => machine_count);

/** Whether the database is known to be where the load generator is: in a cluster, where its pod tells of itself. */
const hasDatabase = ({ environment, cells }) =>
  cells.some(
    ({ database, resources }) =>
      database !== 'none' &&
      (environment?.stack !== 'kubernetes' || typeof resources?.roles?.postgres?.cpu_cores === 'number'),
  );

/** The machine's cores, which the roles share, and in how many trials of those that tell. */
function coresShared({ environment, cells }) {
  if (environment?.stack !== 'kubernetes')
    return { cores: environment?.layout === 'pinned' ? null : (environment?.machine?.cores ?? null) };
  const told = machinesOfTrials(cells);
  const shared = told.filter(({ machine_count }) => machine_count === 1);
  return { cores: shared[0]?.cores ?? null, trials: shared.length, of: told.length };
}

export function sharedCores({ environment, cells }) {
  const { cores, trials, of } = coresShared({ environment, cells });
  if (cores === null) return false;
  const database =
    environment?.stack === 'kubernetes' ? ', target and database' : ', target and database, standbys included,';
  const roles = `load generator${hasDatabase({ environment, cells }) ? database : ' and target'}`;
  const shared = `${plural(cores, 'core')} of one machine`;
  return trials < of
    ? `In ${trials} of ${plural(of, 'trial')} ${roles} shared ${shared} and slowed one another down; in the others they had several. Ratios between the two hold that difference.`
    : `${capital(roles)} share ${shared} and slow one another down: apart, with a network between them, the figures would differ.`;
}

/**
 * Whether all pods of a run were on one machine: those of each trial, and where the generators' stayed, so did all. One that does not tell may be on another.
 * @param {object} results results.json
 */
export function isAllOneMachine({ cells, placed = [] }) {
  const told = machinesOfTrials(cells);
  const isOne = told.length > 0 && told.every(({ machine_count, all }) => machine_count === 1 && all);
  return isOne && nodesOfRole('generator', placed).length < 2;
}

/** Roles that all targets have in common: where one is does not depend on the target. */
const COMMON = new Set(['generator', 'postgres']);

/** Of a cluster: pods that were on other nodes in other trials. */
export function moved(results) {
  if (isAllOneMachine(results)) return false;
  const placed = (results.placed ?? []).filter((trials) => !isCalibration(trials));
  const roles = [...new Set(placed.flatMap(({ nodes }) => Object.keys(nodes)))];
  const there = roles
    .filter((role) => nodesOfRole(role, placed).length > 1)
    .flatMap((role) => {
      if (COMMON.has(role)) return [{ name: role, nodes: nodesOfRole(role, placed) }];
      return [...groupBy(placed, ({ target }) => target)].map(([target, own]) => ({
        name: target ? `${target}'s ${role}` : role, // runs of before do not say whose
        nodes: nodesOfRole(role, own),
      }));
    })
    .filter(({ nodes }) => nodes.length > 0);
  const texts = there.map(({ name, nodes }) => {
    const stays = nodes.map(({ names, trials }, i) => `on ${names} in ${i === 0 ? plural(trials, 'trial') : trials}`);
    return `${name} was ${stays.join(' and ')}`;
  });
  return (
    texts.length > 0 &&
    `Pods were not on the same nodes in all trials that are compared: ${texts.join('; ')}. Where the nodes differ, ratios hold that difference, too.`
  );
}

export function besideOthers({ environment }) {
  const names = [...new Set((environment?.beside ?? []).map(({ run }) => run))]; // one that was resumed is there twice
  return (
    names.length > 0 &&
    `Measured while ${plural(names.length, 'other pglab run')} used the same machine (${listed(names)}): they slowed one another down.`
  );
}

/** With the command that raises each, where it is a machine's own; those of a pod are its cluster's to set. */
export function lowLimits({ environment }) {
  const tooLow = environment?.system_limits?.too_low ?? [];
  const [found, textOf] =
    environment?.stack === 'kubernetes'
      ? [", as read in a load generator's pod, were lower than the most that the plan could need", ({ text }) => text]
      : [' were too low for the plan', ({ text, command }) => `${text} (\`${command}\`)`];
  return tooLow.length > 0 && `The operating system's limits${found}: ${tooLow.map(textOf).join('; ')}.`;
}

export function interrupted({ cells }) {
  const { block, gap_s } = widestGap(cells);
  return (
    gap_s > PAUSE_S &&
    `Between two trials of block ${block} lay ${gap_s < 7200 ? plural(Math.round(gap_s / 60), 'minute') : plural(Math.round(gap_s / 3600), 'hour')}: the machine may have been another by then, and ratios within that block are less certain.`
  );
}

export const changed = ({ environment }) =>
  environment?.changed?.length > 0 &&
  `Measured in parts that differ: when the run was resumed, ${listed(environment.changed)} had changed (environment.diff).`;

export const uncommitted = ({ environment }) =>
  environment?.git?.dirty === true &&
  'The working tree had uncommitted changes: the commit alone does not describe what ran.';

/** Whether the host took processor time is seen in the trials; other ways in which it may interfere are not. */
export function virtual({ environment, cells }) {
  if (!environment?.machine?.container || environment.stack === 'kubernetes') return false; // that is the driver's
  const taken = cells
    .flatMap(({ trials }) => trials)
    .filter(({ reasons }) => reasons.some(({ check }) => check === 'processor_taken'));
  const seen =
    taken.length > 0
      ? `its host took processor time from ${plural(taken.length, 'trial')}`
      : 'other load on its host may have interfered';
  return `Measured in a container or virtual machine (${environment.machine.container}): ${seen}.`;
}

/** The longest time between a trial and the next of its block; in the open model trials follow when the closed ones are over. */
function widestGap(cells) {
  const timed = cells.flatMap(({ model, trials }) =>
    trials
      .filter(({ started_at, wall_s }) => started_at && wall_s !== null)
      .map(({ block, started_at, wall_s }) => ({ block, model, from: Date.parse(started_at) / 1000, wall_s })),
  );
  const gaps = [...groupBy(timed, ({ block, model }) => `${block} ${model}`).values()].flatMap((same) => {
    const ordered = same.toSorted((a, b) => a.from - b.from);
    return ordered.slice(1).map(({ block, from }, i) => ({ block, gap_s: from - ordered[i].from - ordered[i].wall_s }));
  });
  return gaps.reduce((a, b) => (b.gap_s > a.gap_s ? b : a), { block: null, gap_s: 0 });
}
