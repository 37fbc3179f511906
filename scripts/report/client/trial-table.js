/** The table of all trials: filtered, sorted, a page at a time, so that thousands open at once. */
import { levelNoun, limitText, plural, seriesName } from '../../analyse/words.js';
import { duration, NOTHING, rate } from '../format.js';
import { make } from './dom.js';
import { compareValues, sortButtons } from './sort.js';

const ROWS = 50;
const ORDER = { invalid: 0, suspect: 1, valid: 2 };
const VERDICTS = ['any verdict', 'invalid', 'suspect', 'valid'];

/** name, what it shows, what it sorts by (what it shows unless given), whether aligned right */
const COLUMNS = [
  { name: 'verdict', show: ({ trial }) => trial.verdict, by: ({ trial }) => ORDER[trial.verdict] },
  { name: 'marks', show: ({ trial }) => trial.reasons.map(({ check }) => check).join(', ') },
  { name: 'target', show: ({ cell }) => seriesName(cell) },
  { name: 'workload', show: ({ cell }) => cell.workload },
  {
    name: 'load',
    show: ({ cell }) => `${cell.tool}, ${cell.level} ${levelNoun(cell, cell.level)}`,
    by: ({ cell }) => cell.level,
  },
  {
    name: 'answers/s',
    show: ({ trial }) => rate(trial.throughput_rps),
    by: ({ trial }) => trial.throughput_rps,
    right: true,
  },
  { name: 'p95', show: ({ trial }) => duration(trial.p95_us), by: ({ trial }) => trial.p95_us, right: true },
  { name: 'errors', show: ({ trial }) => trial.errors ?? NOTHING, by: ({ trial }) => trial.errors, right: true },
  {
    name: 'headroom',
    show: ({ trial }) => (trial.headroom === null ? NOTHING : `${Number(trial.headroom.toPrecision(3))}×`),
    by: ({ trial }) => trial.headroom,
    right: true,
  },
  { name: 'limited by', show: ({ trial }) => limitText(trial.bottleneck), by: ({ trial }) => trial.bottleneck },
  { name: 'block', show: ({ trial }) => trial.block, right: true },
];

/**
 * @param {HTMLElement} place @param {Map<string, {trial, cell}>} trials by id @param {(id: string) => void} open
 */
export function trialTable(place, trials, open) {
  const all = [...trials.values()].map((entry) => ({
    ...entry,
    text: `${entry.trial.id} ${seriesName(entry.cell)} ${limitText(entry.trial.bottleneck)} ${entry.trial.reasons.map(({ check, text }) => `${check} ${text}`).join(' ')}`.toLowerCase(),
  }));
  all.sort((a, b) => a.cell.calibration - b.cell.calibration || ORDER[a.trial.verdict] - ORDER[b.trial.verdict]);
  let matching = all;
  let page = 0;
  const [count, body] = [make('p', { role: 'status' }), make('tbody')];
  const search = make('input', { type: 'search', placeholder: 'raw echo wrk headroom …', input: () => filter() });
  const verdict = make('select', { change: () => filter() }, ...VERDICTS.map((name) => make('option', {}, name)));
  const [back, next] = [
    make('button', { type: 'button', class: 'quiet', click: () => turn(-1) }, 'Previous'),
    make('button', { type: 'button', class: 'quiet', click: () => turn(1) }, 'Next'),
  ];
  const head = make(
    'thead',
    {},
    make(
      'tr',
      {},
      ...COLUMNS.map(({ name, right }) => make('th', { scope: 'col', class: right ? 'number' : null }, name)),
    ),
  );
  sortButtons(head, (column, direction) => {
    const { show, by = show } = COLUMNS[column];
    all.sort((a, b) => compareValues(by(a) ?? null, by(b) ?? null, direction));
    filter();
  });
  place.replaceChildren(
    make('div', { class: 'filters' }, make('label', {}, 'Find ', search), make('label', {}, 'Verdict ', verdict)),
    make(
      'div',
      { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': 'All trials' },
      make('table', { class: 'trials' }, head, body),
    ),
    make('div', { class: 'pages' }, back, count, next),
  );
  filter();

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const only = verdict.selectedIndex === 0 ? null : verdict.value;
    matching = all.filter(
      ({ text, trial }) => (!only || trial.verdict === only) && words.every((word) => text.includes(word)),
    );
    page = 0;
    show();
  }

  function turn(by) {
    page += by;
    show();
  }

  function show() {
    const from = page * ROWS;
    const rows = matching.slice(from, from + ROWS);
    body.replaceChildren(...rows.map((entry) => row(entry, open)));
    count.textContent =
      matching.length > ROWS
        ? `${from + 1} to ${from + rows.length} of ${plural(matching.length, 'trial')}`
        : plural(matching.length, 'trial');
    back.disabled = page === 0;
    next.disabled = from + ROWS >= matching.length;
  }
}

function row(entry, open) {
  const { trial } = entry;
  const button = make(
    'button',
    {
      type: 'button',
      class: `badge ${trial.verdict}`,
      'aria-label': `${trial.verdict}: open trial ${trial.id}`,
      click: () => open(trial.id),
    },
    trial.verdict,
  );
  return make(
    'tr',
    {},
    make('td', {}, button),
    ...COLUMNS.slice(1).map(({ show, right }) => make('td', { class: right ? 'number' : null }, String(show(entry)))),
  );
}
