/** What a reader must know before believing the numbers, the most important first. */
import { limitOf } from './limits.js';
import { plural } from './words.js';

const listed = (names) => names.join(', ');

const RULES = [
  ({ verdicts }) =>
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run: the run is incomplete.`,
  ({ verdicts, reasons }) =>
    verdicts.invalid > 0 &&
    `Invalid (${listed(reasonsOf(reasons, 'invalid'))}), hence in no figure: ${plural(verdicts.invalid, 'trial')}.`,
  ({ verdicts, reasons }) =>
    verdicts.suspect > 0 &&
    `Suspect (${listed(reasonsOf(reasons, 'suspect'))}), marked and still compared: ${plural(verdicts.suspect, 'trial')}.`,
  ({ cells }) => {
    const bound = cells.filter((cell) => cell.headroom !== null && cell.headroom < limitOf('headroom'));
    return (
      bound.length > 0 &&
      `The load generator was measured as much as the target (headroom below ${limitOf('headroom')}) in ${plural(bound.length, 'row')}.`
    );
  },
  ({ again }) =>
    again &&
    again.hold_one < 0.875 * again.comparisons &&
    `Only ${again.hold_one} of ${again.comparisons} A/A intervals hold 1: this machine is noisier than the intervals say.`,
  ({ run }) => run.blocks === 1 && 'One block: no interval. A ratio from one block may be chance.',
  ({ run }) => run.blocks === 2 && 'Two blocks: intervals are very wide. Three are the least for a comparison.',
  ({ environment }) =>
    environment?.machine?.cores &&
    environment.layout !== 'pinned' &&
    `All roles (load generator, target, database) share ${plural(environment.machine.cores, 'core')}: they slow one another down, and on separate machines the figures would differ.`,
  ({ environment }) => {
    const tooLow = environment?.system_limits?.too_low ?? [];
    return (
      tooLow.length > 0 &&
      `The operating system's limits were too low for the plan: ${tooLow.map(({ text, command }) => `${text} (\`${command}\`)`).join('; ')}.`
    );
  },
  ({ cells }) =>
    cells.some((cell) => cell.latency_us?.kind === 'closed') &&
    'In the closed model a user waits for the answer before asking again: when the target stalls, few requests are sent to feel it, and percentiles look better than an open stream of visitors would find them.',
  ({ cells }) =>
    cells.some((cell) => cell.latency_us?.kind === 'wrk-corrected') &&
    "wrk's percentiles are corrected for the requests that a stall held back; k6's are not. They must not be compared with one another.",
  ({ environment }) =>
    environment?.git?.dirty === true && 'The working tree had uncommitted changes: the commit does not tell all.',
  ({ environment }) =>
    environment?.machine?.container &&
    `Measured in a container or virtual machine (${environment.machine.container}): neighbours may have taken part.`,
  ({ not_measured, verdicts }) => {
    const judged = verdicts.planned - verdicts.not_run;
    const blind = not_measured.filter((entry) => entry.trials === judged).map((entry) => entry.check);
    return blind.length > 0 && `Not measured in any trial, hence no pass: ${listed(blind)}.`;
  },
  ({ comparisons }) => {
    const judged = comparisons.filter(
      ({ kind, throughput }) => kind !== 'again' && (throughput?.differs ?? null) !== null,
    ).length;
    return (
      judged >= 20 &&
      `Of ${judged} ratios with a 95 % interval, about ${Math.round(judged / 20)} leave out 1 by chance alone.`
    );
  },
];

function reasonsOf(reasons, verdict) {
  return reasons.filter((reason) => reason.verdict === verdict).map((reason) => `${reason.check} ${reason.trials}`);
}

/** @param results all of results.json but the cautions @returns {string[]} */
export function cautions(results) {
  return RULES.map((rule) => rule(results)).filter((text) => typeof text === 'string');
}
