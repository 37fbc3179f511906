/** What a reader must know before quoting the numbers, the most important first. */
import { DRIFT_SECONDS } from './checks/steadiness.js';
import { askedBy } from './comparisons.js';
import { byBlock, originalOf } from './figures.js';
import { limitOf } from './limits.js';
import { groupBy, median } from './numbers.js';
import { place } from './phrases.js';
import { usedTrials } from './usable.js';
import { plural, seriesName } from './words.js';

const listed = (names) => names.join(', ');

/** Rows that a caution names. */
const NAMED = 3;
/** From the slowest trial of a cell to its fastest. */
const UNSTEADY = 1.5;
/** Between two trials of a block. Bringing up another target or database hardly takes as long. */
const PAUSE_S = 300;
/** Of all cores, by which the generator's share differs between two cells. */
const UNEVEN = 0.2;

const FIGURES = ['throughput', 'p50', 'p95', 'p99'];

const places = (found) =>
  listed(found.map((place) => `${seriesName(place)} (${place.workload}, ${place.tool}, ${place.database})`));

/** Whether a peak was looked for; runs of before do not say for which. */
const wasProbed = (place, peaks) =>
  !peaks || peaks.some((peak) => Object.keys(place).every((key) => peak[key] === place[key]));

/** Some blocks are missing of a ratio. */
const isPartial = (result) => Boolean(result) && result.n < result.of;
/** The figure that every usable trial has. */
const whole = ({ throughput, p50 }) => throughput ?? p50;

const RULES = [
  ({ unsustained = [], peaks }) => {
    const none = unsustained.filter((place) => wasProbed(place, peaks));
    return none.length > 0 && `No figures of the open model, as no rate was found that they sustain: ${places(none)}.`;
  },
  ({ unsustained = [], peaks }) => {
    const none = unsustained.filter((place) => !wasProbed(place, peaks));
    return (
      none.length > 0 &&
      `No figures of the open model, as they have no throughput in the closed one, where the search for their peak begins: ${places(none)}.`
    );
  },
  ({ verdicts }) =>
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run: the run is incomplete.`,
  ({ verdicts, cells }) =>
    verdicts.invalid > 0 &&
    `${plural(verdicts.invalid, 'invalid trial')}, left out of every figure (${listed(reasonsOf(cells, 'invalid'))}).`,
  ({ cells }) => {
    const compared = cells.filter(({ calibration }) => !calibration);
    const suspectIn = (of) => of.flatMap(({ trials }) => trials).filter(({ verdict }) => verdict === 'suspect').length;
    const [suspect, all] = [compared, cells].map(suspectIn);
    const others = all > suspect ? ` The other ${all - suspect} only calibrated the load generator.` : '';
    return (
      suspect > 0 &&
      `${plural(suspect, 'suspect trial')} of targets, marked but still compared (${listed(reasonsOf(compared, 'suspect'))}).${others}`
    );
  },
  (results) => {
    const uneven = results.environment?.layout === 'pinned' ? [] : unevenGenerator(results);
    if (uneven.length === 0) return false;
    const took = uneven.slice(0, NAMED).map((pair) => {
      const [fast, slow] = pair.map((cell) => `${coresOf(cell).toFixed(2)} with ${seriesName(cell)}`);
      return `${fast} and ${slow} (${pair[0].workload}, ${pair[0].tool})`;
    });
    return `Of the ${plural(uneven[0][0].resources.cores, 'core')} that everything shared, the load generator itself took ${took.join('; ')}${uneven.length > NAMED ? '; and the like' : ''}: that slows the faster target more, and the ratio may be larger where the generator has cores of its own.`;
  },
  ({ comparisons }) => {
    const partial = comparisons.filter((entry) => isPartial(whole(entry)));
    return (
      partial.length > 0 &&
      `In ${plural(partial.length, 'comparison')} some blocks are missing on one side. Nothing is claimed of these: a target that fails when it is slow would seem fast.`
    );
  },
  ({ comparisons }) => {
    const partial = comparisons.filter(
      (entry) => !isPartial(whole(entry)) && FIGURES.some((key) => isPartial(entry[key])),
    );
    return (
      partial.length > 0 &&
      `In ${plural(partial.length, 'comparison')} some trials had too few answers for a percentile: its ratio stands without an interval.`
    );
  },
  ({ cells }) => {
    const bare = cells.filter((cell) => !cell.calibration && cell.trials_used > 0 && cell.throughput_rps === null);
    return (
      bare.length > 0 &&
      `In ${rows(bare)} there is no throughput: wrk counts completions alone, and not all of its trials had 20 for each connection. Longer trials would have more.`
    );
  },
  ({ comparisons }) => {
    const uneven = comparisons.filter(({ maintenance }) => maintenance);
    if (uneven.length === 0) return false;
    const { is, cell, trials, of } = uneven[0].maintenance;
    return `In ${plural(uneven.length, 'comparison')} the database ran background work on one side, and little or none on the other, which may be part of the difference: ${is} in ${trials} of ${of} trials of ${cell}${uneven.length > 1 ? ', and others' : ''}.`;
  },
  ({ cells }) => {
    const bound = cells.filter(({ headroom }) => headroom !== null && headroom >= 1 && headroom < limitOf('headroom'));
    return (
      bound.length > 0 &&
      `In ${rows(bound)} the load generator may be the limit, not the target: against a responder that does nothing, the same load ran less than ${limitOf('headroom')} times as fast (headroom below ${limitOf('headroom')}).`
    );
  },
  ({ cells }) => {
    const near = cells.filter((cell) => cell.headroom >= limitOf('headroom') && isBoundInMostBlocks(cell, cells));
    return (
      near.length > 0 &&
      `In ${rows(near)} the load generator may also be the limit: in most blocks the same load ran less than ${limitOf('headroom')} times as fast against a responder that does nothing.`
    );
  },
  ({ cells }) => {
    const faulty = cells.filter(({ headroom }) => headroom !== null && headroom < 1);
    return (
      faulty.length > 0 &&
      `In ${rows(faulty)} the calibration is at fault: the same load ran slower against a responder that does nothing.`
    );
  },
  ({ cells }) => {
    const varied = cells
      .filter(({ calibration, model, trials_used }) => !calibration && model === 'closed' && trials_used > 1)
      .map((cell) => ({
        name: rowName(cell),
        by: cell.throughput_rps ? cell.throughput_rps.max / cell.throughput_rps.min : 0,
      }));
    const most = varied.reduce((a, b) => (b.by > a.by ? b : a), { by: 0 });
    const unsteady = varied.filter(({ by }) => by >= UNSTEADY).length;
    return (
      unsteady > 0 &&
      `Throughput varied by half or more from block to block in ${unsteady} of ${plural(varied.length, 'row')}, most (by a factor of ${most.by.toFixed(1)}) in ${most.name}. Ratios are taken within blocks, and their intervals are as wide as that makes them.`
    );
  },
  ({ cells }) => {
    const used = cells.filter(({ calibration }) => !calibration).flatMap(usedTrials);
    const unchecked = used.filter(({ not_measured }) => not_measured.includes('drift'));
    return (
      2 * unchecked.length > used.length &&
      `Drift was not checked in ${unchecked.length} of ${plural(used.length, 'trial')}: that needs ${DRIFT_SECONDS} seconds or more, and wrk reports nothing by the second. A target that was still warming up would look slower than it is; one that was slowing down, faster.`
    );
  },
  ({ again }) =>
    again &&
    again.hold_one < 0.875 * again.comparisons &&
    `Only ${again.hold_one} of ${again.comparisons} A/A intervals include 1: this machine is noisier than the intervals suggest.`,
  ({ run }) => run.blocks === 1 && 'One block only: there is no interval, and any difference may be chance.',
  ({ run }) => run.blocks === 2 && 'Two blocks only: intervals are very wide. A comparison needs at least three.',
  ({ environment }) =>
    environment?.machine?.cores &&
    environment.layout !== 'pinned' &&
    `Load generator, target and database share ${plural(environment.machine.cores, 'core')} and slow one another down: on separate machines the figures would differ.`,
  ({ environment }) =>
    environment?.beside?.length > 0 &&
    `Measured while ${plural(environment.beside.length, 'other pglab run')} used the same machine (${listed(environment.beside.map(({ run }) => run))}): they slowed one another down.`,
  ({ environment }) => {
    const tooLow = environment?.system_limits?.too_low ?? [];
    return (
      tooLow.length > 0 &&
      `The operating system's limits were too low for the plan: ${tooLow.map(({ text, command }) => `${text} (\`${command}\`)`).join('; ')}.`
    );
  },
  ({ cells }) =>
    cells.some((cell) => cell.latency_us?.kind === 'closed') &&
    'Closed model: a user waits for each answer before sending the next request. While the target stalls, few requests are sent, so percentiles look better than they would to visitors who arrive regardless.',
  ({ cells }) =>
    cells.some((cell) => cell.latency_us?.kind === 'wrk-corrected') &&
    "wrk's percentiles are corrected for requests that a stall delayed, k6's are not: never compare one with the other.",
  ({ cells }) => {
    const { block, gap_s } = widestGap(cells);
    return (
      gap_s > PAUSE_S &&
      `Between two trials of block ${block} lay ${gap_s < 7200 ? plural(Math.round(gap_s / 60), 'minute') : plural(Math.round(gap_s / 3600), 'hour')}: the machine may have been another by then, and ratios within that block are less certain.`
    );
  },
  ({ environment }) =>
    environment?.changed?.length > 0 &&
    `Measured in parts that differ: when the run was resumed, ${listed(environment.changed)} had changed (environment.diff).`,
  ({ environment }) =>
    environment?.git?.dirty === true &&
    'The working tree had uncommitted changes: the commit alone does not describe what ran.',
  ({ environment }) =>
    environment?.machine?.container &&
    `Measured in a container or virtual machine (${environment.machine.container}): other load on its host may have interfered.`,
  ({ not_measured, verdicts }) => {
    const judged = verdicts.planned - verdicts.not_run;
    const blind = not_measured.filter((entry) => entry.trials === judged).map((entry) => entry.check);
    return blind.length > 0 && `Not checked in any trial, which does not mean passed: ${listed(blind)}.`;
  },
  ({ comparisons, questions }) => {
    const asked = askedBy(questions);
    const judged = comparisons
      .filter(({ kind }) => kind !== 'again')
      .flatMap((entry) =>
        FIGURES.filter((figure) => (entry[figure]?.differs ?? null) !== null && !asked(entry, figure)),
      ).length;
    return (
      judged >= 20 &&
      `${judged} ratios in the tables were not asked for beforehand: if nothing differed, about ${Math.round(judged / 20)} of them would exclude 1 by chance alone.`
    );
  },
];

/** Whether a closed cell's ceiling, block by block, was mostly too near, by calibrations without a mark; its headroom is by the highest of all blocks. */
function isBoundInMostBlocks({ tool, workload, model, level, variant, trials }, cells) {
  if (model !== 'closed') return false;
  const calibrations = cells.filter(
    (cell) => cell.calibration && cell.tool === tool && cell.workload === workload && cell.level === level,
  );
  const of = (name) => calibrations.find((cell) => cell.variant === name);
  const ceiling = of(originalOf(variant)) ?? of('base');
  const steady = ceiling?.trials.filter(({ verdict }) => verdict === 'valid') ?? [];
  const ceilings = new Map(steady.map((trial) => [trial.block, trial]));
  const ratios = [...byBlock({ trials })].flatMap(([block, { throughput_rps: rps }]) =>
    rps && ceilings.get(block)?.throughput_rps ? [ceilings.get(block).throughput_rps / rps] : [],
  );
  return ratios.length > 0 && median(ratios) < limitOf('headroom');
}

const coresOf = ({ resources }) => resources?.roles?.generator?.cpu_cores ?? null;

/** The sides of each difference in throughput, the faster first, where the generator took much more of shared cores with it. */
function unevenGenerator({ questions, cells }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const best = (ids) => {
    const side = ids.map((id) => byId.get(id)).filter((cell) => cell?.throughput_rps);
    return side.reduce((a, b) => (a && a.throughput_rps.median >= b.throughput_rps.median ? a : b), undefined);
  };
  const isServed = ({ resources }) => Object.keys(resources?.roles ?? {}).some((role) => role !== 'generator');
  const pairs = (questions ?? [])
    .filter(({ metric }) => metric === 'throughput')
    .flatMap(({ comparisons }) => comparisons)
    .filter(({ result }) => result?.differs)
    .map(({ result, ...sides }) => {
      const pair = [best(sides.numerator_cells), best(sides.denominator_cells)];
      return result.ratio > 1 ? pair : pair.toReversed();
    })
    .filter(
      (pair) =>
        pair.every((cell) => cell && coresOf(cell) !== null && isServed(cell) && cell.resources.cores > 0) &&
        coresOf(pair[0]) - coresOf(pair[1]) >= UNEVEN * pair[0].resources.cores,
    );
  return [...new Map(pairs.map((pair) => [pair.map(({ id }) => id).join(' '), pair])).values()];
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

/** What made trials of this verdict so, and in how many: 'samples 6'. */
function reasonsOf(cells, verdict) {
  const reasons = cells
    .flatMap(({ trials }) => trials)
    .filter((trial) => trial.verdict === verdict)
    .flatMap((trial) => trial.reasons.filter((reason) => reason.verdict === verdict));
  const counts = [...groupBy(reasons, ({ check }) => check)].map(([check, same]) => ({ check, count: same.length }));
  return counts.sort((a, b) => b.count - a.count).map(({ check, count }) => `${check} ${count}`);
}

/** 'echo: pooled with 16 users' */
const rowName = (cell) => `${cell.workload}: ${seriesName(cell)} ${place(cell)}`;

/** '1 row (echo: pooled with 16 users)', '5 rows (..., ..., ... and others)' */
function rows(cells) {
  const names = cells.slice(0, NAMED).map(rowName);
  return `${plural(cells.length, 'row')} (${listed(names)}${cells.length > NAMED ? ' and others' : ''})`;
}

/** @param results all of results.json but the cautions @returns {string[]} */
export function cautions(results) {
  return RULES.map((rule) => rule(results)).filter((text) => typeof text === 'string');
}
