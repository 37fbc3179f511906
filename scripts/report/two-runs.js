/** Two runs as blocks: what scripts/compare.sh prints and writes as a page, and what results/index.html shows. */

import { shownLeast } from '../analyse/capacity/sentences.js';
import { duration, NOTHING, rate, ratio } from '../analyse/format.js';
import { plural } from '../analyse/words.js';
import { heading, paragraph, table } from './blocks.js';

/** The figures of a comparison, as tables name and show them. */
export const FIGURES = {
  throughput: { name: 'answers/s', text: rate },
  p95: { name: 'p95', text: duration },
  capacity: { name: 'capacity', text: rate },
};

/**
 * @param {object} comparison see compareRuns @param {object[]} runs results.json of both, in the same order
 * @param {number} threshold share from which a change counts as a regression
 */
export function twoRunsBlocks(
  { cells, lost, lacking, rates, shared, unlike, only_a, only_b, suspect, environment, regressions },
  [before, after],
  threshold,
) {
  const disturbed = cells.map((cell) => cell.disturbed).filter(Boolean);
  const isPart = lost.length + lacking.length + only_a.length > 0;
  return [
    heading(1, `${after.run.id} against ${before.run.id}`),
    paragraph(verdictText(cells, { regressions, isPart, threshold })),
    disturbed.length > 0 &&
      paragraph(
        `**Not to be relied on: ${disturbed[0]}** in ${plural(disturbed.length, 'cell')} of ${cells.length}, which was not the work of these targets.`,
      ),
    lost.length > 0 &&
      paragraph(
        `**${plural(lost.length, 'cell')} with fewer usable trials than before**, of which nothing can be said: ${lost.map(({ id, used, planned }) => `${id} (${used} of ${planned})`).join(', ')}.`,
      ),
    lacking.length > 0 &&
      paragraph(
        `**${plural(lacking.length, 'figure')} that ${before.run.id} has and ${after.run.id} does not have or reach**: ${lacking.map(({ id, metric, answers }) => `${metric} of ${id}${answers ? ` (${answers.map(capacityText).join(', then ')})` : ''}`).join(', ')}.`,
      ),
    only_a.length > 0 &&
      paragraph(
        `**${plural(only_a.length, 'cell')} of ${before.run.id} not measured in ${after.run.id}**: ${only_a.join(', ')}.`,
      ),
    ...[before, after].map(
      ({ run }, i) =>
        suspect[i] > 0 &&
        paragraph(
          `**${plural(suspect[i], 'trial')} of ${run.id} ${suspect[i] === 1 ? 'is' : 'are'} suspect**: its report says why.`,
        ),
    ),
    rates.length > 0 &&
      paragraph(
        `At other rates, as each run searched for its own peaks, so that a difference may be due to the search: ${rates.map(({ id, before: was, after: is }) => `${id} (${was}/s, then ${is}/s)`).join(', ')}.`,
      ),
    shared.length > 0 &&
      paragraph(
        `By another number of load generators, so that a difference may be due to them: ${shared.map(({ id, before: was, after: is }) => `${id} (${was}, then ${is})`).join(', ')}.`,
      ),
    unlike.length > 0 && paragraph(`Measured for other times in the two runs: ${unlike.join(', ')}.`),
    environment.length > 0 ? paragraph('The environments differ:') : null,
    table(
      'Differences between the environments',
      ['setting', before.run.id, after.run.id],
      environment.map(({ key, a, b }) => [key, a, b]),
    ),
    ...cellTables(cells),
    paragraph(notes(cells)),
    only_b.length > 0 && paragraph(`Only in ${after.run.id}: ${only_b.join(', ')}.`),
  ];
}

/** @param {{regressions: number, isPart: boolean, threshold: number}} of isPart: not all that was measured before can be judged */
function verdictText(cells, { regressions, isPart, threshold }) {
  const percent = `${Number((threshold * 100).toPrecision(6))} %`;
  const worse = cells
    .flatMap(({ throughput, p95, capacity }) => [isLess(throughput), p95?.differs && p95.low > 1, isLess(capacity)])
    .filter(Boolean).length;
  if (regressions > 0)
    return `**${plural(regressions, 'figure')} worse by more than ${percent}, which chance alone shows in at most one of twenty such comparisons of two runs.**${worse > regressions ? ` With an interval of its own (95 %, below) ${plural(worse, 'figure')} are worse.` : ''}`;
  if (!cells.flatMap(figuresOf).some(isJudged)) return 'Nothing can be judged: no figure has an interval.';
  return `${isPart ? 'Of what can be judged, no' : 'No'} figure was shown to be worse by more than ${percent} with intervals that share an error of 5 %. ${worse > 0 ? `With an interval of its own (95 %, below) ${plural(worse, 'figure')} ${worse === 1 ? 'is' : 'are'} worse.` : 'The intervals below say what is not ruled out.'}`;
}

function capacityText({ kind, rate: value }) {
  if (kind === 'unknown') return 'not known';
  if (kind === 'none') return 'not at any rate';
  return kind === 'rate' ? rate(value) : `at least ${rate(shownLeast(value))}`;
}

const isJudged = (figure) => (figure?.differs ?? null) !== null;
const isLess = (figure) => figure?.differs && figure.high < 1;
const figuresOf = (cell) => Object.keys(FIGURES).map((metric) => cell[metric]);

/** Cells; and capacities apart, as these have no other figure. */
const cellTables = (cells) => [
  tableOf(
    'Ratios by cell',
    cells.filter(({ isCapacity }) => !isCapacity),
    ['throughput', 'p95'],
  ),
  tableOf(
    'Ratios of capacities',
    cells.filter(({ isCapacity }) => isCapacity),
    ['capacity'],
  ),
];

function tableOf(caption, cells, metrics) {
  const rows = cells.map((cell) => [
    cell.id,
    ...metrics.flatMap((metric) => {
      const { text } = FIGURES[metric];
      return [
        ratio(cell[metric]),
        ...['before', 'after'].map((side) => (cell[metric] ? text(cell[metric][side]) : NOTHING)),
      ];
    }),
    metrics
      .filter((metric) => cell[metric]?.regression)
      .map((metric) => `worse: ${metric}`)
      .join(', '),
    cell.marks.join(', '),
  ]);
  const sides = metrics.flatMap((metric) =>
    ['ratio', 'first', 'second'].map((side) => `>${FIGURES[metric].name}, ${side}`),
  );
  return table(caption, ['cell', ...sides, 'verdict', 'marks'], rows);
}

function notes(cells) {
  const judged = cells.flatMap(figuresOf).filter(isJudged);
  const chance = Math.round(judged.length * 0.025);
  const lines = [
    'Ratios divide the second run by the first, with 95 % intervals over trials (Welch, on logarithms). `~`: the interval includes 1. First and second are geometric means over trials, as in the answers of the reports; their tables of cells have medians, and percentiles of all trials together.',
    'The trials of one run share an hour and the state of the machine, so part of a difference may come from when each run was made.',
    chance > 0 && `Of ${judged.length} intervals, about ${chance} look worse by chance alone.`,
    cells.flatMap(figuresOf).some((figure) => figure?.low === null) &&
      'Where a run has a single usable trial, or lacks one that was planned, there is no interval, and no verdict.',
  ];
  return lines.filter(Boolean).join(' ');
}
