/** What a reader must know before quoting the numbers, the most important first. */

import { drifted, edge, generatorBusy } from './cautions/capacity.js';
import { calibrationAtFault, nearCeiling, nearCeilingInMostBlocks, unevenShare } from './cautions/generator.js';
import {
  besideOthers,
  changed,
  interrupted,
  lowLimits,
  moved,
  seenAtCalibration,
  sharedCores,
  slowed,
  uncommitted,
  varied,
  virtual,
} from './cautions/machine.js';
import { listed, rowName, rows } from './cautions/rows.js';
import { shortWindows } from './cautions/windows.js';
import { DRIFT_SECONDS } from './checks/steadiness.js';
import { askedBy, noisyText } from './comparisons.js';
import { AGAIN, COMPARED } from './figures.js';
import { foundText } from './marks.js';
import { groupBy } from './numbers.js';
import { capital } from './phrases.js';
import { TOOLS } from './tools.js';
import { usedTrials } from './usable.js';
import { plural, seriesName } from './words.js';

const placesText = (places) =>
  listed(places.map((place) => `${seriesName(place)} (${place.workload}, ${place.tool}, ${place.database})`));

/** Whether a peak was looked for; runs of before do not say for which. */
const wasProbed = (place, peaks) =>
  !peaks || peaks.some((peak) => Object.keys(place).every((key) => peak[key] === place[key]));

/** Some blocks are missing of a ratio. */
const isPartial = (result) => Boolean(result) && result.n < result.of;
/** The figure that every usable trial has. */
const whole = ({ throughput, p50 }) => throughput ?? p50;

const RULES = [
  ({ unsustained = [], peaks }) => {
    const probed = unsustained.filter((place) => wasProbed(place, peaks));
    return (
      probed.length > 0 &&
      `No figures of the open model, as no rate was found that they sustain: ${placesText(probed)}.`
    );
  },
  ({ unsustained = [], peaks }) => {
    const unprobed = unsustained.filter((place) => !wasProbed(place, peaks));
    return (
      unprobed.length > 0 &&
      `No figures of the open model, as they have no throughput in the closed one, where the search for their peak begins: ${placesText(unprobed)}.`
    );
  },
  ({ verdicts }) =>
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run: the run is incomplete.`,
  ({ run }) => {
    const absent = Object.entries(run.skipped ?? {}).filter(([what]) => !what.startsWith('question '));
    return (
      absent.length > 0 &&
      `Asked for and not measured: ${listed(absent.map(([what, why]) => `${what} (${why})`))}. Answers are of what is left.`
    );
  },
  ({ verdicts, cells }) =>
    verdicts.invalid > 0 &&
    `${plural(verdicts.invalid, 'invalid trial')}, left out of every figure (${listed(reasonsOf(cells, 'invalid'))}).`,
  besideOthers,
  seenAtCalibration,
  uncommitted,
  ({ again }) => {
    const text = again && noisyText(again);
    return text && `${capital(text)}: this machine is noisier than the intervals suggest.`;
  },
  slowed,
  drifted,
  edge,
  generatorBusy,
  ({ cells }) => {
    const compared = cells.filter(({ calibration }) => !calibration);
    const suspectIn = (of) => of.flatMap(({ trials }) => trials).filter(({ verdict }) => verdict === 'suspect').length;
    const [suspect, all] = [compared, cells].map(suspectIn);
    const others = all > suspect ? ` The other ${all - suspect} only calibrated the load generator.` : '';
    return (
      suspect > 0 &&
      `${plural(suspect, 'suspect trial')} of targets, marked but still compared (${listed(reasonsOf(compared, 'suspect'))}; a trial may have several marks).${others}`
    );
  },
  ({ comparisons, cells }) => {
    const uneven = comparisons.filter(({ maintenance }) => maintenance);
    if (uneven.length === 0) return false;
    const { is, cell, trials, of } = uneven[0].maintenance;
    return `In ${plural(uneven.length, 'comparison')} the database ran background work on one side, and little or none on the other, which may be part of the difference: ${is} in ${trials} of ${of} trials of ${rowName(cells.find(({ id }) => id === cell))}${uneven.length > 1 ? ', and others' : ''}.`;
  },
  interrupted,
  sharedCores,
  moved,
  unevenShare,
  ({ comparisons }) => {
    const partial = comparisons.filter((entry) => isPartial(whole(entry)));
    return (
      partial.length > 0 &&
      `In ${plural(partial.length, 'comparison')} some blocks are missing on one side. Nothing is claimed of these: a target that fails when it is slow would seem fast.`
    );
  },
  ({ comparisons }) => {
    const partial = comparisons.filter(
      (entry) => !isPartial(whole(entry)) && COMPARED.some((key) => isPartial(entry[key])),
    );
    return (
      partial.length > 0 &&
      `In ${plural(partial.length, 'comparison')} some trials had too few answers for a percentile, whose ratio stands without an interval.`
    );
  },
  ({ cells }) => {
    const bare = cells.filter((cell) => !cell.calibration && cell.trials_used > 0 && cell.throughput_rps === null);
    return (
      bare.length > 0 &&
      `In ${rows(bare)} there is no throughput: ${listed([...new Set(bare.map(({ tool }) => tool))])} counted completions alone, and not all of its trials had 20 for each connection. Longer trials would have more.`
    );
  },
  shortWindows,
  nearCeiling,
  nearCeilingInMostBlocks,
  calibrationAtFault,
  varied,
  ({ cells }) => {
    const used = cells.filter(({ calibration }) => !calibration).flatMap(usedTrials);
    const unchecked = used.filter(({ not_measured }) => not_measured.includes('drift'));
    const withoutSeconds = Object.keys(TOOLS).filter(
      (name) => TOOLS[name].totals_alone && cells.some(({ tool }) => tool === name),
    );
    return (
      2 * unchecked.length > used.length &&
      `Drift was not checked in ${unchecked.length} of ${plural(used.length, 'trial')}: that needs ${DRIFT_SECONDS} seconds or more${withoutSeconds.length > 0 ? `, and ${listed(withoutSeconds)} ${withoutSeconds.length > 1 ? 'report' : 'reports'} nothing by the second` : ''}. A target that was still warming up would look slower than it is; one that was slowing down, faster.`
    );
  },
  ({ run }) => run.blocks === 1 && 'One block only: there is no interval, and any difference may be chance.',
  ({ run }) => run.blocks === 2 && 'Two blocks only: intervals are very wide. A comparison needs at least three.',
  lowLimits,
  ({ cells, capacities = [] }) =>
    cells.some((cell) => cell.latency_us?.kind === 'closed') &&
    `${capacities.some(({ model }) => model === 'open') ? 'Capacities per second are of the open model: requests arrive on a schedule, and latency counts from when each was due. ' : ''}${[...cells, ...capacities].some(({ model }) => model === 'open') ? 'Rows with users are of the closed model' : 'Closed model'}: a user waits for each answer before sending the next request. While the target stalls, few requests are sent, so percentiles look better than they would to visitors who arrive regardless.`,
  ({ cells }) =>
    cells.some((cell) => cell.latency_us?.kind === 'wrk-corrected') &&
    "wrk's percentiles are corrected for requests that a stall delayed, k6's are not: never compare one with the other.",
  changed,
  virtual,
  ({ not_measured, verdicts }) => {
    const judged = verdicts.planned - verdicts.not_run;
    const blind = not_measured
      .filter((entry) => entry.trials === judged && entry.check !== 'drift') // which has a caution of its own
      .map((entry) => entry.check);
    return blind.length > 0 && `Not checked in any trial, which does not mean passed: ${listed(blind)}.`;
  },
  ({ comparisons, questions }) => {
    const asked = askedBy(questions);
    const judged = comparisons
      .filter(({ kind }) => kind !== AGAIN)
      .flatMap((entry) =>
        COMPARED.filter((figure) => (entry[figure]?.differs ?? null) !== null && !asked(entry, figure)),
      ).length;
    return (
      judged >= 20 &&
      `${judged} ratios in the tables were not asked for beforehand: if nothing differed, about ${Math.round(judged / 20)} of them would exclude 1 by chance alone.`
    );
  },
];

/** What made trials of this verdict so, in how many, and where it is one of several, in which block: 'too few answers in 6', 'requests sent late in 3, of block 2 alone'. */
function reasonsOf(cells, verdict) {
  const trials = cells.flatMap((cell) => cell.trials);
  const blocks = new Set(trials.map(({ block }) => block)).size;
  const reasons = trials
    .filter((trial) => trial.verdict === verdict)
    .flatMap(({ block, reasons }) =>
      reasons.filter((reason) => reason.verdict === verdict).map((reason) => ({ ...reason, block })),
    );
  const counts = [...groupBy(reasons, ({ check }) => check)].toSorted(([, a], [, b]) => b.length - a.length);
  return counts.map(([check, same]) => {
    const isOneBlock = blocks > 2 && same.length > 2 && same.every(({ block }) => block === same[0].block);
    const what = verdict === 'suspect' ? foundText(check, same) : check;
    return `${what} in ${same.length}${isOneBlock ? `, of block ${same[0].block} alone` : ''}`;
  });
}

/** @param results all of results.json but the cautions @returns {string[]} */
export function cautions(results) {
  return RULES.map((rule) => rule(results)).filter((text) => typeof text === 'string');
}
