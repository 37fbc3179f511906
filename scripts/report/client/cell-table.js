/** The table of all cells. Two that are chosen stand side by side below it. */

import { marksText, NOTHING, percentile, rate, rateSpread, share } from '../../analyse/format.js';
import { levelNoun, limitText, seriesName } from '../../analyse/words.js';
import { bigTable } from './big-table.js';
import { commands } from './commands.js';
import { make } from './dom.js';
import { choose, chosen } from './state.js';

const loadOf = (cell) => `${cell.tool}, ${cell.level} ${levelNoun(cell, cell.level)}`;
const usedOf = ({ trials, trials_used: used }) => (used === trials.length ? used : `${used} of ${trials.length}`);
const headroomOf = ({ headroom }) => (headroom === null ? NOTHING : `${Number(headroom.toPrecision(3))}×`);
const latency = (key) => ({
  name: key,
  show: ({ latency_us }) => percentile(latency_us, key),
  by: ({ latency_us }) =>
    latency_us?.beyond?.percentiles?.includes(key) ? latency_us.beyond.more_than_us : latency_us?.[key],
  right: true,
});

const COLUMNS = [
  { name: 'target', show: seriesName },
  { name: 'workload', show: ({ workload }) => workload },
  { name: 'database', show: ({ database }) => database },
  { name: 'load', show: loadOf, by: ({ level }) => level },
  {
    name: 'answers/s',
    show: ({ throughput_rps }) => rate(throughput_rps?.median),
    by: ({ throughput_rps }) => throughput_rps?.median,
    right: true,
  },
  ...['p50', 'p95', 'p99'].map(latency),
  { name: 'errors', show: ({ errors }) => share(errors.share), by: ({ errors }) => errors.share, right: true },
  { name: 'headroom', show: headroomOf, by: ({ headroom }) => headroom, right: true },
  { name: 'trials', show: usedOf, by: ({ trials_used: used }) => used, right: true },
  { name: 'marks', show: marksText, by: (cell) => marksText(cell) || null },
];

/** What two cells are compared by; those with a ratio in the order of the page's ratios. */
const RATIOS = [
  ['answers/s, median [range]', ({ throughput_rps }) => rateSpread(throughput_rps)],
  ...['p50', 'p95', 'p99'].map((key) => [key, ({ latency_us }) => percentile(latency_us, key)]),
];
const FIGURES = [
  ['load', loadOf],
  ['errors', ({ errors }) => share(errors.share)],
  ['headroom', headroomOf],
  ['limited by', ({ bottleneck }) => limitText(bottleneck?.is)],
  ['trials', usedOf],
  ['marks', (cell) => marksText(cell) || 'none'],
];

/**
 * @param {{table: HTMLElement, pair: HTMLElement}} elements pair: where two stand side by side
 * @param {{cells: object[], details: {argv}, ratios: string[][]}} results the page's data
 */
export function cellTable({ table, pair }, { cells, details, ratios }) {
  const measured = cells.filter(({ calibration }) => !calibration);
  const byId = new Map(measured.map((cell) => [cell.id, cell]));
  const two = (chosen('compare') ?? '')
    .split(' ')
    .filter((id) => byId.has(id))
    .slice(0, 2);
  const entries = measured.map((cell) => ({
    ...cell,
    text: `${cell.id} ${seriesName(cell)} ${loadOf(cell)}`.toLowerCase(),
  }));
  const box = ({ id }) =>
    make('input', {
      type: 'checkbox',
      'aria-label': `compare ${id}`,
      checked: two.includes(id),
      change: () => toggle(id),
    });
  const compare = { name: 'compare', by: ({ id }) => Number(!two.includes(id)), put: box };
  const show = bigTable(table, {
    ...{ name: 'cells', label: 'All cells', noun: 'cell', hint: 'pooled echo wrk 16 …', entries },
    columns: [compare, ...COLUMNS],
  });
  showPair();

  /** A third takes the place of the first. */
  function toggle(id) {
    if (two.includes(id)) two.splice(two.indexOf(id), 1);
    else two.push(id);
    if (two.length > 2) {
      two.shift();
      const active = document.activeElement.getAttribute('aria-label');
      show();
      table.querySelector(`[aria-label="${CSS.escape(active)}"]`)?.focus();
    }
    choose('compare', two.length > 0 ? two.join(' ') : null);
    showPair();
  }

  function showPair() {
    if (two.length < 2) return pair.replaceChildren();
    const ratio = ratios.find(([above, below]) => two.includes(above) && two.includes(below));
    const sides = (ratio ?? two).slice(0, 2).map((id) => byId.get(id));
    pair.replaceChildren(
      ...sideBySide(sides, ratio?.slice(2)),
      ...sides.flatMap((cell) => howTo(cell, details.argv[cell.id])),
    );
  }
}

const howTo = (cell, argv) => [make('h3', {}, `${seriesName(cell)}: ${cell.id}`), ...commands(cell, argv)];

/** @param {object[]} sides two cells @param {string[]} [ratios] of the first to the second, where the run has them */
function sideBySide(sides, ratios) {
  const head = ['', ...sides.map(({ id }) => id), ...(ratios ? ['ratio'] : [])];
  const row = ([name, of], ratio) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      ...[...sides.map(of), ...(ratios ? [ratio] : [])].map((text) => make('td', {}, String(text))),
    );
  const note = ratios
    ? 'The ratio divides the first by the second within every block, with its 95 % interval; ~: no difference was shown; *: asked before the run.'
    : 'The run has no ratio of these two, and figures side by side show no cause.';
  return [
    make(
      'div',
      { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': 'Two cells side by side' },
      make(
        'table',
        { class: 'pair' },
        make(
          'thead',
          {},
          make('tr', {}, ...head.map((text) => make(text ? 'th' : 'td', text ? { scope: 'col' } : {}, text))),
        ),
        make(
          'tbody',
          {},
          ...RATIOS.map((figure, i) => row(figure, ratios?.[i])),
          ...FIGURES.map((figure) => row(figure, '')),
        ),
      ),
    ),
    make('p', { class: 'muted' }, note),
  ];
}
