/** Entry of report.html's script. */
import { comparable } from '../../analyse/figures.js';
import { withTrials } from '../answers/trials.js';
import { cellTable } from './cell-table.js';
import { Charts } from './report-charts.js';
import { sortable } from './sort.js';
import { watchTheme } from './theme.js';
import { TrialDialog } from './trial-dialog.js';
import { trialTable } from './trial-table.js';
import { unpack } from './unpack.js';

for (const table of document.querySelectorAll('table.sortable')) sortable(table);
unpack('data').then((text) => start(JSON.parse(text)));

function start({ answers, ...data }) {
  const cells = new Map(comparable(data).map((cell) => [cell.id, cell]));
  const results = { ...data, answers: answers.map(({ key, facts }) => ({ key, facts: withTrials(facts, cells) })) };
  const trials = new Map(results.cells.flatMap((cell) => cell.trials.map((trial) => [trial.id, { trial, cell }])));
  const charts = new Charts(results, (id) => dialog.open(id));
  const dialog = new TrialDialog(document.getElementById('trial'), { trials, details: results.details, charts });
  cellTable({ table: document.getElementById('cell-table'), pair: document.getElementById('pair') }, results);
  trialTable(document.getElementById('trial-table'), trials, (id) => dialog.open(id));
  charts.watch(document.querySelectorAll('figure[data-chart]'));
  watchTheme(() => charts.redraw());
  document.documentElement.dataset.ready = 'yes';
}
