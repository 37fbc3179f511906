/** What was found of each target, side by side: for the terminal, and for a report where no answer shows it. */
import { againstText, doubtsOf } from '../../analyse/capacity/doubts.js';
import { objectiveText, shownLeast, unitOf } from '../../analyse/capacity/sentences.js';
import { rangeText } from '../../analyse/effects.js';
import { NOTHING } from '../../analyse/format.js';
import { groupBy } from '../../analyse/numbers.js';
import { factor, seriesName } from '../../analyse/words.js';
import { heading, paragraph, table } from '../../report/blocks.js';

/**
 * One table per question: rates, and numbers of users by how long they think.
 * @param {{capacities?: object[]}} results results.json, of any age
 * @returns {{title: string, header: string[], rows: string[][], doubts: string[]}[]} the best answer first; doubts: what speaks against all of them
 */
export function sideBySide({ capacities = [] }) {
  const names = new Set(capacities.map(placeName));
  return [...groupBy(capacities, ({ think_s = null }) => think_s).values()].map((alike) => ({
    title: titleOf(alike[0].objective.parts, alike[0]),
    header: ['target', unitOf(alike[0]), '95 % interval', 'blocks', AGAINST],
    doubts: doubtsOf(alike),
    rows: alike
      .toSorted((a, b) => worthOf(b) - worthOf(a))
      .map((capacity) => [
        [seriesName(capacity), names.size > 1 && placeName(capacity)].filter(Boolean).join(', '),
        amountText(capacity.answer),
        intervalText(capacity.answer),
        `${capacity.answer.blocks} of ${capacity.answer.of}`,
        againstText(capacity) || NOTHING,
      ]),
  }));
}

export const AGAINST = 'what speaks against it';

/** The same as blocks of a report, of what no answer shows. @param {object} results @param {{facts: object|null}[]} [shown] see answersOf @returns {object[]} */
export function tables({ capacities = [] }, shown = []) {
  const rows = shown.flatMap(({ facts }) => facts?.panels ?? []).flatMap(({ rows: marks = [] }) => marks);
  const drawn = new Set(rows.map(({ cell }) => cell));
  return sideBySide({ capacities: capacities.filter(({ id }) => !drawn.has(id)) }).flatMap((side) => [
    heading(2, side.title),
    table(
      side.title,
      side.header.map((text, i) => (i === 0 || text === AGAINST ? text : `>${text}`)),
      side.rows,
    ),
    paragraph(side.doubts.join(' ')),
  ]);
}

/** '24 searches, 3 of them marked', beside the trials that are counted; nothing where nothing is searched for. @param {object} results @returns {string|null} */
export function searchesText({ capacities = [] }) {
  const searches = capacities.flatMap(({ trials }) => trials);
  const marked = searches.filter(({ verdict }) => verdict !== 'valid').length;
  return searches.length > 0
    ? `${searches.length} ${searches.length === 1 ? 'search' : 'searches'}, ${marked} of them marked`
    : null;
}

const placeName = ({ workload, tool, database }) =>
  [workload, tool, database].filter((name) => name !== 'none').join(', ');

/** 'Up to which rate p95 stays below 100 ms and errors below 1 %' */
const titleOf = (parts, { think_s = null, iteration_requests = 1 }) =>
  think_s === null
    ? `Up to which rate ${objectiveText(parts)}`
    : `With how many users, who think for ${factor(think_s)} s between ${iteration_requests > 1 ? 'one iteration and the next' : 'an answer and the next request'}, ${objectiveText(parts)}`;

const worthOf = ({ answer: { kind, rate } }) => (kind === 'none' || rate === null ? 0 : rate);

const AMOUNTS = {
  rate: ({ rate }) => factor(rate),
  'at least': ({ rate }) => `at least ${factor(shownLeast(rate))}`,
  none: ({ rate }) => `none, down to ${factor(rate)}`,
  unknown: () => 'not known',
};
/** '341', 'at least 6,400' @param {object} answer see overBlocks */
export const amountText = (answer) => AMOUNTS[answer.kind](answer);

/** '330 to 352', 'from 6,300 up' @param {object} answer see overBlocks */
export function intervalText({ low, high }) {
  if (low === null || (low === 0 && !high)) return NOTHING;
  if (high === null) return `from ${factor(low)} up`;
  return low > 0 ? rangeText({ low, high }) : `up to ${factor(high)}`;
}
