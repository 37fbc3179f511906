/** How far to believe a run: what the checks found, the ceiling of the load generator, and the same target measured twice. */
import { metricsThatMiss } from '../analyse/comparisons.js';
import { bytes, NOTHING, rate, rateSpread } from '../analyse/format.js';
import { LIMITS } from '../analyse/limits.js';
import { median } from '../analyse/numbers.js';
import { controlText } from '../analyse/phrases.js';
import { AGAINST_NULL, plural } from '../analyse/words.js';
import { searchesText } from '../findings/capacity/table.js';
import { folded, heading, paragraph, table } from './blocks.js';

const LISTED_TRIALS = 40;

/** How many trials can be believed, what the checks found, and what they could not check. */
export function verdicts(results) {
  const { verdicts: counts, reasons, cells, not_measured } = results;
  const searches = searchesText(results);
  const head = `${plural(counts.valid, 'valid trial')}, ${counts.suspect} suspect (marked; those of targets are still compared), ${counts.invalid} invalid (shown, but left out of every figure)${counts.not_run > 0 ? `, ${counts.not_run} planned but not run` : ''}.${searches ? ` And ${searches}: the table of each says why; probes have marks of their own there, and one that failed its objective counts as failed, invalid or not.` : ''}`;
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
  const isShared = measured.some((cell) => cell.generators);
  const rows = measured.map((cell) => [
    cell.workload,
    cell.variant,
    cell.tool,
    cell.level,
    ...(isShared ? [cell.generators ?? 1] : []),
    rateSpread(cell.throughput_rps),
  ]);
  const seconds = [...new Set(measured.map((cell) => cell.duration_s))].sort((a, b) => a - b).join(' or ');
  const title = heading(2, 'Ceiling of the load generator');
  if (rows.length === 0)
    return [title, paragraph('Not calibrated: how much the load generator limits a row is unknown.')];
  return [
    title,
    paragraph(
      `The same load ${AGAINST_NULL}, once in each block, for ${seconds} s. Headroom in the tables is this ceiling, from its lowest to its highest, divided by the row's throughput.`,
    ),
    folded(
      'Ceilings',
      table(
        'Ceilings',
        ['workload', 'variant', 'tool', '>level', ...(isShared ? ['>generators'] : []), '>answers/s'],
        rows,
      ),
    ),
  ];
}

/** What each of several load generators made, and whether they were one load; none where no cell had several. */
export function generators({ cells, run: { sized = [] } }) {
  const shared = cells.map((cell) => ({ cell, each: perGenerator(cell) })).filter(({ each }) => each.length > 0);
  if (shared.length === 0 && sized.length === 0) return [];
  const isApart = shared.some(({ each }) => areApart(each.map((one) => one.sent_bytes_per_s)));
  const rows = shared.flatMap(({ cell, each }) =>
    each.map((one) => [
      cell.id,
      `${one.number} of ${each.length}`,
      percent(one.fair_share),
      percent(one.share),
      percent(one.least_part),
      ms(one.began_after_ms, 0),
      one.clock_offset_ms === null ? NOTHING : `${ms(one.clock_offset_ms, 2)} ± ${one.clock_error_ms.toFixed(2)}`,
      one.cpu_cores?.toFixed(2) ?? NOTHING,
      ...(isApart ? [bytesPerSecond(one.sent_bytes_per_s), rate(one.segments_retransmitted_per_s)] : []),
    ]),
  );
  const tried = sized.map(
    ({ tool, workload, level, generators: of, throughput_rps }) =>
      `${workload}, ${tool} at ${level}, by ${of}: ${rate(throughput_rps)}/s`,
  );
  const network = isApart ? ' What was sent is of the network that its process is in.' : '';
  return [
    heading(2, 'What each load generator made'),
    tried.length > 0 &&
      paragraph(
        `How many it takes was tried against the responder that does nothing, once each for two seconds, whatever else ran: ${tried.join('; ')}. One more was taken where it made 5 % more of some load, up to one for each core.`,
      ),
    shared.length > 0 &&
      paragraph(
        `Several processes shared these loads, and began at one agreed instant; their histograms are added bin by bin. Over trials that are not invalid, where there are any: medians; in the trial in which it made the least, how much of what its users should have made; and of the beginning and the clock the farthest from 0.${network}`,
      ),
    table(
      'Load generators',
      [
        'cell',
        'generator',
        '>its users, of all',
        '>its requests, of all',
        '>at least, of what it should',
        '>began after',
        '>clock ahead by',
        '>cores used',
        ...(isApart ? ['>sent', '>segments sent again /s'] : []),
      ],
      rows,
    ),
  ];
}

/** Whether networks carried different amounts: processes in one network all see the same, but for when each was read. */
const areApart = (sent) => sent.every((value) => value !== null) && Math.max(...sent) > 1.1 * Math.min(...sent);

/** Milliseconds; what rounds to zero has no sign. */
const ms = (value, digits) => (value === null ? NOTHING : `${(Number(value.toFixed(digits)) + 0).toFixed(digits)} ms`);

/** To a tenth, also beyond 100 %. */
const percent = (value) => (value === null ? NOTHING : `${(100 * value).toFixed(1)} %`);

const bytesPerSecond = (value) => (value === null ? NOTHING : `${bytes(value)}/s`);

/** Of each generator of a cell, its figures over the trials. */
function perGenerator({ trials }) {
  const counted = trials.filter(({ verdict }) => verdict !== 'invalid');
  const told = (counted.length > 0 ? counted : trials).map((trial) => trial.generators).filter(Boolean);
  return (told[0] ?? []).map(({ number, fair_share }, i) => {
    const known = (key) => told.map((all) => all[i][key]).filter((value) => typeof value === 'number');
    const middle = (key) => (known(key).length === 0 ? null : median(known(key)));
    const farthest = (key) => known(key).reduce((a, b) => (a === null || Math.abs(b) > Math.abs(a) ? b : a), null);
    return {
      ...{ number, fair_share },
      ...Object.fromEntries(
        ['share', 'cpu_cores', 'sent_bytes_per_s', 'segments_retransmitted_per_s'].map((key) => [key, middle(key)]),
      ),
      least_part: known('share').length === 0 ? null : Math.min(...known('share')) / fair_share,
      began_after_ms: farthest('began_after_ms'),
      clock_offset_ms: farthest('clock_offset_ms'),
      clock_error_ms: Math.max(0, ...known('clock_error_ms')),
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
