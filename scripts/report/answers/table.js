/** An answer as blocks: its question, what was found, the picture, and the figures that the picture shows. */

import { intervalOf } from '../../analyse/effects.js';
import { duration, NOTHING, rate, times } from '../../analyse/format.js';
import { factor, inverted } from '../../analyse/words.js';
import { AGAINST } from '../../findings/capacity/table.js';
import { heading, image, paragraph, table } from '../blocks.js';

/** Tables of cells have medians, and percentiles of all trials together; these have what is compared. */
const MEAN = 'geometric mean of the blocks';

/** By metric: the head of its column, and a figure as text. */
const COLUMNS = {
  throughput: ({ units }) => [`${units}/s, ${MEAN}`, rate],
  p50: () => [`p50, ${MEAN}`, duration],
  p95: () => [`p95, ${MEAN}`, duration],
  p99: () => [`p99, ${MEAN}`, duration],
  cpu_per_request: () => [`processor time per request, ${MEAN}`, duration],
  speedup: () => ['times as fast', (value) => `${factor(value)}×`],
  lost: ({ units }) => [`${units} lost, of those acknowledged`, (share) => `${factor(100 * share)} %`],
};

/** @param {object} answer see answersOf @param {{file, alt}} [chart] */
export const answerBlocks = ({ ask, text, beside, claim, facts }, chart) => [
  heading(2, ask),
  paragraph([claim ? `**${text}**` : text, beside].filter(Boolean).join(' ')),
  image(chart),
  ...answerTables(facts),
];

/** @param {object} facts see factsOf @returns {object[]} a table for each panel; none for copies */
export function answerTables(facts) {
  if (facts === null || facts.shape === 'copies') return [];
  if (facts.shape === 'rows') return facts.panels.map((panel) => tableOf({ ...facts, ...panel }, facts.by, panel.rows));
  const { asked, floor, noun, lines, reference } = facts;
  const pointsOf = (nameOf) =>
    lines.flatMap(({ name, role, points }) => points.map((point) => ({ role, ...point, name: nameOf(name, point) })));
  if (floor !== null)
    return [
      tableOf(
        { ...facts, than: `${reference} connections` },
        noun,
        pointsOf((_name, { at }) => String(at)),
      ),
    ];
  if (asked === null)
    return [
      tableOf(
        facts,
        facts.by,
        pointsOf((name, { at }) => `${name}, ${at} ${at === 1 ? noun.replace(/s$/, '') : noun}`),
      ),
    ];
  return [
    tableOf(
      facts,
      facts.by,
      pointsOf((name) => name).filter(({ at }) => at === asked),
    ),
  ];
}

function tableOf({ metric, units, reference, confidence, than = reference }, first, rows) {
  if (metric === 'capacity') return capacityTable({ units, reference, confidence }, first, rows);
  const [head, text] = COLUMNS[metric]({ units });
  const compared = rows.some(({ over }) => over);
  const marked = rows.some((row) => marksIn(row) !== '');
  return table(
    head,
    [first, `>${head}`, ...(compared ? [`>times that of ${than}, within blocks`] : []), ...(marked ? ['marks'] : [])],
    rows.map((row) => [
      row.name,
      row.value === null ? NOTHING : text(row.value),
      ...(compared ? [overReference(row, confidence)] : []),
      ...(marked ? [marksIn(row)] : []),
    ]),
  );
}

/** Each with an interval of its own, its ratio to the reference, and what speaks against it. */
function capacityTable({ units, reference, confidence }, first, rows) {
  const head = `${units}/s within the objective`;
  const isBest = rows[0].role === 'reference';
  const turned = (row) => (isBest && row.over ? { ...row, over: { ...row.over, ...inverted(row.over) } } : row);
  return table(
    head,
    [
      first,
      `>${head}`,
      '>95 % interval',
      `>${isBest ? `${reference} over it` : `over ${reference}`}, within blocks [${intervalOf({ confidence })}]`,
      AGAINST,
    ],
    rows.map((row) => [
      ...[row.name, row.told.amount, row.told.interval],
      ...[overReference(turned(row), confidence), row.told.against || NOTHING],
    ]),
  );
}

/** With an interval where the question asks about it: the others have one of another level, and details.md has it. */
function overReference({ over, role }, confidence) {
  if (!over) return NOTHING;
  return times(role === 'beside' || over.confidence !== confidence ? { ratio: over.ratio } : over);
}

/** '1 of 6 suspect' */
const marksIn = ({ trials }) =>
  ['invalid', 'suspect']
    .map((of) => [of, trials.filter(({ verdict }) => verdict === of).length])
    .filter(([, count]) => count > 0)
    .map(([of, count]) => `${count} of ${trials.length} ${of}`)
    .join(', ');
