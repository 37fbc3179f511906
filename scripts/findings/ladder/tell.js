/** Ladders: what each layer above the database costs. */

import { marksText, NOTHING, rateSpread, ratio } from '../../analyse/format.js';
import { plural } from '../../analyse/words.js';
import { heading, image, paragraph, table } from '../../report/blocks.js';

/** Its name among the charts. */
export const key = ({ database, question, level }) => `ladder.${database}.${question}.${level}`;

export const link = ({ question }) => `ladder, ${question}`;

export const title = ({ database, question, level }) =>
  `The ladder: ${question} on ${database} with ${plural(level, 'user')}`;

export const alt = (ladder) =>
  `${title(ladder)}. Waterfall of milliseconds per request: ${ladder.rungs.map(({ name }) => name).join('; ')}.`;

/** @param {object} ladder of results.json @param {{file, alt}} [chart] @param {object[]} [cells] of results.json @returns {object[]} blocks */
export function blocks(ladder, chart, cells = []) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return [
    heading(2, title(ladder)),
    paragraph(
      'The same question from the same number of users, each row another way to the database; HTTP alone asks it nothing, and of one target, from k6 to wrk, only the load generator changes. Figures are of the blocks that all rows have; the share compares a row with the first, block by block. Milliseconds are users divided by answers per second, their geometric mean over blocks as that of the shares: what a request takes, with what the load generator needs before the next. In the picture each bar starts where the step below it ends: that of a pgbench mode is the mode before, that of a target HTTP alone.',
    ),
    image(chart),
    table(
      title(ladder),
      [
        'rung',
        '>answers/s, median [range]',
        '>share of the first',
        '>ms per request',
        '>ms more than the first',
        'marks',
      ],
      ladder.rungs.map(({ name, cell, throughput_rps, db_efficiency, request_ms, added_ms }, i) => [
        name,
        rateSpread(throughput_rps),
        i === 0 ? NOTHING : ratio(db_efficiency),
        request_ms,
        i === 0 ? NOTHING : added_ms,
        byId.has(cell) ? marksText(byId.get(cell)) : '',
      ]),
    ),
  ];
}
