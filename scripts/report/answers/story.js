/** The answers of a run, each with what its picture shows: built once, told by page, report, post, README and terminal. */
import { datasetText } from '../../analyse/names.js';
import { metricName, place } from '../../analyse/phrases.js';
import { plural } from '../../analyse/words.js';
import { answerText } from '../sentences.js';
import { factsOf } from './facts.js';

/**
 * @param {object} results results.json, of any age @param {object[]} [earlier] results of runs that it replaced, the newest first
 * @returns {{key: string, ask, text, title, claim: boolean, primary: boolean, subtitle: string, alt: string, facts: object|null}[]} in the order in which they
 *   were asked; key: the picture's name among the charts; facts: see factsOf
 */
export function answersOf(results, earlier = []) {
  return (results.questions ?? []).map((question, i) => {
    const { ask, title, claim, primary } = question;
    const facts = factsOf(results, question);
    return {
      ...{ key: `answer-${i + 1}`, ask, title, claim, primary, facts, text: answerText(question, earlier) },
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

/** Where it was measured: what a reader needs to know who sees the picture alone. */
function subtitleOf({ cells, run, environment }, { sides, metric, dimension }) {
  const cell = cells.find(({ id }) => id === sides[0]?.cells[0]);
  const { cpu, cores } = environment?.machine ?? {};
  const of = cell && [
    dimension === 'workload' ? null : cell.workload,
    cell.tool,
    dimension === 'database' ? `scale ${environment?.scale}` : datasetText(cell.database, environment?.scale),
  ];
  return [
    cell && `${metricName(metric)} ${place(cell)}`,
    of?.filter(Boolean).join(', '),
    plural(run.blocks, 'block'),
    cpu && `${cpu}, ${plural(cores, 'core')}`,
  ]
    .filter(Boolean)
    .join('; ');
}
