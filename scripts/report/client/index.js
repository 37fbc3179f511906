/** Entry of index.html's script. */
import { compareRuns } from '../../analyse/compare.js';
import { trendChart } from '../charts/trend.js';
import { comparisonBlocks } from '../comparison.js';
import { palette } from '../palette.js';
import { toHtml } from '../to-html.js';
import { pointsOf } from '../trend.js';
import { make } from './dom.js';
import { drawChart } from './library.js';
import { sortable } from './sort.js';
import { theme, watchTheme } from './theme.js';
import { unpack } from './unpack.js';

const $ = (id) => document.getElementById(id);
const RESIZE_MS = 150;

for (const table of document.querySelectorAll('table.sortable')) sortable(table);
unpack('data').then(async (text) => {
  const runs = JSON.parse(text);
  search();
  if (runs.length > 0) {
    compare(runs);
    await trends(runs);
  }
  document.documentElement.dataset.ready = 'yes';
});

function search() {
  const rows = [...$('runs').tBodies[0].rows];
  $('search').addEventListener('input', ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => row.dataset.text.includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    $('count').textContent = `${shown} of ${rows.length} runs`;
  });
}

/** Fills a select. @param {[value: string, text: string][]} options */
function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make('option', { value }, text)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

async function trends(runs) {
  const machines = [...new Set(runs.map(({ machine }) => machine))];
  const here = () => runs.filter(({ machine }) => machine === $('machine').value);
  const cells = () => {
    const counts = new Map();
    for (const { cells: measured } of here()) for (const { id } of measured) counts.set(id, (counts.get(id) ?? 0) + 1);
    const often = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    fill(
      $('cell'),
      often.map(([id, count]) => [id, `${id} (${count})`]),
      $('cell').value,
    );
  };
  const draw = async () => {
    const canvas = $('trend');
    const look = { theme: theme(), width: canvas.clientWidth, font: getComputedStyle(document.body).fontFamily };
    const [{ colour }] = palette(['cell'], look.theme).values();
    const spec = trendChart(pointsOf(here(), $('cell').value), { look, colour });
    if (spec === null) canvas.replaceChildren();
    else await drawChart(canvas, spec, { theme: look.theme });
  };
  fill(
    $('machine'),
    machines.map((name) => [name, name]),
  );
  cells();
  $('machine').addEventListener('change', () => {
    cells();
    draw();
  });
  $('cell').addEventListener('change', draw);
  let timer = null;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(draw, RESIZE_MS);
  });
  watchTheme(draw);
  await draw();
}

function compare(runs) {
  const options = runs.map(({ run }, i) => [String(i), run.id]);
  const show = () => {
    const pair = [runs[$('first').value], runs[$('second').value]];
    const threshold = Number($('threshold').value) / 100;
    const [, ...blocks] = comparisonBlocks(compareRuns(...pair, threshold), pair, threshold);
    $('comparison').innerHTML = toHtml(blocks);
    for (const table of $('comparison').querySelectorAll('table')) sortable(table);
  };
  fill($('first'), options, pairOf(runs));
  fill($('second'), options, '0');
  for (const id of ['first', 'second', 'threshold']) $(id).addEventListener('input', show);
  show();
}

/** The run before the newest that measured the same experiment on the same machine, else the one before it. */
function pairOf([newest, ...older]) {
  const same = older.findIndex(
    ({ run, machine }) => run.experiment === newest.run.experiment && machine === newest.machine,
  );
  return String(Math.max(0, same) + Math.min(1, older.length));
}
