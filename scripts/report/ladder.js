/** Ladders: what each layer above the database costs. */
import { ladderAlt, ladderTitle } from '../analyse/phrases.js';
import { heading, image, paragraph, table } from './blocks.js';
import { ladderChart } from './charts/bars.js';
import { PAPER } from './charts/style.js';
import { marksText, NOTHING, rateSpread, ratio } from './format.js';
import { palette } from './palette.js';

/** Its name among the charts. */
export const ladderKey = ({ database, question, level }) => `ladder.${database}.${question}.${level}`;

/** @returns {{spec: object, alt: string}} Vega-Lite specification; the rungs named, not their cells @param {object} [look] see style.js */
export function ladderPicture(ladder, cells, look = PAPER) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const named = ladder.rungs.map(({ name, cell, throughput_rps, db_efficiency }) => {
    const of_first = db_efficiency?.ratio ?? null;
    return { ...byId.get(cell), target: name, variant: 'base', throughput_rps, of_first };
  });
  const colours = palette(
    named.map(({ target }) => target),
    look.theme,
  );
  const title = {
    text: ladderTitle(ladder),
    subtitle: 'share of the first rung, and how much longer a request takes',
  };
  return {
    spec: ladderChart(named, { colours, look, ground: true, ...(look.width === null ? { title } : {}) }),
    alt: ladderAlt(ladder),
  };
}

/** @param {{ladders: object[], cells?: object[]}} results @param {Map<string, {file, alt}>} charts by key; without a picture there is the table alone */
export function ladderBlocks({ ladders, cells = [] }, charts = new Map()) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return (ladders ?? []).flatMap((ladder) => [
    heading(2, ladderTitle(ladder)),
    paragraph(
      'The same question from the same number of users, each row another way to the database; HTTP alone asks it nothing, and between k6 and wrk only the load generator changes. Figures are of the blocks that all rows have; the share compares a row with the first, block by block. Milliseconds are users divided by answers per second: what a request takes, with what the load generator needs before the next.',
    ),
    image(charts.get(ladderKey(ladder))),
    table(
      ladderTitle(ladder),
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
  ]);
}
