/** The table of all trials. */

import { duration, NOTHING, rate } from '../../analyse/format.js';
import { levelNoun, limitText, seriesName } from '../../analyse/words.js';
import { bigTable } from './big-table.js';
import { make } from './dom.js';

const ORDER = { invalid: 0, suspect: 1, valid: 2 };

const COLUMNS = [
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
 * @param {HTMLElement} element @param {Map<string, {trial, cell}>} trials by id @param {(id: string) => void} open
 */
export function trialTable(element, trials, open) {
  const entries = [...trials.values()].map((entry) => ({
    ...entry,
    text: `${entry.trial.id} ${seriesName(entry.cell)} ${limitText(entry.trial.bottleneck)} ${entry.trial.reasons.map(({ check, text }) => `${check} ${text}`).join(' ')}`.toLowerCase(),
  }));
  entries.sort((a, b) => a.cell.calibration - b.cell.calibration || ORDER[a.trial.verdict] - ORDER[b.trial.verdict]);
  const verdict = ({ trial }) => trial.verdict;
  const button = ({ trial: { id, verdict: is } }) =>
    make(
      'button',
      { type: 'button', class: `badge ${is}`, 'aria-label': `${is}: open trial ${id}`, click: () => open(id) },
      is,
    );
  bigTable(element, {
    ...{ name: 'trials', label: 'All trials', noun: 'trial', hint: 'raw echo wrk headroom …', entries },
    columns: [{ name: 'verdict', show: verdict, by: (entry) => ORDER[verdict(entry)], put: button }, ...COLUMNS],
    only: { label: 'Verdict', options: ['any verdict', ...Object.keys(ORDER)], of: verdict },
  });
}
