/** An answer as blocks: its question, what was found, the picture, and the figures that the picture shows. */
import { heading, image, paragraph, table } from '../blocks.js';
import { duration, NOTHING, rate } from '../format.js';

const three = (value) => Number(value.toPrecision(3)).toLocaleString('en-US');

/** By metric: the head of its column, and a figure as text. */
const COLUMNS = {
  throughput: ({ units }) => [`${units}/s`, rate],
  p50: () => ['p50', duration],
  p95: () => ['p95', duration],
  p99: () => ['p99', duration],
  cpu_per_request: () => ['processor time per request', duration],
  speedup: () => ['times as fast', (value) => `${three(value)}×`],
  lost: ({ units }) => [`${units} lost per kill`, three],
};

/** From here on a share is easier to read as a part: 1/27. */
const PART_BELOW = 0.1;

/** '2.05', '0.48', '1/27' */
export function times(ratio) {
  return ratio < PART_BELOW ? `1/${three(1 / ratio)}` : three(ratio);
}

/** @param {object} answer see answersOf @param {{file, alt}} [chart] */
export const answerBlocks = ({ ask, text, claim, facts }, chart) => [
  heading(2, ask),
  paragraph(claim ? `**${text}**` : text),
  image(chart),
  ...answerTables(facts),
];

/** @param {object} facts see factsOf @returns {object[]} a table for each panel; none for copies */
export function answerTables(facts) {
  if (facts === null || facts.shape === 'copies') return [];
  if (facts.shape === 'rows') return facts.panels.map((panel) => tableOf({ ...facts, ...panel }, facts.by, panel.rows));
  return facts.floor === null
    ? [
        tableOf(
          facts,
          facts.by,
          facts.lines.flatMap(({ name, points }) => named(points, () => name, facts.asked)),
        ),
      ]
    : [
        tableOf(
          facts,
          facts.noun,
          named(facts.lines[0].points, ({ at }) => String(at)),
        ),
      ];
}

/** Points as rows of a table: all, or those where it was asked. */
const named = (points, nameOf, asked) =>
  points.filter(({ at }) => asked === undefined || at === asked).map((point) => ({ ...point, name: nameOf(point) }));

function tableOf(facts, first, rows) {
  const [head, text] = COLUMNS[facts.metric](facts);
  const reference = rows.find(({ name }) => name === facts.reference);
  const compared = reference && rows.some(({ low }) => low !== null);
  return table(
    head,
    [first, `>${head}`, ...(compared ? [`>times that of ${reference.name}`] : [])],
    rows.map((row) => [row.name, text(row.value), ...(compared ? [overReference(row, reference)] : [])]),
  );
}

function overReference(row, reference) {
  if (row === reference) return NOTHING;
  const over = (bound) => times(bound / reference.value);
  return row.low === null ? over(row.value) : `${over(row.value)} [${over(row.low)}, ${over(row.high)}]`;
}
