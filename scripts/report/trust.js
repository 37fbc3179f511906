/** How far to believe a run: what the checks found, the ceiling of the load generator, and the same target measured twice. */
import { metricsThatMiss } from '../analyse/comparisons.js';
import { LIMITS } from '../analyse/limits.js';
import { median } from '../analyse/numbers.js';
import { controlText } from '../analyse/phrases.js';
import { plural } from '../analyse/words.js';
import { folded, heading, paragraph, table } from './blocks.js';
import { bytes, NOTHING, rateSpread, share } from './format.js';

const LISTED_TRIALS = 40;

/** How many trials can be believed, what the checks found, and what they could not check. */
export function verdicts({ verdicts: counts, reasons, cells, not_measured }) {
  const head = `${plural(counts.valid, 'valid trial')}, ${counts.suspect} suspect (marked; those of targets are still compared), ${counts.invalid} invalid (shown, but left out of every figure)${counts.not_run > 0 ? `, ${counts.not_run} planned but not run` : ''}.`;
  const rows = reasons.map(({ check, verdict, trials }) => [check, verdict, trials]);
  const marked = cells.flatMap((cell) => cell.trials).filter((trial) => trial.reasons.length > 0);
  const worstFirst = [
    ...marked.filter((trial) => trial.verdict === 'invalid'),
    ...marked.filter((trial) => trial.verdict === 'suspect'),
  ];
  const listed = worstFirst
    .slice(0, LISTED_TRIALS)
    .map((trial) => [trial.verdict, trial.id, trial.reasons.map(({ check, text }) => `${check}: ${text}`).join('; ')]);
  const more = worstFirst.length > LISTED_TRIALS ? `${worstFirst.length - LISTED_TRIALS} more in results.csv.` : '';
  const unseen = not_measured.map(({ check, trials }) => `${check} (${trials})`).join(', ');
  return [
    paragraph(head),
    table('What the checks found', ['check', 'verdict', '>trials'], rows),
    folded('Which trials, and why', table('Marked trials', ['verdict', 'trial', 'reasons'], listed), paragraph(more)),
    paragraph(
      unseen &&
        `\u201cNot measured\u201d does not mean \u201cpassed\u201d. Checks that lacked the figures they need, with the number of trials: ${unseen}.`,
    ),
  ];
}

/** Every limit of the verdicts, folded. */
export function limits() {
  const rows = Object.entries(LIMITS).map(([name, { value, why }]) => [name, value, why]);
  return folded('All limits, and why', table('Limits of the verdicts', ['limit', '>value', 'why'], rows));
}

/** The load generator's ceiling, by load. */
export function calibration({ cells }) {
  const measured = cells.filter((cell) => cell.calibration && cell.throughput_rps);
  const rows = measured.map((cell) => [
    cell.workload,
    cell.variant,
    cell.tool,
    cell.level,
    rateSpread(cell.throughput_rps),
  ]);
  const seconds = [...new Set(measured.map((cell) => cell.duration_s))].sort((a, b) => a - b).join(' or ');
  const title = heading(2, 'Ceiling of the load generator');
  if (rows.length === 0)
    return [title, paragraph('Not calibrated: how much the load generator limits a row is unknown.')];
  return [
    title,
    paragraph(
      `The same load against a responder that does nothing, once in each block, for ${seconds} s. Headroom in the tables is this ceiling, from its lowest to its highest, divided by the row's throughput.`,
    ),
    folded('Ceilings', table('Ceilings', ['workload', 'variant', 'tool', '>level', '>answers/s'], rows)),
  ];
}

/** What each of several load generators made, and whether they were one load; none where no cell had several. */
export function generators({ cells }) {
  const rows = cells
    .map((cell) => ({ cell, each: perGenerator(cell) }))
    .filter(({ each }) => each.length > 0)
    .flatMap(({ cell, each }) =>
      each.map((one) => [
        cell.id,
        `${one.number} of ${each.length}`,
        one.share === null ? NOTHING : share(one.share),
        one.began_after_ms === null ? NOTHING : `${one.began_after_ms.toFixed(0)} ms`,
        one.clock_offset_ms === null ? NOTHING : `${one.clock_offset_ms.toFixed(1)} ms`,
        one.cpu_cores ?? NOTHING,
        one.sent_bytes_per_s === null ? NOTHING : `${bytes(one.sent_bytes_per_s)}/s`,
        one.segments_retransmitted_per_s ?? NOTHING,
      ]),
    );
  if (rows.length === 0) return [];
  return [
    heading(2, 'What each load generator made'),
    paragraph(
      'Several processes shared these loads, and began at one agreed instant; their histograms are added bin by bin. Medians over trials; of the beginning and the clock the farthest from 0. Sent and retransmitted is what the network of the process did, which generators on one machine have in common.',
    ),
    table(
      'Load generators',
      [
        'cell',
        'generator',
        '>of all requests',
        '>began after',
        '>clock ahead by',
        '>cores used',
        '>sent',
        '>segments retransmitted /s',
      ],
      rows,
    ),
  ];
}

/** Of each generator of a cell, its figures over the trials. */
function perGenerator({ trials }) {
  const told = trials.map((trial) => trial.generators).filter(Boolean);
  return (told[0] ?? []).map(({ number }, i) => {
    const known = (key) => told.map((all) => all[i][key]).filter((value) => typeof value === 'number');
    const middle = (key) => (known(key).length === 0 ? null : median(known(key)));
    const farthest = (key) => known(key).reduce((a, b) => (a === null || Math.abs(b) > Math.abs(a) ? b : a), null);
    return {
      number,
      ...Object.fromEntries(
        ['share', 'cpu_cores', 'sent_bytes_per_s', 'segments_retransmitted_per_s'].map((key) => [key, middle(key)]),
      ),
      began_after_ms: farthest('began_after_ms'),
      clock_offset_ms: farthest('clock_offset_ms'),
    };
  });
}

/** How often two copies of the same target came out the same. */
export function again({ again: summary }) {
  if (!summary) return [];
  const rows = Object.entries(summary.by_metric).map(([metric, counts]) => [
    metric,
    counts.comparisons,
    counts.hold_one,
  ]);
  return [
    heading(2, 'A/A: the same target measured twice'),
    paragraph(controlText(summary, metricsThatMiss(summary))),
    table('A/A comparisons', ['figure', '>comparisons', '>interval includes 1'], rows),
  ];
}
