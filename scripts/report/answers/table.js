/** An answer as blocks: its question, what was found, the picture, and the figures that the picture shows. */
import { heading, image, paragraph, table } from '../blocks.js';
import { duration, NOTHING, rate } from '../format.js';

const UNITS = {
  throughput: ['answers/s', rate],
  p50: ['p50', duration],
  p95: ['p95', duration],
  p99: ['p99', duration],
  cpu_per_request: ['processor time per request', duration],
  speedup: ['times as fast', (value) => `${Number(value.toPrecision(3))}×`],
  lost: ['documents lost per kill', (value) => String(Number(value.toPrecision(3)))],
};

/** From here on a share is easier to read as a part: 1/27. */
const PART_BELOW = 0.1;

/** '2.05', '0.48', '1/27' */
export function times(ratio) {
  const digits = (value) => Number(value.toPrecision(3)).toLocaleString('en-US');
  return ratio < PART_BELOW ? `1/${digits(1 / ratio)}` : digits(ratio);
}

/** @param {object} answer see answersOf @param {{file, alt}} [chart] */
export const answerBlocks = ({ ask, text, claim, facts }, chart) => [
  heading(2, ask),
  paragraph(claim ? `**${text}**` : text),
  image(chart),
  ...answerTables(facts),
];

/** Marks of one place: all rows, or of lines the points where it was asked (of pools, all sizes). */
function marksOf({ shape, panels, lines, asked }) {
  if (shape === 'rows') return panels;
  const pools = lines.length === 1;
  const rows = lines.flatMap(({ name, role, points }) =>
    points
      .filter(({ at }) => pools || at === asked)
      .map((point) => ({ ...point, role: pools && point.low === null ? 'reference' : role, name: pools ? String(point.at) : name })),
  );
  return [{ metric: null, rows }];
}

/** @param {object} facts see factsOf @returns {object[]} a table for each panel; none for copies */
function answerTables(facts) {
  if (facts === null || facts.shape === 'copies') return [];
  const first = facts.shape === 'lines' && facts.lines.length === 1 ? facts.noun : '';
  return marksOf(facts).map(({ metric: own, rows }) => {
    const [unit, text] = UNITS[own ?? facts.metric];
    const reference = rows.find(({ role }) => role === 'reference');
    const compared = reference && rows.some(({ low }) => low !== null);
    return table(
      unit,
      [first, `>${unit}`, ...(compared ? [`>times that of ${reference.name}`] : [])],
      rows.map((row) => [row.name, text(row.value), ...(compared ? [overReference(row, reference)] : [])]),
    );
  });
}

function overReference({ role, value, low, high }, reference) {
  if (role === 'reference') return NOTHING;
  const over = (bound) => times(bound / reference.value);
  return low === null ? over(value) : `${over(value)} [${over(low)}, ${over(high)}]`;
}
