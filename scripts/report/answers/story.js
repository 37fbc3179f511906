/** The answers of a run, each with what its picture shows: built once, told by page, report and post; terminal and README have sentences.js. */

import { controlOfRuns } from '../../analyse/agreement.js';
import { cellsAsked } from '../../analyse/comparisons.js';
import { confidenceText } from '../../analyse/effects.js';
import { comparable } from '../../analyse/figures.js';
import { CONFIDENCE } from '../../analyse/intervals.js';
import { datasetText } from '../../analyse/names.js';
import { capital, levelPhrase, listed } from '../../analyse/phrases.js';
import { plural } from '../../analyse/words.js';
import { machineBriefly } from '../machine.js';
import { besideText, briefText } from '../sentences.js';
import { factsOf } from './facts.js';

/**
 * @param {object} analysed results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{key: string, ask, text, beside: string, brief: string, title, claim: boolean, primary: boolean, subtitle: string, reads: string, targets: string[], alt: string, facts: object|null}[]} in the
 *   order in which they were asked; key: the picture's name among the charts; beside: of what the answer is, what speaks against it, and what earlier runs found; brief: all of it where there is little room; subtitle: where it was measured; reads: what the marks of the picture mean; targets: of the run, each of one colour;
 *   facts: see factsOf
 */
export function answersOf(analysed, earlier = []) {
  const results = { ...analysed, cells: comparable(analysed) };
  const targets = [...new Set(results.cells.filter(({ calibration }) => !calibration).map(({ target }) => target))];
  return (results.questions ?? []).map((asked, i) => {
    const question = { ...controlOfRuns(asked, results, earlier), capacities: results.capacities };
    const { ask, claim, primary } = question;
    const facts = factsOf(results, question);
    const title = question.title.replace(/\.$/, '');
    const reads = facts
      ? [READS[facts.shape](facts, question), dotsText(facts), absentText(facts)].filter(Boolean).join(' ')
      : '';
    return {
      ...{ key: `answer-${i + 1}`, ask, title, claim, primary, facts, reads, targets },
      ...{ text: question.text, beside: besideText(question, earlier), brief: briefText(question, earlier) },
      subtitle: subtitleOf(results, { ...question, dimension: question.dimension ?? facts?.by }, facts),
      alt: `${title}. ${facts ? SHOWN[facts.shape] : ''}`.trim(),
    };
  });
}

const SHOWN = {
  rows: 'Dot plot: a row for each, with every trial and intervals.',
  lines: 'Line chart by level, with every trial and intervals.',
  copies: 'Intervals of the ratio of two copies, by figure.',
};

const READS = {
  rows: ({ metric, reference, confidence, panels }) => {
    if (metric === 'speedup')
      return `Large dots: geometric means (hollow: by number found, not asked about); small ones: trials. Bars: ${confidenceText(confidence)} interval of all queries, 95 % intervals of the hollow ones.`;
    if (metric === 'capacity')
      return 'Large dots: the capacity over all blocks; small ones: the search of each block. Bars: the 95 % interval of the capacity.';
    const beside = panels.some(({ rows }) => rows.some(({ role }) => role === 'beside'))
      ? ' (hollow: not asked about)'
      : '';
    const bars = reference ? ` Bars: ${intervals(confidence)} to ${reference} (dashed).` : '';
    return metric === 'lost'
      ? `Large dots: ${panels.length > 1 ? 'geometric means of the blocks, and ' : ''}all kills${beside}; small ones: ${panels.length > 1 ? 'trials, and ' : ''}each kill.${bars}`
      : `Large dots: geometric means of the blocks${beside}; small ones: trials.${bars}`;
  },
  lines: ({ reference, confidence, asked, floor, lines }, { enough }) => {
    const faint = lines.some(({ role }) => role === 'beside') ? ' Faint lines: not asked about.' : '';
    const dots = `Large dots: geometric means of the blocks; small ones: trials.${faint}${turnedText({ lines, asked })}`;
    if (floor !== null)
      return `${dots} Bars: ${intervals(confidence)} to ${plural(enough.best, 'connection')}. Dashed: ${100 - 100 * enough.within} % of their throughput${asked === null ? '' : ', and the smallest pool shown to reach it; that is tested on one side, so its bar may cross the line'}.`;
    return asked === null
      ? `${dots} Bars: ${intervals(CONFIDENCE)} to ${reference}.`
      : `${dots} Bars: ${intervals(confidence)} to ${reference}, ${confidenceText(CONFIDENCE)} at levels not asked about. Dashed: the level that the question asks about.`;
  },
  copies: () => 'Each bar is a 95 % interval, its dot the ratio, the lowest first; orange: excludes 1.',
};

/** A share by which two lines must be apart for one to be above the other. */
const SEEN = 0.05;

/** Where the order of two lines is not the one at the level that was asked about. */
function turnedText({ lines, asked }) {
  const [one, other, ...more] = lines.filter(({ role }) => role !== 'beside');
  if (asked === null || !other || more.length > 0) return '';
  const orderAt = new Map(
    one.points.flatMap(({ at, value }) => {
      const under = other.points.find((point) => point.at === at);
      return under && Math.abs(Math.log(value / under.value)) > Math.log(1 + SEEN) ? [[at, value > under.value]] : [];
    }),
  );
  const turned = [...orderAt].filter(([, order]) => order !== orderAt.get(asked)).map(([at]) => String(at));
  return turned.length > 0 && orderAt.has(asked)
    ? ` At ${listed(turned)} the order is another on average, which was not asked about.`
    : '';
}

const intervals = (confidence) => `${confidenceText(confidence)} intervals of the ratio`;

/** What small dots mean that are not plain. */
function dotsText({ panels = [], lines = [] }) {
  const marks = [...panels.flatMap(({ rows = [] }) => rows), ...lines.flatMap(({ points }) => points)];
  const has = (of) => marks.some(({ trials }) => trials.some(({ verdict }) => verdict === of));
  const parts = [has('suspect') && 'hollow small dots: marked as suspect', has('invalid') && '×: invalid'].filter(
    Boolean,
  );
  return parts.length > 0 ? `${capital(parts.join('; '))}.` : '';
}

function absentText({ metric, absent = [] }) {
  if (absent.length === 0) return '';
  return metric === 'lost'
    ? `What ${listed(absent)} lost is unknown.`
    : `Without a mark: ${listed(absent)}, as a trial has no such figure.`;
}

/** 'variant pool-10', where all that is compared has it; else null. */
function variantOfAll(cells, comparisons) {
  const asked = new Set(cellsAsked([{ comparisons }]));
  const [variant, ...others] = new Set(cells.filter(({ id }) => asked.has(id)).map((cell) => cell.variant));
  return others.length > 0 || [undefined, 'base'].includes(variant) ? null : `variant ${variant}`;
}

/** The cell of the first row that is one. */
const drawnFirst = (facts) => [facts?.panels?.[0]?.rows?.[0]?.cell].filter(Boolean);

/** '6 blocks', or where some of what is drawn was measured less often '3 to 6 blocks'. */
function blocksText(blocks, facts, cells) {
  const ids = new Set(
    [
      ...(facts?.lines ?? []).flatMap(({ points }) => points),
      ...(facts?.panels ?? []).flatMap(({ rows = [] }) => rows),
    ].map(({ cell }) => cell),
  );
  const least = Math.min(blocks, ...cells.filter(({ id }) => ids.has(id)).map(({ trials_planned }) => trials_planned));
  return least < blocks ? `${least} to ${plural(blocks, 'block')}` : plural(blocks, 'block');
}

/** Where it was measured: what a reader needs to know who sees the picture alone. */
function subtitleOf(results, { kind, sides, dimension, comparisons }, facts) {
  const { cells, run, environment } = results;
  const ids = sides?.[0]?.cells ?? comparisons[0]?.numerator_cells ?? drawnFirst(facts);
  const cell = cells.find(({ id }) => id === ids[0]);
  const { scale } = environment ?? {};
  const data = dimension === 'database' ? scale && `scale ${scale}` : cell && datasetText(cell.database, scale);
  const what = cell && [
    kind !== 'smallest' && ['target', 'variant'].includes(dimension) ? null : cell.target,
    dimension === 'workload' ? null : cell.workload,
    variantOfAll(cells, comparisons),
    ...[cell.tool, data],
  ];
  return [
    cell && capital(levelPhrase(ids.length > 1 ? { level: 'peak' } : cell)),
    what?.filter(Boolean).join(', '),
    blocksText(cell?.trials_planned ?? run.blocks, facts, cells),
    machineBriefly(results),
  ]
    .filter(Boolean)
    .join('; ');
}
