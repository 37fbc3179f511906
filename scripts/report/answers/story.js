/** The answers of a run, each with what its picture shows: built once, told by page, report, post, README and terminal. */

import { confidenceText } from '../../analyse/effects.js';
import { datasetText } from '../../analyse/names.js';
import { capital, place } from '../../analyse/phrases.js';
import { plural } from '../../analyse/words.js';
import { answerText } from '../sentences.js';
import { factsOf } from './facts.js';

/**
 * @param {object} results results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{key: string, ask, text, title, claim: boolean, primary: boolean, subtitle: string, reads: string, alt: string, facts: object|null}[]} in the
 *   order in which they were asked; key: the picture's name among the charts; subtitle: where it was measured; reads: what the marks of the picture mean;
 *   facts: see factsOf
 */
export function answersOf(results, earlier = []) {
  return (results.questions ?? []).map((question, i) => {
    const { ask, claim, primary } = question;
    const facts = factsOf(results, question);
    const title = question.title.replace(/\.$/, '');
    const reads = facts ? READS[facts.shape](facts, question) : '';
    return {
      ...{ key: `answer-${i + 1}`, ask, title, claim, primary, facts, reads, text: answerText(question, earlier) },
      subtitle: subtitleOf(results, question),
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
      return `Large dots: geometric means; small ones: trials. Bars: ${confidenceText(confidence)} intervals.`;
    const beside = panels.some(({ rows }) => rows.some(({ role }) => role === 'beside'))
      ? ' (hollow: not asked about)'
      : '';
    const bars = reference ? ` Bars: ${intervals(confidence)} to ${reference} (dashed).` : '';
    return `Large dots: means of the ${metric === 'lost' ? 'blocks, and of the kills' : 'blocks'}${beside}; small ones: ${metric === 'lost' ? 'trials, and kills' : 'trials'}.${bars}`;
  },
  lines: ({ reference, confidence, asked, floor }, { enough }) => {
    const dots = 'Large dots: means of the blocks; small ones: trials.';
    if (floor !== null)
      return `${dots} Bars: ${intervals(confidence)} to ${plural(enough.best, 'connection')}. Dashed: ${100 * enough.within} % below those, and the smallest pool shown to be above.`;
    return `${dots} Bars: ${intervals(confidence)} to ${reference}.${asked === null ? '' : ' Dashed: where it was asked.'}`;
  },
  copies: () =>
    'A bar for each interval, from the lowest ratio to the highest, with its ratio as a dot; in orange where it excludes 1.',
};

const intervals = (confidence) => `${confidenceText(confidence)} intervals of the ratio`;

/** Where it was measured: what a reader needs to know who sees the picture alone. */
function subtitleOf({ cells, run, environment }, { kind, sides, dimension, comparisons }) {
  const ids = sides?.[0]?.cells ?? comparisons[0]?.numerator_cells ?? [];
  const cell = cells.find(({ id }) => id === ids[0]);
  const { cpu, cores } = environment?.machine ?? {};
  const { scale } = environment ?? {};
  const data = dimension === 'database' ? scale && `scale ${scale}` : cell && datasetText(cell.database, scale);
  const what = cell && [
    kind !== 'smallest' && ['target', 'variant'].includes(dimension) ? null : cell.target,
    dimension === 'workload' ? null : cell.workload,
    ...[cell.tool, data],
  ];
  return [
    cell && capital(place(ids.length > 1 ? { level: 'peak' } : cell)),
    what?.filter(Boolean).join(', '),
    plural(cell?.trials_planned ?? run.blocks, 'block'),
    cpu && `${cpu}, ${plural(cores, 'core')}`,
  ]
    .filter(Boolean)
    .join('; ');
}
