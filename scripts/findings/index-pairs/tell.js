/** What an index brought: pairs won and lost, the speed-up by documents found, and the plans. */
import { rangeText as boundsText, count, faster, intervalText, longer } from '../../analyse/effects.js';
import { ratio, share } from '../../analyse/format.js';
import { bracketed, listed } from '../../analyse/phrases.js';
import { bound, factor, inverted, plural } from '../../analyse/words.js';
import { code, folded, heading, paragraph, table } from '../../report/blocks.js';

/**
 * What an index brought, on average and by how much was found, as which of these were asked for is the workload's choice.
 * @param {object} cell of index_pairs, with an interval; plans: see find.js @param {string} [mark] what stands behind the title @returns {{text, title, brief}}
 */
export function indexText({ level, pairs, wins, speedup, by_results: kinds = [], plans }, mark) {
  const [{ much, range: bounds, interval }, verb] =
    speedup.ratio >= 1 ? [faster(speedup), 'ran'] : [longer(inverted(speedup)), 'took'];
  const [least, most] = extremes(kinds);
  const isSplit = speedup.low > 1 && least !== most && kinds.every((kind) => kind.speedup?.low > 1);
  const effect = isSplit
    ? `queries ran ${bound(least.speedup.ratio)} to ${bound(most.speedup.ratio)} times as fast on average with the index, by how many documents they found, ${much} over all`
    : `queries ${verb} ${much} with the index on average`;
  const unshown = 'no difference was shown with the index';
  const unsure = `speed-up ${bound(speedup.ratio)}, ${intervalText(speedup)}`;
  const text = speedup.differs ? `${effect} (${interval})` : `${unshown} (${unsure})`;
  const where = `With ${plural(level, 'user')}`;
  const split = isSplit ? extremeText(least, most) : least !== most && rangeText(least, most);
  const told = (...notes) =>
    `${where}, ${text}; the index won ${count(wins)} of ${plural(pairs, 'pair')} of equal answers${bracketed(...notes)}.`;
  return {
    text: told(split, unusedText(plans ?? [], kinds)),
    brief: told(split),
    title: `${where}, ${speedup.differs ? effect : unshown}${bracketed(speedup.differs ? bounds : `speed-up ${boundsText(speedup)}`, mark)}`,
  };
}

/** The kinds of query that the index helped least and most. */
function extremes(kinds) {
  const told = kinds.filter(({ speedup }) => speedup).toSorted((a, b) => a.speedup.ratio - b.speedup.ratio);
  return [told[0], told.at(-1)];
}

const foundText = ([from, to]) => (to === null ? `${count(from)}, the limit,` : range([from, to]));

/** 'least where 1,000, the limit, were found, most where 0' */
const extremeText = (least, most) =>
  `least where ${foundText(least.results)} were found, most where ${foundText(most.results).replace(/,$/, '')}`;

/** 'from 0.8 times where 1,000, the limit, were found to 28 times where 0 were found' */
function rangeText(least, most) {
  const told = ({ speedup, results }) => `${bound(speedup.ratio)} times where ${foundText(results)} were found`;
  return `from ${told(least)} to ${told(most)}`;
}

/** Of what plans there are, those of the indexed collection that do not use its index on the field asked about. */
function unusedText(plans, kinds) {
  const limit = kinds.find(({ results: [, most] }) => most === null)?.results[0] ?? Number.POSITIVE_INFINITY;
  const unused = plans.filter(
    ({ collection, plan: lines }) =>
      collection === 'indexed' && !lines.some((line) => line.includes(`${collection}.age`)),
  );
  return (
    unused.length > 0 &&
    `the plan for ${listed(unused.map(({ documents }) => count(documents)))} matches${unused.every(({ documents }) => documents >= limit) ? ', cut at the limit,' : ''} does not use it`
  );
}

/** @param {{index_pairs?: object|null}} results see find.js @returns {object[]} blocks; none of a run that has no pairs */
export function blocks({ index_pairs: pairs }) {
  return (pairs?.cells ?? []).length === 0
    ? []
    : [heading(2, 'Gain from the index'), ...pairs.cells.flatMap(blocksOf), ...(pairs.plans ?? []).map(plan)];
}

function blocksOf({ id, pairs, wins, losses, ties, speedup, best, worst, by_results }) {
  const part = (number) => `${number} (${share(number / pairs)})`;
  const single = (pair) => `${factor(pair.speedup)}× (documents found: ${range(pair.results)})`;
  return [
    heading(3, id),
    paragraph(
      `${pairs} pairs of equal answers: the index won ${part(wins)}, lost ${part(losses)}, tied ${part(ties)}. Speed-up, geometric mean over trials: ${ratio(speedup)}. Best pair ${single(best)}, worst ${single(worst)}.`,
    ),
    table(
      'Speed-up by documents found',
      ['documents found', '>pairs', '>speed-up'],
      by_results.map((row) => [range(row.results), row.pairs, ratio(row.speedup)]),
    ),
  ];
}

function range([least, most]) {
  if (most === null) return `${least}, the limit`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

const plan = ({ collection, age, documents, plan: lines }) =>
  folded(`Plan: ${collection}, age ${age} (${plural(documents, 'document')})`, code('', lines.join('\n')));
