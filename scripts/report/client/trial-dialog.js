/** One trial: its command, its figures, what the checks found, and its files. */

import { duration, NOTHING, rate } from '../../analyse/format.js';
import { limitText, seriesName } from '../../analyse/words.js';
import { commands } from './commands.js';
import { make } from './dom.js';

const number = (value) => (value === null || value === undefined ? NOTHING : value.toLocaleString('en-US'));

const FIGURES = [
  ['answers/s', ({ throughput_rps }) => rate(throughput_rps)],
  ['requests', ({ requests }) => number(requests)],
  ['errors', ({ errors }) => number(errors)],
  ['p50', ({ p50_us }) => duration(p50_us)],
  ['p90', ({ p90_us }) => duration(p90_us)],
  ['p95', ({ p95_us }) => duration(p95_us)],
  ['p99', ({ p99_us }) => duration(p99_us)],
  [
    'unanswered',
    ({ beyond }) => (beyond ? `${number(beyond.count)}, more than ${duration(beyond.more_than_us)}` : NOTHING),
  ],
  ['in flight', ({ in_flight_mean }) => number(in_flight_mean)],
  ['headroom', ({ headroom }) => (headroom === null ? NOTHING : `${headroom}×`)],
  ['statements per request', ({ statements_per_request }) => number(statements_per_request)],
  ['sessions per request', ({ sessions_per_request }) => number(sessions_per_request)],
  ['limited by', ({ bottleneck }) => limitText(bottleneck)],
  ['started', ({ started_at }) => started_at ?? NOTHING],
];

const NOT_CLOSELY =
  'To stay small, the page of a run with more than 500 trials shows latency by second, processor and waits only for cells that a question compares. This trial has them in its files, below.';

export class TrialDialog {
  #dialog;
  #trials;
  #details;
  #charts;

  /** @param {HTMLDialogElement} dialog @param {{trials: Map, details: object, charts: object}} page */
  constructor(dialog, { trials, details, charts }) {
    [this.#dialog, this.#trials, this.#details, this.#charts] = [dialog, trials, details, charts];
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    const named = () => {
      try {
        return decodeURIComponent(location.hash.slice(1));
      } catch {
        return ''; // a link that was cut
      }
    };
    dialog.addEventListener('close', () => {
      if (trials.has(named())) history.replaceState(null, '', location.pathname + location.search);
    });
    const linked = () => {
      if (trials.has(named())) this.open(named());
    };
    addEventListener('hashchange', linked);
    linked();
  }

  open(id) {
    const { trial, cell } = this.#trials.get(id);
    const canvas = make('div', {
      class: 'canvas',
      role: 'img',
      'aria-label':
        'Charts over time: what the checks found, answers, latency, in flight, processor by role, waits of the database',
    });
    const { timelines, closely } = this.#details;
    const seconds = timelines[id];
    this.#dialog.replaceChildren(
      make(
        'header',
        {},
        make(
          'h2',
          { id: 'trial-title' },
          `${seriesName(cell)}, ${cell.workload}, ${cell.tool}, ${cell.model} ${cell.level}, block ${trial.block}`,
        ),
        make('button', { type: 'button', class: 'quiet', click: () => this.#dialog.close() }, 'Close'),
      ),
      make(
        'p',
        {},
        make('span', { class: `badge ${trial.verdict}` }, trial.verdict),
        ` ${id} `,
        ...(cell.calibration
          ? []
          : [make('a', { href: `#${cell.id}`, click: () => this.#dialog.close() }, 'Its row among the cells')]),
      ),
      ...reasons(trial),
      make(
        'dl',
        { class: 'figures' },
        ...FIGURES.map(([name, of]) => make('div', {}, make('dt', {}, name), make('dd', {}, of(trial)))),
      ),
      ...(seconds ? [canvas] : []),
      ...(closely === 'asked' && !seconds?.cores ? [make('p', { class: 'muted' }, NOT_CLOSELY)] : []),
      ...commands(cell, this.#details.argv[cell.id]),
      ...files(id, this.#details.files[this.#details.filesOf[id]]),
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTop = 0;
    history.replaceState(null, '', `#${id}`);
    if (seconds) this.#charts.trial(canvas, trial, seconds);
  }
}

function reasons({ reasons: marks, not_measured, verdict }) {
  const items = marks.map(({ check, verdict: of, text }) =>
    make('li', {}, make('span', { class: `badge ${of}` }, of), ' ', make('strong', {}, check), `: ${text}`),
  );
  const blind = not_measured.length > 0 ? `Not measured, so not passed: ${not_measured.join(', ')}.` : '';
  return [
    items.length > 0
      ? make('ul', { class: 'reasons' }, ...items)
      : make('p', {}, `No check found a fault (${verdict}).`),
    ...(blind ? [make('p', { class: 'muted' }, blind)] : []),
  ];
}

function files(id, names) {
  if (!names) return [make('p', { class: 'muted' }, `Its files were in cells/${id}.`)];
  const links = names.map((name) => make('li', {}, make('a', { href: `cells/${id}/${name}` }, name)));
  return [make('h3', {}, `Files in cells/${id}`), make('ul', { class: 'files' }, ...links)];
}
