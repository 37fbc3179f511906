/** What an index brought: pairs won and lost, the speed-up by documents found, and the plans. */
import { count, faster, intervalText, longer } from '../../analyse/effects.js';
import { bracketed } from '../../analyse/phrases.js';
import { bound, factor, inverted, plural } from '../../analyse/words.js';
import { code, folded, heading, paragraph, table } from '../../report/blocks.js';
import { ratio, share } from '../../report/format.js';

/** What an index brought. @param {object} cell of index_pairs, with an interval @param {string} [context] @param {string} [mark] what stands behind the title @returns {{text, title}} */
export function indexText({ level, pairs, wins, speedup }, context, mark) {
  const [{ much, interval }, verb] =
    speedup.ratio >= 1 ? [faster(speedup), 'ran'] : [longer(inverted(speedup)), 'took'];
  const effect = `queries ${verb} ${much} with the index`;
  const none = 'no difference was shown with the index';
  const unsure = `speed-up ${bound(speedup.ratio)}, ${intervalText(speedup)}`;
  const text = speedup.differs ? `${effect} (${interval})` : `${none} (${unsure})`;
  const where = `With ${plural(level, 'user')}`;
  return {
    text: `${where}, ${text}; the index won ${count(wins)} of ${plural(pairs, 'pair')} of equal answers${bracketed(context)}.`,
    title: `${where}, ${speedup.differs ? effect : none}${bracketed(mark)}`,
  };
}

/** @param {{index_pairs?: object|null}} results see find.js @returns {object[]} blocks; none of a run that has no pairs */
export function blocks({ index_pairs: pairs }) {
  return (pairs?.cells ?? []).length === 0
    ? []
    : [heading(2, 'Gain from the index'), ...pairs.cells.flatMap(blocksOf), ...(pairs.plans ?? []).map(plan)];
}

function blocksOf({ id, pairs, wins, losses, ties, speedup, best, worst, by_results }) {
  const part = (some) => `${some} (${share(some / pairs)})`;
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
