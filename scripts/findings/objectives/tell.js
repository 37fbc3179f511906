/** Objectives: which of them a run met, and which it missed. */

import { bytes, duration, NOTHING, rate, share } from '../../analyse/format.js';
import { marksOf, marksText } from '../../analyse/marks.js';
import { groupBy } from '../../analyse/numbers.js';
import { levelPhrase } from '../../analyse/phrases.js';
import { plural } from '../../analyse/words.js';
import { heading, paragraph, table } from '../../report/blocks.js';

/** What the figure of an objective is called. */
const METRICS = {
  throughput_rps: 'throughput',
  p95_us: 'p95',
  error_share: 'errors',
  rss_max_bytes: 'memory',
  cpu_share: 'processor time',
  disk_read_bytes_per_s: 'disk reads',
};

const metricText = (metric) => METRICS[metric] ?? metric;

/** Which objectives a run met, in a sentence; none where it measured none. @param {object} results results.json @returns {string[]} */
export function texts({ objectives: all, cells = [], environment }) {
  const objectives = all ?? [];
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const [met, missed] = [true, false].map((answer) => objectives.filter((objective) => objective.met === answer));
  const judgedCells = [...new Set(objectives.map(({ cell }) => byId.get(cell)).filter(Boolean))];
  const loads = new Set(judgedCells.map(({ workload, ...cell }) => `${workload} ${levelPhrase(cell)}`));
  const measured = [...loads, environment?.scale && `scale ${environment.scale}`].filter(Boolean).join(', ');
  const marks = marksOf(judgedCells);
  const marked = marks.length > 0 && marksText(marks, [{ name: '', cells: judgedCells }]);
  const where = [measured, marked].filter(Boolean).join('; ');
  return met.length + missed.length === 0 ? [] : [objectivesText(met, objectives.length, missed, where)];
}

/** How many objectives were met, and which were missed. @param {string} [where] they were measured */
function objectivesText(met, all, missed, where = '') {
  const listed = (objectives) =>
    [...groupBy(objectives, ({ name }) => name)]
      .map(([name, same]) => `${name} (${same.map(({ metric }) => metricText(metric)).join(', ')})`)
      .join(', ');
  return `${met.length} of ${plural(all, 'objective')} met${met.length > 0 ? `: ${listed(met)}` : ''}${missed.length > 0 ? `; missed: ${listed(missed)}` : ''}${where && ` (${where})`}.`;
}

const FIGURES = {
  us: duration,
  bytes,
  share,
  'requests/s': (value) => `${rate(value)}/s`,
  'bytes/s': (value) => `${value < 1 ? '0 B' : bytes(value)}/s`,
  'share of the cores': share,
};

/** @param {{objectives?: object[]}} results see find.js @returns {object[]} blocks; none of a run that measured none of them */
export function blocks({ objectives }) {
  const judged = objectives ?? [];
  if (judged.length === 0) return [];
  const met = { true: 'met', false: '**missed**', null: 'not measured' };
  const rows = judged.map(({ name, metric, must_be, limit, unit, measured, met: answer, cell }) => [
    name,
    metricText(metric),
    `${must_be} ${FIGURES[unit](limit)}`,
    measured === null ? NOTHING : FIGURES[unit](measured),
    met[answer],
    cell,
  ]);
  const counts = ['met', '**missed**', 'not measured'].map((word) => rows.filter((row) => row[4] === word).length);
  return [
    heading(2, 'Objectives'),
    paragraph(`${counts[0]} met, ${counts[1]} missed${counts[2] > 0 ? `, ${counts[2]} not measured` : ''}.`),
    table('Objectives', ['objective', 'figure', '>required', '>measured', 'verdict', 'cell'], rows),
  ];
}
