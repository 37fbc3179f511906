/** Ladders: what each layer above the database costs. */
import { plural } from '../analyse/words.js';
import { heading, image, paragraph, table } from './blocks.js';
import { ladderChart } from './charts/bars.js';
import { PAPER } from './charts/style.js';
import { NOTHING, rateSpread, ratio } from './format.js';
import { palette } from './palette.js';

/** Its name among the charts. */
export const ladderKey = ({ database, question, level }) => `ladder.${database}.${question}.${level}`;

const titleOf = ({ database, question, level }) => `The ladder: ${question} on ${database}, ${plural(level, 'user')}`;

/** @returns {{spec: object, alt: string}} Vega-Lite specification; the rungs named, not their cells @param {object} [look] see style.js */
export function ladderPicture(ladder, cells, look = PAPER) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const named = ladder.rungs.map(({ name, cell }) => ({ ...byId.get(cell), target: name, variant: 'base' }));
  const colours = palette(
    named.map(({ target }) => target),
    look.theme,
  );
  const title = {
    text: titleOf(ladder),
    subtitle: 'share of the first rung, and what a request takes longer than there',
  };
  return {
    spec: ladderChart(named, { colours, look, ground: true, ...(look.width === null ? { title } : {}) }),
    alt: `${titleOf(ladder)}. Bar chart: answers per second of ${ladder.rungs.map(({ name }) => name).join('; ')}.`,
  };
}

/** @param {Map<string, {file, alt}>} charts by key; without a picture there is the table alone */
export function ladderBlocks({ ladders }, charts = new Map()) {
  return (ladders ?? []).flatMap((ladder) => [
    heading(2, titleOf(ladder)),
    paragraph(
      'The same question, the same number of users, one layer after another. A share of the first row is the database’s efficiency behind that layer, paired by block; a request takes users / answers per second, by Little’s law.',
    ),
    image(charts.get(ladderKey(ladder))),
    table(
      titleOf(ladder),
      ['rung', '>answers/s, median [range]', '>share of the first', '>ms per request', '>ms added'],
      ladder.rungs.map(({ name, throughput_rps, db_efficiency, request_ms, added_ms }, i) => [
        name,
        rateSpread(throughput_rps),
        i === 0 ? NOTHING : ratio(db_efficiency),
        request_ms,
        i === 0 ? NOTHING : added_ms,
      ]),
    ),
  ]);
}
